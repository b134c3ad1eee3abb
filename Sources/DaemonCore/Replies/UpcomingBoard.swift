internal import AudioOutput
internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import Playback
internal import PodcastModel
internal import SerialThreads

/// What follows the current episode, for the status. It is looked up after each change that could concern it.
struct UpcomingBoard {
    private struct State {
        var value = UpcomingReply()
        /// The entry that `value` follows.
        var entry: QueueEntry?
        var context: PlayContext?
        /// Lookups that have begun, and the one that found `value`.
        var begun = 0
        var found = 0
    }

    let contexts: ContextQueue
    let queue: QueueService
    let settings: SettingsService
    let library: any LibraryAccess
    let player: Player
    let outputs: OutputSet
    private let state = Locked(State())

    /// Any thread; does not block.
    var value: UpcomingReply { state.withLock { $0.value } }

    func isOf(_ entry: QueueEntry?) -> Bool { state.withLock { $0.entry == entry } }

    private var isCurrent: Bool {
        let entry = player.status.entry
        let context = contexts.context
        return state.withLock { $0.entry == entry && $0.context == context }
    }

    /// Looks it up until the board matches the current entry, so that replies after a change are current; up to ten times.
    func update() async { for _ in 0..<10 where !isCurrent { _ = await refresh() } }

    /// - Returns: whether it has changed.
    @discardableResult
    func refresh() async -> Bool {
        let lookup = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        let entry = player.status.entry
        let context = contexts.context
        let value = await lookUp(after: entry, context)
        return state.withLock { state in
            // A later lookup may end before an earlier one.
            guard lookup > state.found else { return false }
            let isChanged = state.value != value
            state.value = value
            state.entry = entry
            state.context = context
            state.found = lookup
            return isChanged
        }
    }

    private func lookUp(after entry: QueueEntry?, _ context: PlayContext?) async -> UpcomingReply {
        var reply = UpcomingReply()
        reply.queueTime = await queueTime()
        if let context { reply.context = await describe(context) }
        guard let entry, let following = try? await contexts.following(after: entry.id, of: entry.episode),
            let episode = try? await library.episode(following.episode)
        else { return reply }
        reply.next = NextReply {
            $0.id = episode.id
            $0.title = episode.title
            $0.feed = PlayerReply.PlayingFeed {
                $0.id = episode.feed
                $0.title = episode.feedTitle
            }
            $0.from = if case .context(let context) = following.origin { context.kind } else { .queue }
        }
        return reply
    }

    private func queueTime() async -> QueueTimeReply {
        let current = queue.snapshot.current
        let speed = PlaybackSpeed(parsing: settings["playback.speed"]) ?? .normal
        let isHeard = !outputs.areAtSpeedOne
        let read = try? await library.read { store in
            var reply = QueueTimeReply()
            for feed in try store.queue.timeLeft(after: current) {
                let sound = try store.feeds.sound(of: feed.feed)
                let factor = (sound.settings.speed ?? (sound.isMusic ? .normal : speed)).factor
                reply.time = reply.time + MediaTime(seconds: feed.time.seconds / (isHeard ? factor : 1))
                reply.isExact = reply.isExact && feed.areDurationsKnown
            }
            return reply
        }
        return read ?? QueueTimeReply()
    }

    private func describe(_ context: PlayContext) async -> PlayContextReply {
        var reply = PlayContextReply()
        reply.kind = context.kind
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

extension PlayContext {
    fileprivate var kind: PlayContextReply.Kind { if case .feed = source { .feed } else { .playlist } }
}
