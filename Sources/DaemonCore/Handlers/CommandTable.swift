internal import CommandLineTool
internal import ControlProtocol
internal import Playback

extension DaemonParts {
    /// Seconds that the slowest check of `doctor` may take.
    private static let checkPatience = 5.0

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
            library: library, queue: queue, refresher: programs.refresher, activities: activities, now: now,
            changes: changes)
    }

    /// The commands about what plays and comes next.
    private var listening: [CommandDeclaration.Section: any CommandHandler] {
        let acts = ListenerActs(library: library, queue: queue, player: player, now: now, changes: changes)
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
        let keeper = RuleKeeper(library: library, queue: queue, now: now, changes: changes)
        return [
            .feeds: FeedsHandler(
                decisions: decisions, library: library, programs: programs, queue: queue, changes: changes,
                activities: activities, refreshes: refreshes, keeper: keeper, logins: logins),
            .episodes: EpisodesHandler(
                decisions: decisions, library: library, texts: programs.texts,
                downloads: DownloadActs(
                    library: library, keeper: downloads, chooser: chooser, now: now, changes: changes),
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
            player: player, playerWatch: playerWatch, decoders: media.decoders, outputs: media.outputs,
            cache: media.cache, refreshes: refreshes, queue: queue, activities: activities, commands: times,
            connections: connections, library: library, decisions: decisions, startTime: now())
        let checks = DaemonChecks(
            places: places, openLibraryFile: library.file, settings: settings, outputs: media.outputs, player: player,
            cache: media.cache, http: media.http)
        return [
            .settings: SettingsHandler(decisions: decisions, settings: settings, logger: logger),
            .status: StatusHandler(status: status),
            .activities: ActivitiesHandler(board: activities),
            .metrics: MetricsHandler(decisions: decisions, board: metrics),
            .doctor: DoctorHandler(
                rounds: CheckRounds(checks.all, patience: Self.checkPatience, clock: decisions)),
        ]
    }
}
