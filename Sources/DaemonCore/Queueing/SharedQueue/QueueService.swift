import Library
import Playback
import PodcastModel
import SerialThreads
internal import Synchronization

/// The queue has no entry with this index.
struct MissingEntry: Error {
    let index: Int
}

/// The queue that the player and all clients share.
///
/// Users' edits run on the library's thread, first on disk, then in memory, so that readers see only stored entries and
/// edits never interleave. Reads come from any thread and never wait for the disk.
final class QueueService: PlayQueue {
    private let library: any LibraryAccess
    private struct State {
        var model: QueueModel
        var journal = ChangeJournal<ViewChange<EntryID>>()
        /// Playback's changes in memory that are not on disk yet, in order.
        var unwritten: [@Sendable (LibraryStore) throws -> Void] = []
        /// Playback's changes in memory since the edit in progress began; nil without an edit.
        var duringEdit: [@Sendable (inout QueueModel) -> QueueModel.Changes]?
        var isRetryDue = false

        var extent: QueueExtent {
            QueueExtent(length: model.count, index: model.currentIndex.map { $0 + 1 }, revision: journal.revision)
        }
    }

    private let state: Mutex<State>
    private let watcher = Listener<QueueModel.Changes>()

    private let decisions: DecisionThread?

    /// Loads the stored queue.
    /// - Parameter decisions: the thread that repeats a failed write; nil repeats it at the next edit.
    init(from library: any LibraryAccess, decisions: DecisionThread? = nil) async throws {
        self.library = library
        self.decisions = decisions
        state = Mutex(State(model: QueueModel(try await library.perform { try $0.queue.queue() })))
    }

    /// Calls `handler`, which must not block, after each edit on the library's thread, or for playback's changes on the caller's.
    func observe(_ handler: @escaping @Sendable (QueueModel.Changes) -> Void) { watcher.connect(handler) }

    // MARK: Reading

    var snapshot: QueueModel { state.withLock { $0.model } }

    var snapshotWithExtent: (model: QueueModel, extent: QueueExtent) { state.withLock { ($0.model, $0.extent) } }

    var extent: QueueExtent { state.withLock { $0.extent } }

    /// The changes since a revision, nil if the queue must be read again, and the entries that were inserted and are still there.
    func update(
        since revision: UInt64
    ) -> (extent: QueueExtent, changes: QueueModel.Changes?, inserted: [QueueEntry]) {
        state.withLock { state in
            let changes = state.journal.changes(since: revision)
            let inserted = changes?.compactMap { $0.insertedRow.flatMap(state.model.entry) }
            return (state.extent, changes, inserted ?? [])
        }
    }

    func currentEntry() -> QueueEntry? {
        state.withLock { $0.model.currentEntry ?? $0.model.next ?? $0.model.entry(at: 0) }
    }

    func entry(after entry: EntryID?) -> QueueEntry? {
        state.withLock { state in
            let model = state.model
            guard let entry, let index = model.index(of: entry) else { return model.next }
            return model.entry(at: index + 1)
        }
    }

    func entry(before entry: EntryID?) async throws -> QueueEntry? {
        let model = snapshot
        guard let previous = model.entry(before: entry) else { return nil }
        if model.index(of: previous.id) != nil { return previous }
        return try await edit { store, model in
            // Undo may have brought the entry back meanwhile.
            if model.index(of: previous.id) != nil { return (previous, []) }
            let changes = model.restore(previous, before: entry)
            try store.queue.restoreEntry(previous, at: model.index(of: previous.id) ?? 0)
            return (previous, changes)
        }
    }

    // MARK: Editing

    /// Inserts episodes before an index, from 1; nil appends them.
    func add(_ episodes: [EpisodeID], at index: Int?) async throws -> [QueueEntry] {
        try await edit { store, model in
            let place = index.map { min(max($0 - 1, 0), model.count) } ?? model.count
            let entries = try store.queue.insertEntries(episodes, at: place)
            return (entries, model.insert(entries, at: place))
        }
    }

    /// - Parameter isAutomatic: whether playback adds the episodes without a command.
    func insertAfterCurrent(_ episodes: [EpisodeID], isAutomatic: Bool = false) async throws -> [QueueEntry] {
        try await edit { store, model in
            let place = model.nextIndex
            let entries = try store.queue.insertEntries(episodes, at: place, isAutomatic: isAutomatic)
            return (entries, model.insert(entries, at: place))
        }
    }

    func remove(_ ids: [EntryID]) async throws {
        try await edit { store, model in
            try store.queue.removeEntries(ids)
            return ((), model.remove(ids))
        }
    }

    /// Moves entries, in their order, so that the first has `index`, from 1.
    /// - Throws: `MissingEntry` if the queue has no such indexes.
    func move(_ ids: [EntryID], to index: Int) async throws {
        try await edit { store, model in
            let target = index - 1
            guard target >= 0, target + ids.count <= model.count else { throw MissingEntry(index: index) }
            let changes = model.move(ids, to: target)
            try store.queue.moveEntries(ids, to: target)
            return ((), changes)
        }
    }

    func clear() async throws {
        try await edit { store, model in
            try store.queue.clearEntries()
            return ((), model.clear())
        }
    }

    /// Shuffles the entries; the current entry becomes the first.
    func shuffle() async throws {
        try await edit { store, model in
            var generator = SystemRandomNumberGenerator()
            let changes = model.shuffle(using: &generator)
            try store.queue.reorderEntries(model.ids)
            return ((), changes)
        }
    }

    /// Reads the queue from disk again, after feeds were removed with their episodes.
    func reload() async throws {
        try await edit { store, model in ((), model.replace(with: try store.queue.queue())) }
    }

    /// Undoes the last action or redoes the last undone one, even if it did not concern the queue; nil for none.
    /// - Parameters:
    ///   - step: id of another step to undo or redo.
    ///   - permits: throws if the caller may not do such a step; then nothing is changed.
    func undo(
        _ direction: UndoDirection, step: Int64? = nil, at now: Timestamp,
        permits: @escaping @Sendable (UndoableAct) throws -> Void
    ) async throws -> UndoneStep? {
        try await edit { store, model in
            let steps = try store.history.steps(direction, at: now)
            guard let next = steps.first(where: { step == nil || $0.id == step }) else { return (nil, []) }
            try permits(next)
            let turned = try store.history.turnLast(direction, step: next.id, at: now)
            return (turned, turned?.isQueueChanged == true ? model.replace(with: try store.queue.queue()) : [])
        }
    }

    /// Removes an episode with its entries if it is a single file that was never played. Returns true if removed.
    func discard(_ episode: EpisodeID) async throws -> Bool {
        try await edit { store, model in
            let entries = model.entries.filter { $0.episode == episode }.map(\.id)
            guard try store.episodes.removeUnheard(episode) else { return (false, []) }
            return (true, model.remove(entries))
        }
    }

    func withdraw(_ id: EntryID) async throws {
        try await edit { store, model in
            guard model.ids.contains(id) else { return ((), []) }
            try store.queue.removeEntries([id])
            return ((), model.remove([id]))
        }
    }

    /// Applies the rules to new episodes, which may queue some. One short commit.
    func applyRulesToNew(at now: Timestamp) async throws -> RuleOutcome {
        try await edit { store, model in
            let outcome = try store.rules.applyToNewEpisodes(nextIndex: model.nextIndex, at: now)
            return (outcome, outcome.isQueueChanged ? model.replace(with: try store.queue.queue()) : [])
        }
    }

    /// Applies the rules to the next stored episodes after `place`. One short commit; see `RuleStore` for the parameters.
    /// - Returns: the outcome, and the next place; nil at the end.
    func applyRulesToStored(
        _ filter: EpisodeFilter, after place: EpisodeKey?, isTrial: Bool, at now: Timestamp
    ) async throws -> (outcome: RuleOutcome, next: EpisodeKey?) {
        try await edit { store, model in
            let judged = try store.rules.applyToStoredEpisodes(
                filter, after: place, nextIndex: model.nextIndex, isTrial: isTrial, at: now)
            let isChanged = judged.outcome.isQueueChanged && !isTrial
            return (judged, isChanged ? model.replace(with: try store.queue.queue()) : [])
        }
    }

    // MARK: What playback changes

    // Sound does not wait for the disk, so these changes take effect in memory first. A failed write is repeated before
    // the next edit, or after two seconds.

    func setCurrentEntry(_ entry: QueueEntry) async throws {
        guard snapshot.current != entry.id else { return }
        try await follow { model in
            model.setCurrent(entry.id)
            return []
        } writing: {
            try $0.queue.setCurrentEntry(entry.id)
        }
    }

    /// Marks an entry's episode as played to the end.
    /// - Parameters:
    ///   - heard: the position that undo restores; nil for the saved position.
    ///   - keepsEntry: true if the entry stays in the queue.
    func finish(_ entry: QueueEntry, heard: MediaTime?, keepsEntry: Bool, at now: Timestamp) async throws {
        try await follow {
            keepsEntry ? [] : $0.finish(entry.id)
        } writing: {
            try $0.queue.finishEntry(entry, heard: heard, keepsEntry: keepsEntry, at: now)
        }
    }

    /// - Throws: the error of the write, unless another process has locked the library for a while.
    private func follow(
        _ change: @escaping @Sendable (inout QueueModel) -> QueueModel.Changes,
        writing job: @escaping @Sendable (LibraryStore) throws -> Void
    ) async throws {
        let changes = state.withLock { state in
            let changes = change(&state.model)
            state.journal.append(changes)
            state.unwritten.append(job)
            state.duringEdit?.append(change)
            return changes
        }
        watcher.emit(changes)
        do {
            try await writeBacklog()
        } catch {
            retryLater()
            if case LibraryError.busy = error { return }
            throw error
        }
    }

    private func writeBacklog() async throws { try await library.perform { [self] in try writeBacklog($0) } }

    /// Writes changes whose earlier write failed. On the library's thread.
    private func writeBacklog(_ store: LibraryStore) throws {
        while let job = state.withLock({ $0.unwritten.first }) {
            do {
                try job(store)
            } catch LibraryError.notFound {
                // The entry or its episode was removed in the meantime.
            }
            state.withLock { _ = $0.unwritten.removeFirst() }
        }
    }

    private func retryLater() {
        if state.withLock({ exchange(&$0.isRetryDue, with: true) }) { return }
        decisions?.schedule(after: .seconds(2)) { [weak self] in
            guard let self else { return }
            decisions?.start {
                self.state.withLock { $0.isRetryDue = false }
                if await (try? self.writeBacklog()) == nil { self.retryLater() }
            }
        }
    }

    /// Writes pending changes when the daemon stops.
    func close() async { try? await writeBacklog() }

    // MARK: Both

    @discardableResult
    private func edit<Result: Sendable>(
        _ body: @escaping @Sendable (LibraryStore, inout QueueModel) throws -> (Result, QueueModel.Changes)
    ) async throws -> Result {
        try await library.perform { [self] store in
            var edited = try beginEdit(store)
            do {
                let (result, changes) = try body(store, &edited)
                endEdit(edited, changes)
                return result
            } catch {
                state.withLock { $0.duringEdit = nil }
                throw error
            }
        }
    }

    /// - Returns: the queue, the same on disk and in memory.
    private func beginEdit(_ store: LibraryStore) throws -> QueueModel {
        while true {
            try writeBacklog(store)
            let model = state.withLock { state -> QueueModel? in
                guard state.unwritten.isEmpty else { return nil }
                state.duringEdit = []
                return state.model
            }
            if let model { return model }
        }
    }

    private func endEdit(_ edited: QueueModel, _ changes: QueueModel.Changes) {
        let (seen, isChanged) = state.withLock { state in
            let before = state.model
            let later = state.duringEdit ?? []
            state.model = edited
            for change in later { _ = change(&state.model) }
            // Readers know playback's changes during the edit already.
            let seen = later.isEmpty ? changes : ViewDifference.changes(from: before.ids, to: state.model.ids)
            state.duringEdit = nil
            state.journal.append(seen)
            return (seen, state.model != before)
        }
        if isChanged { watcher.emit(seen) }
    }
}
