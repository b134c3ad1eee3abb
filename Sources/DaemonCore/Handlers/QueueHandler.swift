internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import LibraryModel
internal import PlayChoosing
internal import Playback
internal import Playlist
internal import PodcastModel
internal import SerialThreads
internal import SharedQueue
internal import WireMapping

/// Answers `queue`.
struct QueueHandler: CommandHandler {
    let decisions: DecisionThread
    let queue: QueueService
    let library: LibraryService
    let player: Player
    let chooser: PlayChooser

    var answers: [AnsweredCommand] {
        QueueSection.commands.answered(
            by: decisions.answer(list), decisions.answer(add), decisions.answer(insert), decisions.answer(remove),
            decisions.answer(move), decisions.answer(clear), decisions.answer(shuffle))
    }

    private func list(_ request: ListQueue) async throws -> QueueListReply {
        let (model, revision) = queue.snapshotWithRevision
        let begin = min(max(request.after, 0), model.count)
        let shown = model.entries[begin..<min(begin + request.limit, model.count)]
        let episodes = try await library.read { try $0.episodes.episodes(shown.map(\.episode)) }
        let byID = Dictionary(episodes.map { ($0.id, $0) }) { first, _ in first }
        let entries = shown.enumerated().map { offset, entry in
            EntryReply(
                id: entry.id, index: begin + offset + 1, isCurrent: entry.id == model.current,
                episode: byID[entry.episode].map { EpisodeReply(listing: $0) })
        }
        return QueueListReply(
            entries,
            extent: QueueExtentReply(
                length: model.count, index: model.currentIndex.map { $0 + 1 }, revision: revision),
            hasAfter: begin + shown.count < model.count)
    }

    private func add(_ request: AddToQueue) async throws -> QueueAdditionReply {
        let episodes = try await chooser.episodes(for: request.what)
        let entries = try await queue.add(episodes, at: request.at)
        return QueueAdditionReply(entries.map(\.id), length: queue.extent.length)
    }

    private func insert(_ request: InsertIntoQueue) async throws -> QueueAdditionReply {
        let entries = try await queue.insertAfterCurrent(try await chooser.episodes(for: request.what))
        return QueueAdditionReply(entries.map(\.id), length: queue.extent.length)
    }

    private func remove(_ request: RemoveFromQueue) async throws -> QueueLengthReply {
        var ids: [EntryID] = []
        for name in request.what { ids.append(try await entry(named: name).id) }
        try await queue.remove(ids)
        try await stopIfPlaying(one: Set(ids))
        return length
    }

    private func move(_ request: MoveInQueue) async throws -> QueueLengthReply {
        try await queue.move(try await entry(named: request.from).id, to: request.to)
        return length
    }

    private func clear(_ request: ClearQueue) async throws -> QueueLengthReply {
        // If clearing is refused, playback must continue.
        let ids = Set(queue.snapshot.ids)
        try await queue.clear()
        try await stopIfPlaying(one: ids)
        return length
    }

    private func shuffle(_ request: ShuffleQueue) async throws -> QueueLengthReply {
        try await queue.shuffle()
        return length
    }

    private var length: QueueLengthReply { QueueLengthReply(length: queue.extent.length) }

    /// An entry by its index from 1, or by its episode's URL or part of the title.
    private func entry(named name: String) async throws -> QueueEntry {
        if let entry = try queue.entry(named: name) { return entry }
        if Int(name) != nil { throw ControlError(.notFound, "the queue has no entry \(name)") }
        let queued = queue.snapshot.entries
        let episodes = try await library.read { try $0.episodes.episodes(queued.map(\.episode)) }
        let wanted = name.lowercased()
        let matching = Set(
            episodes.filter { $0.enclosure.url == name || $0.title.lowercased().contains(wanted) }.map(\.id))
        let found = queued.filter { matching.contains($0.episode) }
        guard let entry = found.first else {
            throw ControlError(.notFound, "no entry of the queue matches '\(name)'")
        }
        guard Set(found.map(\.episode)).count == 1 else {
            throw ControlError(
                .invalidArgument, "'\(name)' matches several entries of the queue", hint: "use the index")
        }
        return entry
    }

    /// Stops playback if the current entry was removed.
    private func stopIfPlaying(one ids: Set<EntryID>) async throws {
        if let playing = player.status.entry, ids.contains(playing.id) { try await player.stop() }
    }
}
