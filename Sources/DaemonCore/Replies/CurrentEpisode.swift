internal import Library
internal import Playback
internal import PodcastModel
internal import SerialThreads

/// The player's status for clients: while the player is stopped or looks its episode up, with the queue's current episode.
struct CurrentEpisode {
    private struct Known: Equatable {
        var entry: QueueEntry
        var title: String
        var feed: FeedID
        var feedTitle: String
        var position: MediaTime
        var duration: MediaTime?
        var speed: Speed?
    }

    /// At which speed the feed would play.
    private enum Speed: Equatable {
        case ofAllFeeds
        case own(Double)
    }

    private struct State {
        var known: Known?
        /// The last of the places at which the player left an entry, of those that `known` has seen.
        var left: LeftEntry?
    }

    let player: Player
    let queue: QueueService
    let library: any LibraryAccess
    let playbackStore: LibraryPlaybackStore
    /// Knows nothing before `load`.
    private let state = Locked(State())

    /// The status. Any thread; does not block.
    var status: PlayerStatus {
        var status = player.status
        guard status.title == nil, let known = state.withLock({ $0.known }),
            known.entry == status.entry ?? queue.snapshot.currentEntry
        else { return status }
        if case .own(let speed)? = known.speed { status.speed = speed }
        status.entry = known.entry
        status.title = known.title
        status.feed = known.feed
        status.feedTitle = known.feedTitle
        status.position = known.position
        status.duration = known.duration
        return status
    }

    /// Keeps what the player knows of its episode, for the time when it is stopped: the library may not have the position yet.
    /// - Returns: whether everything about the current episode is known.
    func note(_ status: PlayerStatus) -> Bool {
        let current = status.entry ?? queue.snapshot.currentEntry
        return state.withLock { state in
            if let entry = status.entry, let title = status.title, let feed = status.feed {
                state.known = Known(
                    entry: entry, title: title, feed: feed, feedTitle: status.feedTitle ?? "",
                    position: status.position, duration: status.duration)
                return entry == current
            }
            if let left = status.left, left != state.left {
                state.left = left
                if state.known?.entry == left.entry { state.known?.position = left.position }
            }
            return state.known?.entry == current && state.known?.speed != nil
        }
    }

    /// Call this when settings of feeds have changed.
    func forgetSpeed() { state.withLock { $0.known?.speed = nil } }

    /// Looks the episode up when the daemon starts.
    func load() async {
        guard let entry = queue.snapshot.currentEntry else { return }
        // The connection that reads is not open yet.
        _ = hold(try? await library.perform { try known(entry, in: $0) })
    }

    /// Looks the episode up, unless the player knows it.
    /// - Returns: whether the status has changed.
    @discardableResult
    func refresh() async -> Bool {
        let status = player.status
        guard status.title == nil else { return false }
        guard let entry = status.entry ?? queue.snapshot.currentEntry else { return hold(nil) }
        return hold(try? await library.read { try known(entry, in: $0) })
    }

    private func known(_ entry: QueueEntry, in store: LibraryStore) throws -> Known {
        let episode = try store.episodes.episode(entry.episode)
        let sound = try store.feeds.sound(of: episode.feed)
        // Music plays at the normal speed.
        let speed = sound.settings.speed?.factor ?? (sound.isMusic ? 1 : nil)
        return Known(
            entry: entry, title: episode.title, feed: episode.feed, feedTitle: episode.feedTitle,
            position: playbackStore.resumePosition(of: episode), duration: episode.duration,
            speed: speed.map { .own($0) } ?? .ofAllFeeds)
    }

    private func hold(_ found: Known?) -> Bool {
        state.withLock { state in
            var found = found
            // The player has left the entry a moment ago, and the library may not have the position yet.
            if let known = state.known, known.speed == nil, known.entry == found?.entry {
                found?.position = known.position
            }
            return exchange(&state.known, with: found) != found
        }
    }
}
