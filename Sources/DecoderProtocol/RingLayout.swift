internal import MediaPorts
public import SystemCalls

/// Layout of the memory that the daemon and a decoder share.
///
/// The daemon creates the memory and seals its size. Positions and flags come first; each word has one writer unless it is exchanged
/// atomically. The table of source bytes begins at 4096, and the ring of PCM chunks at `prefix`. Positions count
/// bytes since the session began and never overflow in practice; `position % capacity` is the place in the ring.
public enum RingLayout {
    /// Version of the layout and of the messages; both ends come from one build.
    public static let version: UInt32 = 9
    /// Bytes before the ring, which is mapped twice and therefore begins at a page. arm64 kernels have pages of up to 64 KiB.
    public static let prefix = 65_536
    /// Default bytes of the ring: 12 s of 44.1 kHz stereo floats.
    public static let defaultCapacity = 4 << 20
    /// Bytes of a chunk's header, and alignment of chunks.
    public static let grain = 64
    /// Maximum bytes of a chunk, including its header.
    public static let maximumChunk = 65_536

    /// Valid media times of chunks, in frames: 2⁴⁸ are 23 years at the highest rate, so products do not overflow.
    static let mediaFrames: ClosedRange<Int64> = 0...(1 << 48 - 1)

    /// Maximum media frames of a chunk; more than its own frames at a higher speed.
    static let longestChunk = Int64(maximumChunk) * 64

    // Each group has its own cache line.
    static let versionWord = 0
    /// Written by the decoder only.
    static let writePosition = 64
    /// Why the decoder sleeps, a `RingWriter.WaitReason`; 0 while it works. Exchanged by both.
    static let decoderWaits = 72
    static let producedGeneration = 88
    static let producedNanoseconds = 96
    static let endedGeneration = 104
    static let lastMediaTime = 112
    static let inputOffset = 120
    /// Written by the daemon only.
    static let readPosition = 192
    static let wantedGeneration = 200
    /// 1 while the reader sleeps; exchanged by both.
    static let readerWaits = 256

    // The source's bytes, see `SourceTable`.
    static let tableSequence = 4096
    static let tableFlags = 4100
    static let tableLength = 4104
    static let tableCount = 4112
    static let tableRanges = 4160
    static let tableCapacity = 240

    /// - Parameter capacity: bytes of the ring: a multiple of `prefix`, at least four times `maximumChunk`.
    public static func makeMemory(capacity: Int = defaultCapacity) throws(SystemError) -> SharedMemory {
        let memory = try SharedMemory(name: "podcast-pcm", prefix: prefix, capacity: capacity)
        memory.store64(tableLength, UInt64(bitPattern: -1))
        memory.store32(versionWord, version)
        return memory
    }

    /// The version of the daemon that made the memory.
    public static func version(of memory: SharedMemory) -> UInt32 { memory.load32(versionWord) }

    /// Below this number of bytes the reader wakes the decoder, which then decodes two thirds of the ring, so that wake-ups
    /// are rare. A third lasts twice as long as the detection of a decoder that stopped responding takes.
    static func lowMark(_ memory: SharedMemory) -> Int { memory.capacity / 3 }

    /// Bytes from a chunk's beginning to the next one's.
    static func stride(ofPayload count: Int) -> Int { grain + (count + grain - 1) / grain * grain }
}

/// Precedes the frames of a chunk in the ring.
struct ChunkHeader {
    var kind: UInt32
    var generation: UInt32
    var rate: UInt32
    var channels: UInt32
    var type: UInt32
    var byteCount: UInt32
    var mediaStart: Int64
    var mediaEnd: Int64
}

/// The eventfds of one session.
public struct RingEvents: Sendable {
    /// Wakes the decoder: there is room, or a message.
    var room: Int32
    /// Wakes the sink thread: frames were decoded.
    var readiness: Int32
    /// Wakes the daemon's session thread if the reader woke the decoder, found a fault or ran empty; -1 in the decoder.
    var watch: Int32
    public init(room: Int32, readiness: Int32, watch: Int32) {
        self.room = room
        self.readiness = readiness
        self.watch = watch
    }
}

extension PCMFormat {
    /// In nanoseconds, rounded down.
    func nanoseconds(ofBytes count: Int) -> UInt64 { UInt64(count / frameSize) * 1_000_000_000 / UInt64(rate) }
}
