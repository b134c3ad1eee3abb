public import AudioOutput
internal import Configuration
public import ControlLanguage
internal import ControlProtocol
public import DaemonState
public import EpisodeCache
public import FeedFiles
public import LibraryModel
public import Playback
public import PodcastModel
public import Queueing
public import Refreshing
public import Reporting
public import SerialThreads
public import SystemCalls

/// What the handlers use of the daemon.
public struct HandlerServices: Sendable {
    public struct Listening: Sendable {
        var player: Player
        var queue: QueueService
        var contexts: ContextQueue
        var chooser: PlayChooser
        var current: CurrentEpisode
        var upcoming: UpcomingBoard
        var session: SessionFile
        var downloads: any DownloadManaging
        var files: LocalFiles
        var handed: @Sendable (ConnectionID) -> OpenFile?
        var willFetch: @Sendable (String) -> Void
        var chapters: FileChapters
        var covers: FileCovers

        /// - Parameters:
        ///   - handed: takes the descriptor that a connection sent; nil if it sent none.
        ///   - willFetch: called with the URL of a message, before it is fetched.
        public init(
            player: Player, queue: QueueService, contexts: ContextQueue, chooser: PlayChooser, current: CurrentEpisode,
            upcoming: UpcomingBoard,
            session: SessionFile, downloads: any DownloadManaging, files: LocalFiles,
            handed: @escaping @Sendable (ConnectionID) -> OpenFile?,
            willFetch: @escaping @Sendable (String) -> Void, chapters: FileChapters, covers: FileCovers
        ) {
            (self.player, self.queue, self.contexts, self.chooser) = (player, queue, contexts, chooser)
            (self.current, self.upcoming, self.session, self.downloads) = (current, upcoming, session, downloads)
            (self.files, self.handed, self.willFetch) = (files, handed, willFetch)
            (self.chapters, self.covers) = (chapters, covers)
        }
    }

    public struct Keeping: Sendable {
        var library: any LibraryAccess
        var programs: RefreshPrograms<ConnectionID>
        var rules: RuleApplier
        var logins: LoginFile
        var refreshes: RefreshTally
        var backUp: @Sendable () async throws -> (path: String, bytes: Int64)
        var flushListening: @Sendable () async -> Void

        /// - Parameters:
        ///   - backUp: writes a backup; it is on disk when this returns.
        ///   - flushListening: stores what was heard until now.
        public init(
            library: any LibraryAccess, programs: RefreshPrograms<ConnectionID>, rules: RuleApplier, logins: LoginFile,
            refreshes: RefreshTally, backUp: @escaping @Sendable () async throws -> (path: String, bytes: Int64),
            flushListening: @escaping @Sendable () async -> Void
        ) {
            (self.library, self.programs, self.rules, self.logins) = (library, programs, rules, logins)
            (self.refreshes, self.backUp, self.flushListening) = (refreshes, backUp, flushListening)
        }
    }

    public struct Watching: Sendable {
        var outputs: OutputSwitch
        var settings: SettingsService
        var configFile: String
        var status: StatusBoard
        var activities: ActivityBoard
        var metrics: MetricsBoard
        var checks: CheckRunner
        var logger: Logger

        /// - Parameter configFile: its path, for messages.
        public init(
            outputs: OutputSwitch, settings: SettingsService, configFile: String, status: StatusBoard,
            activities: ActivityBoard, metrics: MetricsBoard, checks: CheckRunner, logger: Logger
        ) {
            (self.outputs, self.settings, self.configFile, self.status) = (outputs, settings, configFile, status)
            (self.activities, self.metrics, self.checks, self.logger) = (activities, metrics, checks, logger)
        }
    }

    private let decisions: DecisionThread
    private let changes: ChangeBoard
    private let now: @Sendable () -> Timestamp
    private let listening: Listening
    private let keeping: Keeping
    private let watching: Watching

    /// - Parameters:
    ///   - decisions: where handlers run.
    ///   - changes: where they report what changed.
    public init(
        decisions: DecisionThread, changes: ChangeBoard, now: @escaping @Sendable () -> Timestamp,
        _ listening: Listening,
        _ keeping: Keeping, _ watching: Watching
    ) {
        (self.decisions, self.changes, self.now) = (decisions, changes, now)
        (self.listening, self.keeping, self.watching) = (listening, keeping, watching)
    }

    /// One for each section, except `session`, whose commands the connection answers.
    public var handlers: [any CommandHandler] { listeningHandlers + libraryHandlers + daemonHandlers }

    private var formerSettings: FormerSettings {
        FormerSettings(
            settings: watching.settings, player: listening.player, session: listening.session,
            outputs: watching.outputs, changes: changes)
    }

    private var actions: PlaybackActions {
        PlaybackActions(
            library: keeping.library, queue: listening.queue, player: listening.player, settings: formerSettings,
            downloads: listening.downloads, now: now, undone: { report($0) })
    }

    private var downloads: DownloadActions {
        DownloadActions(
            manager: listening.downloads, library: keeping.library, chooser: listening.chooser, now: now,
            episodesChanged: { [changes] in changes.downloadsChanged($0) })
    }

    private var listeningHandlers: [any CommandHandler] {
        let (player, queue, library) = (listening.player, listening.queue, keeping.library)
        return [
            PlaybackHandler(
                decisions: decisions, player: player, queue: queue, contexts: listening.contexts,
                chooser: listening.chooser, actions: actions, session: listening.session, current: listening.current,
                upcoming: listening.upcoming,
                lookups: PlayLookups(decisions: decisions),
                spoken: SpokenHandler(library: library, texts: keeping.programs.texts),
                speed: SpeedHandler(
                    library: library, player: player, current: listening.current, settings: settingChanges,
                    changes: changes),
                changes: changes, acts: settingChanges,
                announcing: AnnounceHandler(
                    decisions: decisions, player: player, handed: listening.handed, files: listening.files,
                    willFetch: listening.willFetch)),
            QueueHandler(
                decisions: decisions, queue: queue, contexts: listening.contexts, library: library, player: player,
                chooser: listening.chooser, now: now),
        ]
    }

    /// Tells clients of a step that was undone or done again, and does the work that it left for later.
    private func report(_ step: UndoneStep) {
        switch step.kind {
        case .rule, .retention: changes.changed(.rules)
        case .playlist: changes.changed(.playlists)
        case .downloaded, .deleted: changes.downloadsChanged(step.episodes.map(\.id))
        case .imported:
            changes.changed(.rules)
            changes.changed(.playlists)
        case .seek, .markedPlayed, .markedUnplayed, .removed, .cleared, .moved, .shuffled, .ruled, .added, .starred,
            .unstarred, .noted, .unsubscribed, .subscribed, .set, .feedsMerged, .bookmarked, .speed:
            break
        }
        if step.feeds.isEmpty {
            if !step.episodes.isEmpty {
                changes.episodesChanged(step.episodes.map(\.id), step.kind == .seek ? .position : .mark)
            }
        } else {
            changes.changed(.feeds)
            changes.episodesChanged(nil)
        }
        decisions.start { [library = keeping.library, rules = keeping.rules, player = listening.player] in
            await PlayingSound(library: library, player: player).refresh()
            await rules.settle()
            await library.maintain()
        }
    }

    private var libraryHandlers: [any CommandHandler] {
        let (player, queue, library) = (listening.player, listening.queue, keeping.library)
        let (programs, rules) = (keeping.programs, keeping.rules)
        return [
            FeedsHandler(
                decisions: decisions, library: library, programs: programs, queue: queue, player: player,
                changes: changes, activities: watching.activities, refreshes: keeping.refreshes, rules: rules,
                logins: keeping.logins, downloads: downloads, settings: watching.settings,
                importedSettings: ImportedSettings(former: formerSettings, changes: settingChanges)),
            EpisodesHandler(
                decisions: decisions, library: library, texts: programs.texts, downloads: downloads,
                chooser: listening.chooser, now: now, changes: changes,
                files: FileHandler(
                    decisions: decisions, library: library, handed: listening.handed, files: listening.files,
                    changes: changes, now: now),
                pictures: PictureHandler(library: library, pictures: programs.pictures, files: listening.covers),
                player: player, queue: queue, fileChapters: listening.chapters, settings: watching.settings),
            BookmarksHandler(
                decisions: decisions, library: library, player: player, actions: actions, current: listening.current,
                queue: queue, contexts: listening.contexts, chooser: listening.chooser, changes: changes, now: now),
            PlaylistsHandler(decisions: decisions, library: library, queue: queue, changes: changes, now: now),
            RulesHandler(decisions: decisions, library: library, rules: rules, changes: changes, now: now),
            RetentionHandler(decisions: decisions, library: library, rules: rules, changes: changes, now: now),
        ]
    }

    private var settingChanges: SettingChanges {
        SettingChanges(settings: watching.settings, library: keeping.library, now: now)
    }

    private var daemonHandlers: [any CommandHandler] {
        [
            OutputsHandler(
                decisions: decisions, outputs: watching.outputs, session: listening.session, changes: changes,
                acts: settingChanges),
            SettingsHandler(
                decisions: decisions, settings: watching.settings, changes: settingChanges, logger: watching.logger,
                configFile: watching.configFile, library: keeping.library, now: now),
            StatusHandler(status: watching.status),
            ActivitiesHandler(board: watching.activities),
            MetricsHandler(decisions: decisions, board: watching.metrics),
            LibraryHandler(
                decisions: decisions, backUp: keeping.backUp,
                statistics: StatisticsHandler(library: keeping.library, flush: keeping.flushListening)),
            DoctorHandler(runner: watching.checks),
        ]
    }
}

extension QueueService: UndoQueue {}
