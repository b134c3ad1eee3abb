internal import Library
internal import Playback
internal import PodcastModel
internal import Queueing
internal import Synchronization

/// The player's status as clients are shown it: while the player is stopped, or is still looking its episode up, the queue's current
/// episode is named from the library.
final class CurrentEpisode: Sendable {
    private struct Known: Equatable {
        var entry: QueueEntry
        var title: String
        var feed: FeedID
        var feedTitle: String
        var position: MediaTime
        var duration: MediaTime?
    }

    private struct FeedSpeed: Equatable {
        var feed: FeedID
        /// Nil if only the settings for all feeds apply.
        var speed: Double?
    }

    private let player: Player
    private let queue: QueueService
    private let library: any LibraryAccess
    private struct State {
        var known: Known?
        /// That of its feed; nil if it was not looked up.
        var speed: FeedSpeed?
        /// The last of the places at which the player left an entry, of those that `known` has seen.
        var left: LeftEntry?
    }

    private let state = Mutex(State())

    /// Knows nothing before `load`.
    init(player: Player, queue: QueueService, library: any LibraryAccess) {
        (self.player, self.queue, self.library) = (player, queue, library)
    }

    /// The status. Any thread; does not block.
    var status: PlayerStatus {
        var status = player.status
        let state = self.state.withLock { $0 }
        guard status.title == nil, let known = state.known,
            known.entry == status.entry ?? queue.snapshot.currentEntry
        else { return status }
        if state.speed?.feed == known.feed, let speed = state.speed?.speed { status.speed = speed }
        status.entry = known.entry
        (status.title, status.feed, status.feedTitle) = (known.title, known.feed, known.feedTitle)
        (status.position, status.duration) = (known.position, known.duration)
        return status
    }

    /// Keeps what the player knows of its episode, for the time when it is stopped: the library may not have the position yet.
    ///
    /// - Returns: whether the current episode is known.
    func note(_ status: PlayerStatus) -> Bool {
        let current = status.entry ?? queue.snapshot.currentEntry
        return state.withLock { state in
            if let entry = status.entry, let title = status.title, let feed = status.feed {
                state.known = Known(
                    entry: entry, title: title, feed: feed, feedTitle: status.feedTitle ?? "",
                    position: status.position, duration: status.duration)
                state.speed = nil
            } else if let left = status.left, left != state.left {
                state.left = left
                if state.known?.entry == left.entry { state.known?.position = left.position }
            }
            return state.known.map { $0.entry == current } ?? false
        }
    }

    /// Looks the episode up when the daemon starts.
    func load() async {
        guard let entry = queue.snapshot.currentEntry else { return }
        // The connection that reads is not open yet.
        let episode = try? await library.perform { try $0.episodes.episode(entry.episode) }
        hold(entry, episode)
        if let feed = episode?.feed { hold(feed, try? await library.perform { try Self.speed(of: feed, in: $0) }) }
    }

    /// Whether the speed is not known at which the episode would play.
    var lacksSpeed: Bool {
        player.status.title == nil && state.withLock { $0.known != nil && $0.known?.feed != $0.speed?.feed }
    }

    /// Call this when settings of feeds have changed.
    func forgetSpeed() { state.withLock { $0.speed = nil } }

    /// Looks up at which speed the episode would play.
    /// - Returns: whether the status has changed.
    func refreshSpeed() async -> Bool {
        guard let feed = state.withLock({ $0.known?.feed }) else { return false }
        return hold(feed, try? await library.read { try Self.speed(of: feed, in: $0) })
    }

    /// The feed's own speed; music plays at the normal one.
    private static func speed(of feed: FeedID, in store: LibraryStore) throws -> Double? {
        if let speed = FeedSound(try store.feeds.settings(of: feed)).speed { return speed.factor }
        return try store.feeds.details(of: feed).medium == "music" ? 1 : nil
    }

    @discardableResult
    private func hold(_ feed: FeedID, _ speed: Double??) -> Bool {
        let found = FeedSpeed(feed: feed, speed: speed ?? nil)
        return state.withLock { state in
            defer { state.speed = found }
            return state.speed != found
        }
    }

    /// Looks the episode up, unless the player knows it.
    /// - Returns: whether the status has changed.
    @discardableResult
    func refresh() async -> Bool {
        let status = player.status
        guard status.title == nil else { return false }
        guard let entry = status.entry ?? queue.snapshot.currentEntry else { return hold(nil, nil) }
        return hold(entry, try? await library.read { try $0.episodes.episode(entry.episode) })
    }

    @discardableResult
    private func hold(_ entry: QueueEntry?, _ episode: Episode?) -> Bool {
        var found: Known?
        if let entry, let episode {
            found = Known(
                entry: entry, title: episode.title, feed: episode.feed, feedTitle: episode.feedTitle,
                position: episode.resumePosition, duration: episode.duration)
        }
        return state.withLock { state in
            defer { state.known = found }
            return state.known != found
        }
    }
}
