public import ControlProtocol
public import LibraryModel
public import Playback
public import PodcastModel
public import SharedQueue
internal import Synchronization

/// What follows the current episode, for the status. It is looked up after each change that could concern it.
public final class UpcomingBoard: Sendable {
    private struct State {
        var value = UpcomingReply()
        /// The entry that `value` follows.
        var entry: QueueEntry?
        var isRunning = false
        var isStale = false
    }

    private let contexts: ContextQueue
    private let library: any LibraryAccess
    private let player: Player
    private let state = Mutex(State())

    public init(contexts: ContextQueue, library: any LibraryAccess, player: Player) {
        (self.contexts, self.library, self.player) = (contexts, library, player)
    }

    /// Any thread; does not block.
    public var value: UpcomingReply { state.withLock { $0.value } }

    /// Whether it is what follows an entry.
    public func isOf(_ entry: QueueEntry?) -> Bool { state.withLock { $0.entry == entry } }

    /// Looks it up; calls while a lookup runs are one.
    /// - Returns: whether it has changed.
    public func refresh() async -> Bool {
        let isFirst = state.withLock { state in
            state.isStale = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return false }
        let before = value
        while takeTurn() {
            let entry = player.status.entry
            let found = await lookUp(after: entry)
            state.withLock { ($0.value, $0.entry) = (found, entry) }
        }
        return value != before
    }

    private func takeTurn() -> Bool {
        state.withLock { state in
            state.isRunning = state.isStale
            defer { state.isStale = false }
            return state.isStale
        }
    }

    private func lookUp(after entry: QueueEntry?) async -> UpcomingReply {
        var reply = UpcomingReply()
        let context = contexts.context
        if let context { reply.context = await describe(context) }
        guard let entry, let following = try? await contexts.following(after: entry.id),
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
