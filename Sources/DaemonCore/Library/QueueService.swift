internal import ControlProtocol
internal import Library
internal import LibraryModel
internal import Playback
internal import Playlist
internal import PodcastModel
internal import SerialThreads
internal import Synchronization

/// The queue that the player and all clients share.
///
/// Edits run on the library's thread: the disk first, then the value, so nobody sees what is not stored, and two edits
/// never mix. Reading is from any thread and never waits for the disk.
final class QueueService: PlayQueue {
    private let library: LibraryService
    private let model: Mutex<QueueModel>
    private let watcher = Listener<QueueModel.Changes>()

    private init(library: LibraryService, model: QueueModel) {
        self.library = library
        self.model = Mutex(model)
    }

    /// The queue as stored.
    static func load(from library: LibraryService) async throws -> QueueService {
        let stored = try await library.perform { try $0.queue() }
        return QueueService(library: library, model: QueueModel(stored))
    }

    /// Calls `handler` after each edit, on the library's thread; it must return at once.
    func observe(_ handler: @escaping @Sendable (QueueModel.Changes) -> Void) {
        watcher.connect(handler)
    }

    // MARK: Reading

    /// The queue now.
    var snapshot: QueueModel { model.withLock { $0 } }

    /// Its length, and the index of the current entry as people count, from 1.
    var extent: (length: Int, index: Int?) {
        model.withLock { ($0.count, $0.currentIndex.map { $0 + 1 }) }
    }

    /// The entry at an index as people count, from 1.
    func entry(at index: Int) -> QueueEntry? { model.withLock { $0.entry(at: index - 1) } }

    /// The entry that `3` or `#3` names; nil for what is no index of the queue. What begins with `#` is nothing else.
    /// - Throws: `ControlError` when the queue has no `#3`.
    func entry(named name: String) throws(ControlError) -> QueueEntry? {
        let mustBeIndex = name.hasPrefix("#")
        let index = Int(mustBeIndex ? String(name.dropFirst()) : name)
        if let index, let entry = entry(at: index) { return entry }
        if mustBeIndex { throw ControlError(.notFound, "the queue has no entry \(name)") }
        return nil
    }

    /// The first entry of an episode; the current one when it is of that episode.
    func entry(of episode: EpisodeID) -> QueueEntry? {
        model.withLock { model in
            if let current = model.currentEntry, current.episode == episode { return current }
            return model.entries.first { $0.episode == episode }
        }
    }

    func currentEntry() -> QueueEntry? {
        model.withLock { $0.currentEntry ?? $0.entry(at: $0.nextIndex) ?? $0.entry(at: 0) }
    }

    func entry(after entry: EntryID?) -> QueueEntry? {
        model.withLock { model in
            guard let entry, let index = model.index(of: entry) else { return model.next }
            return model.entry(at: index + 1)
        }
    }

    func entry(before entry: EntryID?) -> QueueEntry? {
        model.withLock { model in
            guard let entry, let index = model.index(of: entry) else { return model.previous }
            return model.entry(at: index - 1)
        }
    }

    // MARK: Editing

    /// Puts episodes before an index from 1; nil appends.
    func add(_ episodes: [EpisodeID], at index: Int?) async throws -> [QueueEntry] {
        try await edit { store, model in
            let place = index.map { min(max($0 - 1, 0), model.count) } ?? model.count
            let entries = try store.insertEntries(episodes, at: place)
            return (entries, model.insert(entries, at: place))
        }
    }

    /// Puts episodes after the current entry.
    func insertAfterCurrent(_ episodes: [EpisodeID]) async throws -> [QueueEntry] {
        try await edit { store, model in
            let place = model.nextIndex
            let entries = try store.insertEntries(episodes, at: place)
            return (entries, model.insert(entries, at: place))
        }
    }

    /// Takes entries away.
    func remove(_ ids: [EntryID]) async throws {
        try await edit { store, model in
            try store.removeEntries(ids)
            return ((), model.remove(ids))
        }
    }

    /// Moves an entry to an index from 1.
    func move(_ id: EntryID, to index: Int) async throws {
        try await edit { store, model in
            let target = min(max(index - 1, 0), max(model.count - 1, 0))
            try store.moveEntry(id, to: target)
            return ((), model.move(id, to: target))
        }
    }

    /// Takes everything away.
    func clear() async throws {
        try await edit { store, model in
            try store.removeEntries(model.ids)
            return ((), model.clear())
        }
    }

    /// Mixes the entries; the current one comes first.
    func shuffle() async throws {
        try await edit { store, model in
            var generator = SystemRandomNumberGenerator()
            var mixed = model
            let changes = mixed.shuffle(using: &generator)
            try store.reorderEntries(mixed.ids)
            model = mixed
            return ((), changes)
        }
    }

    /// Looks at the disk again, after feeds went with their episodes.
    func reload() async throws {
        try await edit { store, model in ((), model.replace(with: try store.queue())) }
    }

    /// Takes the listener's last act back, of the queue or not; nil when there is none.
    func undoLast() async throws -> UndoneStep? {
        try await edit { store, model in
            let undone = try store.undoLast()
            guard let undone, undone.kind.isOfQueue else { return (undone, []) }
            return (undone, model.replace(with: try store.queue()))
        }
    }

    /// Judges episodes by the rules, which may queue some. `body` is told the index, from 0, of what is played next.
    func judge<Result: Sendable>(
        _ body: @escaping @Sendable (LibraryStore, Int) throws -> Result,
        outcome: @escaping @Sendable (Result) -> RuleOutcome
    ) async throws -> Result {
        try await edit { store, model in
            let result = try body(store, model.nextIndex)
            return (result, outcome(result).isQueueChanged ? model.replace(with: try store.queue()) : [])
        }
    }

    func setCurrentEntry(_ entry: QueueEntry) async throws {
        try await edit { store, model in
            if model.current != entry.id, model.index(of: entry.id) != nil {
                try store.setCurrentEntry(entry.id)
                model.setCurrent(entry.id)
            }
            return ((), [])
        }
    }

    @discardableResult
    private func edit<Result: Sendable>(
        _ body: @escaping @Sendable (LibraryStore, inout QueueModel) throws -> (Result, QueueModel.Changes)
    ) async throws -> Result {
        try await library.perform { [self] store in
            var edited = model.withLock { $0 }
            let (result, changes) = try body(store, &edited)
            let isChanged = model.withLock { model in
                defer { model = edited }
                return model != edited
            }
            if isChanged { watcher.emit(changes) }
            return result
        }
    }
}
