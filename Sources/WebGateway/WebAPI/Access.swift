internal import ControlLanguage
internal import PodcastModel

/// What a request's `Authorization` says.
enum Credentials: Equatable, Sendable {
    case missing
    case login(name: String, password: String)
    /// A token's name and its secret: `NAME.SECRET`.
    case token(name: String, secret: String)
    case unreadable

    /// Bytes of the header at most.
    private static let maximumBytes = 2048

    init(_ header: String?) {
        guard let header else {
            self = .missing
            return
        }
        self = .unreadable
        guard header.utf8.count <= Self.maximumBytes, let space = header.firstIndex(of: " ") else { return }
        let value = header[space...].drop { $0 == " " }
        switch header[..<space].lowercased() {
        case "basic":
            guard let bytes = Base64.bytes(of: String(value)), let text = String(validating: bytes, as: UTF8.self),
                let colon = text.firstIndex(of: ":"), !text.unicodeScalars.contains("\0")
            else { return }
            self = .login(name: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
        case "bearer":
            guard let point = value.firstIndex(of: "."), point > value.startIndex else { return }
            self = .token(name: String(value[..<point]), secret: String(value[value.index(after: point)...]))
        default: return
        }
    }
}

/// Who makes a request, as far as that is proved.
enum WebCaller: Equatable, Sendable {
    case anonymous
    /// A caller with a password or token.
    case known(name: String, CommandDeclaration.Permission)
}

/// What callers may do.
struct AccessPolicy: Equatable, Sendable {
    /// What a caller on this machine may do without a password; nil for nothing.
    var local: CommandDeclaration.Permission?

    init(local: CommandDeclaration.Permission? = .read) { self.local = local }

    /// The permission of a caller; nil for none.
    func permission(of caller: WebCaller, isLocal: Bool) -> CommandDeclaration.Permission? {
        switch caller {
        case .anonymous: isLocal ? local : nil
        case .known(_, let permission): permission
        }
    }

    /// - Throws: 401 for a caller that may prove more, 403 for one that has.
    func require(
        _ needed: CommandDeclaration.Permission, of caller: WebCaller, isLocal: Bool
    ) throws(WebProblem) {
        if let given = permission(of: caller, isLocal: isLocal), given >= needed { return }
        switch caller {
        case .anonymous: throw WebProblem.unauthorized("permission '\(needed.name)' is needed: log in")
        case .known(let name, let given):
            throw WebProblem(
                403, "Forbidden", "'\(name)' has permission '\(given.name)', but '\(needed.name)' is needed")
        }
    }
}
