internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import Playback
internal import PodcastModel

extension DaemonParts {
    var queueAnswers: [AnsweredCommand] { decisions.answers(list, add, insert, remove, move, clear, crop, shuffle) }

    private func list(_ request: ListQueue) async throws -> QueueListReply {
        let (model, extent) = queue.snapshotWithExtent
        let begin = min(max(request.after, 0), model.count)
        let shown = model.entries[begin..<min(begin + request.limit, model.count)]
        let episodes = try await library.read { try $0.episodes.byID(shown.map(\.episode)) }
        let entries = shown.enumerated().map { offset, entry in
            EntryReply(
                id: entry.id, index: begin + offset + 1, isCurrent: entry.id == model.current,
                episode: episodes[entry.episode].map { EpisodeReply(listing: $0) })
        }
        await upcoming.refresh()
        var reply = QueueListReply(entries, extent: extent, hasAfter: begin + shown.count < model.count)
        reply.remaining = playerReply.queueRemaining
        return reply
    }

    private func add(_ request: AddToQueue) async throws -> QueueAdditionReply {
        try await addition(request.what, request.oldestFirst, limit: request.limit, again: request.again) {
            try await queue.add($0, at: request.at)
        }
    }

    private func insert(_ request: InsertIntoQueue) async throws -> QueueAdditionReply {
        try await addition(request.what, request.oldestFirst, limit: request.limit, again: request.again) {
            try await contexts.insert($0)
        }
    }

    /// Queues the episodes that words name, except those that are queued already; of a feed the unplayed ones, oldest first.
    /// - Parameters:
    ///   - isOldestFirst: whether a filter or a playlist is queued oldest first, instead of in its own order.
    ///   - again: whether episodes that are named one by one are queued again.
    private func addition(
        _ what: [String], _ isOldestFirst: Bool, limit: Int?, again: Bool,
        queueing: ([EpisodeID]) async throws -> [QueueEntry]
    ) async throws -> QueueAdditionReply {
        let chosen = try await chooser.chosen(
            what, .unplayedOldestFirst, isOldestFirst ? .oldestFirst : nil, limit: limit, mayAddFiles: true)
        var queued = queue.snapshot.episodes
        var episodes: [EpisodeID] = []
        for word in chosen {
            if again, case .episode? = word.object {
                episodes += word.episodes
            } else {
                episodes += word.episodes.filter { queued.insert($0).inserted }
            }
        }
        let entries = try await queueing(episodes)
        let named = chosen.flatMap(\.episodes)
        var reply = QueueAdditionReply()
        reply.entries = entries.map(\.id)
        reply.length = queue.extent.length
        reply.named = chosen.map { NamedReply($0) }
        reply.skipped = named.count - episodes.count
        let skipped = Set(named).subtracting(episodes)
        reply.already = queue.snapshot.entries.enumerated().lazy.filter { skipped.contains($0.element.episode) }
            .map { QueuedReply(index: $0.offset + 1, episode: $0.element.episode) }.prefix(QueueEditReply.mostNamed)
            .map(\.self)
        return reply
    }

    private func remove(_ request: RemoveFromQueue) async throws -> QueueEditReply {
        var ids: Set<EntryID> = []
        for word in try await library.read({ try $0.names.joiningTitle(request.what, .episode) }) {
            ids.formUnion(try await entries(named: word).map(\.id))
        }
        let removed = queue.snapshot.entries.enumerated().filter { ids.contains($1.id) }
        var reply = try await edited(removed.map { ($0.offset + 1, $0.element) })
        try await queue.remove(removed.map(\.element.id))
        try await player.dropCurrent(ifIn: ids)
        reply.length = queue.extent.length
        return reply
    }

    /// The answer to an edit of some entries, without the queue's length. Call this before the edit.
    private func edited(_ entries: [(index: Int, entry: QueueEntry)]) async throws -> QueueEditReply {
        let named = entries.prefix(QueueEditReply.mostNamed)
        let episodes = try await library.read { try $0.episodes.byID(named.map(\.entry.episode)) }
        let rows = named.compactMap { index, entry in
            episodes[entry.episode].map { EditedEntryReply(index: index, episode: $0) }
        }
        return QueueEditReply {
            $0.entries = rows
            $0.count = entries.count
        }
    }

    private func move(_ request: MoveInQueue) async throws -> QueueEditReply {
        let found = try await entries(named: request.from)
        let isRange = if case .entries = Name(request.from, number: .entry) { true } else { false }
        guard let entry = found.first, isRange || Set(found.map(\.episode)).count == 1 else {
            throw ControlError(
                .invalidArgument, "'\(request.from)' names several entries of the queue", hint: "use the indexes")
        }
        let moved = isRange ? found : [entry]
        var reply = try await edited(moved.enumerated().map { (request.to + $0.offset, $0.element) })
        try await queue.move(moved.map(\.id), to: request.to)
        reply.length = queue.extent.length
        return reply
    }

    private func crop(_ request: CropQueue) async throws -> QueueLengthReply {
        let model = queue.snapshot
        guard let current = model.current else {
            throw ControlError(
                .conflict, "no entry of the queue is current", hint: "podcastctl clear empties the queue")
        }
        try await queue.remove(model.ids.filter { $0 != current })
        return length
    }

    private func clear(_ request: ClearQueue) async throws -> QueueLengthReply {
        // If clearing is refused, playback must continue.
        let ids = Set(queue.snapshot.ids)
        try await queue.clear()
        contexts.use(nil)
        // Stops playback if the current entry was removed.
        if let playing = player.status.entry, ids.contains(playing.id) { try await player.stop() }
        return length
    }

    private func shuffle(_ request: ShuffleQueue) async throws -> QueueLengthReply {
        try await queue.shuffle()
        return length
    }

    private var length: QueueLengthReply { QueueLengthReply(length: queue.extent.length) }

    /// The entries that a word names, at least one. A number is an index.
    private func entries(named word: String) async throws -> [QueueEntry] {
        let queued = queue.snapshot.entries
        let status = player.status
        let playing = status.state == .stopped ? nil : status.entry?.id
        let found = try await library.read { [now] store in
            try QueuedNames(queued, playing: playing, store: store, now: now()).entries(named: word)
        }
        if found.isEmpty, word == QueuedNames.heard {
            let exception = playing == nil ? "" : ", other than the one that plays,"
            throw ControlError(.notFound, "no entry of the queue\(exception) was heard to its end")
        }
        if found.isEmpty { throw LibraryError.notFound(word, of: .entry) }
        return found
    }
}
