internal import MediaPorts
internal import PodcastModel
internal import Reporting

/// State of one download, which decides the next step from snapshots of its source.
struct DownloadFetch {
    enum Step: Equatable {
        /// The length is known for the first time: check the quota.
        case checkQuota(length: Int64, missing: Int64)
        case want(from: Int64)
        case finish
        /// Continue with other episodes. The server wants no further request for `retryAfter`.
        case giveUp(MediaFailure, retryAfter: Duration = .zero)
    }

    /// Attempts of one connection after which the next episode is tried.
    private static let mostAttempts = 3
    /// A longer pause before the next attempt is not waited for while another episode can be downloaded.
    private static let longestPause = Duration.seconds(5)
    /// Time without a new byte after which other waiting episodes are tried; less than one attempt at a silent server.
    private static let patience = Duration.seconds(8)

    let episode: EpisodeID
    let url: String
    let title: String
    let source: any ByteSource
    let activity: ActivityHandle
    var isWithinQuota = false
    /// Time when fetching began, or continued after playback needed the network.
    private var since: Instant
    /// True while the download waits because playback needs the network.
    private var isSuspended = false
    /// The fetched bytes, and the time of the last change.
    private var progress: (bytes: Int64, time: Instant)

    init(
        episode: EpisodeID, url: String, title: String, source: any ByteSource, activity: ActivityHandle, now: Instant
    ) {
        self.episode = episode
        self.url = url
        self.title = title
        self.source = source
        self.activity = activity
        since = now
        progress = (Self.available(source.snapshot), now)
    }

    mutating func suspend() {
        source.suspend()
        isSuspended = true
    }

    mutating func step(_ snapshot: ByteSourceSnapshot, othersWait: Bool, now: Instant) -> Step {
        if isSuspended {
            since = now
            progress.time = now
            isSuspended = false
        }
        let bytes = Self.available(snapshot)
        if bytes != progress.bytes { progress = (bytes, now) }
        return Self.step(
            snapshot, isWithinQuota: isWithinQuota, after: now - since,
            silence: othersWait ? now - progress.time : .zero)
    }

    /// From 0 to 1; nil while the length is unknown.
    static func progress(_ snapshot: ByteSourceSnapshot) -> Double? {
        guard let length = snapshot.length, length > 0 else { return nil }
        return Double(available(snapshot)) / Double(length)
    }

    /// - Parameters:
    ///   - elapsed: time since fetching began or continued.
    ///   - silence: time without a new byte while other episodes wait.
    static func step(
        _ snapshot: ByteSourceSnapshot, isWithinQuota: Bool, after elapsed: Duration = .zero, silence: Duration = .zero
    ) -> Step {
        if snapshot.isLive || isAsSlowAsLive(snapshot, after: elapsed) {
            return .giveUp(
                MediaFailure(.notAudio, "this is a live stream, which has no end to wait for; play it instead"))
        }
        switch snapshot.phase {
        case .failed(let failure): return .giveUp(failure, retryAfter: snapshot.retryAfter ?? .zero)
        case .waitingToRetry(let attempt, let delay, let reason)
        where attempt >= mostAttempts || .seconds(delay) > longestPause || silence >= patience:
            return .giveUp(MediaFailure(.network, reason), retryAfter: .seconds(delay))
        case .connecting where silence >= patience: return .giveUp(MediaFailure(.network, "the server does not answer"))
        case .idle, .connecting, .receiving, .waitingToRetry, .complete: break
        }
        let end = snapshot.end(ofAvailableFrom: 0)
        guard let length = snapshot.length else { return .want(from: end) }
        // Only in the phase `complete` the cache's index is being written too.
        if end >= length { return snapshot.phase == .complete ? .finish : .want(from: end) }
        return isWithinQuota ? .want(from: end) : .checkQuota(length: length, missing: length - available(snapshot))
    }

    /// After this time a file of unknown length must have arrived faster than a live stream of 512 kbit/s.
    private static let proofTime = Duration.seconds(120)
    private static let liveRate = 64_000.0

    /// True if a server that states no length sends about as fast as playback.
    private static func isAsSlowAsLive(_ snapshot: ByteSourceSnapshot, after elapsed: Duration) -> Bool {
        guard snapshot.length == nil, !snapshot.isSeekable, elapsed >= proofTime else { return false }
        return Double(available(snapshot)) < liveRate * elapsed.inSeconds
    }

    private static func available(_ snapshot: ByteSourceSnapshot) -> Int64 {
        snapshot.available.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    }
}
