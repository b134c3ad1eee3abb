internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import PodcastModel
internal import SystemCalls

/// Stands between the daemon, its sound on standard input, and a player in the network.
final class RemotePlayerService: GatewayService {
    /// Bytes of sound a second.
    private static let bytesPerSecond = 16_000.0
    /// Between two looks at the sound and the daemon while something plays.
    private static let (readTime, pollTime) = (Duration.milliseconds(100), Duration.seconds(1))
    /// How long the player may take to stop at the end.
    private static let farewell = Duration.seconds(1)
    private static let searchPause = Duration.seconds(5)

    let connection: ControlConnection
    private let name: String
    private let output: ToolOutput
    private let requests: DeviceRequests
    private var search: UPnPSearch?
    private var nextSearch = Instant.now
    private var player: UPnPRenderer?
    private var explanation: String?
    private var server: EpisodeServer?
    private var session = RemoteSession()
    private var model = ClientModel()
    private var nextPoll = Instant.now
    private var lastRead = Instant.now
    private var unreadBytes = 0.0
    /// Where the episode starts, until the player is asked to load it.
    private var start: MediaTime?
    /// When the program ends although the player has not stopped.
    private var end: Instant?

    init(_ connection: ControlConnection, _ output: ToolOutput, name: String) throws(ToolFailure) {
        self.connection = connection
        self.output = output
        self.name = name
        requests = try ToolFailure.wrapping(.software) { try DeviceRequests() }
        connection.watch([.player, .outputs])
        try explain("looking for the renderer")
    }

    // MARK: the loop

    var waits: [PollEntry] { (search?.waits ?? []) + (server?.waits ?? []) }

    var deadline: Instant? {
        let isPlaying = model.player.state.isPlaying
        let searching = search?.end ?? (player == nil && isPlaying ? nextSearch : nil)
        return [
            isPlaying ? .now + Self.readTime : nil, searching, player?.deadline, server?.deadline, requests.deadline,
            end,
        ]
        .compactMap(\.self).min()
    }

    var isFinished: Bool { end.map { $0 <= .now || player?.isBusy != true } ?? false }

    func process() throws(ToolFailure) {
        for event in connection.process() { receive(event) }
        requests.process()
        server?.process()
        if end == nil {
            try find()
            for report in player?.process() ?? [] {
                try perform(session.remote(report, at: .now))
                if report == .lost {
                    player = nil
                    server = nil
                    nextSearch = .now
                }
            }
            try perform(session.tick(at: .now))
            poll()
            try read()
        } else {
            _ = player?.process()
        }
    }

    func stop() {
        finish()
        while !isFinished {
            requests.process()
            waitForDescriptors(readable: -1, until: requests.deadline ?? .now)
        }
    }

    /// The daemon has ended, or the output was removed or disabled.
    private func finish() {
        guard end == nil else { return }
        end = .now + Self.farewell
        player?.stop()
    }

    private func explain(_ reason: String?) throws(ToolFailure) {
        // podcastd does not read during a pause.
        guard exchange(&explanation, with: reason) != reason else { return }
        try output.line(reason.map { SafeText.line($0, atMost: 300) } ?? "")
        try output.flush()
    }

    // MARK: the daemon

    private var setup: OutputReply? {
        let specification = "upnp:\(name)"
        return model.outputs.first {
            $0.specification == specification || $0.specification.hasPrefix(specification + "?")
        }
    }

    private func receive(_ event: ConnectionEvent) {
        model.apply(event)
        switch event {
        case .greeted: break
        case .lost: finish()
        case .snapshot, .changed: setup?.isEnabled == true ? follow(model.player) : finish()
        }
    }

    private func follow(_ status: PlayerReply) {
        try? perform(session.daemon(status, volume: setup?.volume ?? 100, at: .now))
    }

    /// The position of the last event is wrong if the player has stalled since.
    private func poll() {
        guard model.player.state.isPlaying, nextPoll <= .now else { return }
        nextPoll = .now + Self.pollTime
        connection.send(GetStatus()) { [self] result in
            if end == nil, let status = try? result.get() { follow(status.player) }
        }
    }

    /// Reads the sound that was heard in the meantime, and throws it away.
    private func read() throws(ToolFailure) {
        let now = Instant.now
        unreadBytes += (now - lastRead).inSeconds * session.rate(at: now) * Self.bytesPerSecond
        lastRead = now
        unreadBytes = min(unreadBytes, Self.bytesPerSecond / 2)
        guard unreadBytes >= 2, waitForDescriptors(readable: 0, until: now) else { return }
        let bytes = try ToolFailure.wrapping(.ioError) { try TerminalInput.read(upTo: Int(unreadBytes)) }
        unreadBytes -= Double(bytes.count)
        if bytes.isEmpty { finish() }
    }

    // MARK: the player

    private func find() throws(ToolFailure) {
        guard player == nil else { return }
        if let search {
            search.process()
            if let device = search.found.first(where: { $0.matches(name) }) {
                self.search = nil
                return try use(device)
            }
            guard search.end <= .now else { return }
            let names = search.found.prefix(8).map { "'\($0.name)'" }.joined(separator: ", ")
            try explain("no renderer of this name answers; " + (names.isEmpty ? "none was found" : "found: \(names)"))
            self.search = nil
            nextSearch = .now + Self.searchPause
        } else if nextSearch <= .now, model.player.state.isPlaying {
            search = UPnPSearch(requests)
        }
    }

    private func use(_ device: UPnPDescription) throws(ToolFailure) {
        let server = try ToolFailure.wrapping(.unavailable) {
            try EpisodeServer(connection, on: device.local) { [weak self] in
                (self?.player as? UPnPRenderer)?.notice()
            }
        }
        self.server = server
        player = UPnPRenderer(device, requests, callback: server.callback)
        session = RemoteSession()
        try explain(nil)
        follow(model.player)
    }

    private func perform(_ actions: [RemoteSession.Action]) throws(ToolFailure) {
        for action in actions {
            switch action {
            case .load(let episode, let start):
                self.start = start
                load(episode)
            case .play: player?.play()
            case .pause: player?.pause()
            case .stop:
                start = nil
                player?.stop()
            case .seek(let position): if start != nil { start = position } else { player?.seek(to: position) }
            case .setVolume(let percent): player?.setVolume(percent)
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
            case .explain(let reason): try explain(reason)
            }
        }
    }

    private func call(_ command: some Command) { connection.send(command) { _ in } }

    private func load(_ episode: EpisodeID) {
        server?.episode = episode
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
        guard let server, server.episode == episode, end == nil, let start = start.take() else { return }
        switch read {
        case .failure(let failure): try? perform(session.remote(.failed(failure.text), at: .now))
        case .success(let reply):
            player?.load(
                RemoteItem(
                    url: server.url(of: episode), type: reply.mediaType, title: shown?.episode.title ?? "",
                    show: shown?.episode.feedTitle, cover: server.coverURL(of: episode), length: reply.length,
                    duration: shown?.episode.duration), from: start)
        }
    }
}
