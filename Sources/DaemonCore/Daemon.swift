internal import Activity
internal import AudioOutput
internal import ChildProcess
internal import CommandLineTool
internal import Configuration
internal import ControlProtocol
internal import ControlSocket
internal import DecoderHost
internal import Diagnostics
internal import EpisodeCache
internal import Glibc
internal import HTTP
internal import JSON
internal import Library
internal import LibraryModel
internal import Logins
internal import MediaPorts
internal import Playback
internal import Playlist
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// The parts of a running daemon, built in order and stopped in reverse.
final class Daemon: Sendable {
    let decisions: DecisionThread
    let library: LibraryService
    private let settings: SettingsService
    private let backups: BackupService
    private let refresher: RefreshRunner
    private let searcher: RefreshRunner
    private let transfers: DocumentTransfers
    private let texts: EpisodeTextService
    let player: Player
    let renderer: Renderer
    private let outputs: OutputSwitch
    private let http: HTTPThread
    private let cache: EpisodeCache
    private let activities: ActivityBoard
    private let status: StatusBoard
    private let server: ControlServer
    private let activityWatch: ActivityWatch
    private let playerWatch: PlayerWatch
    private let logger: Logger

    /// Builds the parts; the control socket answers when this returns.
    ///
    /// - Parameters:
    ///   - decisions: where handlers and player run; this is called there too.
    ///   - store: the open library.
    ///   - listeners: where clients are heard.
    ///   - machine: time, sound and programs.
    ///   - statusLine: takes a line for the service manager whenever it has changed.
    init(
        decisions: DecisionThread, store: sending LibraryStore, settings given: Settings, places: Places,
        listeners: [ControlListener],
        logger: Logger, machine: MachinePorts = MachinePorts(),
        statusLine: @escaping @Sendable (String) -> Void
    ) async throws {
        self.decisions = decisions
        self.logger = logger
        let now = machine.now
        library = LibraryService(store)
        settings = SettingsService(given, path: places.data.clientSettings)
        activities = ActivityBoard(now: now)
        backups = BackupService(of: places.data.library, activities: activities, now: now)
        http = HTTPThread(
            settings: HTTPSettings(
                userAgent: ProductVersion.userAgent(contact: given.text("network.contact")),
                proxy: given.text("network.proxy"), certificateFile: given.text("network.ca_file"),
                privateHosts: PrivateHosts(given.text("network.private_hosts") ?? "")))
        let logins = LoginFile(
            folder: places.data.path, credentials: Environment.variable("CREDENTIALS_DIRECTORY"))
        let access = MediaAccess(logins: logins)
        var cacheSettings = EpisodeCache.Settings()
        cacheSettings.access = { url in access.access(to: url) }
        cache = try EpisodeCache(
            directory: places.cache, http: http, sizeLimit: given.bytes("cache.size"), settings: cacheSettings,
            clock: machine.fetchClock)
        var rendererSettings = RendererSettings()
        rendererSettings.closeDelay = Double(given.seconds("output.close_after"))
        renderer = try Renderer(sink: nil, clock: machine.outputClock, settings: rendererSettings)
        let specification = try OutputSpecification(parsing: given["output.sink"])
        outputs = try OutputSwitch(specification, renderer: renderer, sinks: machine.sinks)

        // What podcast-refresh brought while no daemon ran, if it had no time to judge it.
        try? await library.perform { store in while try store.judgeNewEpisodes(at: now()).hasMore {} }
        let queue = try await QueueService.load(from: library)
        let statusBox = LateBound<StatusBoard>()
        let textsBox = LateBound<EpisodeTextService>()
        let playbackStore = LibraryPlaybackStore(
            library: library, access: access, now: now, loading: { textsBox.value?.prepare([$0]) }
        ) { _ in
            statusBox.value?.changed(.episodes)
        }
        let decoders = MeteredDecoders(machine.decoders, logger: logger)
        player = Player(
            ports: Player.Ports(
                opener: cache, decoders: decoders, renderer: renderer,
                store: playbackStore, queue: queue, activities: activities,
                clock: machine.playbackClock ?? decisions, executor: decisions),
            settings: PlaybackSettings(given))
        status = StatusBoard(player: player, queue: queue, activities: activities, outputs: outputs)
        statusBox.value = status
        playerWatch = PlayerWatch(logger: logger)
        refresher = try RefreshRunner(
            executable: try machine.refresher ?? Launch.sibling("podcast-refresh"), places: places, logger: logger)
        searcher = try RefreshRunner(
            executable: try machine.refresher ?? Launch.sibling("podcast-refresh"), places: places, logger: logger,
            name: "search")
        transfers = DocumentTransfers(folder: places.data.path)
        texts = EpisodeTextService(
            decisions: decisions, library: library,
            runner: try RefreshRunner(
                executable: try machine.refresher ?? Launch.sibling("podcast-refresh"), places: places, logger: logger,
                name: "texts"),
            now: now
        ) { [status] in status.changed(.episodes) }
        textsBox.value = texts

        let chooser = PlayChooser(
            library: library, queue: queue, refresher: refresher, activities: activities, now: now,
            feedsChanged: { [status] in
                status.changed(.feeds)
                status.changed(.episodes)
            })
        let (refreshes, connections) = (RefreshTally(logger: logger), ConnectionCounters())
        // The commands of `session` belong to the connection and have no handler.
        let commands = Dictionary(
            uniqueKeysWithValues: CommandDeclaration.Section.allCases.filter { $0 != .session }.map {
                ($0, CommandTimes())
            })
        let metrics = MetricsBoard(
            player: player, playerWatch: playerWatch, decoders: decoders, outputs: outputs, cache: cache,
            refreshes: refreshes, queue: queue, activities: activities, commands: commands, connections: connections,
            library: library, decisions: decisions, startTime: now())
        let keeper = RuleKeeper(library: library, queue: queue, now: now) { [status] in status.changed(.episodes) }
        let acts = ListenerActs(library: library, queue: queue, player: player, now: now) { [status] _ in
            status.changed(.episodes)
        }
        let checks = DaemonChecks(
            places: places, settings: settings, outputs: outputs, player: player, cache: cache, http: http)
        let dispatcher = CommandDispatcher(
            handlers: [
                .playback: PlaybackHandler(
                    decisions: decisions, player: player, chooser: chooser, acts: acts,
                    spoken: SpokenHandler(decisions: decisions, library: library, texts: texts)),
                .queue: QueueHandler(
                    decisions: decisions, queue: queue, library: library, player: player, chooser: chooser),
                .feeds: FeedsHandler(
                    decisions: decisions, library: library, refresher: refresher, searcher: searcher,
                    transfers: transfers, queue: queue, status: status, activities: activities, refreshes: refreshes,
                    keeper: keeper, logins: logins),
                .episodes: EpisodesHandler(decisions: decisions, library: library, texts: texts, now: now) {
                    [status] _ in
                    status.changed(.episodes)
                },
                .merges: MergesHandler(
                    decisions: decisions, library: library, queue: queue, player: player, now: now
                ) { [status] in status.changed(.episodes) },
                .playlists: PlaylistsHandler(
                    decisions: decisions, library: library, queue: queue, status: status, now: now),
                .rules: RulesHandler(
                    decisions: decisions, library: library, keeper: keeper, status: status, now: now),
                .retention: RetentionHandler(
                    decisions: decisions, library: library, keeper: keeper, status: status, now: now),
                .outputs: OutputsHandler(outputs: outputs, status: status),
                .settings: SettingsHandler(decisions: decisions, settings: settings, logger: logger),
                .status: StatusHandler(status: status),
                .activities: ActivitiesHandler(board: activities),
                .metrics: MetricsHandler(decisions: decisions, board: metrics),
                .library: LibraryHandler(decisions: decisions, backups: backups),
                .doctor: DoctorHandler(
                    rounds: CheckRounds(checks.all, patience: Self.checkPatience, clock: decisions)),
            ], version: ProductVersion.current, meters: commands)
        var limits = ControlServer.Limits()
        limits.connections = given.integer("control.max_connections")
        server = try ControlServer(
            dispatcher: dispatcher, status: status,
            policy: LoggedPermissions(policy: try PermissionTable.policy(of: given), logger: logger), limits: limits,
            counters: connections)
        activityWatch = activities.watch { [status] in
            status.changed(.activities)
            statusLine(status.line)
        }
        connect(queue: queue, statusLine: statusLine)
        try server.start(on: listeners)
    }

    /// Seconds after which the code that a start needed is let go.
    private static let settlingTime = 5.0
    /// Seconds that the slowest check of `doctor` may take.
    private static let checkPatience = 5.0

    /// Lets the parts tell each other what changed.
    private func connect(queue: QueueService, statusLine: @escaping @Sendable (String) -> Void) {
        status.connect { [server] part in server.publish(part) }
        let faults = PlaybackFaultLog(logger)
        player.observe { [status, player, playerWatch, decisions] in
            if playerWatch.note(player.status) == .playing {
                // By then all parts have begun that playing needs.
                decisions.start(after: Self.settlingTime) { MappedCode.forget() }
            }
            status.changed(.player)
            statusLine(status.line)
            faults.note(player.status)
        }
        queue.observe { [weak queue, status, player, decisions, http, texts] changes in
            status.changed(.queue)
            let inserted = changes.compactMap { if case .insert(let id, _) = $0 { id } else { nil } }
            decisions.start { [queue] in
                guard let entries = queue?.snapshot else { return }
                texts.prepare(inserted.compactMap { entries.entry($0)?.episode })
            }
            // Whoever edits the queue is about to play: the first request should not pay for libcurl's start.
            http.prepare()
            decisions.start { await player.queueChanged() }
        }
        settings.observe { [status, logger, player, renderer, decisions] settings in
            if let levels = LogLevels(parsing: settings["daemon.log_level"]) { logger.levels = levels }
            renderer.setCloseDelay(Double(settings.seconds("output.close_after")))
            decisions.start { await player.use(PlaybackSettings(settings)) }
            status.changed(.settings)
        }
    }

    /// Takes in a config that is read again; what needs a restart stays as it is. Waits, on the main thread.
    func reload(_ read: @escaping @Sendable () -> Settings?) {
        guard let fresh = settings.reload(read) else { return }
        do {
            try outputs.replace(with: try OutputSpecification(parsing: fresh["output.sink"]))
        } catch {
            logger.log(.error, .daemon, "output.sink: \(error)")
        }
        status.changed(.outputs)
    }

    /// Calls back when each thread that a listener depends on has taken a turn: the one that serves, the one that decides
    /// and the library's. While one of them hangs there is silence, and the service manager's watchdog acts.
    func whenAlive(_ answer: @escaping @Sendable () -> Void) {
        server.whenServing { [decisions, library] in
            decisions.start {
                await library.takeTurn()
                answer()
            }
        }
    }

    /// Stops the parts in reverse: no new commands, the position on disk, then everything else.
    func stop() async {
        server.stop()
        await player.shutdown()
        // An output's command and a refresh may be stubborn: their graces pass at the same time.
        renderer.beginShutDown()
        refresher.interrupt()
        searcher.interrupt()
        texts.interrupt()
        refresher.close()
        texts.close()
        searcher.close()
        transfers.close()
        renderer.shutDown()
        cache.finish()
        http.stop()
        settings.close()
        backups.close()
        // Nothing is lost when this fails: the log is read at the next start.
        try? await library.perform { try $0.foldLog() }
        library.close()
    }
}

extension PlaybackSettings {
    /// The figures of the settings under `[playback]`.
    fileprivate init(_ settings: Settings) {
        self.init(
            rebuffer: Double(settings.seconds("playback.rebuffer")),
            suspendDelay: Double(settings.seconds("playback.disconnect_after")))
    }
}
