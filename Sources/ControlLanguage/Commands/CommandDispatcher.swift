internal import JSON
internal import PodcastModel

/// Finds the handler of a call, and refuses what is not declared, not permitted or not well-formed.
///
/// Commands whose section has no handler do not exist: they are neither answered nor listed. `session` belongs to the
/// connection and needs none.
public final class CommandDispatcher: Sendable {
    /// A command with its function.
    final class Entry: Sendable {
        let declaration: CommandDeclaration
        /// Whether `ControlSession` answers it itself.
        let isOfConnection: Bool
        fileprivate let answer: @Sendable (JSONValue?, Caller) -> CommandAnswer
        fileprivate let meter: (any CommandMeter)?

        init(_ command: AnsweredCommand, _ meter: (any CommandMeter)?) {
            declaration = command.type.declaration
            isOfConnection = command.type.isOfConnection
            answer = command.answer
            self.meter = meter
        }
    }

    private let entries: [String: Entry]
    private let handlers: [any CommandHandler]
    private let policy: any PermissionPolicy
    /// What can be called, in the order of the manual.
    public let declarations: [CommandDeclaration]
    /// The server's name for `hello` and `server.version`.
    public let serverName: String
    /// The server's version for `hello` and `server.version`.
    public let version: String

    /// A dispatcher.
    ///
    /// - Parameters:
    ///   - handlers: one for each section that there is, in the order of the manual; `server` has its own unless one is given.
    ///   - serverName: `podcastd`.
    ///   - version: the program's version.
    ///   - policy: says in refusals how to get a permission.
    ///   - meters: receive how long each command of a handler took, by the name of its section.
    public init(
        handlers: [any CommandHandler], serverName: String = "podcastd", version: String,
        policy: any PermissionPolicy = ConfiguredPermissions(owner: 0, others: nil),
        meters: [String: any CommandMeter] = [:]
    ) {
        self.policy = policy
        self.serverName = serverName
        self.version = version
        self.handlers = handlers
        let given = handlers.flatMap(\.answers)
        let hasServer = given.contains { CommandSection.name(ofCommand: $0.type.name) == CommandSection.server.name }
        let own = (hasServer ? [] : CommandSection.server.types) + CommandSection.session.types
        declarations = (own + given.map(\.type)).map { $0.declaration }
        let server = ServerHandler(declarations: declarations, serverName: serverName, version: version)
        let answers = (hasServer ? [] : server.answers) + SessionHandler().answers + given
        entries = Dictionary(
            uniqueKeysWithValues: answers.map { command in
                let name = command.type.name
                return (name, Entry(command, meters[CommandSection.name(ofCommand: name)]))
            })
    }

    func entry(named name: String) -> Entry? { entries[name] }

    /// Answers a request whose command belongs to a handler.
    func answer(_ request: Request, of entry: Entry, by caller: Caller) -> CommandAnswer {
        guard let meter = entry.meter else { return answerUnmeasured(request, of: entry, by: caller) }
        let begin = meter.now
        let answer = answerUnmeasured(request, of: entry, by: caller)
        switch answer {
        case .now(let result):
            Self.tell(meter, of: result, since: begin)
            return answer
        case .reply:
            meter.answered(after: meter.now - begin, isFailure: false)
            return answer
        case .later(let start):
            return .later { completion in
                start(
                    CommandCompletion { result in
                        Self.tell(meter, of: result, since: begin)
                        completion.finish(result)
                    })
            }
        }
    }

    private static func tell(
        _ meter: any CommandMeter, of result: Result<JSONValue, ControlError>, since begin: Instant
    ) {
        let isFailure =
            switch result {
            case .success: false
            case .failure: true
            }
        meter.answered(after: meter.now - begin, isFailure: isFailure)
    }

    private func answerUnmeasured(_ request: Request, of entry: Entry, by caller: Caller) -> CommandAnswer {
        do throws(ControlError) {
            try check(caller, for: entry)
            return entry.answer(request.params, caller)
        } catch {
            return .error(error)
        }
    }

    /// Checks that a caller may use a command.
    func check(_ caller: Caller, for entry: Entry) throws(ControlError) {
        if caller.permission < entry.declaration.permission {
            throw ControlError(
                .notPermitted, "\(entry.declaration.name) needs the permission \(entry.declaration.permission.name)",
                hint: "you have the permission \(caller.permission.name); "
                    + policy.remedy(for: caller.peer, lacking: entry.declaration.permission))
        }
    }

    /// Tells all handlers that a connection is gone. The server's thread.
    public func connectionEnded(_ connection: ConnectionID) {
        for handler in handlers { handler.connectionEnded(connection) }
    }
}
