internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import PodcastModel
internal import SystemCalls

/// Follows the daemon and reports events, each with the details that a program needs. One thread.
final class HookSource {
    /// What is done one after another, so that events keep their order.
    private enum Step: Equatable {
        case learnFeeds
        case readHistory
        case readNew(NewEpisodeWatch.Reading)
        /// Nil if it is not known which downloads changed.
        case readDownloads([EpisodeID]?)
        case report(HookEvent, PlayerReply)
    }

    let connection: ControlConnection
    private let emit: (HookDocument) -> Void
    private var player = PlayerWatch()
    private var history = HistoryWatch()
    private var new = NewEpisodeWatch()
    private var downloads = DownloadWatch()
    private var steps: [Step] = []
    private var isBusy = false
    private var hasSnapshot = false

    /// Whether the daemon's state is known, or no daemon runs: what happens from now on is reported.
    var isSettled: Bool { connection.isSettled(hasSnapshot && !isBusy && steps.isEmpty) }

    init(connection: ControlConnection, emit: @escaping (HookDocument) -> Void) {
        (self.connection, self.emit) = (connection, emit)
        connection.watch([.player, .episodes, .downloads])
    }

    /// Takes what came from the daemon.
    func process() {
        for event in connection.process() { take(event) }
        advance()
    }

    private func take(_ event: ConnectionEvent) {
        switch event {
        case .greeted: connection.restrict(to: .read)
        case .snapshot(let snapshot):
            hasSnapshot = true
            steps += [.learnFeeds, .readNew(.newest), .readDownloads(nil), .readHistory]
            if let value = snapshot.parts[.player].flatMap({ PlayerReply(json: $0) }) { take(value) }
        case .changed(let change): take(change)
        case .lost:
            player = PlayerWatch()
            (steps, hasSnapshot) = ([], false)
        }
    }

    private func take(_ change: EventReply) {
        switch change.part {
        case .player: if let value = PlayerReply(json: change.value) { take(value) }
        case .episodes:
            let reading = new.reading(after: change)
            if reading != .nothing { steps.append(.readNew(reading)) }
            // The mark of an episode that was played to its end may come after the player has left it.
            readHistory()
        case .downloads:
            let isUnknown = change.needsReload == true
            steps.append(.readDownloads(isUnknown ? nil : change.changes.compactMap { $0.id.map { EpisodeID($0) } }))
        case _: break
        }
    }

    private func take(_ value: PlayerReply) {
        let events = player.take(value)
        if player.hasLeftEntry { readHistory() }
        steps += events.map { .report($0, value) }
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

    private func perform(_ step: Step) {
        switch step {
        case .learnFeeds:
            connection.send(ListFeeds { $0.limit = 1000 }) { [self] result in
                if case .success(let list) = result { new.learn(list.feeds.map(\.feed.id), at: .now) }
                finishStep()
            }
        case .readHistory:
            connection.send(ListHistory { $0.limit = HistoryWatch.limit }) { [self] result in
                guard case .success(let reply) = result else { return finishStep() }
                reportFinished(history.take(reply.history)[...])
            }
        case .readNew(.nothing): finishStep()
        case .readNew(.newest):
            connection.send(
                ListEpisodes { list in
                    list.order = .newest
                    list.page.limit = NewEpisodeWatch.limit
                }
            ) { [self] result in
                if case .success(let list) = result { reportNew(list.episodes) }
                finishStep()
            }
        case .readNew(.episodes(let ids)):
            readRows(Array(ids.prefix(GetEpisodes.mostEpisodes))) { [self] in
                reportNew($0)
                finishStep()
            }
        case .readDownloads(let ids):
            connection.send(ListDownloads { $0.limit = DownloadWatch.limit }) { [self] result in
                guard case .success(let list) = result else { return finishStep() }
                reportDownloads(downloads.take(list.downloads, changed: ids)[...])
            }
        case .report(let event, let value):
            withRow(value.episode?.id) { [self] row in
                emit(HookDocument(event, at: .now, player: value, episode: row))
                finishStep()
            }
        }
    }

    private func reportNew(_ rows: [EpisodeReply]) {
        let added = new.take(rows, at: .now)
        if !added.isEmpty { emit(HookDocument(new: added, at: .now)) }
    }

    private func reportFinished(_ lines: ArraySlice<HeardReply>) {
        guard let line = lines.first else { return finishStep() }
        withRow(line.record.episode) { [self] row in
            emit(HookDocument(finished: line, episode: row))
            reportFinished(lines.dropFirst())
        }
    }

    private func reportDownloads(_ ended: ArraySlice<(event: HookEvent, row: DownloadReply)>) {
        guard let (event, download) = ended.first else { return finishStep() }
        withRow(download.episode) { [self] row in
            emit(HookDocument(event, at: .now, download: download, episode: row))
            reportDownloads(ended.dropFirst())
        }
    }

    private func readRows(_ ids: [EpisodeID], _ next: @escaping ([EpisodeReply]) -> Void) {
        connection.send(GetEpisodes { $0.ids = ids }) { result in
            if case .success(let reply) = result { next(reply.episodes) } else { next([]) }
        }
    }

    /// Reads an episode; nil if it does not exist any more.
    private func withRow(_ id: EpisodeID?, _ next: @escaping (EpisodeReply?) -> Void) {
        guard let id else { return next(nil) }
        readRows([id]) { next($0.first) }
    }
}
