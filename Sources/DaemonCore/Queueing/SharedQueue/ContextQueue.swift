import Library
import Playback
import PodcastModel
internal import SerialThreads
internal import Synchronization

/// The queue as the player sees it. In a play context the next entry is the context's next episode, which is inserted
/// after the current entry when its turn comes. After the last entry of the queue `playback.after_queue` decides.
final class ContextQueue: PlayQueue {
    /// The entry or episode that would play next.
    struct Following: Equatable, Sendable {
        enum Origin: Equatable, Sendable {
            case queue
            /// An entry that the user inserted; the context continues afterwards.
            case inserted
            /// Nil for `playback.after_queue`.
            case context(PlayContext)
        }

        var episode: EpisodeID
        var origin: Origin
        /// Nil if the episode is not queued yet.
        var entry: QueueEntry?
    }

    private struct State {
        var context: PlayContext?
        /// The entry that plays, also after it left the queue.
        var current: QueueEntry?
        /// Entries that the user inserted while a context plays.
        var inserted: Set<EntryID> = []
        /// The last episode before the inserted entries; the context continues after it.
        var place: EpisodeID?
        /// What was there before a requested entry, which may turn out to be unplayable.
        var former: (entry: EntryID, context: PlayContext?, inserted: Set<EntryID>, place: EpisodeID?)?
    }

    private let queue: QueueService
    private let library: any LibraryAccess
    private let afterQueue: @Sendable () -> AfterQueue
    private let now: @Sendable () -> Timestamp
    private let watcher = Listener<PlayContext?>()
    private let state: Mutex<State>

    init(
        _ queue: QueueService, library: any LibraryAccess, context: PlayContext?,
        afterQueue: @escaping @Sendable () -> AfterQueue, now: @escaping @Sendable () -> Timestamp
    ) {
        self.queue = queue
        self.library = library
        self.afterQueue = afterQueue
        self.now = now
        state = Mutex(State(context: context, current: queue.snapshot.currentEntry))
    }

    /// Nil if the queue plays.
    var context: PlayContext? { state.withLock { $0.context } }

    /// Calls `handler` after each change of the context, on any thread; it must not block.
    func observe(_ handler: @escaping @Sendable (PlayContext?) -> Void) { watcher.connect(handler) }

    /// Sets the context; nil for the queue.
    /// - Parameter entry: the requested entry, if it may turn out to be unplayable.
    func use(_ context: PlayContext?, for entry: EntryID? = nil) {
        change { state in
            state.former = entry.map { ($0, state.context, state.inserted, state.place) }
            state.context = context
            state.inserted = []
        }
    }

    private func change(_ edit: (inout State) -> Void) {
        let (before, after) = state.withLock { state in
            let before = state.context
            edit(&state)
            return (before, state.context)
        }
        if before != after { watcher.emit(after) }
    }

    /// Inserts episodes after the current entry; they play before the episodes of a context.
    func insert(_ episodes: [EpisodeID]) async throws -> [QueueEntry] {
        let entries = try await queue.insertAfterCurrent(episodes)
        let context = state.withLock { state -> PlayContext? in
            guard let context = state.context else { return nil }
            if state.inserted.isEmpty { state.place = state.current?.episode }
            state.inserted.formUnion(entries.map(\.id))
            return context
        }
        if let context { watcher.emit(context) }
        return entries
    }

    // MARK: PlayQueue

    func currentEntry() async throws -> QueueEntry? { queue.currentEntry() }

    func entry(after entry: EntryID?) async throws -> QueueEntry? {
        let following = try await following(after: entry)
        // The context has ended, so the queue continues.
        if let context, following?.origin != .context(context), following?.origin != .inserted { use(nil) }
        guard let following else { return nil }
        if let entry = following.entry { return entry }
        return try await queue.insertAfterCurrent([following.episode], isAutomatic: true).first
    }

    func nextEpisode(after entry: EntryID) async throws -> EpisodeID? {
        try await following(after: entry)?.episode
    }

    func entry(before entry: EntryID?) async throws -> QueueEntry? { try await queue.entry(before: entry) }

    func setCurrentEntry(_ entry: QueueEntry) async throws {
        state.withLock { $0.current = entry }
        try await queue.setCurrentEntry(entry)
    }

    func requestFailed(_ entry: QueueEntry) {
        change { state in
            guard let former = state.former, former.entry == entry.id else { return }
            state.context = former.context
            state.inserted = former.inserted
            state.place = former.place
            state.former = nil
        }
    }

    // MARK: what follows

    /// The entry or episode that would play after an entry; changes nothing.
    /// - Parameter known: the entry's episode, if the caller knows the episode; the queue may not have a new entry yet.
    func following(after entry: EntryID?, of known: EpisodeID? = nil) async throws -> Following? {
        let (context, current, inserted, place) = state.withLock { ($0.context, $0.current, $0.inserted, $0.place) }
        let playing = entry.flatMap { id in current?.id == id ? current : queue.snapshot.entry(id) } ?? current
        let episode = known ?? playing?.episode
        let queued = queue.entry(after: entry)
        if context != nil, let queued, inserted.contains(queued.id) {
            return Following(episode: queued.episode, origin: .inserted, entry: queued)
        }
        let isInserted = playing.map { inserted.contains($0.id) } ?? false
        if let context, let last = isInserted ? place : episode, let next = try await next(in: context, after: last) {
            return next
        }
        if let queued { return Following(episode: queued.episode, origin: .queue, entry: queued) }
        guard let episode else { return nil }
        let start = try? await library.read { [afterQueue, now] in
            try ContextEpisodes.start(afterQueue(), after: episode, in: $0, at: now())
        }
        guard let start else { return nil }
        return try await next(in: start.context, after: start.place)
    }

    /// Nil also if the context's feed or playlist is gone.
    private func next(in context: PlayContext, after episode: EpisodeID?) async throws -> Following? {
        let now = now()
        let found = try await library.read { store -> EpisodeID? in
            do {
                return try ContextEpisodes.next(in: context, after: episode, in: store, at: now)?.id
            } catch is ChoiceFailure, LibraryError.notFound {
                return nil
            }
        }
        return found.map { Following(episode: $0, origin: .context(context), entry: queue.snapshot.entry(of: $0)) }
    }
}
