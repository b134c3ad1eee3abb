internal import MediaPorts
internal import PodcastModel
internal import Reporting

/// State of one download, which decides the next step from snapshots of its source.
struct DownloadFetch {
    enum Step: Equatable {
        /// The file begins to arrive, or its length does not fit into the known room: check the quota.
        case checkQuota(length: Int64, missing: Int64)
        case want(from: Int64)
        case finish
        /// Continue with other episodes. The server wants no further request for `retryAfter`; nil if another one is useless.
        case giveUp(MediaFailure, retryAfter: Duration? = .zero)
    }

    /// Attempts of one connection after which the next episode is tried.
    private static let mostAttempts = 3
    /// A longer pause before the next attempt is not waited for while another episode can be downloaded.
    private static let longestPause = Duration.seconds(5)
    /// Time without a new byte after which other waiting episodes are tried; less than one attempt at a silent server.
    private static let patience = Duration.seconds(8)

    let episode: Episode
    let source: any ByteSource
    let activity: ActivityHandle
    /// The most bytes that the file may have; nil before the quota was checked.
    var room: Int64?
    /// Time when fetching began, or continued after playback needed the network.
    private var since: Instant
    /// True while the download waits because playback needs the network.
    private var isSuspended = false
    /// The fetched bytes, and the time of the last change.
    private var progress: (bytes: Int64, time: Instant)

    init(_ episode: Episode, source: any ByteSource, activity: ActivityHandle, now: Instant) {
        self.episode = episode
        self.source = source
        self.activity = activity
        since = now
        progress = (Self.available(source.snapshot), now)
    }

    var id: EpisodeID { episode.id }
    var url: String { episode.enclosure.url }

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
            snapshot, room: room, after: now - since, silence: othersWait ? now - progress.time : .zero)
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
        _ snapshot: ByteSourceSnapshot, room: Int64?, after elapsed: Duration = .zero, silence: Duration = .zero
    ) -> Step {
        if snapshot.isLive || isProbablyLive(snapshot, room: room, after: elapsed) {
            let doubt = snapshot.isLive ? "" : "probably "
            return .giveUp(
                MediaFailure(.notAudio, "this is \(doubt)a live stream, which has no end to wait for; play it instead"),
                retryAfter: nil)
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
        guard snapshot.length != nil || snapshot.phase == .receiving else { return .want(from: end) }
        let bytes = available(snapshot)
        let length = snapshot.length ?? bytes
        // Only in the phase `complete` the cache's index is being written too.
        if end >= length, snapshot.length != nil { return snapshot.phase == .complete ? .finish : .want(from: end) }
        if let room, length <= room { return .want(from: end) }
        return .checkQuota(length: length, missing: length - bytes)
    }

    /// After this time a file of unknown length must have arrived faster than a live stream of 512 kbit/s.
    private static let proofTime = Duration.seconds(120)
    private static let liveRate = 64_000.0
    /// After this time it must be complete.
    private static let longestTime = Duration.seconds(3600)

    /// True if a server that states no length sends about as fast as playback, or more than there is room for.
    private static func isProbablyLive(_ snapshot: ByteSourceSnapshot, room: Int64?, after elapsed: Duration) -> Bool {
        guard snapshot.length == nil else { return false }
        let bytes = available(snapshot)
        if elapsed >= longestTime || bytes > room ?? .max { return true }
        return !snapshot.isSeekable && elapsed >= proofTime && Double(bytes) < liveRate * elapsed.inSeconds
    }

    private static func available(_ snapshot: ByteSourceSnapshot) -> Int64 {
        snapshot.available.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    }
}
