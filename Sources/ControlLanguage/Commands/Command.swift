public import JSON
internal import PodcastModel

/// A command of the control socket: a request type that declares each parameter once and names the type of its reply.
/// `form` and `declareParameters` are the source of parsing, `server.commands`, docs/PROTOCOL.md and the command line.
/// A property's initial value is the parameter's default.
public protocol Command: Equatable, Sendable {
    associatedtype Reply: ReplyObject
    /// Everything about the command except its parameters.
    static var form: CommandForm<Self, Reply> { get }
    /// The text about the command's reply in manuals.
    static var result: String { get }
    /// True if `ControlSession` answers the command itself, because the command is about the connection.
    static var isOfConnection: Bool { get }
    /// Passes the parameters to `parameters` in command-line order.
    mutating func declareParameters(_ parameters: inout ParameterExchange)
}

/// A command about its connection; `ControlSession` answers such commands itself.
public protocol ConnectionCommand: Command {}

extension ConnectionCommand {
    public static var isOfConnection: Bool { true }
}

// The generic types below have no constraints: for each constrained type the runtime searches the conformances of the
// whole program, a fifth of the instructions of a short run of podcastctl, a tenth of podcastd's start.

/// A command's name, permission and texts, and the defaults of its parameters.
public struct CommandForm<Called, Reply> {
    let defaults: Called
    /// The declaration without parameters.
    public let declaration: CommandDeclaration

    /// The same for another type of request.
    public func with<Other>(_ defaults: Other) -> CommandForm<Other, Reply> {
        CommandForm<Other, Reply>(defaults: defaults, declaration: declaration)
    }
}

extension CommandForm {
    /// - Parameters:
    ///   - verb: the spelling in `podcastctl`, such as `output enable`; nil if `podcastctl` has no verb for the command.
    ///   - group: the heading in the help of `podcastctl` (default: that of the command's section).
    ///   - details: paragraphs for the verb's help and man page, after the summary.
    public init(
        _ defaults: Called, _ name: String, _ summary: String, _ permission: CommandDeclaration.Permission,
        isLong: Bool = false, isDestructive: Bool = false, verb: String? = nil, group: String? = nil,
        details: [String] = []
    ) {
        self.defaults = defaults
        declaration = CommandDeclaration(
            name: name, summary: summary, permission: permission, isLong: isLong,
            isDestructive: isDestructive,
            commandLine: verb.map {
                CommandLineForm(
                    $0.split(separator: " ").map(String.init),
                    group: group ?? Self.heading(of: CommandSection.name(ofCommand: name)), details: details)
            })
    }

    private static func heading(of section: String) -> String {
        switch section {
        case "playback": "Playback"
        case "queue": "Queue"
        case "episodes", "bookmarks": "Episodes"
        case "feeds": "Feeds"
        case "playlists": "Playlists"
        case "rules", "retention": "Rules"
        default: "System"
        }
    }
}

extension CommandForm: Sendable where Called: Sendable {}

extension Command {
    /// The command with the defaults of its parameters.
    public init() { self = Self.form.defaults }

    /// `section.verb`.
    public static var name: String { form.declaration.name }

    public static var result: String { Reply.summary }

    public static var isOfConnection: Bool { false }

    static var permission: CommandDeclaration.Permission { form.declaration.permission }

    /// True if replies to later commands may overtake the reply to this command.
    public static var isLong: Bool { form.declaration.isLong }

    public static var declaration: CommandDeclaration {
        var request = Self()
        var parameters = ParameterExchange(.describing)
        request.declareParameters(&parameters)
        var declaration = form.declaration
        declaration.parameters = parameters.described
        declaration.describeResult = { result }
        return declaration
    }

    public init(_ fill: (inout Self) -> Void) {
        self.init()
        fill(&self)
    }

    /// Reads and checks the `params` of a request: an object by name, an array in declared order, or nothing.
    /// - Throws: `invalidParameters` for a missing or unknown parameter or a wrong type, `invalidArgument` for a value
    ///   that is out of range or cannot be parsed.
    public init(params: JSONValue?) throws(ControlError) {
        self.init()
        if let problem = try read(params)?.problem { throw problem.error(of: Self.name) }
    }

    /// Reads and checks `params`. Required parameters may be missing, because the caller sets them afterwards.
    public init(partial params: JSONValue?) throws(ControlError) {
        self.init()
        if let refusal = try read(params)?.refusal { throw refusal }
    }

    /// - Returns: problems with the values; nil if there are none.
    /// - Throws: problems with the names.
    private mutating func read(_ params: JSONValue?) throws(ControlError) -> ParameterExchange? {
        var parameters = ParameterExchange(.reading, given: params)
        declareParameters(&parameters)
        if parameters.isComplete { return nil }
        try Self.declaration.checkNames(of: params)
        return parameters
    }

    /// The `params` of a request; nil if every parameter is left out.
    public var params: JSONValue? {
        var request = self
        var parameters = ParameterExchange(.writing)
        request.declareParameters(&parameters)
        return parameters.written.isEmpty ? nil : .object(parameters.written)
    }

    public mutating func declareParameters(_ parameters: inout ParameterExchange) {}
}

extension Request {
    public init<C: Command>(id: JSONValue?, _ command: C) { self.init(id: id, method: C.name, params: command.params) }
}

extension CommandDeclaration {
    /// Throws if `params` has unknown names or too many elements.
    func checkNames(of params: JSONValue?) throws(ControlError) {
        let names = parameters.map(\.name)
        let known = names.isEmpty ? "it has none" : "it has \(names.joinedText(", "))"
        switch params {
        case nil, .null?: return
        case .object(let members)?:
            for member in members where !names.contains(member.name) {
                throw ControlError(
                    .invalidParameters, "\(name) has no parameter \(member.name.prefix(80))", hint: known)
            }
        case .array(let elements)?:
            if elements.count > names.count {
                throw ControlError(.invalidParameters, "\(name) has too many parameters", hint: known)
            }
        case .bool?, .integer?, .number?, .string?:
            throw ControlError(.invalidParameters, "params is not an object", hint: known)
        }
    }
}
