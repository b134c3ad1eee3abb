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
        try await addition(
            request.what, request.oldestFirst, limit: request.limit, again: request.again,
            to: { [queue] in queue.snapshot.entries }
        ) {
            try await queue.add($0, at: request.at)
        }
    }

    private func insert(_ request: InsertIntoQueue) async throws -> QueueAdditionReply {
        try await addition(
            request.what, request.oldestFirst, limit: request.limit, again: request.again,
            to: { [queue] in queue.snapshot.entries }
        ) {
            try await contexts.insert($0)
        }
    }

    /// Adds the episodes that words name to the queue or a playlist, except those that are there already; of a feed the unplayed
    /// ones, oldest first.
    /// - Parameters:
    ///   - isOldestFirst: whether a filter or a playlist is queued oldest first, instead of in its own order.
    ///   - again: whether episodes that are named one by one are added again.
    ///   - entries: returns the present entries.
    func addition(
        _ what: [String], _ isOldestFirst: Bool, limit: Int?, again: Bool, to entries: () async throws -> [QueueEntry],
        adding: ([EpisodeID]) async throws -> [QueueEntry]
    ) async throws -> QueueAdditionReply {
        let chosen = try await chooser.chosen(
            what, .unplayedOldestFirst, isOldestFirst ? .oldestFirst : nil, limit: limit, mayAddFiles: true)
        var known = Set(try await entries().map(\.episode))
        var episodes: [EpisodeID] = []
        for word in chosen {
            if again, case .episode? = word.object {
                episodes += word.episodes
            } else {
                episodes += word.episodes.filter { known.insert($0).inserted }
            }
        }
        let added = try await adding(episodes)
        let all = try await entries()
        let named = chosen.flatMap(\.episodes)
        var reply = QueueAdditionReply()
        reply.entries = added.map(\.id)
        reply.length = all.count
        reply.named = chosen.map { NamedReply($0) }
        reply.skipped = named.count - episodes.count
        let skipped = Set(named).subtracting(episodes)
        reply.already = all.enumerated().lazy.filter { skipped.contains($0.element.episode) }
            .map { QueuedReply(index: $0.offset + 1, episode: $0.element.episode) }.prefix(QueueEditReply.mostNamed)
            .map(\.self)
        return reply
    }

    private func remove(_ request: RemoveFromQueue) async throws -> QueueEditReply {
        var (reply, removed) = try await removal(request.what, from: queue.snapshot.entries, playing: playingEntry)
        try await queue.remove(removed)
        try await player.dropCurrent(ifIn: Set(removed))
        reply.length = queue.extent.length
        return reply
    }

    /// The entries that words name, and the answer to their removal.
    func removal(
        _ what: [String], from entries: [QueueEntry], playing: EntryID? = nil
    ) async throws -> (QueueEditReply, [EntryID]) {
        var ids: Set<EntryID> = []
        for word in try await library.read({ try $0.names.joiningTitle(what, .episode) }) {
            ids.formUnion(try await self.entries(named: word, among: entries, playing: playing).map(\.id))
        }
        let removed = entries.enumerated().filter { ids.contains($1.id) }
        return (try await edited(removed.map { ($0.offset + 1, $0.element) }), removed.map(\.element.id))
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
        var (reply, moved) = try await move(
            request.from, to: request.to, among: queue.snapshot.entries, playing: playingEntry)
        try await queue.move(moved, to: request.to)
        reply.length = queue.extent.length
        return reply
    }

    /// The entries that a word names, and the answer to their move.
    func move(
        _ what: String, to index: Int, among entries: [QueueEntry], playing: EntryID? = nil
    ) async throws -> (QueueEditReply, [EntryID]) {
        let found = try await self.entries(named: what, among: entries, playing: playing)
        let isRange = if case .entries = Name(what, number: .entry) { true } else { false }
        guard let entry = found.first, isRange || Set(found.map(\.episode)).count == 1 else {
            throw ControlError(
                .invalidArgument, "'\(what)' names several entries", hint: "use the indexes")
        }
        let moved = isRange ? found : [entry]
        return (try await edited(moved.enumerated().map { (index + $0.offset, $0.element) }), moved.map(\.id))
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

    private var playingEntry: EntryID? { player.status.state == .stopped ? nil : player.status.entry?.id }

    /// The entries that a word names, at least one. A number is an index.
    private func entries(
        named word: String, among queued: [QueueEntry], playing: EntryID?
    ) async throws -> [QueueEntry] {
        let found = try await library.read { [now] store in
            try QueuedNames(entries: queued, playing: playing, store: store, now: now()).entries(named: word)
        }
        if found.isEmpty, word == QueuedNames.heard {
            let exception = playing == nil ? "" : ", other than the one that plays,"
            throw ControlError(.notFound, "no entry\(exception) was heard to its end")
        }
        if found.isEmpty { throw LibraryError.notFound(word, of: .entry) }
        return found
    }
}
