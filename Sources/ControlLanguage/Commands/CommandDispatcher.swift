internal import JSON

/// Finds the handler of a call. Refuses undeclared, forbidden and malformed calls.
///
/// Commands without an answer are neither answered nor listed. The section `session` needs none, because `ControlSession`
/// answers its commands.
public final class CommandDispatcher: Sendable {
    final class Entry: Sendable {
        let declaration: CommandDeclaration
        /// True if `ControlSession` answers the command itself.
        let isOfConnection: Bool
        fileprivate let answer: @Sendable (JSONValue?, Caller) -> CommandAnswer

        init(_ command: AnsweredCommand) {
            declaration = command.type.declaration
            isOfConnection = command.type.isOfConnection
            answer = command.answer
        }
    }

    private let entries: [String: Entry]
    /// Releases everything held for a connection that has closed. Called on the server's thread.
    public let connectionEnded: @Sendable (ConnectionID) -> Void
    private let policy: any PermissionPolicy
    /// The commands that can be called, in the manual's order.
    let declarations: [CommandDeclaration]
    public let serverName: String
    /// Version for `hello` and `server.version`.
    public let version: String

    /// - Parameters:
    ///   - given: in the manual's order; missing answers of the section `server` are added.
    ///   - policy: explains in refusals how to get a permission.
    public init(
        _ given: [AnsweredCommand], serverName: String = "podcastd", version: String,
        policy: any PermissionPolicy = ConfiguredPermissions(owner: 0, others: nil),
        connectionEnded: @escaping @Sendable (ConnectionID) -> Void = { _ in }
    ) {
        self.policy = policy
        self.serverName = serverName
        self.version = version
        self.connectionEnded = connectionEnded
        let hasServer = given.contains { CommandSection.name(ofCommand: $0.type.name) == CommandSection.server.name }
        let own = (hasServer ? [] : CommandSection.server.types) + CommandSection.session.types
        declarations = (own + given.map(\.type)).map { $0.declaration }
        let server = ServerHandler(declarations: declarations, serverName: serverName, version: version)
        let session: [AnsweredCommand] = [.ofConnection(RestrictSession.self), .ofConnection(CallAs.self)]
        let answers = (hasServer ? [] : server.answers) + session + given
        entries = Dictionary(uniqueKeysWithValues: answers.map { ($0.type.name, Entry($0)) })
    }

    func entry(named name: String) -> Entry? { entries[name] }

    func answer(_ request: Request, of entry: Entry, by caller: Caller) -> CommandAnswer {
        do throws(ControlError) {
            try check(caller, for: entry)
            return entry.answer(request.params, caller)
        } catch {
            return .error(error)
        }
    }

    /// Throws `notPermitted` if the caller may not use the command.
    func check(_ caller: Caller, for entry: Entry) throws(ControlError) {
        if caller.permission < entry.declaration.permission {
            throw ControlError(
                .notPermitted,
                "\(entry.declaration.name) needs the permission \(entry.declaration.permission.rawValue)",
                hint: "you have the permission \(caller.permission.rawValue); "
                    + policy.remedy(for: caller.peer, lacking: entry.declaration.permission))
        }
    }
}
