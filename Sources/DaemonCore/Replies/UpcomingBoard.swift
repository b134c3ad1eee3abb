internal import ControlLanguage
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
        /// Lookups that have begun, and the one that found `value`.
        var (begun, found) = (0, 0)
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

    func isOf(_ entry: QueueEntry?) -> Bool { state.withLock { $0.entry == entry } }

    private var isCurrent: Bool {
        let (entry, context) = (player.status.entry, contexts.context)
        return state.withLock { $0.entry == entry && $0.context == context }
    }

    /// Looks it up until the board matches the current entry, so that replies after a change are current; up to ten times.
    func update() async { for _ in 0..<10 where !isCurrent { _ = await refresh() } }

    /// - Returns: whether it has changed.
    func refresh() async -> Bool {
        let lookup = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        let (entry, context) = (player.status.entry, contexts.context)
        let value = await lookUp(after: entry, context)
        return state.withLock { state in
            // A later lookup may end before an earlier one.
            guard lookup > state.found else { return false }
            let isChanged = state.value != value
            (state.value, state.entry, state.context, state.found) = (value, entry, context, lookup)
            return isChanged
        }
    }

    private func lookUp(after entry: QueueEntry?, _ context: PlayContext?) async -> UpcomingReply {
        var reply = UpcomingReply()
        if let context { reply.context = await describe(context) }
        guard let entry, let following = try? await contexts.following(after: entry.id, of: entry.episode),
            let episode = try? await library.read({ try $0.episodes.episode(following.episode) })
        else { return reply }
        reply.next = NextReply {
            ($0.id, $0.title) = (episode.id, episode.title)
            $0.feed = PlayerReply.PlayingFeed { ($0.id, $0.title) = (episode.feed, episode.feedTitle) }
            $0.from = if case .context(let context) = following.origin { context.kind } else { .queue }
        }
        return reply
    }

    private func describe(_ context: PlayContext) async -> PlayContextReply {
        var reply = PlayContextReply()
        (reply.kind, reply.order) = (context.kind, context.order.rawValue)
        switch context.source {
        case .feed(let feed):
            reply.feed = feed
            reply.name = (try? await library.read { try $0.feeds.feed(feed).title }) ?? feed.label
        case .view(let name): reply.name = name
        }
        return reply
    }
}

extension PlayContext {
    fileprivate var kind: PlayContextReply.Kind { if case .feed = source { .feed } else { .playlist } }
}
