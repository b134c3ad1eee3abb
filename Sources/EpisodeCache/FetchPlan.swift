public import MediaPorts

/// Decides what is fetched of one file, and what a failure means: a value that performs nothing.
///
/// Events go in, actions come out; times are CLOCK_MONOTONIC nanoseconds that the caller passes in.
public struct FetchPlan: Sendable {
    /// What identifies one version of a file (RFC 9110, 8.8): both opaque, as received.
    public struct Validator: Equatable, Sendable {
        /// The ETag with its quotes.
        public var etag: String?
        /// The Last-Modified date.
        public var lastModified: String?

        /// A validator.
        public init(etag: String? = nil, lastModified: String? = nil) {
            self.etag = etag
            self.lastModified = lastModified
        }
    }

    /// The limits of a plan.
    public struct Settings: Sendable {
        /// Bytes that may be at hand beyond the one wanted before fetching pauses.
        public var readAhead: Int64 = 64 << 20
        /// Bytes that are waited for rather than asked for with a new request.
        public var nearby: Int64 = 256 << 10
        /// The same while they are kept in memory, because the disk takes none; as many again may be kept of what was heard.
        public var memoryReadAhead: Int64 = 8 << 20
        /// Nanoseconds until a full disk is tried again.
        public var roomDelay: Int64 = 5_000_000_000
        /// Bytes at hand that a request asks for once more before those that are missing, and after them where others follow:
        /// they tell a file that was replaced, also where the server says nothing of it.
        public var overlap: Int64 = 4 << 10
        /// The same where a server names another version: eight seconds of 128 kbit/s, which two recordings do not share.
        public var proof: Int64 = 128 << 10
        /// The longest file that is taken.
        public var maximumLength: Int64 = 8 << 30
        /// When failures are tried again.
        public var retry = RetryPolicy()

        /// The usual limits.
        public init() {}
    }

    /// What is remembered of a file between sessions.
    public struct Knowledge: Equatable, Sendable {
        /// The bytes at hand.
        public var have = ByteRanges()
        /// The file's length, once known.
        public var length: Int64?
        /// The version that the bytes are of.
        public var validator = Validator()
        /// The MIME type without parameters.
        public var contentType: String?
        /// Where redirects led; asked first, so that one listening gets one file. Nil asks the URL itself.
        public var pinnedURL: String?

        /// Nothing.
        public init() {}
    }

    /// A request that is to be made.
    public struct Request: Equatable, Sendable {
        /// The first byte wanted; 0 when `usesRange` is false.
        public var start: Int64
        /// The byte after the last one wanted; nil for the end of the file.
        public var end: Int64?
        /// Whether a Range is sent.
        public var usesRange: Bool
        /// The URL to ask in place of the file's own.
        public var pinnedURL: String?
        /// Failed tries before it, for its time limits.
        public var attempt: Int
    }

    /// One request under way.
    struct Run: Equatable, Sendable {
        var request: Request
        /// The next byte that comes.
        var position: Int64
        /// The byte after the last one that the answer announced.
        var end: Int64?
        /// Bytes that were new.
        var gained: Int64 = 0
        /// Bytes that have still to be the same as those at hand before the version that the answer names counts as theirs.
        var unproven: Int64 = 0
        /// Whether the answer names another version than the bytes at hand are of.
        var isOfOtherName = false
    }

    /// What is going on.
    enum State: Equatable, Sendable {
        /// Nothing is fetched; next: requesting, complete.
        case idle
        /// A request was made; next: receiving, waiting, failed, idle.
        case requesting(Run)
        /// Its answer comes; next: held, complete, waiting, requesting, failed, idle.
        case receiving(Run)
        /// Its answer is paused, far enough ahead; next: as for receiving.
        case held(Run)
        /// The next try comes with timer `number`; next: requesting, idle, failed.
        case waiting(number: Int, phase: ByteSourcePhase)
        /// All from the wanted byte on is there; next: requesting, idle.
        case complete
        /// It cannot be had; next: idle, by `suspend` after a failure of the network.
        case failed(MediaFailure)
    }

    /// What is to be done, in order.
    public enum Action: Equatable, Sendable {
        /// Make a request; there is none under way.
        case request(Request)
        /// Drop the request under way.
        case cancel
        /// Pause the request under way; comes with bytes only.
        case hold
        /// Let it go on.
        case resume
        /// Call `timer(number:now:)` after so many nanoseconds.
        case wake(number: Int, after: Int64)
        /// Throw the stored bytes away once nobody reads them: they are of an old version, or no audio.
        case discard
    }

    /// What is known of the file.
    public internal(set) var known: Knowledge
    /// Whether the server is known to serve ranges, or not known not to.
    public internal(set) var isSeekable = true

    let settings: Settings
    /// The host's name, for messages.
    let host: String
    var state = State.idle
    var wanted: Int64 = 0
    /// Failed tries since the last answer that brought something.
    var attempt = 0
    /// When new bytes came last, or were wanted for the first time after a rest.
    var lastProgress: Int64 = 0
    /// Whether a server has answered in this session.
    var wasReached = false
    /// Whether ranges are in vain: refused, or answered wrongly.
    var avoidsRanges = false
    /// Whether an answer named another version of which nothing was compared yet, and how often that came.
    var needsProof = false
    var doubts = 0
    /// Whether the server names several versions of the same bytes, as one does whose machines each make their own ETag.
    var namesVary = false
    /// Bytes of the last answer that broke off or ended, which bound what is asked for twice; nil before the first.
    var lastBody: Int64?
    var lastTimer = 0
    /// Whether bytes that come are kept in memory.
    public var fillsMemory = false

    /// A plan for a file of which something may be known already.
    public init(host: String, known: Knowledge = Knowledge(), settings: Settings = Settings()) {
        self.host = host
        self.known = known
        self.settings = settings
        if isWhole { state = .complete }
    }

    /// Bytes to have at hand beyond the one wanted.
    var readAhead: Int64 { fillsMemory ? min(settings.memoryReadAhead, settings.readAhead) : settings.readAhead }

    /// Whether every byte of the file is at hand.
    public var isWhole: Bool { known.length.map { known.have.end(from: 0) >= $0 } ?? false }

    /// Whether the request under way is to be paused.
    var isHeld: Bool {
        switch state {
        case .held: true
        case .idle, .requesting, .receiving, .waiting, .complete, .failed: false
        }
    }

    /// Whether there is nothing to stop.
    var isAtRest: Bool {
        switch state {
        case .idle, .complete, .failed: true
        case .requesting, .receiving, .held, .waiting: false
        }
    }

    /// What is going on, for people.
    public var phase: ByteSourcePhase {
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

    /// Takes note of a want if nothing has to be done for it.
    /// - Returns: false when `want` has to be called.
    mutating func absorb(wantFrom offset: Int64) -> Bool {
        switch state {
        case .idle: return false
        case .failed: return true
        case .waiting:
            wanted = max(0, offset)
            return true
        case .complete:
            if target(from: offset) != nil { return false }
            wanted = max(0, offset)
            return true
        case .held(let run):
            if run.position - offset < readAhead / 2 || !willReach(offset, run) { return false }
            wanted = max(0, offset)
            return true
        case .requesting(let run), .receiving(let run):
            guard willReach(offset, run) else { return false }
            wanted = max(0, offset)
            return true
        }
    }

    /// Bytes from `offset` on are wanted next.
    public mutating func want(from offset: Int64, now: Int64) -> [Action] {
        wanted = max(0, offset)
        switch state {
        case .failed, .waiting: return []
        case .idle, .complete:
            lastProgress = now
            return proceed(now: now)
        case .requesting(let run), .receiving(let run):
            return willReach(wanted, run) ? [] : [.cancel] + proceed(now: now)
        case .held(let run):
            lastProgress = now
            guard willReach(wanted, run) else { return [.cancel] + proceed(now: now) }
            if run.position - wanted >= readAhead / 2 { return [] }
            state = .receiving(run)
            return [.resume]
        }
    }

    /// Nothing is wanted any more for now.
    public mutating func suspend() -> [Action] {
        attempt = 0
        switch state {
        case .idle, .complete: return []
        case .waiting:
            state = .idle
            return []
        case .requesting, .receiving, .held:
            state = .idle
            return [.cancel]
        case .failed(let failure):
            // The network may be better when somebody wants it again.
            if failure.kind == .network { state = .idle }
            return []
        }
    }

    /// A timer has come.
    public mutating func timer(number: Int, now: Int64) -> [Action] {
        guard case .waiting(number, _) = state else { return [] }
        return proceed(now: now)
    }

    /// Bytes that were at hand are so no more.
    public mutating func dropped(_ range: Range<Int64>) { known.have.remove(range) }

    /// There is no room for the bytes that come, neither on the disk nor in memory: they are asked for again now and then
    /// until there is, however long that takes, since what is at hand can be heard meanwhile.
    public mutating func foundNoRoom(_ message: String, now: Int64) -> [Action] {
        switch state {
        case .requesting, .receiving, .held:
            lastProgress = now
            return [.cancel] + wait(settings.roomDelay, attempt: max(1, attempt), reason: message)
        case .idle, .waiting, .complete, .failed: return []
        }
    }

    /// What came is no audio.
    public mutating func refuseContents(_ message: String) -> [Action] {
        fail(MediaFailure(.notAudio, message)) + [.discard]
    }

    // MARK: Parts

    /// Makes the next request, if anything is missing from the wanted byte on.
    mutating func proceed(now: Int64) -> [Action] {
        guard let start = target(from: wanted) else {
            state = .complete
            return []
        }
        var request = Request(start: 0, usesRange: !avoidsRanges, attempt: attempt)
        // If-Range is not sent: a server that names another version would answer with the whole file from its beginning,
        // even if the bytes are the same.
        if request.usesRange { (request.start, request.end) = range(for: start) }
        // A pinned place may have gone while the episode's own URL still leads to it.
        if attempt < 2 { request.pinnedURL = known.pinnedURL }
        state = .requesting(Run(request: request, position: request.start))
        return [.request(request)]
    }

    /// What to ask for so that a missing byte comes: with bytes at hand on both sides, to be compared.
    private func range(for missing: Int64) -> (start: Int64, end: Int64?) {
        // An answer that breaks off early has to bring something new nevertheless.
        let reach = lastBody ?? .max
        let before = missing - known.have.start(upTo: missing)
        if needsProof {
            let proof = max(1, min(settings.proof, reach / 2))
            // Where too little is at hand before the byte, other bytes of the file say whether it is another one.
            if before < proof, let most = known.have.ranges.max(by: { $0.count < $1.count }), most.count > before {
                return (max(most.lowerBound, most.upperBound - proof), most.upperBound)
            }
            return (missing - min(before, proof), known.have.nextStart(after: missing))
        }
        let overlap = min(settings.overlap, reach / 4)
        let end = known.have.nextStart(after: missing).map { min($0 + overlap, known.have.end(from: $0)) }
        return (missing - min(before, overlap), end)
    }

    /// The first byte from an offset on that is missing; nil when there is none up to the file's end.
    func target(from offset: Int64) -> Int64? {
        let missing = known.have.end(from: max(0, offset))
        if let length = known.length, missing >= length { return nil }
        return missing
    }

    /// Whether a request under way will bring what is missing from an offset on soon enough.
    private func willReach(_ offset: Int64, _ run: Run) -> Bool {
        guard let missing = target(from: offset) else { return true }
        if missing < run.position { return false }
        if let end = run.end ?? run.request.end, missing >= end { return false }
        // Without ranges there is no faster way than to wait.
        return avoidsRanges || missing - run.position <= settings.nearby
    }

    /// Ends for good.
    mutating func fail(_ failure: MediaFailure) -> [Action] {
        defer { state = .failed(failure) }
        switch state {
        case .requesting, .receiving, .held: return [.cancel]
        case .idle, .waiting, .complete, .failed: return []
        }
    }

    mutating func failChanged() -> [Action] {
        fail(MediaFailure(.changed, "\(host) has replaced the file; play it again to get the new one")) + [.discard]
    }
}
