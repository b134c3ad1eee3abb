internal import CommandLineTool
internal import Commands
internal import ControlLanguage
internal import ControlProtocol
internal import ControlSocket
internal import DaemonState
internal import FeedFiles
internal import LibraryUpkeep
internal import PodcastModel
internal import Queueing
internal import Refreshing
internal import Reporting

extension DaemonParts {
    /// `doctor` does not wait longer for a check.
    private static let checkDeadline = Duration.seconds(10)

    func commandDispatcher(_ policy: any PermissionPolicy) -> CommandDispatcher {
        // The commands of `session` are answered by the connection and have no handler.
        let times = CommandTable.sections.filter { $0 != .session }.map { (section: $0.name, times: CommandTimes()) }
        let refreshes = RefreshTally(logger: logger)
        let services = HandlerServices(
            decisions: decisions, changes: changes, now: now, listening, keeping(refreshes), watching(times, refreshes))
        return CommandDispatcher(
            handlers: services.handlers, version: ProductVersion.current, policy: policy,
            meters: Dictionary(uniqueKeysWithValues: times.map { ($0.section, $0.times) }))
    }

    private var listening: HandlerServices.Listening {
        HandlerServices.Listening(
            player: player, queue: queue, contexts: contexts,
            chooser: PlayChooser(
                library: library, queue: queue, feeds: RefreshLookup(refresher: programs.refresher),
                activities: activities, now: now),
            current: current, upcoming: upcoming, session: session, downloads: ManagedDownloads(manager: downloads),
            files: media.files,
            handed: { [handed] in handed.take(from: $0) }, willFetch: { [access] in access.noteNamed($0) },
            chapters: fileChapters, covers: fileCovers)
    }

    private func keeping(_ refreshes: RefreshTally) -> HandlerServices.Keeping {
        HandlerServices.Keeping(
            library: library, programs: programs, rules: ruleApplier, logins: logins, refreshes: refreshes,
            backUp: { [backups] in
                let backup = try await backups.write()
                return (backup.path, backup.bytes)
            },
            flushListening: { [playbackStore] in await playbackStore.flush() })
    }

    private func watching(
        _ times: [(section: String, times: CommandTimes)], _ refreshes: RefreshTally
    ) -> HandlerServices.Watching {
        let metrics = MetricsBoard(
            playerWatch: playerWatch, decoders: media.decoders, refreshes: refreshes, commands: times,
            commits: commitTimes, version: ProductVersion.current, startTime: now(), parts: { readings })
        let checks = DaemonChecks(
            data: places.data, cacheFolder: places.cache, openLibraryFile: library.file, settings: settings,
            outputs: media.outputs, player: player, cache: media.cache, http: media.http,
            describe: {
                let error = ControlError(reporting: $0)
                return (error.what, error.hint)
            })
        return HandlerServices.Watching(
            outputs: media.outputs, settings: settings, configFile: places.configFile ?? "podcastd.conf",
            status: status, activities: activities, metrics: metrics,
            checks: CheckRunner(checks.all, deadline: Self.checkDeadline, timers: decisions), logger: logger)
    }

    /// Applies the rules to episodes that were not reported, and has clients read their lists again.
    func applyMissedRules() async {
        try? await queue.reload()
        guard await ruleApplier.settle() > 0 else { return }
        changes.changed(.feeds)
        changes.episodesChanged(nil)
        await library.maintain()
    }

    private var ruleApplier: RuleApplier {
        RuleApplier(
            library: library, queue: queue, now: now,
            episodesChanged: { [changes] in changes.episodesChanged($0, .mark) })
    }
}
