internal import MediaPorts
internal import PodcastModel

/// State machine of fetching one file: decides what to request and how to handle failures. A value; events go in, actions come
/// out. Instants come from the caller. docs/AUDIO.md draws its states.
struct FetchPlan {
    /// Identifies one version of a file (RFC 9110, 8.8); as received.
    struct Validator: Equatable {
        var etag: String?
        var lastModified: String?
    }

    struct Settings {
        /// Bytes available after the wanted one at which fetching pauses.
        var readAhead: Int64 = 64 << 20
        /// Missing bytes before an offset for which the current request is kept instead of making a new one.
        var nearby: Int64 = 256 << 10
        /// Available bytes that a request includes before the missing ones, and after them if others follow. They show that a
        /// file was replaced, also if the server does not report it.
        var overlap: Int64 = 4 << 10
        /// `overlap` if the server reports another version: eight seconds at 128 kbit/s, which differ between two recordings.
        var proof: Int64 = 128 << 10
        /// Bytes of the longest file that is accepted.
        var maximumLength: Int64 = 8 << 30
        /// Announced bytes that a host may not have although the file is whole: a second at 128 kbit/s, or a hundredth.
        var shortfall: Int64 = 16 << 10
        var retry = RetryPolicy()
    }

    /// Facts about a file that are kept between sessions.
    struct Knowledge: Equatable {
        var have = ByteRanges()
        var length: Int64?
        /// The version of the bytes.
        var validator = Validator()
        /// The MIME type without parameters.
        var contentType: String?
        /// Target of redirects, used first so that all requests get the same file. Nil uses the episode's URL.
        var redirectTarget: String?

        /// Whether every byte is available. False for an empty file.
        var isWhole: Bool { length.map { $0 > 0 && have.end(from: 0) >= $0 } ?? false }
    }

    struct Request: Equatable {
        /// The first byte wanted; 0 when `usesRange` is false.
        var start: Int64
        /// The byte after the last one wanted; nil for the end of the file.
        var end: Int64?
        var usesRange: Bool
        /// The URL to use instead of the episode's.
        var redirectTarget: String?
        /// Number of failed attempts before it; later ones get longer time limits.
        var attempt: Int
        /// Whether a compressed answer is decoded.
        var decodes = false
    }

    struct Run: Equatable {
        var request: Request
        /// Offset of the next byte of the answer.
        var position: Int64
        /// The byte after the last one that the answer announced.
        var end: Int64?
        var gained: Int64 = 0
        /// Number of bytes that must still match the available ones before the reported version counts as the same.
        var unproven: Int64 = 0
        /// Whether the answer reports another version than that of the available bytes.
        var isOfOtherName = false
    }

    enum State: Equatable {
        /// Nothing is fetched; next: requesting, complete.
        case idle
        /// A request was made; next: receiving, waiting, failed, idle.
        case requesting(Run)
        /// The answer arrives; next: held, complete, waiting, requesting, failed, idle.
        case receiving(Run)
        /// The answer is paused because enough bytes are available; next: as for receiving.
        case held(Run)
        /// Timer `number` starts the next attempt; next: requesting, idle, failed.
        case waiting(number: Int, phase: ByteSourcePhase)
        /// All bytes from the wanted one on are available; next: requesting, idle.
        case complete
        /// Permanent failure; next: idle, by `suspend` after a failure of the network or of the disk.
        case failed(MediaFailure)
    }

    /// What the versions that the server reports are worth; `doubts` counts answers with another version.
    enum Versions: Equatable {
        /// The versions identify the file; next: doubtful.
        case consistent(doubts: Int)
        /// The last answer reported another version; bytes must be compared; next: consistent, varying.
        case doubtful(doubts: Int)
        /// The same bytes have several versions, for example because each node of the host makes its own ETags.
        case varying
    }

    /// To be performed in order; there is at most one request at a time.
    enum Action: Equatable {
        case request(Request)
        case cancel, resume
        /// Call `timer(number:now:)` after this time.
        case wake(number: Int, after: Duration)
        /// Delete the stored bytes once no user reads them: they are outdated or not audio.
        case discard
    }

    var known: Knowledge
    /// False once the server has not honoured a range request.
    var isSeekable = true
    /// Whether the server sends a live stream; see `ByteSourceSnapshot.isLive`.
    var isLive = false

    let settings: Settings
    let host: String
    /// The URL as messages show it.
    let address: String
    var state = State.idle
    /// The time of the last event.
    var now = Instant.distantPast
    var wanted: Int64 = 0
    /// Failed attempts since the last answer with new bytes.
    var attempt = 0
    /// Seconds from `Retry-After` of the last failure.
    var retryAfter: Int?
    /// When new bytes arrived last, or were first wanted after a suspension.
    var lastProgress = Instant.distantPast
    /// Whether a server has answered in this session.
    var wasReached = false
    /// Whether range requests are useless: refused, or answered wrongly.
    var avoidsRanges = false
    var versions = Versions.consistent(doubts: 0)
    /// Length of the last answer, which limits the overlap of the next request; nil before the first.
    var lastBody: Int64?
    var lastTimer = 0
    /// Whether the last request was sent with a login.
    var sendsLogin = false
    /// Whether the server compresses although the request declined it.
    var isCompressed = false
    /// The byte at which the last answer ended early, and the number of answers that ended there without a new byte.
    var deadEnd = (position: Int64(0), count: 0)
    /// The bytes ahead for which the disk had room when it was full; fetching continues once half of them were read.
    private var room = Int64.max
    /// Bytes that the server announced and does not have.
    var missing: Int64 = 0

    init(host: String, address: String? = nil, known: Knowledge = Knowledge(), settings: Settings = Settings()) {
        self.host = host
        self.address = address ?? host
        self.known = known
        self.settings = settings
        if isWhole { state = .complete }
    }

    var isWhole: Bool { known.isWhole }

    /// Whether later requests could only fetch all available bytes again: they begin at the present, or at byte 0.
    var isUselessLater: Bool { isLive || !isSeekable && known.length == nil && !known.have.ranges.isEmpty }

    var isHeld: Bool { if case .held = state { true } else { false } }

    /// Whether there is no request and no timer.
    var isAtRest: Bool {
        switch state {
        case .idle, .complete, .failed: true
        case .requesting, .receiving, .held, .waiting: false
        }
    }

    var phase: ByteSourcePhase {
        switch state {
        case .idle, .held: .idle
        case .requesting: .connecting
        case .receiving: .receiving
        case .waiting(_, let phase): phase
        case .complete: .complete
        case .failed(let failure): .failed(failure)
        }
    }

    // MARK: Events

    /// Records the wanted offset if that neither requires an action nor changes the state.
    /// - Returns: false if `want` must be called.
    mutating func absorb(wantFrom offset: Int64) -> Bool {
        var plan = self
        guard plan.want(from: offset, now: lastProgress).isEmpty, plan.state == state else { return false }
        self = plan
        return true
    }

    mutating func want(from offset: Int64, now: Instant) -> [Action] {
        self.now = now
        wanted = max(0, offset)
        switch state {
        case .failed, .waiting: return []
        case .idle where ahead > room / 2: return []
        case .idle, .complete:
            room = .max
            lastProgress = now
            return proceed()
        case .requesting(let run), .receiving(let run):
            return willReach(wanted, run) ? [] : [.cancel] + proceed()
        case .held(let run):
            lastProgress = now
            guard willReach(wanted, run) else { return [.cancel] + proceed() }
            if run.position - wanted >= settings.readAhead / 2 { return [] }
            state = .receiving(run)
            return [.resume]
        }
    }

    /// No user wants bytes.
    mutating func suspend() -> [Action] {
        attempt = 0
        switch state {
        case .idle, .complete: break
        case .waiting: state = .idle
        case .requesting, .receiving, .held:
            state = .idle
            return [.cancel]
        case .failed(let failure):
            // At the next request the network may work again, or the disk have space.
            if failure.kind == .network || failure.kind == .storage { state = .idle }
        }
        return []
    }

    /// Forgets all bytes but those from the wanted one on, because the disk is full.
    /// - Returns: the bytes that stay.
    mutating func forgetUnwanted() -> Range<Int64> {
        let kept = wanted..<wanted + ahead
        known.have = ByteRanges([kept])
        return kept
    }

    /// The disk has no room for more bytes. Fails if none are ahead that a user can read.
    mutating func waitForRoom(_ failure: MediaFailure) -> [Action] {
        guard ahead > 0 else { return fail(failure) }
        room = ahead
        return suspend()
    }

    private var ahead: Int64 { known.have.end(from: wanted) - wanted }

    mutating func timer(number: Int, now: Instant) -> [Action] {
        guard case .waiting(number, _) = state else { return [] }
        self.now = now
        return proceed()
    }

    /// The received bytes are not audio.
    mutating func refuseContents(_ message: String) -> [Action] { fail(MediaFailure(.notAudio, message)) + [.discard] }

    // MARK: Parts

    /// Makes the next request if bytes from the wanted one on are missing.
    mutating func proceed() -> [Action] {
        if known.length == 0 { return refuseContents("\(host) sent an empty file") }
        guard let start = target(from: wanted) else {
            state = .complete
            return []
        }
        var request = Request(start: 0, usesRange: !avoidsRanges, attempt: attempt, decodes: isCompressed)
        // If-Range is not sent: a server that reports another version would send the whole file, even if the bytes are the same.
        if isLive { request.usesRange = false }
        if request.usesRange { (request.start, request.end) = range(for: start) }
        // The target of old redirects may be gone although the episode's URL still works.
        if attempt < 2 { request.redirectTarget = known.redirectTarget }
        state = .requesting(Run(request: request, position: request.start))
        return [.request(request)]
    }

    /// The range to request for a missing byte, with available bytes on both sides for comparison.
    private func range(for missing: Int64) -> (start: Int64, end: Int64?) {
        // An answer that ends early must bring new bytes, too.
        let reach = lastBody ?? .max
        let before = missing - known.have.start(upTo: missing)
        if case .doubtful = versions {
            let proof = max(1, min(settings.proof, reach / 2))
            // If too few bytes before it are available, compare other bytes of the file first.
            if before < proof, let most = known.have.ranges.max(by: { $0.count < $1.count }), most.count > before {
                return (max(most.lowerBound, most.upperBound - proof), most.upperBound)
            }
            return (missing - min(before, proof), known.have.nextStart(after: missing))
        }
        let overlap = min(settings.overlap, reach / 4)
        let end = known.have.nextStart(after: missing).map { min($0 + overlap, known.have.end(from: $0)) }
        return (missing - min(before, overlap), end)
    }

    /// The first missing byte from an offset on; nil if there is none up to the end of the file.
    func target(from offset: Int64) -> Int64? {
        let missing = known.have.end(from: max(0, offset))
        if let length = known.length, missing >= length { return nil }
        return missing
    }

    /// Whether a request will soon bring the first missing byte from an offset on.
    private func willReach(_ offset: Int64, _ run: Run) -> Bool {
        guard let missing = target(from: offset) else { return true }
        if missing < run.position { return false }
        if let end = run.end ?? run.request.end, missing >= end { return false }
        // Without range requests waiting is the fastest way.
        return avoidsRanges || missing - run.position <= settings.nearby
    }

    mutating func fail(_ failure: MediaFailure) -> [Action] {
        defer { state = .failed(failure) }
        switch state {
        case .requesting, .receiving, .held: return [.cancel]
        case .idle, .waiting, .complete, .failed: return []
        }
    }

    mutating func failChanged() -> [Action] {
        fail(MediaFailure(.changed, "\(host) has replaced the file")) + [.discard]
    }
}

/// When a failed fetch is retried, and when it is given up.
struct RetryPolicy {
    /// Delay before the second attempt; doubles with each further one.
    var firstDelay = Duration.milliseconds(500)
    /// Longest delay between attempts.
    var longestDelay = Duration.seconds(30)
    /// Time without a new byte after which the fetch fails.
    var patience = Duration.seconds(300)
    /// `patience` while no server was reached: a wrong host name should not look like a slow network for minutes.
    var patienceBeforeContact = Duration.seconds(30)
    /// `patience` while no server has answered: one that accepts connections and stays silent must not hold up the queue.
    var patienceBeforeAnswer = Duration.seconds(90)
    /// New bytes after which an answer counts as a success: the next attempt starts at once and counts as the first.
    var progress: Int64 = 16 << 10
    /// New bytes after which the next attempt follows after `pause`, without a limit: at least 10 KB/s.
    var useful: Int64 = 1 << 10
    /// Delay after an answer with `useful` bytes but less than `progress`: at most ten requests a second.
    var pause = Duration.milliseconds(100)
    /// A number from 0 to 1 that spreads the attempts of many clients over time.
    var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// - Parameters:
    ///   - attempt: 1 for the first attempt after a failure.
    ///   - asked: seconds from `Retry-After`.
    func delay(beforeAttempt attempt: Int, asked: Int?) -> Duration {
        let doubled = firstDelay * (1 << min(max(attempt - 1, 0), 16))
        let half = min(doubled, longestDelay) / 2
        return max(half + half * random(), .seconds(min(asked ?? 0, 86_400)))
    }
}
