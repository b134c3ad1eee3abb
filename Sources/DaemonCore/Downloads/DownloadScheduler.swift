internal import EpisodeCache
internal import Library
internal import MediaPorts
internal import Playback
internal import PodcastModel

/// The player's activity, to which downloads give way.
struct PlayerDemand: Equatable {
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
enum DownloadState: Equatable {
    /// Progress from 0 to 1; nil while the length is unknown.
    case underWay(progress: Double?)
    /// The player has the episode, and fetches it for both.
    case played
    /// Without `retryAfter` it is not tried again automatically.
    case failed(reason: String, retryAfter: Duration?)

    static let playedReason = "it is playing; it is on disk once the player has fetched it or leaves it"
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
        /// `distantFuture` if another attempt is useless.
        var retryAt: Instant
        var url: String
        /// Whether its feed is being refreshed because the host refused the URL.
        var isRenewing: Bool
    }

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
        guard let next, next.retryAt < .distantFuture else { return .rest }
        return next.retryAt > now ? .wait(until: next.retryAt) : .fetch(next.episode)
    }

    func isAnotherDue(besides episode: EpisodeID, now: Instant, _ demand: PlayerDemand) -> Bool {
        requests.contains { $0 != episode && $0 != demand.episode && (failures[$0]?.retryAt ?? .distantPast) <= now }
    }

    /// - Parameters:
    ///   - url: of the file; empty if it is not known.
    ///   - retryAfter: how long the server wants no further request; nil if another attempt is useless.
    mutating func failed(
        _ episode: EpisodeID, _ failure: MediaFailure, url: String = "", retryAfter: Duration? = .zero, now: Instant
    ) {
        let count = (failures[episode]?.count ?? 0) + 1
        let delay = Self.firstDelay(after: failure.kind) * (1 << min(count - 1, 11))
        failures[episode] = Failure(
            count: count, reason: failure.message,
            retryAt: retryAfter.map { now + min(max(delay, $0), .seconds(86_400)) } ?? .distantFuture, url: url,
            isRenewing: failure.mayBeOfAddress)
    }

    /// Makes episodes due at once whose URL has changed since they failed. Returns true if there are any.
    mutating func retryMoved(_ episodes: [Episode]) -> Bool {
        let moved = episodes.filter { failures[$0.id]?.url != $0.enclosure.url }
        clearFailures(of: moved.map(\.id))
        return !moved.isEmpty
    }

    /// Called when the feed of an episode whose URL was refused was refreshed.
    mutating func renewalEnded(of episode: EpisodeID) { failures[episode]?.isRenewing = false }

    /// Called when requests were fulfilled or withdrawn, and the library has recorded it.
    mutating func end(_ episodes: [EpisodeID]) {
        let ended = Set(episodes)
        requests.removeAll(where: ended.contains)
        clearFailures(of: episodes)
    }

    /// Makes failed episodes due at once, on the user's request.
    mutating func clearFailures(of episodes: [EpisodeID]) { for episode in episodes { failures[episode] = nil } }

    /// Last failure of each failed request, and the time until the next attempt; `underWay` while its feed is refreshed.
    func failures(now: Instant) -> [EpisodeID: DownloadState] {
        failures.mapValues {
            if $0.isRenewing { return .underWay(progress: nil) }
            return .failed(
                reason: $0.reason, retryAfter: $0.retryAt == .distantFuture ? nil : max(.zero, $0.retryAt - now))
        }
    }

    /// The delay after a first failure: a minute if the network may come back, six hours if the host refused.
    private static func firstDelay(after kind: MediaFailure.Kind) -> Duration {
        switch kind {
        case .network, .changed, .decoder, .internal, .sink, .noOutput: .seconds(60)
        case .storage: .seconds(10 * 60)
        case .notFound, .forbidden, .notAudio, .damaged: .seconds(6 * 3600)
        }
    }
}

/// The space for downloads in bytes. Downloads are never evicted, so they must not outgrow the cache or the disk.
struct DownloadQuota {
    var limit: Int64
    var used: Int64
    /// Free space on the disk, including evictable files of the cache.
    var free: Int64

    /// Why a file does not fit, and what to do; nil if it fits. `missing` bytes are not fetched yet.
    func refusal(of length: Int64, missing: Int64) -> String? {
        if length > limit - used {
            return "it has \(ByteSize.neededText(length)), and kept episodes take \(ByteSize.text(used)) of the "
                + "\(ByteSize.text(limit)) of cache.size: delete some ('podcastctl episodes --downloaded'), or raise it "
                + "('podcastctl settings cache.size SIZE')"
        }
        if missing > free {
            return "\(ByteSize.neededText(missing)) are still to come, and only \(ByteSize.text(free)) are free on the "
                + "disk of the episode cache: make room there"
        }
        return nil
    }
}

/// Compares the cache's pinned files with the library's records. A value without I/O.
struct PinReconciliation: Equatable {
    /// Action for a pinned file that is in no record.
    enum Step: Equatable {
        /// Move the file to this URL of the same recording; unpin it if that fails.
        case move(String, to: String)
        /// Allow the cache to evict the file.
        case unpin(String)
    }

    var steps: [Step] = []
    /// Episodes that are marked as downloaded but have no complete file.
    var lost: [EpisodeID] = []

    /// - Parameters:
    ///   - downloaded: the recorded URL of each downloaded episode.
    ///   - requested: URLs of requested episodes, oldest request first.
    ///   - recording: equal for URLs of the same recording: hosts change queries and tracking prefixes.
    init(
        _ downloaded: [EpisodeID: String], requested: [String], _ files: [PinnedFile],
        recording: (String) -> Int64 = MediaAddress.key
    ) {
        let wanted = Set(downloaded.values).union(requested)
        // A host may sign a URL again or wrap it in another: bytes fetched under the old URL are not fetched again.
        let successors = Dictionary(requested.map { (recording($0), $0) }) { first, _ in first }
        for file in files where !wanted.contains(file.url) {
            let successor = successors[recording(file.url)]
            steps.append(successor.map { .move(file.url, to: $0) } ?? .unpin(file.url))
        }
        let whole = Set(files.filter(\.isWhole).map(\.url))
        lost = downloaded.filter { !whole.contains($0.value) }.keys.sorted { $0.rawValue < $1.rawValue }
    }
}
