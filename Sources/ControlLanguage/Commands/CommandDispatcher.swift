internal import JSON

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
    /// What can be called, in the order of the manual.
    public let declarations: [CommandDeclaration]
    /// The server's name for `hello` and `server.version`.
    public let serverName: String
    /// The server's version for `hello` and `server.version`.
    public let version: String

    /// A dispatcher.
    ///
    /// - Parameters:
    ///   - handlers: one for each section that there is; `server` has its own unless one is given.
    ///   - serverName: `podcastd`.
    ///   - version: the program's version.
    ///   - meters: told how long each command of a handler took, by section.
    public init(
        handlers: [CommandDeclaration.Section: any CommandHandler], serverName: String = "podcastd", version: String,
        meters: [CommandDeclaration.Section: any CommandMeter] = [:]
    ) {
        self.serverName = serverName
        self.version = version
        var answers = handlers.mapValues(\.answers)
        if answers[.session] == nil { answers[.session] = SessionHandler().answers }
        let declarations = CommandDeclaration.Section.allCases.flatMap { section in
            let types = answers[section]?.map(\.type) ?? (section == .server ? ServerSection.commands.types : [])
            return types.map { $0.declaration }
        }
        if answers[.server] == nil {
            let server = ServerHandler(declarations: declarations, serverName: serverName, version: version)
            answers[.server] = server.answers
        }
        var entries: [String: Entry] = [:]
        for (section, commands) in answers {
            for command in commands { entries[command.type.name] = Entry(command, meters[section]) }
        }
        self.declarations = declarations
        self.entries = entries
        self.handlers = Array(handlers.values)
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
        _ meter: any CommandMeter, of result: Result<JSONValue, ControlError>, since begin: Int64
    ) {
        let isFailure =
            switch result {
            case .success: false
            case .failure: true
            }
        meter.answered(nanoseconds: meter.now - begin, isFailure: isFailure)
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
                hint: "this connection has \(caller.permission.name); the daemon's config maps users and groups")
        }
    }

    /// Tells all handlers that a connection is gone. The server's thread.
    public func connectionEnded(_ connection: ConnectionID) {
        for handler in handlers { handler.connectionEnded(connection) }
    }
}
