public import JSON
public import PodcastModel

/// The failure of a command.
public struct ControlError: Error, Equatable, CustomStringConvertible {
    /// Kinds of failure that clients distinguish.
    public enum Code: Int64, Sendable, CaseIterable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        /// A parameter is missing, unknown or of a wrong type.
        case invalidParameters = -32602
        /// A bug in the server.
        case internalError = -32603
        /// The named object does not exist.
        case notFound = 1
        case notPermitted = 2
        /// A value is out of range or cannot be parsed.
        case invalidArgument = 3
        /// The command does not fit the present state.
        case conflict = 4
        /// Temporary failure: the same call may succeed later.
        case unavailable = 5
        /// An episode's file could not be fetched or played.
        case mediaFailed = 6
        /// A feed could not be fetched or read.
        case feedFailed = 7
        /// The library could not be read or written.
        case storageFailed = 8

        /// The `message` on the wire.
        public var message: String {
            switch self {
            case .parseError: "Parse error"
            case .invalidRequest: "Invalid request"
            case .methodNotFound: "Method not found"
            case .invalidParameters: "Invalid params"
            case .internalError: "Internal error"
            case .notFound: "Not found"
            case .notPermitted: "Not permitted"
            case .invalidArgument: "Invalid argument"
            case .conflict: "Conflict"
            case .unavailable: "Unavailable"
            case .mediaFailed: "Media failed"
            case .feedFailed: "Feed failed"
            case .storageFailed: "Storage failed"
            }
        }
    }

    public var code: Code
    /// The failure in one line for people: `no episode matches 'Pilot'`.
    public var what: String
    public var hint: String?
    /// Exit status (sysexits.h(3head)) of a client program; nil for the default of `code`.
    public var status: Int?
    /// True if the command was carried out, and only saving the result failed.
    public var isDone = false

    /// Objects that the name may mean.
    public var candidates: [NamedCandidate] = []
    /// A name that is only part of a title where exact names are required; the one candidate has the title.
    public var inexactName: String?
    /// The name that matches several `candidates`.
    public var ambiguousName: String?
    public var loginURL: String?

    public init(_ code: Code, _ what: String, hint: String? = nil, status: Int? = nil) {
        self.code = code
        self.what = what
        self.hint = hint
        self.status = status
    }

    public var description: String { "\(code.message): \(what)" }

    /// The `error` member of a response.
    public var json: JSONValue {
        var written = self
        var data = MemberExchange(.writing)
        written.declareData(&data)
        return ["code": .integer(code.rawValue), "message": .string(code.message), "data": .object(data.written)]
    }

    public init(json: JSONValue) {
        let code = json["code"]?.integerValue.flatMap(Code.init) ?? .internalError
        self.init(code, json["message"]?.stringValue ?? "unknown error")
        guard case .object(let members)? = json["data"] else { return }
        var data = MemberExchange(.reading, source: members)
        declareData(&data)
    }

    private mutating func declareData(_ data: inout MemberExchange) {
        data.declare("what", &what)
        data.declareIfAny("hint", &hint)
        data.declareIfAny("status", &status)
        data.declareIfAny("done", &isDone)
        data.declareIfAny("candidates", &candidates)
        data.declareIfAny("inexactName", &inexactName)
        data.declareIfAny("ambiguousName", &ambiguousName)
        data.declareIfAny("login", &loginURL)
    }
}

extension NamedCandidate: ReplyObject {
    public init() { self.init(.episode(EpisodeID(0)), title: "") }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        var kind = kind
        var id = id
        members.require("kind", &kind)
        members.require("id", &id)
        object = kind == "feed" ? .feed(FeedID(id)) : .episode(EpisodeID(id))
        members.declare("title", &title)
        members.declare("feedTitle", &feedTitle)
        members.declare("published", &published)
    }
}
