internal import MediaPorts
internal import PodcastModel

/// Which episode is fetched next to be kept: a value that performs nothing.
///
/// One at a time, the oldest wish first. One that failed lets the others go on, and is tried again later, each time
/// after twice the wait. Times are CLOCK_MONOTONIC nanoseconds that the caller passes in.
struct DownloadTurns {
    /// What the player does, as far as it concerns whoever else fetches.
    struct Listening: Equatable {
        /// The episode under way; whoever listens has it fetched.
        var episode: EpisodeID?
        /// Whether sound waits for bytes: nobody else is to take the line then.
        var isWaiting = false
    }

    /// What is to be done while nothing is fetched.
    enum Step: Equatable {
        /// Fetch this one.
        case fetch(EpisodeID)
        /// Ask again at this instant, or when something has changed.
        case wait(until: Int64)
        /// Ask again when something has changed.
        case rest
    }

    /// How often an episode failed in a row, and what comes of it.
    private struct Failure {
        var count: Int
        var reason: String
        var retryAt: Int64
    }

    /// The longest wait before the next try: a day.
    private static let longestDelay: Int64 = 86_400_000_000_000

    private(set) var wishes: [EpisodeID] = []
    private var failures: [EpisodeID: Failure] = [:]

    /// Takes in what is wished for now.
    /// - Returns: whether something is not wished for any more.
    mutating func use(_ wishes: [EpisodeID]) -> Bool {
        let now = Set(wishes)
        let hasLost = self.wishes.contains { !now.contains($0) }
        self.wishes = wishes
        failures = failures.filter { now.contains($0.key) }
        return hasLost
    }

    /// What to do next.
    func step(now: Int64, _ listening: Listening) -> Step {
        if listening.isWaiting { return .rest }
        var soonest: Int64?
        for episode in wishes where episode != listening.episode {
            guard let failure = failures[episode], failure.retryAt > now else { return .fetch(episode) }
            soonest = min(soonest ?? failure.retryAt, failure.retryAt)
        }
        return soonest.map { .wait(until: $0) } ?? .rest
    }

    /// An episode could not be fetched.
    mutating func failed(_ episode: EpisodeID, _ failure: MediaFailure, now: Int64) {
        let count = (failures[episode]?.count ?? 0) + 1
        let delay = min(Self.firstDelay(after: failure.kind) << Int64(min(count - 1, 11)), Self.longestDelay)
        failures[episode] = Failure(count: count, reason: failure.message, retryAt: now + delay)
    }

    /// Wishes are fulfilled or taken back; the library has forgotten them too.
    mutating func end(_ episodes: [EpisodeID]) {
        let ended = Set(episodes)
        wishes.removeAll(where: ended.contains)
        forgive(episodes)
    }

    /// Forgets that episodes failed: somebody asks for them again.
    mutating func forgive(_ episodes: [EpisodeID]) {
        for episode in episodes { failures[episode] = nil }
    }

    /// Why an episode failed last; nil when it did not.
    func reason(of episode: EpisodeID) -> String? { failures[episode]?.reason }

    /// The wait after a first failure: a minute where a network may come back, six hours where a host said no.
    private static func firstDelay(after kind: MediaFailure.Kind) -> Int64 {
        let minute: Int64 = 60_000_000_000
        return switch kind {
        case .network, .changed, .internal, .sink: minute
        case .storage: 10 * minute
        case .notFound, .forbidden, .notAudio, .damaged: 360 * minute
        }
    }
}
