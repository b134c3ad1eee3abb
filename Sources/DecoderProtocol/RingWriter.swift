public import MediaPorts
internal import PodcastModel
public import SystemCalls

/// The decoder's end of the ring. One thread. Trusts the daemon, which created the memory.
public final class RingWriter {
    private let memory: SharedMemory
    private let wakeUps: RingEvents
    private var position: UInt64 = 0
    private var generation: UInt32 = 0
    private var producedNanoseconds: UInt64 = 0

    public init(_ memory: SharedMemory, _ wakeUps: RingEvents) {
        self.memory = memory
        self.wakeUps = wakeUps
    }

    /// The generation that the daemon wants. If it differs from that of `begin`, a seek message will arrive.
    public var wantedGeneration: UInt32 { memory.load32(RingLayout.wantedGeneration) }

    /// The following chunks belong to this generation.
    public func begin(generation: UInt32) {
        self.generation = generation
        producedNanoseconds = 0
        memory.store64(RingLayout.producedNanoseconds, 0)
        memory.store64(RingLayout.lastMediaTime, 0)
        memory.store64(RingLayout.producedGeneration, UInt64(generation))
    }

    /// Where the next chunk begins.
    private var place: UnsafeMutableRawPointer {
        memory.base + memory.prefix + Int(position % UInt64(memory.capacity))
    }

    private var fill: Int { Int(truncatingIfNeeded: position &- memory.load64(RingLayout.readPosition)) }

    /// Memory for the next chunk's frames; nil if there is no room for a whole chunk.
    public func nextPayload() -> UnsafeMutableRawBufferPointer? {
        guard memory.capacity - fill >= RingLayout.maximumChunk else { return nil }
        let count = RingLayout.maximumChunk - RingLayout.grain
        return UnsafeMutableRawBufferPointer(start: place + RingLayout.grain, count: count)
    }

    /// Publishes frames written to `nextPayload` and wakes a sleeping reader. Media times that the reader would reject
    /// are replaced by the nearest valid ones, because the audio is right even if the file's times are wrong.
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

    /// Publishes the end of this generation; there must be room for a chunk.
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
        let header = ChunkHeader(
            kind: kind.rawValue, generation: generation, rate: UInt32(format.rate), channels: UInt32(format.channels),
            type: format.type.rawValue, byteCount: UInt32(byteCount), mediaStart: mediaStart, mediaEnd: mediaEnd)
        place.storeBytes(of: header, as: ChunkHeader.self)
    }

    private func advance(_ byteCount: Int) {
        position &+= UInt64(RingLayout.stride(ofPayload: byteCount))
        memory.store64(RingLayout.writePosition, position)
        memory.fence()
        if memory.load32(RingLayout.readerWaits) == 1 && memory.exchange32(RingLayout.readerWaits, 0) == 1 {
            ringEvent(wakeUps.readiness)
        }
    }

    /// Publishes the offset of the source that is read next.
    public func publish(inputOffset: Int64) { memory.store64(RingLayout.inputOffset, UInt64(bitPattern: inputOffset)) }

    /// Announces that the decoder will sleep until a message arrives or the ring is nearly empty.
    /// - Parameter hasBytes: for `.bytes`: true if the bytes are available now. Otherwise the decoder would sleep forever if
    ///   bytes too few for a message arrived before the announcement while the reader emptied the ring.
    /// - Returns: false if the decoder must not sleep: the ring is nearly empty already, or the bytes are available.
    public func prepareToWait(for reason: WaitReason, hasBytes: () -> Bool = { false }) -> Bool {
        _ = memory.exchange32(RingLayout.decoderWaits, reason.rawValue)
        memory.fence()
        let mustSleep =
            switch reason {
            case .room: fill >= RingLayout.lowMark(memory)
            case .bytes: !hasBytes()
            case .message: true
            }
        if !mustSleep { stopWaiting() }
        return mustSleep
    }

    public enum WaitReason: UInt32, Sendable {
        /// The ring is full: the reader wakes the decoder when the ring is nearly empty.
        case room = 1
        /// Bytes are missing. The reader wakes the decoder like for `room`, in case too few for a message arrived.
        case bytes = 3
        /// Everything is done: only a message wakes the decoder.
        case message = 2

        /// True if the reader wakes a decoder that sleeps for this reason.
        static func isWokenByReader(_ flag: UInt32) -> Bool { flag & 1 == 1 }
    }

    public func stopWaiting() {
        _ = memory.exchange32(RingLayout.decoderWaits, 0)
        clearEvent(wakeUps.room)
    }
}
