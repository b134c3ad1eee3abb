internal import JSON

/// Finds the handler of a call. Refuses undeclared, forbidden and malformed calls.
///
/// Commands without an answer are neither answered nor listed. The section `session` needs none, because `ControlSession`
/// answers its commands.
public final class CommandDispatcher: Sendable {
    private let commands: [String: AnsweredCommand]
    /// Releases everything held for a connection that has closed. Called on the server's thread.
    public let connectionEnded: @Sendable (ConnectionID) -> Void
    private let policy: any PermissionPolicy
    /// The commands that can be called, in the manual's order.
    let declarations: [CommandDeclaration]
    /// Version for `hello` and `server.version`.
    public let version: String

    /// - Parameters:
    ///   - given: in the manual's order; missing answers of the section `server` are added.
    ///   - policy: explains in refusals how to get a permission.
    public init(
        _ given: [AnsweredCommand], version: String, policy: any PermissionPolicy,
        connectionEnded: @escaping @Sendable (ConnectionID) -> Void = { _ in }
    ) {
        self.policy = policy
        self.version = version
        self.connectionEnded = connectionEnded
        let hasServer = given.contains { CommandSection.name(ofCommand: $0.type.name) == CommandSection.server.name }
        let own = (hasServer ? [] : CommandSection.server.types) + CommandSection.session.types
        declarations = (own + given.map(\.type)).map { $0.declaration }
        let server = ServerHandler(declarations: declarations, version: version)
        let session: [AnsweredCommand] = [.ofConnection(RestrictSession.self), .ofConnection(CallAs.self)]
        let answers = (hasServer ? [] : server.answers) + session + given
        commands = Dictionary(uniqueKeysWithValues: answers.map { ($0.type.name, $0) })
    }

    /// - Throws: `methodNotFound`.
    func command(named name: String) throws(ControlError) -> AnsweredCommand {
        if let command = commands[name] { return command }
        throw ControlError(
            .methodNotFound, "unknown command '\(name.prefix(80))'", hint: "server.commands lists all commands")
    }

    func answer(_ request: Request, of command: AnsweredCommand, by caller: Caller) -> CommandAnswer {
        do throws(ControlError) {
            try check(caller, for: command.type)
            return try command.answer(request.params, caller)
        } catch {
            return .error(error)
        }
    }

    /// Throws `notPermitted` if the caller may not use the command.
    func check(_ caller: Caller, for command: any Command.Type) throws(ControlError) {
        let needed = command.permission
        if caller.permission < needed {
            throw ControlError(
                .notPermitted, "\(command.name) needs the permission \(needed.rawValue)",
                hint: "you have the permission \(caller.permission.rawValue); "
                    + policy.remedy(for: caller.peer, lacking: needed))
        }
    }
}
