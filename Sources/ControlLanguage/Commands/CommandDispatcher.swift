internal import JSON
public import PodcastModel

/// Finds the handler of a call. Refuses undeclared, forbidden and malformed calls.
///
/// Commands of a section without a handler are neither answered nor listed. The section `session` needs no handler,
/// because `ControlSession` answers its commands.
public final class CommandDispatcher: Sendable {
    final class Entry: Sendable {
        let declaration: CommandDeclaration
        /// True if `ControlSession` answers the command itself.
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
    /// The commands that can be called, in the manual's order.
    let declarations: [CommandDeclaration]
    public let serverName: String
    /// Version for `hello` and `server.version`.
    public let version: String

    /// - Parameters:
    ///   - handlers: one per section, in the manual's order; a missing `server` handler is added.
    ///   - policy: explains in refusals how to get a permission.
    ///   - meters: receive the duration of each command, by section.
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

    /// Called on the server's thread.
    public func connectionEnded(_ connection: ConnectionID) {
        for handler in handlers { handler.connectionEnded(connection) }
    }
}

/// Records the durations of one section's commands. May be called from any thread; does not block.
public protocol CommandMeter: MonotonicClock {
    func answered(after duration: Duration, isFailure: Bool)
}
