internal import HTTP
internal import MediaPorts
internal import PodcastModel

/// State of an open episode: a value without network, disk or clock. `CachedEpisode` guards it with a lock and performs the
/// actions of its parts: `FetchPlan` decides what to fetch, `EpisodeUsers` for whom,
/// `IndexState` when the index is written, `ChangeReports` when users are notified.
struct EpisodeState {
    struct Fetch {
        let number: Int
        let id: HTTPThread.TransferID
        /// Whether the first bytes of the file must still be examined.
        var isUnexamined = false
    }

    var plan: FetchPlan
    var users = EpisodeUsers()
    var fetch: Fetch?
    var lastFetch = 0
    var index = IndexState()
    var reports = ChangeReports()
    var rate = RateMeter()
    /// The last attempt to get an answer, or the last pause between two.
    var wait: HostWait?

    init(plan: FetchPlan) {
        self.plan = plan
        reports = ChangeReports(reported: snapshot(now: .distantPast))
    }

    /// Whether no bytes are fetched or awaited now.
    var isOver: Bool { plan.isAtRest || plan.isHeld }

    func snapshot(now: Instant) -> ByteSourceSnapshot {
        var snapshot = ByteSourceSnapshot(
            length: plan.known.length, available: plan.known.have.ranges, contentType: plan.known.contentType,
            isSeekable: plan.isSeekable, phase: plan.phase, rate: plan.phase == .receiving ? rate.value(now: now) : 0)
        snapshot.isLive = plan.isLive
        snapshot.missing = plan.missing
        snapshot.retryAfter = plan.retryAfter.map { .seconds($0) }
        switch plan.phase {
        case .connecting, .waitingToRetry: snapshot.wait = wait
        case .idle, .receiving, .complete, .failed: break
        }
        return snapshot
    }

    enum Remains {
        /// The episode is in use, or bytes are still being fetched, or stored bytes are not indexed yet.
        case fetching
        /// An index is being written.
        case saving
        case settled
    }

    var remains: Remains {
        guard users.isEmpty, plan.isAtRest, fetch == nil, index.isCurrent else { return .fetching }
        return index.writes > 0 ? .saving : .settled
    }
}

/// Whether the index on disk covers all stored bytes.
struct IndexState {
    /// Bytes since the last index of any kind; nil if an index that survives a power cut covers all, or is being written.
    private var uncovered: Int64?
    /// Number of indexes that are being written.
    var writes = 0

    var isCurrent: Bool { uncovered == nil }

    mutating func stored(_ count: Int64) { uncovered = (uncovered ?? 0) + count }

    /// - Returns: whether an index must be written because this number of bytes is not covered.
    mutating func isDue(after limit: Int64) -> Bool {
        guard let uncovered, uncovered >= limit else { return false }
        self.uncovered = 0
        return true
    }

    /// - Returns: whether an index that survives a power cut must be written now.
    mutating func isDurableDue() -> Bool { exchange(&uncovered, with: nil) != nil }
}

/// Decides when users are notified: at once when an awaited byte arrived or anything except bytes changed, otherwise ten times
/// a second.
struct ChangeReports {
    private static let interval = Duration.milliseconds(100)

    private var reported: ByteSourceSnapshot
    private var reportedAt = Instant.distantPast
    /// Whether a change was held back.
    private var isDelayed = false
    private var hasTimer = false

    /// - Parameter reported: what users know from the start.
    init(reported: ByteSourceSnapshot = ByteSourceSnapshot()) { self.reported = reported }

    func hasUnreported(at offset: Int64, _ have: ByteRanges) -> Bool {
        have.end(from: offset) > offset && reported.end(ofAvailableFrom: offset) <= offset
    }

    mutating func isDue(_ snapshot: ByteSourceSnapshot, wanted: [Int64], isUrgent: Bool, now: Instant) -> Bool {
        var comparable = snapshot
        comparable.rate = reported.rate
        let isOther =
            reported.phase != snapshot.phase || reported.length != snapshot.length
            || reported.isSeekable != snapshot.isSeekable
        let isAwaited = wanted.contains { offset in
            snapshot.end(ofAvailableFrom: offset) > offset && reported.end(ofAvailableFrom: offset) <= offset
        }
        let hasChanged = comparable != reported
        let isDue = hasChanged && (isUrgent || isOther || isAwaited || now - reportedAt >= Self.interval)
        if isDue {
            reported = snapshot
            reportedAt = now
        }
        isDelayed = hasChanged && !isDue
        return isDue
    }

    /// - Returns: time until `timerFired` must be called; nil if no new timer is needed.
    mutating func nextTimer(now: Instant) -> Duration? {
        guard isDelayed, !hasTimer else { return nil }
        hasTimer = true
        return max(.milliseconds(1), reportedAt + Self.interval - now)
    }

    mutating func timerFired() { hasTimer = false }
}
