internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import PodcastModel
internal import SystemCalls

/// Follows the daemon and reports events, each with the details that a program needs. One thread.
final class HookSource {
    /// Steps run one after another, so that events keep their order.
    private enum Step: Equatable {
        case learnFeeds, readHistory
        case readNew(NewEpisodeWatch.Reading)
        /// Nil if the changed downloads are unknown.
        case readDownloads([EpisodeID]?)
        case report(HookEvent, PlayerReply)
        case reportOutput(OutputReply)
    }

    let connection: ControlConnection
    private let emit: (HookDocument) -> Void
    private var player = PlayerWatch()
    private var history = HistoryWatch()
    private var new = NewEpisodeWatch()
    private var downloads = DownloadWatch()
    private var outputs = OutputWatch()
    private var steps: [Step] = []
    private var isBusy = false
    private var hasSnapshot = false

    /// Whether the daemon's state is known, or no daemon runs: what happens from now on is reported.
    var isSettled: Bool { connection.isSettled(hasSnapshot && !isBusy && steps.isEmpty) }

    init(connection: ControlConnection, emit: @escaping (HookDocument) -> Void) {
        self.connection = connection
        self.emit = emit
        connection.watch([.player, .episodes, .downloads, .outputs])
    }

    func process() {
        for event in connection.process() { handle(event) }
        advance()
    }

    private func handle(_ event: ConnectionEvent) {
        switch event {
        case .greeted: break
        case .snapshot(let snapshot):
            hasSnapshot = true
            steps += [.learnFeeds, .readNew(.newest), .readDownloads(nil), .readHistory]
            if let value = snapshot.parts[.player].flatMap({ PlayerReply(json: $0) }) { handle(value) }
            if let value = snapshot.parts[.outputs] { handle([OutputReply](json: value)) }
        case .changed(let change): handle(change)
        case .lost:
            player = PlayerWatch()
            outputs = OutputWatch()
            steps = []
            hasSnapshot = false
        }
    }

    private func handle(_ change: EventReply) {
        switch change.part {
        case .player: if let value = PlayerReply(json: change.value) { handle(value) }
        case .episodes:
            let reading = new.reading(after: change)
            if reading != .nothing { steps.append(.readNew(reading)) }
            // The mark of an episode that was played to its end may come after the player has left it.
            readHistory()
        case .downloads:
            let isUnknown = change.needsReload == true
            steps.append(.readDownloads(isUnknown ? nil : change.changes.compactMap { $0.id.map { EpisodeID($0) } }))
        case .outputs: handle([OutputReply](json: change.value))
        case _: break
        }
    }

    private func handle(_ now: [OutputReply]) { steps += outputs.update(now).map(Step.reportOutput) }

    private func handle(_ value: PlayerReply) {
        let before = player.episode
        let events = player.update(value)
        if player.hasLeftEntry { readHistory() }
        var value = value
        // At its end the queue has no episode any longer.
        value.episode = value.episode ?? before
        steps += events.map { [value] in .report($0, value) }
    }

    private func readHistory() { if steps.last != .readHistory { steps.append(.readHistory) } }

    // MARK: steps

    private func advance() {
        guard !isBusy, !steps.isEmpty else { return }
        isBusy = true
        perform(steps.removeFirst())
    }

    private func finishStep() {
        isBusy = false
        advance()
    }

    private func learnFeeds(after key: String?) {
        read(
            ListFeeds {
                $0.after = key
                $0.limit = 1000
            }
        ) { [self] list in
            new.learn(list.rows.map(\.feed.id), at: .now)
            guard list.hasAfter, let next = list.rows.last?.key else { return finishStep() }
            learnFeeds(after: next)
        }
    }

    private func perform(_ step: Step) {
        switch step {
        case .learnFeeds: learnFeeds(after: nil)
        case .readHistory:
            read(ListHistory { $0.limit = HistoryWatch.limit }) { [self] reply in
                let finished = history.update(reply.rows)
                readRows(finished.map(\.record.episode)) { [self] rows in
                    for line in finished { emit(HookDocument(finished: line, episode: rows[line.record.episode])) }
                }
            }
        case .readNew(.nothing): finishStep()
        case .readNew(.newest):
            let list = ListEpisodes {
                $0.order = .newestFirst
                $0.page.limit = NewEpisodeWatch.limit
            }
            read(list) { [self] list in
                reportNew(list.episodes)
                finishStep()
            }
        case .readNew(.episodes(let ids)): readRows(ids) { [self] in reportNew(Array($0.values)) }
        case .readDownloads(let ids):
            read(ListDownloads { $0.limit = DownloadWatch.limit }) { [self] list in
                let ended = downloads.update(list.rows, changed: ids)
                readRows(ended.map(\.row.episode)) { [self] rows in
                    for (event, row) in ended {
                        emit(HookDocument(event, at: .now, download: row, episode: rows[row.episode]))
                    }
                }
            }
        case .reportOutput(let output):
            emit(HookDocument(changed: output, at: .now))
            finishStep()
        case .report(let event, let player):
            readRows(player.episode.map { [$0.id] } ?? []) { [self] rows in
                emit(HookDocument(event, at: .now, player: player, episode: rows.values.first))
            }
        }
    }

    private func reportNew(_ rows: [EpisodeReply]) {
        let added = new.update(rows, at: .now)
        if !added.isEmpty { emit(HookDocument(new: added, at: .now)) }
    }

    /// Calls a command. The handler finishes the step; if the command fails, the step ends.
    private func read<Called: Command>(_ command: Called, _ handler: @escaping (Called.Reply) -> Void) {
        connection.send(command) { [self] result in
            if case .success(let reply) = result { handler(reply) } else { finishStep() }
        }
    }

    /// Reads the episodes that still exist, passes them on, and finishes the step.
    private func readRows(_ ids: [EpisodeID], _ report: @escaping ([EpisodeID: EpisodeReply]) -> Void) {
        if ids.isEmpty {
            report([:])
            return finishStep()
        }
        connection.send(GetEpisodes { $0.ids = Array(ids.prefix(GetEpisodes.mostEpisodes)) }) { [self] result in
            let rows = (try? result.get())?.rows ?? []
            report(Dictionary(rows.map { ($0.episode.id, $0) }) { first, _ in first })
            finishStep()
        }
    }
}
