internal import ControlProtocol
internal import Library
internal import Playback
internal import PodcastModel
internal import Queueing
internal import Synchronization

/// What follows the current episode, for the status. It is looked up after each change that could concern it.
final class UpcomingBoard: Sendable {
    private struct State {
        var value = UpcomingReply()
        /// The entry that `value` follows.
        var entry: QueueEntry?
        var context: PlayContext?
        var isRunning = false
        var isStale = false
        /// Wait for the end of the lookup that runs.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let contexts: ContextQueue
    private let library: any LibraryAccess
    private let player: Player
    private let state = Mutex(State())

    init(contexts: ContextQueue, library: any LibraryAccess, player: Player) {
        (self.contexts, self.library, self.player) = (contexts, library, player)
    }

    /// Any thread; does not block.
    var value: UpcomingReply { state.withLock { $0.value } }

    /// Whether it is what follows an entry.
    func isOf(_ entry: QueueEntry?) -> Bool { state.withLock { $0.entry == entry } }

    private var isCurrent: Bool {
        let (entry, context) = (player.status.entry, contexts.context)
        return state.withLock { $0.entry == entry && $0.context == context }
    }

    /// Waits until it is what follows the current entry, so that an answer which comes after a change shows that. Gives up if the
    /// player changes its entry all the time.
    func settle() async {
        for _ in 0..<10 where !isCurrent {
            if await refresh() { continue }
            await withCheckedContinuation { continuation in
                let isRunning = state.withLock { state in
                    if state.isRunning { state.waiting.append(continuation) }
                    return state.isRunning
                }
                if !isRunning { continuation.resume() }
            }
        }
    }

    /// Looks it up; calls while a lookup runs are one.
    /// - Returns: whether it has changed.
    func refresh() async -> Bool {
        let isFirst = state.withLock { state in
            state.isStale = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return false }
        let before = value
        while takeTurn() {
            let (entry, context) = (player.status.entry, contexts.context)
            let found = await lookUp(after: entry, context)
            state.withLock { ($0.value, $0.entry, $0.context) = (found, entry, context) }
        }
        return value != before
    }

    private func takeTurn() -> Bool {
        let (isTaken, ended) = state.withLock { state in
            state.isRunning = state.isStale
            defer { state.isStale = false }
            if state.isStale { return (true, [] as [CheckedContinuation<Void, Never>]) }
            defer { state.waiting = [] }
            return (false, state.waiting)
        }
        for continuation in ended { continuation.resume() }
        return isTaken
    }

    private func lookUp(after entry: QueueEntry?, _ context: PlayContext?) async -> UpcomingReply {
        var reply = UpcomingReply()
        if let context { reply.context = await describe(context) }
        guard let entry, let following = try? await contexts.following(after: entry.id, of: entry.episode),
            let episode = try? await library.read({ try $0.episodes.episode(following.episode) })
        else { return reply }
        var next = NextReply()
        next.id = episode.id
        next.title = episode.title
        next.feed = PlayerReply.PlayingFeed(id: episode.feed, title: episode.feedTitle)
        switch following.origin {
        case .queue, .inserted: next.from = .queue
        case .context(let context): next.from = PlayContextReply.Kind(context)
        }
        reply.next = next
        return reply
    }

    private func describe(_ context: PlayContext) async -> PlayContextReply {
        var reply = PlayContextReply()
        reply.kind = PlayContextReply.Kind(context)
        reply.order = context.order.rawValue
        switch context.source {
        case .feed(let feed):
            reply.feed = feed
            reply.name = (try? await library.read { try $0.feeds.feed(feed).title }) ?? feed.label
        case .view(let name): reply.name = name
        }
        return reply
    }
}

extension PlayContextReply.Kind {
    init(_ context: PlayContext) {
        switch context.source {
        case .feed: self = .feed
        case .view: self = .playlist
        }
    }
}
