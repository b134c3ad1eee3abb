public import MediaPorts
internal import PodcastModel
public import SystemCalls

/// The decoder's end of the ring. One thread.
///
/// The writer trusts the daemon, which made the memory; it checks the reader's position only against being lost itself.
public final class RingWriter {
    private let memory: SharedMemory
    private let doorbells: RingDoorbells
    private var position: UInt64 = 0
    private var generation: UInt32 = 0
    private var producedNanoseconds: UInt64 = 0

    /// A writer on fresh memory.
    public init(_ memory: SharedMemory, _ doorbells: RingDoorbells) {
        self.memory = memory
        self.doorbells = doorbells
    }

    /// The generation that the daemon wants now; another one than that of `begin` means that a seek is on its way.
    public var wantedGeneration: UInt32 { memory.load32(RingLayout.wantedGeneration) }

    /// Begins a generation: chunks from here on carry it.
    public func begin(generation: UInt32) {
        self.generation = generation
        producedNanoseconds = 0
        memory.store64(RingLayout.producedNanoseconds, 0)
        memory.store64(RingLayout.lastMediaTime, 0)
        memory.store64(RingLayout.producedGeneration, UInt64(generation))
    }

    private var fill: Int { Int(truncatingIfNeeded: position &- memory.load64(RingLayout.readPosition)) }

    /// Where the next chunk's frames go; nil when there is no room for a whole one.
    public func nextPayload() -> UnsafeMutableRawBufferPointer? {
        guard memory.capacity - fill >= RingLayout.maximumChunk else { return nil }
        let start = memory.base + memory.prefix + Int(position % UInt64(memory.capacity)) + RingLayout.grain
        return UnsafeMutableRawBufferPointer(start: start, count: RingLayout.maximumChunk - RingLayout.grain)
    }

    /// Publishes frames that were written to `nextPayload`, and wakes the reader if it sleeps. A place that the reader does
    /// not accept moves to the nearest that it does: what sounds is right even where a file is wrong about its times.
    public func publish(_ byteCount: Int, format: PCMFormat, mediaStart: Int64, mediaEnd: Int64) {
        let mediaStart = Self.accepted(mediaStart)
        let mediaEnd = min(max(Self.accepted(mediaEnd), mediaStart), mediaStart + RingLayout.longestChunk)
        writeHeader(.frames, byteCount, format, mediaStart, mediaEnd)
        producedNanoseconds += format.nanoseconds(ofBytes: byteCount)
        memory.store64(RingLayout.producedNanoseconds, producedNanoseconds)
        let time = MediaTime(frames: mediaEnd, rate: format.rate)
        memory.store64(RingLayout.lastMediaTime, UInt64(time.nanoseconds))
        advance(byteCount)
    }

    /// Publishes that the last frame of this generation was published; there must be room for a chunk.
    public func publishEnd(format: PCMFormat, at frame: Int64) {
        let frame = Self.accepted(frame)
        writeHeader(.end, 0, format, frame, frame)
        memory.store64(RingLayout.endedGeneration, 1 << 32 | UInt64(generation))
        advance(0)
    }

    private static func accepted(_ frame: Int64) -> Int64 {
        min(max(frame, RingLayout.mediaFrames.lowerBound), RingLayout.mediaFrames.upperBound)
    }

    private func writeHeader(
        _ kind: PCMChunk.Kind, _ byteCount: Int, _ format: PCMFormat, _ mediaStart: Int64, _ mediaEnd: Int64
    ) {
        let header = memory.base + memory.prefix + Int(position % UInt64(memory.capacity))
        header.storeBytes(of: kind.rawValue, as: UInt32.self)
        header.storeBytes(of: generation, toByteOffset: 4, as: UInt32.self)
        header.storeBytes(of: UInt32(format.rate), toByteOffset: 8, as: UInt32.self)
        header.storeBytes(of: UInt32(format.channels), toByteOffset: 12, as: UInt32.self)
        header.storeBytes(of: format.type.rawValue, toByteOffset: 16, as: UInt32.self)
        header.storeBytes(of: UInt32(byteCount), toByteOffset: 20, as: UInt32.self)
        header.storeBytes(of: mediaStart, toByteOffset: 24, as: Int64.self)
        header.storeBytes(of: mediaEnd, toByteOffset: 32, as: Int64.self)
    }

    private func advance(_ byteCount: Int) {
        position &+= UInt64(RingLayout.stride(ofPayload: byteCount))
        memory.store64(RingLayout.writePosition, position)
        memory.fence()
        if memory.load32(RingLayout.readerWaits) == 1 && memory.exchange32(RingLayout.readerWaits, 0) == 1 {
            ringEvent(doorbells.readiness)
        }
    }

    /// Shows the daemon which byte of the source is read next.
    public func note(inputOffset: Int64) {
        memory.store64(RingLayout.inputOffset, UInt64(bitPattern: inputOffset))
    }

    /// Says that the decoder is about to sleep until a message comes or the ring has run low.
    ///
    /// - Returns: false when it must not sleep after all: the ring is low already.
    public func prepareToWait(for reason: WaitReason) -> Bool {
        _ = memory.exchange32(RingLayout.decoderWaits, reason.rawValue)
        memory.fence()
        guard reason == .room && fill < RingLayout.lowMark(memory) else { return true }
        stopWaiting()
        return false
    }

    /// Why a decoder sleeps.
    public enum WaitReason: UInt32, Sendable {
        /// The ring is full: wake it when that has run low.
        case room = 1
        /// Bytes are missing. Woken like `room`, because those that came in the meantime were perhaps too few for a message.
        case bytes = 3
        /// Everything is done: only a message wakes it.
        case message = 2

        /// Whether the reader wakes a decoder that sleeps for this.
        static func isWokenByReader(_ flag: UInt32) -> Bool { flag & 1 == 1 }
    }

    /// Says that the decoder is awake.
    public func stopWaiting() {
        _ = memory.exchange32(RingLayout.decoderWaits, 0)
        clearEvent(doorbells.room)
    }
}
