internal import AudioOutput
internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import LineServing
internal import Playback
internal import PodcastModel
internal import Reporting
internal import SerialThreads
internal import SystemCalls

/// The parts of a daemon except the control socket, each built from those above it.
final class DaemonParts: Sendable {
    let decisions: DecisionThread
    let logger: Logger
    let places: Places
    let now: @Sendable () -> Timestamp
    /// The kernel's id of this boot; empty if it is hidden.
    private let boot = bootIdentifier() ?? ""
    let changes = ChangeBoard()
    let activities: ActivityBoard
    let sync: SyncBoard
    let settings: SettingsService
    let session: SessionFile
    let library: LibraryService
    let startTime: Timestamp
    let backups: BackupService
    let queue: QueueService
    let contexts: ContextQueue
    let upcoming: UpcomingBoard
    let logins: LoginFile
    let access: MediaAccess
    let programs: RefreshPrograms
    let media: MediaPath
    let playbackStore: LibraryPlaybackStore
    let player: Player
    let probe: FileProbe
    let fileChapters: FileChapters
    let loudness: LoudnessMeasurer
    let playerMeter: PlayerMeter
    let downloads: DownloadManager
    let current: CurrentEpisode
    let handed = HandedFiles()
    let outputs: OutputsHandler
    let rules: RulesHandler
    let playlists: PlaylistsHandler
    let libraryCommands: LibraryHandler
    let transcripts: TranscriptsHandler
    let files: FilesHandler
    let pictures: PicturesHandler
    let refreshes: RefreshTally
    let lookups: PlayLookups
    let connections = ServerCounters()

    init(
        decisions: DecisionThread, store: sending LibraryStore, settings given: Settings, places: Places,
        machine: MachinePorts, logger: Logger
    ) async throws {
        self.decisions = decisions
        self.logger = logger
        self.places = places
        refreshes = RefreshTally(logger: logger)
        lookups = PlayLookups(decisions: decisions)
        let now = machine.now
        self.now = now
        startTime = now()
        activities = ActivityBoard(now: now)
        sync = SyncBoard(decisions) { [changes] in changes.changed(.sync) }
        settings = SettingsService(given, path: places.data.clientSettings)
        session = SessionFile(places.data.session, logger: logger)
        let before = session.session
        library = try LibraryService(store)
        backups = BackupService(
            folder: BackupFolder(beside: places.data.library), activities: activities, now: now,
            count: { [settings] in settings.current.settings.integer("library.backups_kept") })
        // Episodes that podcast-refresh added without a daemon, if it did not apply the rules to all of them.
        try? await library.perform { store in
            while try store.rules.applyToNewEpisodes(nextIndex: nil, at: now()).hasMore {}
        }
        queue = try await QueueService(from: library, decisions: decisions)
        await library.settle()
        logins = LoginFile(folder: places.data.path, credentials: CurrentProcess.variable("CREDENTIALS_DIRECTORY"))
        programs = RefreshPrograms(
            executable: try machine.refresher ?? Launch.sibling("podcast-refresh"),
            location: RefreshLocation(
                dataFolder: places.data.path, configFile: places.configFile, socket: places.socket),
            library: library, decisions: decisions, logger: logger,
            pictures: PictureCache(folder: places.cache + "/pictures"),
            pictureDecoder: PictureDecoder(executable: try Launch.sibling("podcast-decode-av")), now: now,
            episodesChanged: { [changes] in changes.episodesChanged($0, .content) })
        access = MediaAccess(logins: logins)
        media = try MediaPath(
            given, storedOutputs: before.outputs, places: places, machine: machine, access: access,
            logger: logger, outputChanged: { [changes] in changes.changed(.outputs) })
        contexts = ContextQueue(
            queue, library: library, context: before.context,
            afterQueue: { [settings] in
                AfterQueue(parsing: settings["playback.after_queue"]) ?? .stop
            }, now: now)
        playbackStore = LibraryPlaybackStore(
            library: library, queue: queue, settings: settings, access: access, now: now, texts: programs.texts,
            addresses: programs.addresses,
            changes: changes, logger: logger)
        player = Player(
            opener: media.opener, decoders: media.decoders, renderer: media.renderer, store: playbackStore,
            queue: contexts, activities: activities, clock: machine.playbackClock ?? decisions, executor: decisions,
            now: now, volume: before.volume, settings: PlaybackSettings(given))
        programs.texts.chapters.connect { [weak player] in player?.use($0.chapters, of: $0.episode) }
        probe = FileProbe(opener: media.opener, decoders: machine.decoders, decisions: decisions)
        fileChapters = FileChapters(
            probe: probe, library: library, access: access, activities: activities, changes: changes)
        loudness = LoudnessMeasurer(probe: probe, library: library, settings: settings)
        rules = RulesHandler(decisions: decisions, now: now, library: library, queue: queue, changes: changes)
        playlists = PlaylistsHandler(decisions: decisions, now: now, library: library, queue: queue, changes: changes)
        libraryCommands = LibraryHandler(
            decisions: decisions, library: library, backups: backups, playbackStore: playbackStore)
        transcripts = TranscriptsHandler(decisions: decisions, library: library, texts: programs.texts)
        files = FilesHandler(
            decisions: decisions, now: now, handed: handed, files: media.files, access: access,
            reader: EpisodeReader(opener: media.opener, decisions: decisions), player: player, library: library,
            changes: changes)
        pictures = PicturesHandler(decisions: decisions, library: library, pictures: programs.pictures, probe: probe)
        upcoming = UpcomingBoard(
            contexts: contexts, queue: queue, settings: settings, library: library, player: player,
            outputs: media.outputs)
        outputs = OutputsHandler(
            decisions: decisions, now: now, outputSet: media.outputs,
            search: DeviceSearch(machine.searches, activities: activities), player: player, session: session,
            settings: settings, library: library, changes: changes, upcoming: upcoming, places: places)
        playerMeter = PlayerMeter(logger: logger)
        downloads = try DownloadManager(
            DownloadManager.Ports(
                library: library, access: access, renewAddress: programs.addresses.renew, cache: media.cache,
                freeBytes: { [folder = places.cache] in freeDiskBytes(at: folder) }, decisions: decisions,
                activities: activities, logger: logger, now: now, demand: { [player] in PlayerDemand(player.status) },
                episodesChanged: { [changes, loudness] in
                    changes.downloadsChanged($0)
                    loudness.measure($0)
                }))
        current = CurrentEpisode(player: player, queue: queue, library: library, playbackStore: playbackStore)
        await current.load()
    }

    /// Reads the rows of episodes and feeds that events carry.
    var readRows: ChangeBoard.RowReader {
        { [decisions, library] part, ids, done in
            decisions.start {
                let rows = try? await library.read { store in
                    part == .feeds
                        ? ids.compactMap { try? store.feeds.feed(FeedID($0)) }.filter { !$0.isSingleFiles }.map {
                            ($0.id.rawValue, FeedReply($0, key: $0.id.description).json)
                        }
                        : try store.episodes.episodes(ids.map { EpisodeID($0) }).map {
                            ($0.id.rawValue, EpisodeReply(listing: $0).json)
                        }
                }
                // Changes may name a row twice.
                done(Dictionary(rows ?? []) { $1 })
            }
        }
    }

    /// Sets again the sleep timer of the last session.
    /// - Returns: whether this start continues playback.
    func restoreSleep() async -> Bool {
        let before = session.session
        let isContinuing = await continuesPlayback(before)
        if let request = before.sleepRequest(in: boot, at: now(), isContinuing: isContinuing) {
            try? await player.sleep(request)
        } else {
            session.saveSoon { $0.sleep = nil }
        }
        return isContinuing
    }

    /// Continues what played when the daemon ended, unless this start is a new one; see `PlayerSession.continues`.
    func continuePlayback(_ isContinuing: Bool) async {
        if !isContinuing {
            session.saveSoon { $0.playingBoot = nil }
        } else if case .stopped = player.status.state {
            // A failure is in the player's status. A client may have started something in the meantime.
            try? await player.resume()
        }
    }

    private func continuesPlayback(_ before: PlayerSession) async -> Bool {
        guard before.playingBoot != nil, let entry = queue.snapshot.currentEntry else { return false }
        let lastHeard = try? await library.episode(entry.episode).state.lastPlayed
        let resumesAtStart = settings["playback.resume_at_start"] == "yes"
        return before.continues(in: boot, at: now(), lastHeard: lastHeard, resumesAtStart: resumesAtStart)
    }

    /// Keeps the sleep timer, and whether the player plays, for the next start.
    func noteForRestart(_ status: PlayerStatus) {
        let now = now()
        session.saveSoon { session in
            session.playingBoot = status.state.isPlaying ? boot : nil
            let sleep = status.sleep.map { StoredSleep($0, at: status.instant, now, boot: boot) }
            // The clocks of timer and calendar differ by less than this.
            if let old = session.sleep, let sleep, sleep.isNear(old) { return }
            session.sleep = sleep
        }
    }

    /// An output that takes longer to close is left, so that the daemon ends within two seconds.
    private static let outputTimeout = Duration.milliseconds(1_700)

    /// Stops them in reverse, after the position is on disk.
    func stop() async {
        let deadline = Instant.now + Self.outputTimeout
        session.freeze()
        await player.shutdown()
        await queue.close()
        await playbackStore.flush()
        // An output's command and a refresh may take time to exit; both get theirs at the same time.
        media.renderer.beginShutDown()
        programs.interrupt()
        programs.close()
        downloads.close()
        media.close(until: deadline)
        settings.close()
        session.close()
        backups.close()
        // Nothing is lost if this fails: the next start reads the write-ahead log.
        try? await library.checkpoint()
        library.close()
    }
}
