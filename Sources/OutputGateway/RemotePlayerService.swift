internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import PodcastModel
internal import SystemCalls

/// Stands between the daemon, whose sound it follows, and a player in the network.
final class RemotePlayerService: GatewayService {
    private enum State {
        /// No player was found. The next search begins when something plays.
        case waiting(until: Instant)
        case searching(UPnPSearch)
        case connected(any RemotePlayer, EpisodeServer)
    }

    /// Between two looks at the daemon while something plays.
    private static let pollTime = Duration.seconds(1)
    /// How long the player may take to answer the last call, and then to stop, at the end.
    private static let stopTimeout = Duration.seconds(1)
    private static let searchPause = Duration.seconds(5)

    let connection: ControlConnection
    private let name: String
    /// The output's specification, as podcastd reports it.
    private let specification: String
    private let output: ToolOutput
    private let requests: DeviceRequests
    /// The daemon has ended, or the output was removed or disabled.
    private(set) var isFinished = false
    private var state = State.waiting(until: .now)
    private var session = RemoteSession()
    private var model = ClientModel()
    private var nextPoll = Instant.now
    /// The episode to load, and from where, until the player is asked to.
    private var loading: (episode: EpisodeID, start: MediaTime)?
    private var lastReport: OutputReport?

    init(
        _ connection: ControlConnection, _ output: ToolOutput, name: String, specification: String
    ) throws(ToolFailure) {
        self.connection = connection
        self.output = output
        self.name = name
        self.specification = specification
        requests = try ToolFailure.wrapping(.software) { try DeviceRequests() }
        connection.watch([.player, .outputs])
        try report()
    }

    // MARK: the loop

    var waits: [PollEntry] {
        switch state {
        case .waiting: [PollEntry(0)]
        case .searching(let search): search.waits + [PollEntry(0)]
        case .connected(_, let server): server.waits + [PollEntry(0)]
        }
    }

    var deadline: Instant? {
        let isPlaying = model.player.state.isPlaying
        let own: [Instant?] =
            switch state {
            case .waiting(let next): [isPlaying ? next : nil]
            case .searching(let search): [search.end]
            case .connected(let player, let server): [player.deadline, server.deadline, isPlaying ? nextPoll : nil]
            }
        return (own + [requests.deadline]).compactMap(\.self).min()
    }

    func process() throws(ToolFailure) {
        for event in connection.process() { receive(event) }
        requests.process()
        // Nothing is written to the standard input, so it is readable at its end.
        if waitForDescriptors(readable: 0, until: .now) { isFinished = true }
        if isFinished { return }
        switch state {
        case .waiting(let next):
            if next <= .now, model.player.state.isPlaying { state = .searching(UPnPSearch(requests)) }
        case .searching(let search): try look(search)
        case .connected(let player, let server):
            server.process()
            for report in player.process() {
                perform(session.remote(report, at: .now))
                if report == .lost { state = .waiting(until: .now) }
            }
        }
        perform(session.tick(at: .now))
        poll()
        try report()
    }

    func stop() {
        guard case .connected(let player, _) = state else { return }
        player.perform(.stop)
        wait(for: player)
        guard player.isBusy else { return }
        player.abandonCall()
        wait(for: player)
    }

    private func wait(for player: any RemotePlayer) {
        let limit = Instant.now + Self.stopTimeout
        while player.isBusy, .now < limit {
            requests.process()
            waitForDescriptors(readable: -1, until: requests.deadline ?? .now)
        }
    }

    /// podcastd does not read during a pause, so only changes are written.
    private func report() throws(ToolFailure) {
        let report = session.report(at: .now)
        guard exchange(&lastReport, with: report) != report else { return }
        output.line(report.line)
        try output.flush()
    }

    // MARK: the daemon

    private var setup: OutputReply? { model.outputs.first { $0.specification == specification } }

    private func receive(_ event: ConnectionEvent) {
        model.apply(event)
        switch event {
        case .greeted: break
        case .lost: isFinished = true
        case .snapshot, .changed: if setup?.isEnabled == true { follow(model.player) } else { isFinished = true }
        }
    }

    private func follow(_ status: PlayerReply) {
        let others = model.outputs.filter { $0.isEnabled && $0.phase != .failed && $0.specification != specification }
        perform(session.daemon(status, volume: setup?.volume ?? 100, isAlone: others.isEmpty, at: .now))
    }

    /// The position of the last event is wrong if the player has stalled since.
    private func poll() {
        guard case .connected = state, model.player.state.isPlaying, nextPoll <= .now else { return }
        nextPoll = .now + Self.pollTime
        connection.send(GetStatus()) { [self] result in
            if case .connected = state, let status = try? result.get() { follow(status.player) }
        }
    }

    // MARK: the player

    private func look(_ search: UPnPSearch) throws(ToolFailure) {
        search.process()
        if let device = search.renderer(name) { return try use(device) }
        guard search.end <= .now else { return }
        let names = search.found.prefix(8).map { "'\($0.name)'" }.joined(separator: ", ")
        session.miss("no renderer of this name answers; " + (names.isEmpty ? "none was found" : "found: \(names)"))
        state = .waiting(until: .now + Self.searchPause)
    }

    private func use(_ device: UPnPDescription) throws(ToolFailure) {
        let server = try ToolFailure.wrapping(.unavailable) {
            try EpisodeServer(connection, on: device.local, for: device.address)
        }
        let player = UPnPRenderer(device, requests, callback: server.callback)
        server.noticed = { [weak player] in player?.notice() }
        state = .connected(player, server)
        perform(session.find(at: .now))
    }

    private func perform(_ actions: [RemoteSession.Action]) {
        for action in actions {
            switch action {
            case .load(let episode, let start): load(episode, from: start)
            case .order(let order): self.order(order)
            case .playDaemon: call(Play())
            case .pauseDaemon: call(Pause())
            case .seekDaemon(let position): call(Seek { $0.time = .absolute(position) })
            case .setDaemonVolume(let percent):
                if let setup {
                    call(
                        SetOutputVolume {
                            $0.name = setup.name
                            $0.volume = percent
                        })
                }
            }
        }
    }

    private func order(_ order: RemoteOrder) {
        guard case .connected(let player, _) = state else { return }
        switch order {
        case .seek(let position) where loading != nil: loading?.start = position
        case .stop:
            loading = nil
            player.perform(order)
        case .play, .pause, .seek, .setVolume: player.perform(order)
        }
    }

    private func call(_ command: some Command) { connection.send(command) { _ in } }

    private func load(_ episode: EpisodeID, from start: MediaTime) {
        guard case .connected(_, let server) = state else { return }
        loading = (episode, start)
        server.episode = episode
        connection.send(
            ReadEpisode {
                $0.id = episode
                $0.count = 1
            }
        ) { [self] read in
            // An episode that the daemon has just begun has no title in the status yet.
            connection.send(ShowEpisode { $0.episode = episode.label }) { [self] shown in
                load(episode, read, try? shown.get().episode)
            }
        }
    }

    private func load(_ episode: EpisodeID, _ read: Result<EpisodeBytesReply, ClientFailure>, _ shown: EpisodeReply?) {
        guard case .connected(let player, let server) = state, let loading, loading.episode == episode else { return }
        self.loading = nil
        switch read {
        case .failure(let failure): perform(session.remote(.failed(failure.text), at: .now))
        case .success(let reply):
            let item = RemoteItem(
                url: server.url(of: episode), type: reply.mediaType, title: shown?.episode.title ?? "",
                show: shown?.episode.feedTitle, cover: server.coverURL(of: episode), length: reply.length,
                duration: shown?.episode.duration)
            player.load(item, from: loading.start)
        }
    }
}
