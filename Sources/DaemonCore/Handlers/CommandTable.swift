internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import Health
internal import LibraryModel
internal import Metrics
internal import Playback
internal import PlayChoosing
internal import PodcastModel
internal import Refreshing
internal import RuleApplying
internal import SerialThreads
internal import SharedQueue
internal import UserActions
internal import WireMapping

extension DaemonParts {
    /// `doctor` does not wait longer for a check.
    private static let checkDeadline = Duration.seconds(5)

    /// All command handlers.
    func commandDispatcher(_ policy: any PermissionPolicy) -> CommandDispatcher {
        // The commands of `session` are answered by the connection and have no handler.
        let times = CommandTable.sections.filter { $0 != .session }.map { (section: $0.name, times: CommandTimes()) }
        let refreshes = RefreshTally(logger: logger)
        return CommandDispatcher(
            handlers: listening + keeping(refreshes) + watching(times, refreshes), version: ProductVersion.current,
            policy: policy, meters: Dictionary(uniqueKeysWithValues: times.map { ($0.section, $0.times) }))
    }

    private var chooser: PlayChooser {
        PlayChooser(
            library: library, queue: queue,
            feeds: RefreshLookup(refresher: programs.refresher), activities: activities, now: now)
    }

    /// Playback and queue.
    private var listening: [any CommandHandler] {
        let actions = PlaybackActions(
            library: library, queue: queue, player: PlayerActions(player: player),
            downloads: ManagedDownloads(manager: downloads), now: now, undone: { tell($0) })
        return [
            PlaybackHandler(
                decisions: decisions, player: player, queue: queue, contexts: contexts, chooser: chooser,
                actions: actions,
                session: session,
                current: current, lookups: PlayLookups(decisions: decisions),
                spoken: SpokenHandler(library: library, texts: programs.texts),
                speed: SpeedHandler(library: library, player: player, settings: settings, changes: changes),
                changes: changes),
            QueueHandler(
                decisions: decisions, queue: queue, contexts: contexts, library: library, player: player,
                chooser: chooser, now: now),
        ]
    }

    /// Tells clients of a step that was undone or done again, and does the work that it left for later.
    private func tell(_ step: UndoneStep) {
        switch step.kind {
        case .rule, .retention: changes.changed(.rules)
        case .playlist: changes.changed(.playlists)
        case .downloaded, .deleted: changes.downloadsChanged(step.episodes.map(\.id))
        case .imported:
            changes.changed(.rules)
            changes.changed(.playlists)
        case .seek, .markedPlayed, .markedUnplayed, .removed, .cleared, .moved, .shuffled, .ruled, .added, .starred,
            .unstarred, .noted, .unsubscribed, .joined, .subscribed, .set, .feedsMerged, .split, .bookmarked:
            break
        }
        if step.feeds.isEmpty {
            if !step.episodes.isEmpty { changes.episodesChanged(step.episodes.map(\.id)) }
        } else {
            changes.changed(.feeds)
            changes.episodesChanged(nil)
        }
        let rules = ruleApplier
        decisions.start { [library, player] in
            await PlayingSound(library: library, player: player).refresh()
            await rules.settle()
            await library.maintain()
        }
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
        RuleApplier(library: library, queue: queue, now: now, episodesChanged: episodesChanged)
    }

    /// The library.
    private func keeping(_ refreshes: RefreshTally) -> [any CommandHandler] {
        let rules = ruleApplier
        return [
            FeedsHandler(
                decisions: decisions, library: library, programs: programs, queue: queue, player: player,
                changes: changes,
                activities: activities, refreshes: refreshes, rules: rules, logins: logins),
            EpisodesHandler(
                decisions: decisions, library: library, texts: programs.texts,
                downloads: DownloadActions(
                    manager: ManagedDownloads(manager: downloads), library: library, chooser: chooser, now: now,
                    episodesChanged: { [changes] in changes.downloadsChanged($0) }),
                chooser: chooser, now: now, changes: changes,
                files: FileHandler(
                    decisions: decisions, library: library, handed: handed, files: media.files, changes: changes,
                    now: now),
                pictures: PictureHandler(library: library, pictures: programs.pictures),
                player: player, queue: queue, fileChapters: fileChapters),
            BookmarksHandler(
                decisions: decisions, library: library, player: player, current: current, queue: queue,
                contexts: contexts, chooser: chooser, changes: changes, now: now),
            MergesHandler(
                decisions: decisions, library: library, queue: queue, player: player, now: now, changes: changes),
            PlaylistsHandler(
                decisions: decisions, library: library, queue: queue, changes: changes, now: now),
            RulesHandler(decisions: decisions, library: library, rules: rules, changes: changes, now: now),
            RetentionHandler(
                decisions: decisions, library: library, rules: rules, changes: changes, now: now),
        ]
    }

    /// The daemon itself.
    private func watching(
        _ times: [(section: String, times: CommandTimes)], _ refreshes: RefreshTally
    ) -> [any CommandHandler] {
        let metrics = MetricsBoard(
            playerWatch: playerWatch, decoders: media.decoders, refreshes: refreshes, commands: times,
            commits: library.commitTimes, version: ProductVersion.current, startTime: now(), parts: { readings })
        let checks = DaemonChecks(
            places: places, openLibraryFile: library.file, settings: settings, outputs: media.outputs, player: player,
            cache: media.cache, http: media.http)
        return [
            OutputsHandler(decisions: decisions, outputs: media.outputs, session: session, changes: changes),
            SettingsHandler(
                decisions: decisions, settings: settings, logger: logger,
                configFile: places.configFile ?? "podcastd.conf"),
            StatusHandler(status: status),
            ActivitiesHandler(board: activities),
            MetricsHandler(decisions: decisions, board: metrics),
            LibraryHandler(
                decisions: decisions, backups: backups,
                statistics: StatisticsHandler(
                    library: library, flush: { [playbackStore] in await playbackStore.flush() })),
            DoctorHandler(
                runner: CheckRunner(checks.all, deadline: Self.checkDeadline, timers: decisions)),
        ]
    }
}
