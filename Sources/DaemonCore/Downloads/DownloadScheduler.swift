internal import MediaPorts
internal import Playback
internal import PodcastModel

/// The player's activity, to which downloads give way.
struct PlayerDemand: Equatable, Sendable {
    /// The current episode, which the player fetches itself.
    var episode: EpisodeID?
    /// True if playback waits for bytes, which pauses downloads.
    var isWaiting = false
}

extension PlayerDemand {
    init(_ status: PlayerStatus) {
        switch status.state {
        case .stopped: self.init()
        case .loading, .buffering: self.init(episode: status.entry?.episode, isWaiting: true)
        case .playing, .paused: self.init(episode: status.entry?.episode)
        }
    }
}

/// The state of an active or failed download request.
enum DownloadState: Equatable, Sendable {
    /// Progress from 0 to 1; nil while the length is unknown.
    case underWay(progress: Double?)
    case failed(reason: String, retryAfter: Duration)
}

/// Decides which episode is downloaded next. A value without I/O.
///
/// One episode at a time, oldest request first. A failed one lets the others continue and is retried after a delay that
/// doubles each time, and after requests that were not tried.
struct DownloadScheduler {
    enum Step: Equatable {
        case fetch(EpisodeID)
        /// Ask again at this instant, or after a change.
        case wait(until: Instant)
        /// Ask again after a change.
        case rest
    }

    /// Consecutive failures of one episode.
    private struct Failure {
        var count: Int
        var reason: String
        var retryAt: Instant
    }

    private static let longestDelay = Duration.seconds(86_400)

    private(set) var requests: [EpisodeID] = []
    private var failures: [EpisodeID: Failure] = [:]

    /// Replaces the requests. Returns true if one of the earlier requests is gone.
    mutating func use(_ requests: [EpisodeID]) -> Bool {
        let now = Set(requests)
        let hasLost = self.requests.contains { !now.contains($0) }
        self.requests = requests
        failures = failures.filter { now.contains($0.key) }
        return hasLost
    }

    func step(now: Instant, _ demand: PlayerDemand) -> Step {
        if demand.isWaiting { return .rest }
        var next: (episode: EpisodeID, retryAt: Instant)?
        for episode in requests where episode != demand.episode {
            guard let retryAt = failures[episode]?.retryAt else { return .fetch(episode) }
            if next.map({ retryAt < $0.retryAt }) ?? true { next = (episode, retryAt) }
        }
        guard let next else { return .rest }
        return next.retryAt > now ? .wait(until: next.retryAt) : .fetch(next.episode)
    }

    /// True if another request could be downloaded now.
    func isAnotherDue(besides episode: EpisodeID, now: Instant, _ demand: PlayerDemand) -> Bool {
        requests.contains {
            $0 != episode && $0 != demand.episode && (failures[$0]?.retryAt ?? .distantPast) <= now
        }
    }

    /// - Parameter retryAfter: how long the server wants no further request.
    mutating func failed(
        _ episode: EpisodeID, _ failure: MediaFailure, retryAfter: Duration = .zero, now: Instant
    ) {
        let count = (failures[episode]?.count ?? 0) + 1
        let delay = Self.firstDelay(after: failure.kind) * (1 << min(count - 1, 11))
        failures[episode] = Failure(
            count: count, reason: failure.message, retryAt: now + min(max(delay, retryAfter), Self.longestDelay))
    }

    /// Called when requests were fulfilled or withdrawn, and the library has recorded it.
    mutating func end(_ episodes: [EpisodeID]) {
        let ended = Set(episodes)
        requests.removeAll(where: ended.contains)
        clearFailures(of: episodes)
    }

    /// Makes failed episodes due at once, on the user's request.
    mutating func clearFailures(of episodes: [EpisodeID]) {
        for episode in episodes { failures[episode] = nil }
    }

    /// Last failure of each failed request, and the time until the next attempt.
    func failures(now: Instant) -> [EpisodeID: (reason: String, retryAfter: Duration)] {
        failures.mapValues { ($0.reason, max(.zero, $0.retryAt - now)) }
    }

    /// The delay after a first failure: a minute if the network may come back, six hours if the host refused.
    private static func firstDelay(after kind: MediaFailure.Kind) -> Duration {
        let minute = Duration.seconds(60)
        return switch kind {
        case .network, .changed, .internal, .sink: minute
        case .storage: minute * 10
        case .notFound, .forbidden, .notAudio, .damaged: minute * 360
        }
    }
}
