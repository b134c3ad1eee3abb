internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import DaemonState
internal import Library
internal import LibraryUpkeep
internal import Playback
internal import PodcastModel
internal import Queueing
internal import Refreshing
internal import Reporting
internal import SerialThreads

/// Functions of the daemon that answer commands, in the order of the manual.
struct DaemonAnswers: CommandHandler {
    let answers: [AnsweredCommand]
    /// Releases what is held for a connection that has ended.
    let ended: @Sendable (ConnectionID) -> Void

    func connectionEnded(_ connection: ConnectionID) { ended(connection) }
}

extension DaemonParts {
    /// `doctor` does not wait longer for a check.
    private static let checkDeadline = Duration.seconds(10)

    func commandDispatcher(_ policy: any PermissionPolicy) -> CommandDispatcher {
        // The commands of `session` are answered by the connection and have no handler.
        let times = CommandTable.sections.filter { $0 != .session }.map { (section: $0.name, times: CommandTimes()) }
        let measured = MeasuredDaemon(parts: self, refreshes: refreshes, commands: times, startTime: now())
        let ofLibrary = DaemonAnswers(
            answers: playbackAnswers + queueAnswers + feedAnswers + episodeAnswers + bookmarkAnswers + playlistAnswers
                + ruleAnswers + retentionAnswers + outputAnswers + settingAnswers + statusAnswers,
            ended: { [programs] in programs.transfers.forget($0) })
        return CommandDispatcher(
            handlers: [
                ofLibrary, ActivitiesHandler(board: activities),
                MetricsHandler(decisions: decisions, metrics: { measured.metrics }),
                DaemonAnswers(answers: libraryAnswers, ended: { _ in }),
                DoctorHandler(runner: CheckRunner(checks, deadline: Self.checkDeadline)),
            ], version: ProductVersion.current, policy: policy,
            meters: Dictionary(uniqueKeysWithValues: times.map { ($0.section, $0.times) }))
    }

    /// Applies the rules to episodes that were not reported, and has clients read their lists again.
    func applyMissedRules() async {
        try? await queue.reload()
        guard await ruleApplier.settle() > 0 else { return }
        changes.changed(.feeds)
        changes.episodesChanged(nil)
        await library.maintain()
    }

    // MARK: what several sections use

    var chooser: PlayChooser {
        PlayChooser(
            library: library, queue: queue, feeds: RefreshLookup(refresher: programs.refresher),
            activities: activities, now: now)
    }

    var ruleApplier: RuleApplier {
        RuleApplier(
            library: library, queue: queue, now: now,
            episodesChanged: { [changes] in changes.episodesChanged($0, .mark) })
    }

    var settingChanges: SettingChanges { SettingChanges(settings: settings, library: library, now: now) }

    var formerSettings: FormerSettings {
        FormerSettings(
            settings: settings, player: player, session: session, outputs: media.outputs, changes: changes)
    }

    var importedSettings: ImportedSettings { ImportedSettings(former: formerSettings, changes: settingChanges) }

    var downloadActions: DownloadActions {
        DownloadActions(
            manager: ManagedDownloads(manager: downloads), library: library, chooser: chooser, now: now,
            episodesChanged: { [changes] in changes.downloadsChanged($0) })
    }

    var actions: PlaybackActions {
        PlaybackActions(
            library: library, queue: queue, player: player, settings: formerSettings,
            downloads: ManagedDownloads(manager: downloads), now: now, undone: { [self] in report($0) })
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
        decisions.start { [self] in
            await PlayingSound(library: library, player: player).refresh()
            await ruleApplier.settle()
            await library.maintain()
        }
    }
}
