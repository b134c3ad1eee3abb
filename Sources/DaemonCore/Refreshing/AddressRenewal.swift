internal import Library
internal import PodcastModel
internal import SerialThreads

/// Refreshes the feed of an episode whose host refuses the address, because the feed may list a new one.
struct AddressRenewal {
    /// Nobody waits longer for a new address.
    private static let longestRefresh = Duration.seconds(60)

    let decisions: DecisionThread
    let library: any LibraryAccess
    let refresh: @Sendable (FeedID) async throws -> Void
    private let limit = Locked(RenewalLimit())

    /// Returns after the refresh, whatever its outcome; at once if none is permitted.
    @Sendable func renew(_ episode: EpisodeID) async {
        let feed = try? await library.read { try $0.feeds.feed($0.episodes.episode(episode).feed) }
        guard let feed, !feed.isSingleFiles, limit.withLock({ $0.permits(episode, at: decisions.now) }) else { return }
        let run = Task(executorPreference: decisions) { [refresh] in try await refresh(feed.id) }
        let timer = decisions.schedule(after: Self.longestRefresh) { run.cancel() }
        _ = await run.result
        timer.cancel()
    }
}

/// Permits one refresh for each episode and hour, so that a dead host does not cause many. A value without I/O.
struct RenewalLimit {
    private static let interval = Duration.seconds(3600)
    private static let mostEpisodes = 30
    private var renewals: [EpisodeID: Instant] = [:]

    mutating func permits(_ episode: EpisodeID, at now: Instant) -> Bool {
        renewals = renewals.filter { now - $0.value < Self.interval }
        guard renewals[episode] == nil, renewals.count < Self.mostEpisodes else { return false }
        renewals[episode] = now
        return true
    }
}
