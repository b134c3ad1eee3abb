public import PodcastModel
public import SystemCalls

/// How far a decoder got, as it reports.
public struct DecodedExtent: Equatable, Sendable {
    /// The generation that it worked on last; 0 before the first.
    public var generation: UInt32
    /// The end of that generation's last chunk in media time, within `StreamInfo.times`; zero when there was none.
    public var lastTime: MediaTime
    /// Whether that generation's end is in the ring.
    public var isComplete: Bool
    public init(generation: UInt32, lastTime: MediaTime, isComplete: Bool) {
        self.generation = generation
        self.lastTime = lastTime
        self.isComplete = isComplete
    }
}

/// A decoder's progress, as it reports: bytes written to the ring, and the offset of the source that it reads next.
public struct DecoderProgress: Equatable, Sendable {
    /// Grows with each chunk; the ring's reader takes no more than there is room for.
    public var written: UInt64
    /// Not checked.
    public var inputOffset: UInt64
    public init(written: UInt64, inputOffset: UInt64) {
        self.written = written
        self.inputOffset = inputOffset
    }
}

/// The daemon's access to a decoder's memory besides PCM; any thread.
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

    /// Whether the ring is so empty that a decoder should not sleep because it is full.
    public var isLow: Bool {
        let fill = memory.load64(RingLayout.writePosition) &- memory.load64(RingLayout.readPosition)
        return fill < UInt64(RingLayout.lowMark(memory))
    }

    /// Resets the decoder's wait reason; the caller then wakes it. A decoder that works must set the reason again, so one that is
    /// stuck is detected.
    public func expectWork() { _ = memory.exchange32(RingLayout.decoderWaits, 0) }

    public func setWantedGeneration(_ generation: UInt32) {
        memory.store32(RingLayout.wantedGeneration, generation)
    }

    /// Offset of the source that the decoder reads next; nil if the value is invalid.
    public var inputOffset: Int64? {
        let value = memory.load64(RingLayout.inputOffset)
        return value <= UInt64(Int64.max) ? Int64(value) : nil
    }

    /// How far the decoder got; nil if its values are invalid.
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

    /// Whether there are frames of a generation, or its end.
    func holdsAny(of generation: UInt32) -> Bool {
        produced(generation: generation) > 0 || hasEnded(generation: generation)
    }

    func hasEnded(generation: UInt32) -> Bool {
        memory.load64(RingLayout.endedGeneration) == 1 << 32 | UInt64(generation)
    }
}
