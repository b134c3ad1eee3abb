internal import ControlLanguage
internal import ControlProtocol
internal import JSON

/// A command that answers a request.
struct WebCall: Equatable, Sendable {
    /// How the result becomes the answer.
    enum Shape: Equatable, Sendable {
        case json
        /// The picture itself instead of its text in Base64.
        case picture
    }

    var method: String
    var params: JSONValue?
    /// What the command needs.
    var permission: CommandDeclaration.Permission
    var shape: Shape
}

/// What answers a request.
enum WebPlan: Equatable, Sendable {
    case call(WebCall)
    /// Server-sent events of these parts.
    case events([StatusPart])
    case openAPI
    /// A file of the web remote, by its name.
    case file(String)
}

/// Finds what answers a request. No request is answered that the commands' declarations do not allow.
struct WebRoutes: Sendable {
    static let root = "/api/v1/"

    let commands: [OfferedCommand]
    private let byName: [String: OfferedCommand]

    init() {
        commands = OfferedCommand.all(upTo: .admin)
        byName = Dictionary(uniqueKeysWithValues: commands.map { ($0.declaration.name, $0) })
    }

    /// What a request needs before its body is read; nil for what everybody may.
    ///
    /// - Throws: 404 and 405 for what has no route.
    func permission(for request: WebRequest) throws(WebProblem) -> CommandDeclaration.Permission? {
        switch try target(of: request) {
        case .command(let command, _, _): command.declaration.permission
        case .plan(.events): .read
        case .plan: nil
        }
    }

    /// - Throws: 404 and 405 for what has no route, 400 and 415 for a request that cannot be read.
    func plan(for request: WebRequest) throws(WebProblem) -> WebPlan {
        switch try target(of: request) {
        case .command(let command, let route, let value): .call(try call(command, request, route, value))
        case .plan(let plan): plan
        }
    }

    /// What a path and method lead to.
    private enum Target {
        /// A command, with the value that a route's path has.
        case command(OfferedCommand, ResourceRoute?, String)
        case plan(WebPlan)
    }

    private func target(of request: WebRequest) throws(WebProblem) -> Target {
        let method = request.method == "HEAD" ? "GET" : request.method
        guard request.path.hasPrefix(Self.root) else { return .plan(try page(request, method)) }
        let rest = request.path.dropFirst(Self.root.count)
        if rest == "openapi.json" {
            try Self.require(method, among: ["GET"])
            return .plan(.openAPI)
        }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        var allowed: [String] = []
        for route in ResourceRoute.all {
            guard let value = route.match(parts), let command = byName[route.command] else { continue }
            allowed.append(route.method)
            if route.method == method { return .command(command, route, value) }
        }
        if parts.count == 2, let command = byName[parts.joined(separator: ".")] {
            let methods = command.declaration.permission == .read ? ["GET", "POST"] : ["POST"]
            try Self.require(method, among: methods)
            return .command(command, nil, "")
        }
        if allowed.isEmpty { throw WebProblem(404, "Not found", "no resource has this path") }
        try Self.require(method, among: allowed)
        throw WebProblem(404, "Not found", "no resource has this path")
    }

    private func page(_ request: WebRequest, _ method: String) throws(WebProblem) -> WebPlan {
        try Self.require(method, among: ["GET"])
        if request.path == "/events" { return .events(try Self.parts(request)) }
        let name = request.path.dropFirst()
        // The files have no folders, so that no path can lead elsewhere.
        if name.contains("/") { throw WebProblem(404, "Not found", "no resource has this path") }
        return .file(name.isEmpty ? "index.html" : String(name))
    }

    private static func require(_ method: String, among allowed: [String]) throws(WebProblem) {
        if allowed.contains(method) { return }
        throw WebProblem(
            405, "Method not allowed", "use \(allowed.joined(separator: " or "))",
            headers: [WebField("Allow", allowed.joined(separator: ", "))])
    }

    private static func parts(_ request: WebRequest) throws(WebProblem) -> [StatusPart] {
        let names = request.query.filter { $0.name == "parts" }.flatMap { $0.value.split(separator: ",") }
        if names.isEmpty { return StatusPart.allCases }
        var parts: [StatusPart] = []
        for name in names {
            guard let part = StatusPart(name: String(name)) else {
                throw WebProblem(
                    400, "Bad request",
                    "unknown part '\(name.prefix(40))'; use \(StatusPart.allCases.map(\.name).joined(separator: ", "))")
            }
            parts.append(part)
        }
        return parts
    }

    // MARK: parameters

    private func call(
        _ command: OfferedCommand, _ request: WebRequest, _ route: ResourceRoute?, _ value: String
    ) throws(WebProblem) -> WebCall {
        let declaration = command.declaration
        try QueryLimits.check(request.query)
        var members: [JSONValue.Member] = []
        for (name, values) in Self.grouped(request.query) {
            members.append(.init(name, try declaration.value(of: name, given: values)))
        }
        if ["GET", "HEAD"].contains(request.method) {
            if !request.body.isEmpty { throw WebProblem(400, "Bad request", "a GET request has no body") }
        } else {
            // A form of another site cannot send this type without asking first, but always sends one.
            let type = request.header("Content-Type")?.split(separator: ";").first?.lowercased()
            guard type == "application/json" || type == nil && request.body.isEmpty else {
                throw WebProblem(415, "Unsupported media type", "send application/json")
            }
            members += try Self.object(request.body)
        }
        if let route, let parameter = route.parameter {
            members.append(.init(parameter, route.isList ? [.string(value)] : .string(value)))
        }
        if Set(members.map(\.name)).count < members.count {
            throw WebProblem(400, "Bad request", "a parameter is given twice")
        }
        return WebCall(
            method: declaration.name, params: members.isEmpty ? nil : .object(members),
            permission: declaration.permission,
            shape: route != nil && declaration.name == "episodes.picture" ? .picture : .json)
    }

    private static func grouped(_ query: [WebField]) -> [(String, [String])] {
        var groups: [(String, [String])] = []
        for field in query {
            if let index = groups.firstIndex(where: { $0.0 == field.name }) {
                groups[index].1.append(field.value)
            } else {
                groups.append((field.name, [field.value]))
            }
        }
        return groups
    }

    private static func object(_ body: [UInt8]) throws(WebProblem) -> [JSONValue.Member] {
        if body.isEmpty { return [] }
        let parsed = body.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try JSONValue(parsing: bytes) }
        }
        switch parsed {
        case .success(.object(let members)): return members
        case .success: throw WebProblem(400, "Bad request", "the body is not a JSON object")
        case .failure(let error): throw WebProblem(400, "Bad request", "the body is not JSON: \(error)")
        }
    }
}

extension CommandDeclaration {
    /// The value of a parameter whose text is in a query.
    fileprivate func value(of name: String, given values: [String]) throws(WebProblem) -> JSONValue {
        guard let parameter = parameters.first(where: { $0.name == name }) else {
            let known = parameters.map(\.name).joined(separator: ", ")
            throw WebProblem(
                400, "Bad request",
                "\(self.name) has no parameter '\(name.prefix(80))'" + (known.isEmpty ? "" : "; it has \(known)"))
        }
        if case .list(let kind) = parameter.kind { return .array(values.map { kind.value(of: $0) }) }
        if values.count > 1 { throw WebProblem(400, "Bad request", "\(name) is given \(values.count) times") }
        return parameter.kind.value(of: values[0])
    }
}

extension ParameterDeclaration.Kind {
    /// The value that a text stands for; the daemon refuses it if it is none of this kind.
    fileprivate func value(of text: String) -> JSONValue {
        switch self {
        case .integer: Int64(text).map(JSONValue.integer) ?? .string(text)
        case .number: JSONValue(Double(text)) == .null ? .string(text) : JSONValue(Double(text))
        case .flag:
            switch text {
            case "true", "1", "yes", "": true
            case "false", "0", "no": false
            default: .string(text)
            }
        case .object: (try? JSONValue(parsing: text)) ?? .string(text)
        case .string, .text, .choice, .time, .what, .list: .string(text)
        }
    }
}
