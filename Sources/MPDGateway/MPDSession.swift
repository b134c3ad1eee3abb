internal import ControlClient
internal import ControlLanguage
internal import LineServing
internal import PodcastModel
internal import SystemCalls

/// One client. It belongs to the server's thread.
final class MPDSession: LineSession {
    /// How long a client may be silent outside `idle`, as in MPD.
    private static let patience = Duration.seconds(60)
    /// How long a client waits for the greeting while the daemon is not there.
    private static let greetingPatience = Duration.seconds(10)
    /// Commands of a list that are executed before other clients have their turn.
    private static let commandsPerTurn = 32

    let connection: LineConnection
    // The service outlives its sessions.
    unowned let service: MPDService
    private var conversation = MPDConversation()
    private(set) var isGreeted = false
    /// What the client may do; nil for nothing but logging in.
    var permission: CommandDeclaration.Permission?
    var tags = MPDTagSet()
    /// Bytes of a piece of a picture at most.
    var binaryLimit = 8192
    private var pending: [MPDConversation.Action] = []
    private var isPerforming = false
    /// Commands that were executed without a pause.
    private var commandsInTurn = 0
    /// Whether what is pending waits for the server's next turn.
    private var isPausing = false
    /// Called when the client has been sent everything.
    private var afterDrain: (() -> Void)?
    private var isClosed = false

    init(_ service: MPDService, _ connection: LineConnection) {
        (self.service, self.connection) = (service, connection)
        permission = service.settings.permission(of: connection.peer)
        connection.deadline = .now + Self.greetingPatience
    }

    func greet() {
        isGreeted = true
        connection.deadline = .now + Self.patience
        connection.write { $0 += MPDConversation.greeting }
    }

    // MARK: lines

    var canTakeMore: Bool { isGreeted && conversation.canReceive }
    var isAnswering: Bool { isGreeted && !conversation.canReceive }
    var heldBytes: Int { conversation.heldBytes }

    func received(_ line: UnsafeRawBufferPointer) {
        perform(conversation.receive(line))
    }

    func deadlinePassed() {
        if isPausing {
            (isPausing, commandsInTurn) = (false, 0)
            perform([])
            return
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

    func drained() {
        guard let next = afterDrain else { return }
        afterDrain = nil
        next()
    }

    /// Continues when the client has read what was written, so that a slow one does not fill the memory.
    func whenDrained(_ next: @escaping () -> Void) {
        afterDrain = next
        // The server calls `drained` after it has sent what was written.
        connection.write { _ in }
    }

    /// Continues a search as `whenDrained` does, unless the client has gone: nothing that it sends would tell, and nothing that
    /// is sent to it, if nothing is found.
    func nextPage(_ next: @escaping () -> Void) {
        whenDrained { [connection] in connection.hasPeerEnded ? connection.close() : next() }
    }

    func changed(_ subsystems: MPDSubsystems) {
        let actions = conversation.changed(subsystems)
        if !actions.isEmpty { perform(actions) }
    }

    /// Actions may lead to others: a command that is answered at once is followed by the next one of its list.
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
        connection.deadline = conversation.isIdling ? nil : .now + Self.patience
    }

    /// Continues in the server's next turn, when the client has read the answers so far.
    private func pause() {
        isPausing = true
        whenDrained { [weak self] in self?.connection.deadline = .now }
    }

    // MARK: commands

    private func begin(_ request: MPDRequest) {
        let command: MPDCommand
        do throws(MPDError) {
            command = try MPDCommand(request, allowed: permission)
        } catch {
            return finish(.failure(error))
        }
        if service.isBehind, command.readsModel {
            return service.settle { [weak self] in self?.run(command, request.arguments) }
        }
        run(command, request.arguments)
    }

    private func run(_ command: MPDCommand, _ arguments: [String]) {
        do throws(MPDError) {
            try execute(command, arguments)
        } catch {
            finish(.failure(error))
        }
    }

    /// Ends the command that is executed.
    func finish(_ outcome: Result<MPDAnswer, MPDError>) {
        if isClosed { return }
        perform(conversation.finished(outcome))
    }

    func finish() { finish(.success(MPDAnswer())) }
    func finish(_ answer: MPDAnswer) { finish(.success(answer)) }

    /// Asks the daemon. If it refuses, the command has failed.
    func ask<Called: Command>(_ command: Called, done: @escaping (Called.Reply) throws(MPDError) -> Void) {
        service.call(command, as: permission ?? .read) { [weak self] outcome in
            guard let self, !isClosed else { return }
            do throws(MPDError) {
                try done(try outcome.get())
            } catch {
                finish(.failure(error))
            }
        }
    }

    /// Asks the daemon to change something. The next command of any client sees the change.
    func alter<Called: Command>(_ command: Called, done: @escaping (Called.Reply) throws(MPDError) -> Void) {
        ask(command) { [weak self] (reply) throws(MPDError) in
            self?.service.mustSettle = true
            try done(reply)
        }
    }

    /// Has the daemon change something, and ends the command when that is done.
    func change<Called: Command>(_ command: Called) {
        alter(command) { [weak self] _ in self?.finish() }
    }

    /// Has the daemon change something, step by step.
    func change<Called: Command>(_ commands: [Called]) {
        guard let first = commands.first else { return finish() }
        alter(first) { [weak self] _ in self?.change(Array(commands.dropFirst())) }
    }

    /// Writes many rows, no more at a time than a client reads.
    func write<Row>(
        _ rows: ArraySlice<Row>, then end: MPDAnswer = MPDAnswer(), _ body: @escaping (Row, inout MPDAnswer) -> Void
    ) {
        var part = MPDAnswer()
        for row in rows.prefix(500) { body(row, &part) }
        let rest = rows.dropFirst(500)
        if rest.isEmpty {
            connection.write { [part] in $0 += part.bytes }
            return finish(end)
        }
        connection.write { [part] in $0 += part.bytes }
        whenDrained { [weak self] in self?.write(rest, then: end, body) }
    }

    private func execute(_ command: MPDCommand, _ arguments: [String]) throws(MPDError) {
        switch command {
        case .clearerror, .currentsong, .status, .stats, .ping, .commands, .notcommands, .urlhandlers, .decoders,
            .tagtypes, .config, .kill, .password, .binarylimit, .disableoutput, .enableoutput, .outputs, .outputset,
            .toggleoutput:
            try executeStatus(command, arguments)
        case .play, .playid, .pause, .stop, .next, .previous, .seek, .seekid, .seekcur, .consume, .crossfade,
            .mixrampdb, .mixrampdelay, .random, .repeat, .single, .setvol, .getvol, .volume, .replayGainMode,
            .replayGainStatus:
            try executePlayback(command, arguments)
        case .add, .addid, .clear, .delete, .deleteid, .move, .moveid, .playlist, .playlistid, .playlistinfo,
            .playlistfind, .playlistsearch, .plchanges, .plchangesposid, .prio, .prioid, .rangeid, .shuffle, .swap,
            .swapid, .addtagid, .cleartagid:
            try executeQueue(command, arguments)
        case .listplaylist, .listplaylistinfo, .listplaylists, .load, .playlistadd, .playlistclear, .playlistdelete,
            .playlistmove, .rename, .rm, .save:
            try executePlaylists(command, arguments)
        case .albumart, .readpicture: try readPicture(command, arguments)
        case .count, .find, .findadd, .list, .search, .searchadd, .searchaddpl:
            try executeSearch(command, arguments)
        case .listall, .listallinfo, .listfiles, .lsinfo, .readcomments, .update, .rescan:
            try executeDatabase(command, arguments)
        case .sticker: try executeSticker(arguments)
        }
    }
}
