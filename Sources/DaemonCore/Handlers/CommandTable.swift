internal import CommandLineTool
internal import ControlProtocol
internal import Health
internal import Metrics
internal import PlayChoosing
internal import Playback
internal import Refreshing
internal import RuleApplying
internal import UserActions

extension DaemonParts {
    /// Seconds that the slowest check of `doctor` may take.
    private static let checkDeadline = 5.0

    /// What each command of the control socket is bound to.
    func commandDispatcher() -> CommandDispatcher {
        // The commands of `session` belong to the connection and have no handler.
        let times = Dictionary(
            uniqueKeysWithValues: CommandDeclaration.Section.allCases.filter { $0 != .session }.map {
                ($0, CommandTimes())
            })
        let refreshes = RefreshTally(logger: logger)
        let handlers = listening.merging(keeping(refreshes)) { first, _ in first }
            .merging(watching(times, refreshes)) { first, _ in first }
        return CommandDispatcher(handlers: handlers, version: ProductVersion.current, meters: times)
    }

    private var chooser: PlayChooser {
        PlayChooser(
            library: library, queue: queue,
            feeds: RefreshSubscriber(refresher: programs.refresher, changes: changes), activities: activities, now: now)
    }

    /// The commands about what plays and comes next.
    private var listening: [CommandDeclaration.Section: any CommandHandler] {
        let acts = PlaybackActions(
            library: library, queue: queue, player: PlayerActions(player: player), now: now,
            episodesChanged: episodesChanged)
        return [
            .playback: PlaybackHandler(
                decisions: decisions, player: player, chooser: chooser, acts: acts,
                spoken: SpokenHandler(library: library, texts: programs.texts)),
            .queue: QueueHandler(
                decisions: decisions, queue: queue, library: library, player: player, chooser: chooser),
            .outputs: OutputsHandler(outputs: media.outputs, changes: changes),
        ]
    }

    /// The commands about what is in the library.
    private func keeping(_ refreshes: RefreshTally) -> [CommandDeclaration.Section: any CommandHandler] {
        let keeper = RuleApplier(library: library, queue: queue, now: now, episodesChanged: episodesChanged)
        return [
            .feeds: FeedsHandler(
                decisions: decisions, library: library, programs: programs, queue: queue, changes: changes,
                activities: activities, refreshes: refreshes, keeper: keeper, logins: logins),
            .episodes: EpisodesHandler(
                decisions: decisions, library: library, texts: programs.texts,
                downloads: DownloadActions(
                    manager: ManagedDownloads(manager: downloads), library: library, chooser: chooser, now: now,
                    episodesChanged: episodesChanged),
                now: now, changes: changes),
            .merges: MergesHandler(
                decisions: decisions, library: library, queue: queue, player: player, now: now, changes: changes),
            .playlists: PlaylistsHandler(
                decisions: decisions, library: library, queue: queue, changes: changes, now: now),
            .rules: RulesHandler(decisions: decisions, library: library, keeper: keeper, changes: changes, now: now),
            .retention: RetentionHandler(
                decisions: decisions, library: library, keeper: keeper, changes: changes, now: now),
            .library: LibraryHandler(decisions: decisions, backups: backups),
        ]
    }

    /// The commands about the daemon itself.
    private func watching(
        _ times: [CommandDeclaration.Section: CommandTimes], _ refreshes: RefreshTally
    ) -> [CommandDeclaration.Section: any CommandHandler] {
        let metrics = MetricsBoard(
            playerWatch: playerWatch, decoders: media.decoders, refreshes: refreshes, commands: times,
            commits: library.commitTimes, version: ProductVersion.current, startTime: now(), parts: { readings })
        let checks = DaemonChecks(
            places: places, openLibraryFile: library.file, settings: settings, outputs: media.outputs, player: player,
            cache: media.cache, http: media.http)
        return [
            .settings: SettingsHandler(decisions: decisions, settings: settings, logger: logger),
            .status: StatusHandler(status: status),
            .activities: ActivitiesHandler(board: activities),
            .metrics: MetricsHandler(decisions: decisions, board: metrics),
            .doctor: DoctorHandler(
                runner: CheckRunner(checks.all, deadlineSeconds: Self.checkDeadline, timers: decisions)),
        ]
    }
}
