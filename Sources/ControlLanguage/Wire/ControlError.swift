public import JSON
public import PodcastModel

/// What a command answers when it cannot do what was asked.
public struct ControlError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of failure that clients tell apart.
    public enum Code: Int64, Sendable, CaseIterable {
        /// The line is no JSON.
        case parseError = -32700
        /// The JSON is no request.
        case invalidRequest = -32600
        /// There is no such command.
        case methodNotFound = -32601
        /// A parameter is missing, unknown or of a wrong type.
        case invalidParameters = -32602
        /// A fault of the server.
        case internalError = -32603
        /// What was named does not exist.
        case notFound = 1
        /// The caller may not.
        case notPermitted = 2
        /// A value is out of range or not understood.
        case invalidArgument = 3
        /// It does not go with how things are now.
        case conflict = 4
        /// Not now; the same call may work later.
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

    /// Which kind of failure.
    public var code: Code
    /// What went wrong, for people, in one line: `no episode matches 'Pilot'`.
    public var what: String
    /// What to do about it, in one line.
    public var hint: String?
    /// The exit status of sysexits.h(3head) for a program that passes the failure on; nil for that of its code.
    public var status: Int?
    /// Whether the command was carried out all the same, and only its effect could not be saved.
    public var isDone = false

    /// What a name may mean, if that is the failure.
    public var candidates: [NamedObject] = []
    /// The name that is only a part of a title where exact names are needed; the one candidate has the title.
    public var inexactName: String?
    /// The name that matches several `candidates`.
    public var ambiguousName: String?
    /// The URL that requires a login, if that is the failure.
    public var loginURL: String?

    public init(_ code: Code, _ what: String, hint: String? = nil, status: Int? = nil, isDone: Bool = false) {
        self.code = code
        self.what = what
        self.hint = hint
        self.status = status
        self.isDone = isDone
    }

    public var description: String { "\(code.message): \(what)" }

    /// The `error` member of a response.
    public var json: JSONValue {
        var data: [JSONValue.Member] = [.init("what", .string(what))]
        if let hint { data.append(.init("hint", .string(hint))) }
        if let status { data.append(.init("status", .integer(Int64(status)))) }
        if isDone { data.append(.init("done", true)) }
        if !candidates.isEmpty { data.append(.init("candidates", .array(candidates.map(\.json)))) }
        if let inexactName { data.append(.init("inexactName", .string(inexactName))) }
        if let ambiguousName { data.append(.init("ambiguousName", .string(ambiguousName))) }
        if let loginURL { data.append(.init("login", .string(loginURL))) }
        return ["code": .integer(code.rawValue), "message": .string(code.message), "data": .object(data)]
    }

    public init(json: JSONValue) {
        code = json["code"]?.integerValue.flatMap(Code.init) ?? .internalError
        what = json["data"]?["what"]?.stringValue ?? json["message"]?.stringValue ?? "unknown error"
        hint = json["data"]?["hint"]?.stringValue
        status = json["data"]?["status"]?.integerValue.map { Int(clamping: $0) }
        isDone = json["data"]?["done"]?.boolValue ?? false
        candidates = (json["data"]?["candidates"]?.arrayValue ?? []).compactMap(NamedObject.init)
        inexactName = json["data"]?["inexactName"]?.stringValue
        ambiguousName = json["data"]?["ambiguousName"]?.stringValue
        loginURL = json["data"]?["login"]?.stringValue
    }

    /// A command that no handler knows.
    public static func unknownCommand(_ name: String) -> ControlError {
        ControlError(
            .methodNotFound, "unknown command '\(name.prefix(80))'",
            hint: "server.commands lists all commands")
    }
}

extension NamedObject {
    fileprivate var json: JSONValue {
        [
            "kind": .string(kind), "id": .integer(id), "title": .string(title),
            "feedTitle": feedTitle.map { .string($0) } ?? .null, "published": published?.json ?? .null,
        ]
    }

    fileprivate init?(json: JSONValue) {
        guard let kind = json["kind"]?.stringValue, let id = json["id"]?.integerValue else { return nil }
        self.init(
            kind: kind, id: id, title: json["title"]?.stringValue ?? "",
            feedTitle: json["feedTitle"]?.stringValue, published: json["published"].flatMap { Timestamp(json: $0) })
    }
}
