internal import JSON

/// Finds the handler of a call, and refuses what is not declared, not permitted or not well-formed.
///
/// Adding a section is adding its commands to `CommandTable` and its handler here. Commands whose section has no
/// handler do not exist: they are neither answered nor listed. `session`, and watching the status, belong to the
/// connection and need no handler.
public final class CommandDispatcher: Sendable {
    /// A command with its handler.
    final class Entry: Sendable {
        let declaration: CommandDeclaration
        let section: CommandDeclaration.Section
        let verb: String
        let handler: (any CommandHandler)?
        let meter: (any CommandMeter)?

        init(
            _ declaration: CommandDeclaration, _ section: CommandDeclaration.Section, _ handler: (any CommandHandler)?,
            _ meter: (any CommandMeter)?
        ) {
            self.declaration = declaration
            self.section = section
            self.verb = declaration.verb
            self.handler = handler
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
        var declarations: [CommandDeclaration] = []
        for section in CommandDeclaration.Section.allCases
        where handlers[section] != nil || section == .server || section == .session {
            declarations += CommandTable.commands(of: section)
        }
        var handlers = handlers
        if handlers[.server] == nil {
            handlers[.server] = ServerHandler(declarations: declarations, serverName: serverName, version: version)
        }
        var entries: [String: Entry] = [:]
        for declaration in declarations {
            guard let section = declaration.section else { continue }
            entries[declaration.name] = Entry(declaration, section, handlers[section], meters[section])
        }
        self.declarations = declarations
        self.entries = entries
        self.handlers = Array(handlers.values)
    }

    func entry(named name: String) -> Entry? { entries[name] }

    /// Answers a request whose command belongs to a handler.
    func answer(_ request: Request, by caller: Caller) -> CommandAnswer {
        guard let entry = entries[request.method] else { return .error(.unknownCommand(request.method)) }
        return answer(request, of: entry, by: caller)
    }

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
            let parameters = try check(request, of: entry, by: caller)
            guard let handler = entry.handler else { return .error(.unknownCommand(request.method)) }
            return handler.answer(
                CommandCall(
                    declaration: entry.declaration, verb: entry.verb, parameters: parameters, caller: caller))
        } catch {
            return .error(error)
        }
    }

    func check(_ request: Request, of entry: Entry, by caller: Caller) throws(ControlError) -> Parameters {
        if caller.permission < entry.declaration.permission {
            throw ControlError(
                .notPermitted, "\(request.method) needs the permission \(entry.declaration.permission.name)",
                hint: "this connection has \(caller.permission.name); the daemon's config maps users and groups")
        }
        return try Parameters(request.params, for: entry.declaration)
    }

    /// Tells all handlers that a connection is gone. The server's thread.
    public func connectionEnded(_ connection: ConnectionID) {
        for handler in handlers { handler.connectionEnded(connection) }
    }
}

/// Answers `server`.
struct ServerHandler: CommandHandler {
    let declarations: [CommandDeclaration]
    let serverName: String
    let version: String

    func answer(_ call: CommandCall) -> CommandAnswer {
        switch call.command(of: ServerCommand.self) {
        case .commands?: .reply(CommandListReply(declarations.map { CommandReply($0) }))
        case .version?:
            .reply(VersionReply(server: serverName, version: version))
        case nil: .error(.unknownCommand(call.declaration.name))
        }
    }
}
