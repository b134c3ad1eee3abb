/// Encoded bytes of one media file, partly or wholly at hand: an episode cache entry or a local file.
///
/// The bytes are read through `descriptor` with pread(2), by another process too; this interface only says
/// which of them are there and asks for more. Those in the snapshot's `memory` are read through `memoryDescriptor`, at
/// the places that it tells, and count only if the window still holds them after they were read. All methods may be called
/// from any thread.
public protocol ByteSource: AnyObject, Sendable {
    /// Read-only descriptor of the file that holds the bytes at their own offsets; open until `close`.
    var descriptor: Int32 { get }
    /// Read-only descriptor of what is kept in memory because the disk does not take it; open until `close`. Negative where
    /// there never is any.
    var memoryDescriptor: Int32 { get }
    /// What is known and at hand now.
    var snapshot: ByteSourceSnapshot { get }
    /// Says that bytes from `offset` on are wanted next. The source fetches from the first one missing, far
    /// enough ahead for playing; it does nothing when it is already on its way there.
    func want(from offset: Int64)
    /// Calls `handler` whenever `snapshot` has changed in a way a reader cares about, from the source's own
    /// thread; the handler must return at once. Set before the first `want`; nil takes it away.
    func observe(_ handler: (@Sendable (ByteSourceSnapshot) -> Void)?)
    /// Stops fetching and lets the network go; bytes at hand stay readable. `want` starts again at the same byte.
    func suspend()
    /// Stops for good and closes the descriptor.
    func close()
}

/// What is known of a byte source at one instant.
public struct ByteSourceSnapshot: Equatable, Sendable {
    /// Total length in bytes, when known.
    public var length: Int64?
    /// Byte ranges at hand: ascending, disjoint, not touching.
    public var available: [Range<Int64>]
    /// The server's MIME type without parameters; a hint.
    public var contentType: String?
    /// Whether a byte that is missing can be had without fetching all before it.
    public var isSeekable: Bool
    /// What the source is doing.
    public var phase: ByteSourcePhase
    /// Bytes per second that came in of late; 0 when nothing flows.
    public var rate: Double
    /// Those of `available` that are in memory.
    public var memory = MemoryWindow()
    /// Why bytes are kept in memory, and what to do about it, for people; nil while the disk takes them.
    public var shortage: String?

    /// A snapshot of a source.
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

    /// The end of what is at hand from `offset` on without a gap; `offset` itself when that byte is missing.
    public func end(ofAvailableFrom offset: Int64) -> Int64 {
        for range in available where range.contains(offset) { return range.upperBound }
        return offset
    }
}

/// Bytes of a file that are kept in a ring of memory: byte `n` stands at `n % capacity`.
public struct MemoryWindow: Equatable, Sendable {
    /// Which bytes of the file; never more than `capacity`.
    public var range: Range<Int64>
    /// Bytes of the ring; at least 1.
    public var capacity: Int64

    /// A window that holds these bytes.
    public init(_ range: Range<Int64> = 0..<0, capacity: Int64 = 1) {
        self.range = range
        self.capacity = max(1, capacity)
    }

    /// How many they are.
    public var count: Int64 { range.upperBound - range.lowerBound }

    /// Where a byte stands, and how many stand after one another from there on.
    public func place(of offset: Int64) -> (place: Int64, count: Int64) {
        let place = offset % capacity
        return (place, min(range.upperBound - offset, capacity - place))
    }
}

/// What a byte source is doing; the cause of every wait a listener notices.
public enum ByteSourcePhase: Equatable, Sendable {
    /// Nothing is asked for.
    case idle
    /// Resolving, connecting, following redirects, waiting for the first byte.
    case connecting
    /// Bytes flow.
    case receiving
    /// The network failed; the next try is `attempt`, in `delay` seconds. `reason` is for people.
    case waitingToRetry(attempt: Int, delay: Double, reason: String)
    /// All that was asked for is at hand.
    case complete
    /// It cannot be had: `reason` is for people.
    case failed(MediaFailure)
}

/// Why a media file cannot be had or played.
public struct MediaFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind decides what happens next.
    public enum Kind: String, Sendable {
        /// 404, 410 or no such file: final.
        case notFound
        /// 401, 403: final until something changes.
        case forbidden
        /// The network gave up after all retries.
        case network
        /// It came, but it is no audio: a web page, an empty file.
        case notAudio
        /// The decoder could not go on.
        case damaged
        /// The file changed at its host while it was played.
        case changed
        /// The disk or the cache failed.
        case storage
        /// The sound device or another sink failed.
        case sink
        /// A fault of ours.
        case `internal`
    }
    /// Which kind it is.
    public var kind: Kind
    /// What happened and what to do, in one line for people.
    public var message: String
    /// A failure of a kind.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
    /// The message.
    public var description: String { message }
}
