/// Decoded audio as the sink thread sees it: chunks in order, read without waiting.
///
/// Every method is called on the sink thread only, takes no lock and allocates nothing.
public protocol PCMSource: AnyObject, Sendable {
    /// The next chunk's description; nil when nothing is decoded yet. Chunks of older generations were dropped.
    func nextChunk() -> PCMChunk?
    /// Copies the rest of the chunk that `nextChunk` described, at most what fits in whole frames, and consumes it.
    /// - Returns: bytes copied; the chunk is gone when all of it was.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
    /// A descriptor that becomes readable when something was decoded after `nextChunk` gave nil; an eventfd.
    var readinessDescriptor: Int32 { get }
    /// Says that the reader is about to wait on `readinessDescriptor`, and makes that unreadable; returns false when
    /// there is something to read after all, so that no doorbell is missed.
    func prepareToWait() -> Bool
    /// Decoded frames waiting to be read, in seconds; from any thread.
    var bufferedSeconds: Double { get }
    /// Whether the end chunk of the newest generation is in the ring, so that waiting for more is in vain; from any thread.
    var isComplete: Bool { get }
}

/// One run of frames that belong together.
public struct PCMChunk: Equatable, Sendable {
    /// What the chunk is.
    public enum Kind: UInt32, Sendable {
        /// Frames to hear.
        case frames = 1
        /// The last frame of the file came before; there are none in it.
        case end = 2
    }
    /// Frames or the end.
    public var kind: Kind
    /// Number that changes at every seek, stop or new entry; older ones are stale.
    public var generation: UInt32
    /// The format of its frames.
    public var format: PCMFormat
    /// Where its first unread frame stands in the file, in frames of `format.rate`.
    public var mediaStart: Int64
    /// Where the frame after its last one stands; differs from start + count when the speed is not 1.
    public var mediaEnd: Int64
    /// Unread bytes, whole frames.
    public var byteCount: Int

    /// A chunk as described.
    public init(
        kind: Kind, generation: UInt32, format: PCMFormat, mediaStart: Int64, mediaEnd: Int64, byteCount: Int
    ) {
        self.kind = kind
        self.generation = generation
        self.format = format
        self.mediaStart = mediaStart
        self.mediaEnd = mediaEnd
        self.byteCount = byteCount
    }
}
