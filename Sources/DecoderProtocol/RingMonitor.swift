public import PodcastModel
public import SystemCalls

/// How far a decoder got, in its own words.
public struct DecodedExtent: Equatable, Sendable {
    /// The generation that it worked on last; 0 before the first.
    public var generation: UInt32
    /// The end of that generation's last chunk in media time, within `StreamInfo.times`; zero when there was none.
    public var lastTime: MediaTime
    /// Whether that generation's end is in the ring.
    public var isComplete: Bool
    /// An extent as described.
    public init(generation: UInt32, lastTime: MediaTime, isComplete: Bool) {
        self.generation = generation
        self.lastTime = lastTime
        self.isComplete = isComplete
    }
}

/// What a decoder has done, in its own words: bytes of the ring that were written, and the source's byte that is read next.
public struct DecoderProgress: Equatable, Sendable {
    /// Grows with each chunk; the ring's reader takes no more than there is room for.
    public var written: UInt64
    /// Whatever the decoder says.
    public var inputOffset: UInt64
    /// A place of both.
    public init(written: UInt64, inputOffset: UInt64) {
        self.written = written
        self.inputOffset = inputOffset
    }
}

/// What the daemon's session thread reads and writes in a decoder's memory besides PCM. Any thread.
public struct RingMonitor: Sendable {
    private let memory: SharedMemory

    /// Looks at a decoder's memory.
    public init(_ memory: SharedMemory) { self.memory = memory }

    /// How far the decoder is.
    public var progress: DecoderProgress {
        DecoderProgress(
            written: memory.load64(RingLayout.writePosition), inputOffset: memory.load64(RingLayout.inputOffset))
    }

    /// Why the decoder says that it sleeps; nil while it works, and for a reason that does not exist.
    public var waitReason: RingWriter.WaitReason? {
        RingWriter.WaitReason(rawValue: memory.load32(RingLayout.decoderWaits))
    }

    /// Whether so little is in the ring that a decoder should not sleep for want of room.
    public var isLow: Bool {
        let fill = memory.load64(RingLayout.writePosition) &- memory.load64(RingLayout.readPosition)
        return fill < UInt64(RingLayout.lowMark(memory))
    }

    /// Tells a decoder that sleeps that it must wake: whoever calls this sends a message or rings afterwards. It then has
    /// to say anew that it sleeps, so one that is stuck is noticed.
    public func expectWork() { _ = memory.exchange32(RingLayout.decoderWaits, 0) }

    /// The generation that chunks should carry.
    public func setWantedGeneration(_ generation: UInt32) {
        memory.store32(RingLayout.wantedGeneration, generation)
    }

    /// The source's byte that the decoder reads next; nil when what it wrote cannot be one.
    public var inputOffset: Int64? {
        let value = memory.load64(RingLayout.inputOffset)
        return value <= UInt64(Int64.max) ? Int64(value) : nil
    }

    /// How far the decoder got, as it wrote it; nil when what it wrote cannot be.
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

    /// Whether there are frames, or the end, of a generation.
    func holdsAny(of generation: UInt32) -> Bool {
        produced(generation: generation) > 0 || hasEnded(generation: generation)
    }

    func hasEnded(generation: UInt32) -> Bool {
        memory.load64(RingLayout.endedGeneration) == 1 << 32 | UInt64(generation)
    }
}
