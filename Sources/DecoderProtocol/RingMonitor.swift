public import PodcastModel
public import SystemCalls

/// A decoder's progress in a generation, as reported by the decoder.
public struct DecodedExtent: Equatable, Sendable {
    /// The last generation; 0 before the first.
    public var generation: UInt32
    /// Media time of the end of the generation's last chunk, within `StreamInfo.times`; zero without chunks.
    public var lastTime: MediaTime
    /// True if the generation's end is in the ring.
    public var isComplete: Bool
}

/// A decoder's progress in bytes, as reported by the decoder.
public struct DecoderProgress: Equatable, Sendable {
    /// Bytes written to the ring. Increases with each chunk; the reader never reads more than the ring's capacity.
    public var written: UInt64
    /// Offset of the source that the decoder reads next. Not checked.
    public var inputOffset: UInt64
}

/// The daemon's access to a decoder's memory besides PCM. Any thread.
public struct RingMonitor: Sendable {
    private let memory: SharedMemory

    public init(_ memory: SharedMemory) { self.memory = memory }

    public var progress: DecoderProgress {
        DecoderProgress(
            written: memory.load64(RingLayout.writePosition), inputOffset: memory.load64(RingLayout.inputOffset))
    }

    /// Why the decoder sleeps, as it reports; nil while it works, and for an invalid reason.
    public var waitReason: RingWriter.WaitReason? {
        RingWriter.WaitReason(rawValue: memory.load32(RingLayout.decoderWaits))
    }

    /// True if the ring is so empty that a decoder should not sleep because it is full.
    public var isLow: Bool {
        let fill = memory.load64(RingLayout.writePosition) &- memory.load64(RingLayout.readPosition)
        return fill < UInt64(RingLayout.lowMark(memory))
    }

    /// Resets the decoder's wait reason; a decoder that does not set it again after a wake-up hangs.
    public func expectWork() { _ = memory.exchange32(RingLayout.decoderWaits, 0) }

    public func setWantedGeneration(_ generation: UInt32) { memory.store32(RingLayout.wantedGeneration, generation) }

    /// Offset of the source that the decoder reads next; nil if invalid.
    public var inputOffset: Int64? {
        let value = memory.load64(RingLayout.inputOffset)
        return value <= UInt64(Int64.max) ? Int64(value) : nil
    }

    /// Nil if the decoder's values are invalid.
    public var extent: DecodedExtent? {
        guard let generation = UInt32(exactly: memory.load64(RingLayout.producedGeneration)) else { return nil }
        let value = Int64(clamping: memory.load64(RingLayout.lastMediaTime))
        return DecodedExtent(
            generation: generation, lastTime: MessageLimits.nearest(MediaTime(nanoseconds: value)),
            isComplete: hasEnded(generation: generation))
    }

    func produced(generation: UInt32) -> UInt64 {
        guard memory.load64(RingLayout.producedGeneration) == UInt64(generation) else { return 0 }
        return memory.load64(RingLayout.producedNanoseconds)
    }

    /// True if the ring has frames of a generation, or its end.
    func holdsAny(of generation: UInt32) -> Bool {
        produced(generation: generation) > 0 || hasEnded(generation: generation)
    }

    func hasEnded(generation: UInt32) -> Bool {
        memory.load64(RingLayout.endedGeneration) == 1 << 32 | UInt64(generation)
    }
}
