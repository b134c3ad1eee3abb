public import ControlLanguage
public import PodcastModel

/// What a request's `Authorization` says.
public enum Credentials: Equatable, Sendable {
    case missing
    case login(name: String, password: String)
    /// A token's name and its secret: `NAME.SECRET`.
    case token(name: String, secret: String)
    case unreadable

    /// Bytes of the header at most.
    private static let maximumBytes = 2048

    public init(_ header: String?) {
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
public enum WebCaller: Equatable, Sendable {
    case anonymous
    /// One with a password or token.
    case known(name: String, CommandDeclaration.Permission)
}

/// What callers may do.
public struct AccessPolicy: Equatable, Sendable {
    /// What a caller on this machine may do without a password; nil for nothing.
    public var local: CommandDeclaration.Permission?

    public init(local: CommandDeclaration.Permission? = .read) { self.local = local }

    /// The permission of a caller; nil for none.
    public func permission(of caller: WebCaller, isLocal: Bool) -> CommandDeclaration.Permission? {
        switch caller {
        case .anonymous: isLocal ? local : nil
        case .known(_, let permission): permission
        }
    }

    /// - Throws: 401 for a caller that may prove more, 403 for one that has.
    public func require(
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

/// Limits wrong passwords and tokens for each client address.
public struct FailedLogins: Equatable, Sendable {
    private struct Record: Equatable {
        var failures: Int
        var last: Instant
    }

    /// Failures after which a client has to wait.
    static let allowed = 5
    /// Time after which a failure is forgotten.
    static let forgotten = Duration.seconds(60)
    /// Addresses that are remembered at most.
    static let maximumAddresses = 1000

    private var records: [String: Record] = [:]

    public init() {}

    /// - Throws: 429 while the client has to wait.
    public func check(_ address: String, at now: Instant) throws(WebProblem) {
        let shared = records.count >= Self.maximumAddresses ? records[""] : nil
        guard let record = records[address] ?? shared, record.failures >= Self.allowed else { return }
        let left = Self.forgotten - (now - record.last)
        guard left > .zero else { return }
        let seconds = max(1, Int(left.inSeconds.rounded(.up)))
        throw WebProblem(
            429, "Too many requests", "too many wrong logins; wait \(seconds) s",
            headers: [WebField("Retry-After", "\(seconds)")])
    }

    public mutating func failed(_ address: String, at now: Instant) {
        if records.count >= Self.maximumAddresses { records = records.filter { now - $0.value.last < Self.forgotten } }
        // With too many at once the others share one record.
        let key = records[address] != nil || records.count < Self.maximumAddresses ? address : ""
        var record = records[key] ?? Record(failures: 0, last: now)
        if now - record.last >= Self.forgotten { record.failures = 0 }
        record.failures += 1
        record.last = now
        records[key] = record
    }

    public mutating func succeeded(_ address: String) { records[address] = nil }
}
