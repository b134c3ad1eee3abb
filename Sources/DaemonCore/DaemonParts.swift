internal import Activity
internal import AudioOutput
internal import ChildProcess
internal import CommandLineTool
internal import Configuration
internal import ControlLanguage
internal import ControlSocket
internal import Diagnostics
internal import Downloads
internal import Library
internal import LibraryModel
internal import LineServing
internal import LiveSettings
internal import Logins
internal import MediaPorts
internal import Metrics
internal import Playback
internal import PodcastModel
internal import Refreshing
internal import SerialThreads
internal import SharedQueue
internal import SystemCalls
internal import WireMapping

/// The parts of a daemon except the control socket, each built from those above it.
struct DaemonParts: Sendable {
    let decisions: DecisionThread
    let logger: Logger
    let places: Places
    let now: @Sendable () -> Timestamp
    let changes = ChangeBoard()
    let activities: ActivityBoard
    let settings: SettingsService
    let library: LibraryService
    let backups: BackupService
    let queue: QueueService
    let logins: LoginFile
    let programs: RefreshPrograms<ConnectionID>
    let media: MediaPath
    let player: Player
    let playerWatch: PlayerWatch
    let downloads: DownloadManager
    let status: StatusBoard
    let connections = ConnectionCounters()
    let events = EventCounters()

    init(
        decisions: DecisionThread, store: sending LibraryStore, settings given: Settings, places: Places,
        machine: MachinePorts, logger: Logger
    ) async throws {
        (self.decisions, self.logger, self.places) = (decisions, logger, places)
        let now = machine.now
        self.now = now
        activities = ActivityBoard(now: now)
        settings = SettingsService(given, path: places.data.clientSettings)
        library = try LibraryService(store)
        backups = BackupService(of: places.data.library, activities: activities, now: now)
        // Episodes that podcast-refresh added without a daemon, if it did not apply the rules to all of them.
        try? await library.perform { store in
            while try store.rules.judgeNewEpisodes(nextIndex: nil, at: now()).hasMore {}
        }
        queue = try await QueueService.load(from: library)
        await library.settle()
        logins = LoginFile(
            folder: places.data.path, credentials: CurrentProcess.variable("CREDENTIALS_DIRECTORY"))
        programs = try RefreshPrograms(
            executable: try machine.refresher ?? Launch.sibling("podcast-refresh"),
            location: RefreshLocation(
                dataFolder: places.data.path, configFile: places.configFile, socket: places.socket),
            library: LibraryTexts(library: library, now: now), decisions: decisions, logger: logger,
            episodesChanged: { [changes] in changes.episodesChanged($0) })
        let access = MediaAccess(logins: logins)
        media = try MediaPath(given, places: places, machine: machine, access: access, logger: logger)
        player = Player(
            ports: Player.Ports(
                opener: media.cache, decoders: media.decoders, renderer: media.renderer,
                store: LibraryPlaybackStore(
                    library: library, access: access, now: now, texts: programs.texts, changes: changes),
                queue: queue, activities: activities, clock: machine.playbackClock ?? decisions, executor: decisions),
            settings: PlaybackSettings(given))
        programs.texts.chapters.connect { [weak player] in player?.use($0.chapters, of: $0.episode) }
        playerWatch = PlayerWatch(logger: logger)
        downloads = try DownloadManager(
            DownloadManager.Ports(
                library: LibraryDownloads(library: library, access: access),
                cache: CacheDownloads(cache: media.cache, folder: places.cache), decisions: decisions,
                activities: activities, logger: logger, demand: { [player] in PlayerDemand(player.status) },
                episodesChanged: { [changes] in changes.downloadsChanged($0) }))
        status = StatusBoard(
            player: player, queue: queue, activities: activities, outputs: media.outputs, changes: changes)
    }

    /// Notifies clients that episodes changed.
    var episodesChanged: @Sendable ([EpisodeID]) -> Void { { [changes] in changes.episodesChanged($0) } }

    /// Stops them in reverse, after the position is on disk.
    func stop() async {
        await player.shutdown()
        // An output's command and a refresh may take time to exit; both get theirs at the same time.
        media.renderer.beginShutDown()
        programs.interrupt()
        programs.close()
        downloads.close()
        media.close()
        settings.close()
        backups.close()
        // Nothing is lost if this fails: the next start reads the write-ahead log.
        try? await library.perform { try $0.foldLog() }
        library.close()
    }
}

extension PlaybackSettings {
    init(_ settings: Settings) {
        self.init(
            rebuffer: Double(settings.seconds("playback.rebuffer")),
            suspendDelay: .seconds(settings.seconds("playback.disconnect_after")))
    }
}
