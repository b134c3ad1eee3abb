internal import ControlLanguage
internal import ControlProtocol
internal import HTTPServing
internal import JSON
internal import PodcastModel

/// What answers a request.
enum WebPlan {
    case command(WebCommand)
    case events([StatusPart])
    case openAPI
    case file(String)
    /// The sound of the player, as an endless stream.
    case sound(SoundStreams.Form)
    /// A device that synchronizes.
    case sync(SyncRequest)
    /// The file of an episode.
    case audio(EpisodeID)
    /// An app password for a device.
    case pairing
    /// The login of a browser, as a cookie.
    case session(isBeginning: Bool)
    /// Users, tokens and browsers that are logged in; after the end of one login, if any.
    case logins(ending: String?)

    /// What a request needs before its body is read; nil for what everybody may.
    var permission: CommandDeclaration.Permission? {
        switch self {
        case .command(let command): command.declaration.permission
        case .events, .sound, .audio, .session(true): .read
        case .sync(let sync): sync.needsLogin ? .control : nil
        case .pairing, .logins: .admin
        case .openAPI, .file, .session(false): nil
        }
    }

    /// Bytes of the longest body; nil for the usual number. Some clients send the acts of years in one request, and again until they are
    /// taken.
    var bodyBytes: Int? {
        guard case .sync(let sync) = self else { return nil }
        return [.recordActions, .changeSubscriptions].contains(sync.action) ? 8 << 20 : nil
    }
}

/// A command with the value that the path of a route has.
struct WebCommand {
    let declaration: CommandDeclaration
    var route: ResourceRoute?
    var value = ""

    /// Whether the answer is the picture itself instead of its text in Base64.
    var isPicture: Bool { route != nil && declaration.name == GetPicture.name }

    /// The command's parameters, from query, body and path.
    ///
    /// - Throws: 400 and 415 for a request that cannot be read.
    func parameters(of request: HTTPRequest) throws(WebProblem) -> JSONValue? {
        try QueryLimits.check(request.query)
        var members: [JSONValue.Member] = []
        for name in request.query.map(\.name) where !members.contains(where: { $0.name == name }) {
            let values = request.query.filter { $0.name == name }.map(\.value)
            members.append(.init(name, try declaration.value(of: name, given: values)))
        }
        if ["GET", "HEAD"].contains(request.method) {
            if !request.body.isEmpty { throw .badRequest("a GET request has no body") }
        } else {
            members += try Self.body(of: request)
        }
        if let parameter = route?.parameter(of: declaration) {
            members.append(.init(parameter.name, parameter.kind.syntax == .list ? [.string(value)] : .string(value)))
        }
        if Set(members.map(\.name)).count < members.count { throw .badRequest("a parameter is given twice") }
        return members.isEmpty ? nil : .object(members)
    }

    /// The members of a request's JSON object.
    static func body(of request: HTTPRequest) throws(WebProblem) -> [JSONValue.Member] {
        // A form of another site cannot send this type without asking first, but always sends one.
        let type = request.header("Content-Type")?.split(separator: ";").first?.lowercased()
        guard type == "application/json" || type == nil && request.body.isEmpty else {
            throw WebProblem(415, "Unsupported media type", "send application/json")
        }
        if request.body.isEmpty { return [] }
        let parsed = request.body.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try JSONValue(parsing: bytes) }
        }
        switch parsed {
        case .success(.object(let members)): return members
        case .success: throw .badRequest("the body is not a JSON object")
        case .failure(let error): throw .badRequest("the body is not JSON: \(error)")
        }
    }
}

/// Finds what answers a request. No request is answered that the commands' declarations do not allow.
struct WebRoutes {
    static let root = "/api/v1/"

    let commands: [OfferedCommand]
    private let byName: [String: OfferedCommand]

    init() {
        commands = OfferedCommand.all(upTo: .admin)
        byName = Dictionary(uniqueKeysWithValues: commands.map { ($0.declaration.name, $0) })
    }

    /// - Throws: 404 and 405 for what has no route, 400 for unknown parts of the status.
    func plan(for request: HTTPRequest) throws(WebProblem) -> WebPlan {
        let method = request.method == "HEAD" ? "GET" : request.method
        guard request.path.hasPrefix(Self.root) else {
            if let sync = try SyncRequest.read(request, method) { return .sync(sync) }
            return try page(request, method)
        }
        let rest = request.path.dropFirst(Self.root.count)
        if rest == "openapi.json" {
            try Self.require(method, among: ["GET"])
            return .openAPI
        }
        if rest == "session" {
            try Self.require(method, among: ["POST", "DELETE"])
            return .session(isBeginning: method == "POST")
        }
        if rest == "logins" || rest.hasPrefix("logins/") {
            try Self.require(method, among: rest == "logins" ? ["GET"] : ["DELETE"])
            return .logins(ending: rest == "logins" ? nil : String(rest.dropFirst("logins/".count)))
        }
        if rest == "devices", method != "GET" {
            try Self.require(method, among: ["GET", "POST"])
            return .pairing
        }
        let parts = rest.fields(separatedBy: "/")
        if parts.count == 3, parts[0] == "episodes", parts[2] == "audio", let id = Int64(parts[1]), id > 0 {
            try Self.require(method, among: ["GET"])
            return .audio(EpisodeID(id))
        }
        var allowed: [String] = []
        for route in ResourceRoute.all {
            guard let value = route.match(parts), let command = byName[route.command] else { continue }
            if route.method == method {
                return .command(WebCommand(declaration: command.declaration, route: route, value: value))
            }
            allowed.append(route.method)
        }
        if parts.count == 2, let command = byName[parts.joined(separator: ".")] {
            let methods = command.declaration.permission == .read ? ["GET", "POST"] : ["POST"]
            try Self.require(method, among: methods)
            return .command(WebCommand(declaration: command.declaration))
        }
        if !allowed.isEmpty { try Self.require(method, among: allowed) }
        throw .notFound
    }

    private func page(_ request: HTTPRequest, _ method: String) throws(WebProblem) -> WebPlan {
        try Self.require(method, among: ["GET"])
        if request.path == "/events" { return .events(try Self.parts(request)) }
        let name = request.path.dropFirst()
        if let form = SoundStreams.Form.allCases.first(where: { name == "stream.\($0.rawValue)" }) {
            return .sound(form)
        }
        // The files have no folders, so that no path can lead elsewhere.
        if name.contains("/") { throw .notFound }
        return .file(name.isEmpty ? "index.html" : String(name))
    }

    private static func require(_ method: String, among allowed: [String]) throws(WebProblem) {
        if allowed.contains(method) { return }
        throw WebProblem(
            405, "Method not allowed", "use \(allowed.joinedText(" or "))",
            headers: [HTTPField("Allow", allowed.joinedText(", "))])
    }

    private static func parts(_ request: HTTPRequest) throws(WebProblem) -> [StatusPart] {
        let names = request.query.filter { $0.name == "parts" }.flatMap { $0.value.split(separator: ",") }
        if names.isEmpty { return StatusPart.allCases }
        return try names.map { (name) throws(WebProblem) in
            guard let part = StatusPart(rawValue: String(name)) else {
                let known = StatusPart.words.joinedText(", ")
                throw .badRequest("unknown part '\(name.prefix(40))'; use \(known)")
            }
            return part
        }
    }
}

extension CommandDeclaration {
    /// The value of a parameter whose text is in a query.
    fileprivate func value(of name: String, given values: [String]) throws(WebProblem) -> JSONValue {
        guard let parameter = parameters.first(where: { $0.name == name }) else {
            let known = parameters.map(\.name).joinedText(", ")
            throw .badRequest(
                "\(self.name) has no parameter '\(name.prefix(80))'" + (known.isEmpty ? "" : "; it has \(known)"))
        }
        if let element = parameter.kind.elements.first { return .array(values.map(element.json)) }
        if values.count > 1 { throw .badRequest("\(name) is given \(values.count) times") }
        if parameter.kind == .flag && values[0].isEmpty { return true }
        return parameter.kind.json(values[0])
    }
}
