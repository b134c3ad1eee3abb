internal import ControlLanguage
internal import HTTPServing
internal import PodcastModel

/// What a request's `Authorization` says.
enum Credentials: Equatable {
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

    /// The device whose app password, `DEVICE.SECRET`, a login may have.
    var device: String? {
        guard case .login(_, let password) = self, let point = password.lastIndex(of: "."),
            password[point...].utf8.count == Secret.typed + 1
        else { return nil }
        return String(password[..<point])
    }
}

/// Who makes a request, as far as that is proved.
enum WebCaller: Equatable {
    case anonymous
    /// A caller with a password or token; `device` has the app password of the user.
    case known(name: String, CommandDeclaration.Permission, device: String? = nil)
    /// A paired podcastd.
    case peer(PeerRequest)
}

struct AccessPolicy: Equatable {
    /// What a caller on this machine may do without a password; nil for nothing.
    var local: CommandDeclaration.Permission?
    /// Whether web.conf has users.
    var hasUsers = true

    /// The permission of a caller; nil for none.
    func permission(of caller: WebCaller, isLocal: Bool) -> CommandDeclaration.Permission? {
        switch caller {
        case .anonymous: isLocal ? local : nil
        case .known(_, let permission, _): permission
        case .peer: .admin
        }
    }

    /// - Throws: 401 for a caller that may prove more, 403 for one that has.
    func require(_ needed: CommandDeclaration.Permission, of caller: WebCaller, isLocal: Bool) throws(WebProblem) {
        if let given = permission(of: caller, isLocal: isLocal), given >= needed { return }
        switch caller {
        case .peer: return
        case .anonymous:
            throw WebProblem.unauthorized(
                "permission '\(needed.rawValue)' is needed: log in",
                hint: hasUsers
                    ? nil
                    : "web.conf has no users yet: on this machine, open the address that 'podcast-web --link' prints; "
                        + "podcast-web --hash-password makes the hash for a user")
        case .known(let name, let given, _):
            throw WebProblem(
                403, "Forbidden", "'\(name)' has permission '\(given.rawValue)', but '\(needed.rawValue)' is needed")
        }
    }
}

/// Refuses what a page of another site makes a browser send: names that lead here by DNS rebinding, and requests across
/// origins.
struct RequestGuard: Equatable {
    private let hosts: Set<String>

    /// - Parameter hosts: names of this server besides `localhost`, without port. Numeric addresses are always accepted, because
    ///   DNS cannot change where they lead.
    init(hosts: [String] = []) { self.hosts = Set(hosts.map { $0.lowercased() }) }

    /// - Throws: why the request is refused.
    func check(_ request: HTTPRequest) throws(WebProblem) {
        if request.hasDoubtfulLength {
            throw WebProblem(
                400, "Bad request", "the length of the body is not clear: send either Content-Length or chunks",
                headers: [HTTPField("Connection", "close")])
        }
        let given = request.headers.filter { $0.name.lowercased() == "host" }.map(\.value)
        guard given.count == 1, let name = Self.name(ofHost: given[0]) else {
            throw .badRequest("the request needs exactly one Host header")
        }
        guard isKnown(name) else {
            throw WebProblem(
                421, "Misdirected request",
                "this server is not known as '\(name.prefix(100))'; add it to hosts in web.conf")
        }
        if let origin = request.header("Origin") {
            let isOwn = ["http://", "https://"].contains { origin.lowercased() == ($0 + given[0]).lowercased() }
            guard isOwn else { throw Self.foreign }
        }
        // Browsers send it with every request; a page that is opened from elsewhere is a navigation.
        switch request.header("Sec-Fetch-Site") {
        case nil, "same-origin"?, "none"?: break
        default:
            let isNavigation = request.method == "GET" && request.header("Sec-Fetch-Mode") == "navigate"
            if !isNavigation || request.path.hasPrefix("/api/") || request.path == "/events" { throw Self.foreign }
        }
    }

    private static let foreign = WebProblem(
        403, "Forbidden", "the request comes from a page of another origin")

    private func isKnown(_ name: String) -> Bool {
        name == "localhost" || name.hasSuffix(".localhost") || hosts.contains(name) || Self.isNumeric(name)
    }

    /// The name without port, in lower case; nil for what is not a host.
    static func name(ofHost host: String) -> String? {
        let text = host.lowercased()
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let rest = text[text.index(after: end)...]
            return rest.isEmpty || isPort(rest) ? String(text[...end]) : nil
        }
        guard let colon = text.firstIndex(of: ":") else { return text.nonEmpty }
        return colon > text.startIndex && isPort(text[colon...]) ? String(text[..<colon]) : nil
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber } && text.count <= 6
    }

    /// Whether a browser reads the name as an address of IPv4 or, in brackets, of IPv6.
    private static func isNumeric(_ name: String) -> Bool {
        if name.hasPrefix("[") {
            return name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        let parts = name.fields(separatedBy: ".")
        return parts.count == 4 && parts.allSatisfy { part in part.allSatisfy(\.isASCII) && UInt8(part) != nil }
    }
}
