internal import ControlLanguage
internal import LineServing
internal import PodcastModel
internal import SystemCalls

/// One client. It belongs to the server's thread.
final class MPDSession: LineSession {
    /// How long a client may be silent outside `idle`, as in MPD.
    private static let timeout = Duration.seconds(60)
    /// How long a client waits for the greeting while the daemon is not there.
    private static let greetingTimeout = Duration.seconds(10)
    /// Commands of a list that are executed before other clients have their turn.
    private static let commandsPerTurn = 32
    /// Rows that are written before the client must have read them.
    private static let rowsPerTurn = 500

    let connection: LineConnection
    // The service outlives its sessions.
    unowned let service: MPDService
    private var conversation = MPDConversation()
    private(set) var isGreeted = false
    /// What the client may do; nil for nothing but logging in.
    var permission: CommandDeclaration.Permission?
    var tags = MPDTagSet()
    /// Maximum number of bytes of a piece of a picture.
    var binaryLimit = 8192
    private var pending: [MPDConversation.Action] = []
    private var isPerforming = false
    /// Commands that were executed without a pause.
    private var commandsInTurn = 0
    /// Whether the pending actions wait for the server's next turn.
    private var isPausing = false
    /// Entries that deletions in a row have removed and the daemon still has, and the ids that are left, in order.
    var deletion: (removed: Set<Int64>, left: [Int64])?
    /// Called when the client has been sent everything.
    private var afterDrain: ((MPDSession) -> Void)?
    private var isClosed = false

    init(_ service: MPDService, _ connection: LineConnection) {
        self.service = service
        self.connection = connection
        permission = service.settings.permission(of: connection.peer)
        connection.deadline = .now + Self.greetingTimeout
    }

    func greet() {
        isGreeted = true
        connection.deadline = .now + Self.timeout
        connection.write { $0 += MPDConversation.greeting }
    }

    // MARK: lines

    var canTakeMore: Bool { isGreeted && conversation.canReceive }
    var isAnswering: Bool { isGreeted && !conversation.canReceive }
    var heldBytes: Int { conversation.heldBytes }

    func received(_ line: UnsafeRawBufferPointer) { perform(conversation.receive(line)) }

    func deadlinePassed() {
        if isPausing {
            isPausing = false
            commandsInTurn = 0
            return perform([])
        }
        // A command that takes long is not the client's fault.
        if isGreeted, !conversation.canReceive { return }
        connection.close()
    }

    func closed() {
        isClosed = true
        afterDrain = nil
        service.ended(self)
    }

    func drained() { afterDrain.take()?(self) }

    /// Continues when the client has read the written answers, so that a slow client does not fill the memory.
    private func whenDrained(_ next: @escaping (MPDSession) -> Void) {
        afterDrain = next
        // The server calls `drained` after it has sent what was written.
        connection.write { _ in }
    }

    /// Continues a search as `whenDrained` does, unless the client has gone: if nothing is found, nothing is sent that would fail.
    func nextPage(_ next: @escaping (MPDSession) -> Void) {
        whenDrained { $0.connection.hasPeerEnded ? $0.connection.close() : next($0) }
    }

    func changed(_ subsystems: MPDSubsystems) {
        let actions = conversation.changed(subsystems)
        if !actions.isEmpty { perform(actions) }
    }

    /// Actions may lead to others: after a command of a list that is answered at once the next command of the list follows.
    private func perform(_ actions: [MPDConversation.Action]) {
        pending += actions
        if isPerforming || isPausing { return }
        isPerforming = true
        defer { isPerforming = false }
        while !pending.isEmpty, !isClosed {
            switch pending.removeFirst() {
            case .send(let bytes): connection.write { $0 += bytes }
            case .run(let request):
                commandsInTurn += 1
                if commandsInTurn > Self.commandsPerTurn {
                    pending.insert(.run(request), at: 0)
                    return pause()
                }
                begin(request)
            case .close: connection.close()
            }
        }
        guard conversation.canReceive else { return }
        commandsInTurn = 0
        connection.deadline = conversation.isIdling ? nil : .now + Self.timeout
    }

    /// Continues in the server's next turn, when the client has read the answers so far.
    private func pause() {
        isPausing = true
        connection.deadline = nil
        whenDrained { $0.connection.deadline = .now }
    }

    // MARK: commands

    private func begin(_ request: MPDRequest) {
        attempt { () in
            let command = try MPDCommand(request, allowed: permission)
            let run = { [weak self] in
                guard let self else { return }
                attempt { try command.body(self, request.arguments) }
            }
            if service.isBehind, command.readsModel { service.catchUp(run) } else { run() }
        }
    }

    /// Ends the command with the error of a part of its execution.
    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            finish(.failure(error as? MPDError ?? MPDError(.system, "\(error)")))
        }
    }

    /// Ends the command that is executed. A failure ends its list, so that the deletions before it must reach the daemon.
    func finish(_ outcome: Result<MPDAnswer, MPDError>) {
        if isClosed { return }
        if case .failure = outcome, deletion != nil { return removeEntries { $0.finish(outcome) } }
        perform(conversation.finished(outcome))
    }

    /// Whether the next command of the list also deletes entries.
    var deletesNext: Bool { ["delete", "deleteid"].contains(conversation.following) }

    func finish(_ answer: MPDAnswer = MPDAnswer()) { finish(.success(answer)) }

    /// Ends the command with these lines: names and values.
    func finish(_ lines: [(String, String)]) {
        var answer = MPDAnswer()
        answer.add(lines)
        finish(answer)
    }

    func send(_ part: MPDAnswer) { connection.write { $0 += part.bytes } }

    /// Asks the daemon. If the daemon refuses, the command has failed. `done` is not called after the client has gone.
    func ask<Called: Command>(_ command: Called, done: @escaping (MPDSession, Called.Reply) throws -> Void) {
        askForOutcome(of: command) { session, outcome in try done(session, try outcome.get()) }
    }

    func askForOutcome<Called: Command>(
        of command: Called, done: @escaping (MPDSession, Result<Called.Reply, MPDError>) throws -> Void
    ) {
        service.call(command, as: permission ?? .read) { [weak self] outcome in
            guard let self, !isClosed else { return }
            attempt { try done(self, outcome) }
        }
    }

    /// Asks the daemon to change something. The next command of any client sees the change.
    func alter<Called: Command>(_ command: Called, done: @escaping (MPDSession, Called.Reply) throws -> Void) {
        ask(command) { session, reply in
            session.service.mustCatchUp = true
            try done(session, reply)
        }
    }

    /// Asks the daemon to change something, and ends the command when that is done.
    func change(_ command: some Command) { alter(command) { session, _ in session.finish() } }

    /// Adds the lines of a song.
    typealias SongLines = (MPDSong, inout MPDAnswer) -> Void

    /// With the tags that the client wants to see.
    var tagLines: SongLines { { [tags] song, answer in song.write(tags, to: &answer) } }
    var fileLine: SongLines { { song, answer in answer.add("file", song.uri) } }

    /// Writes many rows, no more at a time than a client reads.
    func write<Row>(_ rows: ArraySlice<Row>, _ body: @escaping (Row, inout MPDAnswer) -> Void) {
        var part = MPDAnswer()
        for row in rows.prefix(Self.rowsPerTurn) { body(row, &part) }
        send(part)
        let rest = rows.dropFirst(Self.rowsPerTurn)
        if rest.isEmpty { return finish() }
        whenDrained { $0.write(rest, body) }
    }
}
