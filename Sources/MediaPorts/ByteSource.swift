public import PodcastModel

/// The encoded bytes of one media file (cached episode or local file), some or all of them available. Any thread.
///
/// Bytes are read with pread(2), also by another process; this interface reports which are available and requests more.
public protocol ByteSource: AnyObject, Sendable {
    /// Read-only descriptor of the file, with each byte at its own offset; open until `close`.
    var descriptor: Int32 { get }
    /// Writable file in which a decoder keeps the places of frames for later sessions; open until `close`. Negative for none.
    var indexDescriptor: Int32 { get }
    var snapshot: ByteSourceSnapshot { get }
    /// Fetches from the first missing byte at or after `offset`, far enough ahead for playback; nothing if that is under way.
    func want(from offset: Int64)
    /// Adds a handler, called on the source's own thread after relevant changes of `snapshot` until `close`. Must not block.
    func observe(_ handler: @escaping @Sendable (ByteSourceSnapshot) -> Void)
    /// Stops fetching and closes the connection; available bytes stay readable. `want` resumes at the same byte.
    func suspend()
    /// Closes the source permanently, including the descriptor.
    func close()
}

extension ByteSource { public var indexDescriptor: Int32 { -1 } }

/// The state of a byte source at one point in time.
public struct ByteSourceSnapshot: Equatable, Sendable {
    /// In bytes, if known.
    public var length: Int64?
    /// Available byte ranges: ascending, disjoint and not adjacent.
    public var available: [Range<Int64>]
    /// MIME type from the server, without parameters; a hint.
    public var contentType: String?
    /// True if the source can fetch a missing byte without fetching all bytes before it.
    public var isSeekable: Bool
    /// True for a live stream, according to the server: each connection begins at the present, and there is no end.
    public var isLive = false
    public var phase: ByteSourcePhase
    /// Recent transfer rate in bytes per second; 0 without transfer.
    public var rate: Double
    /// The wait for a host that has not answered, or for the next attempt; nil in other phases.
    public var wait: HostWait?
    /// Bytes that the server announced and does not have; `length` is without them.
    public var missing: Int64 = 0
    /// How long the server wanted no further request when it refused the last one; nil if it named no time.
    public var retryAfter: Duration?

    public init(
        length: Int64? = nil, available: [Range<Int64>] = [], contentType: String? = nil, isSeekable: Bool = true,
        phase: ByteSourcePhase = .idle, rate: Double = 0
    ) {
        self.length = length
        self.available = available
        self.contentType = contentType
        self.isSeekable = isSeekable
        self.phase = phase
        self.rate = rate
    }

    /// End of the available range that contains `offset`; `offset` itself if that byte is missing.
    public func end(ofAvailableFrom offset: Int64) -> Int64 {
        for range in available where range.contains(offset) { return range.upperBound }
        return offset
    }
}

/// A wait for a host's answer, or for the next attempt.
public struct HostWait: Equatable, Sendable {
    public var begin: Instant
    /// Latest start of the next attempt.
    public var end: Instant

    public init(begin: Instant, end: Instant) {
        self.begin = begin
        self.end = end
    }

    /// Whole seconds since it began.
    public func seconds(at now: Instant) -> Int64 { (now.nanoseconds - begin.nanoseconds) / 1_000_000_000 }
}

/// Activity of a byte source; explains every wait that users notice.
public enum ByteSourcePhase: Equatable, Sendable {
    case idle
    /// Resolving, connecting, following redirects, waiting for the first byte.
    case connecting
    case receiving
    /// The network failed; attempt number `attempt` starts in `delay` seconds. `reason` is for users.
    case waitingToRetry(attempt: Int, delay: Double, reason: String)
    case complete
    case failed(MediaFailure)
}

/// Why a media file cannot be fetched or played.
public struct MediaFailure: Error, Equatable, CustomStringConvertible {
    /// Decides how the player reacts.
    public enum Kind: String, Sendable {
        /// HTTP 404 or 410, or no such file: permanent.
        case notFound
        /// HTTP 401 or 403: permanent until the login or the host changes.
        case forbidden
        /// The network failed, including all retries.
        case network
        /// The content is not audio (a web page, an empty file), or too long to be an episode.
        case notAudio
        case damaged
        /// The file changed at its host during playback.
        case changed
        case storage
        /// The sound device or another sink failed.
        case sink
        /// All outputs are disabled.
        case noOutput
        /// A decoder is missing or cannot be started.
        case decoder
        /// A bug in podcastd.
        case `internal`
    }
    public var kind: Kind
    /// What failed and what to do, in one line for users.
    public var message: String
    /// The title of the failed episode if another one is the current episode.
    public var title: String?
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
    public var description: String { title.map { "'\($0)': \(message)" } ?? message }

    /// Whether the host refused the address of the file: hosts sign addresses that expire.
    public var mayBeOfAddress: Bool { kind == .forbidden || kind == .notFound }
}
