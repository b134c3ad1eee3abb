/// Decoded audio for the sink thread: chunks in order, read without waiting.
///
/// All methods are called on the sink thread only. They allocate nothing, and take no lock unless a decoder was replaced.
public protocol PCMSource: AnyObject, Sendable {
    /// The next chunk; nil if nothing is decoded yet. Chunks of older generations have been discarded.
    func nextChunk() -> PCMChunk?
    /// Copies the rest of the chunk that `nextChunk` returned, as many whole frames as fit, and consumes them.
    /// - Returns: number of bytes copied. The chunk is removed when all of its bytes are consumed.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
    /// An eventfd that becomes readable when frames are decoded after `nextChunk` returned nil.
    var readinessDescriptor: Int32 { get }
    /// Announces that the reader will wait on `readinessDescriptor`, and makes the descriptor unreadable. Returns false
    /// if there is something to read by now, so that no wake-up is lost.
    func prepareToWait() -> Bool
    /// Decoded frames in the ring, in seconds. Any thread.
    var bufferedSeconds: Double { get }
    /// True if the end chunk of the newest generation is in the ring, or the ring is full. Any thread.
    var isFilled: Bool { get }
}

/// A run of consecutive frames of one kind.
public struct PCMChunk: Equatable, Sendable {
    public enum Kind: UInt32, Sendable {
        case frames = 1
        /// The end of the file, after its last frame; contains no frames.
        case end = 2
    }
    public var kind: Kind
    /// Changes at every seek, stop or new entry; chunks of older generations are stale.
    public var generation: UInt32
    public var format: PCMFormat
    /// Position of the first unread frame in the file, in frames of `format.rate`.
    public var mediaStart: Int64
    /// Position of the frame after the last one; differs from start + count if the speed is not 1.
    public var mediaEnd: Int64
    /// Number of unread bytes; a multiple of the frame size.
    public var byteCount: Int

    public init(kind: Kind, generation: UInt32, format: PCMFormat, mediaStart: Int64, mediaEnd: Int64, byteCount: Int) {
        self.kind = kind
        self.generation = generation
        self.format = format
        self.mediaStart = mediaStart
        self.mediaEnd = mediaEnd
        self.byteCount = byteCount
    }
}
