public import PodcastModel
public import SystemCalls

/// What the daemon's session thread reads and writes in a decoder's memory besides PCM. Any thread.
public struct RingMonitor: Sendable {
    private let memory: SharedMemory

    /// Looks at a decoder's memory.
    public init(_ memory: SharedMemory) { self.memory = memory }

    /// A number that changes while the decoder gets on.
    public var heartbeat: UInt64 { memory.load64(RingLayout.heartbeat) }

    /// Whether the decoder says that it sleeps.
    public var isDecoderWaiting: Bool { memory.load32(RingLayout.decoderWaits) != 0 }

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

    /// The end of this generation's last chunk in media time, as the decoder wrote it; at most a thousand hours, zero when
    /// there was none.
    public func lastMediaTime(generation: UInt32) -> MediaTime {
        guard memory.load64(RingLayout.producedGeneration) == UInt64(generation) else { return .zero }
        let value = memory.load64(RingLayout.lastMediaTime)
        return MediaTime(nanoseconds: Int64(min(value, 3_600_000_000_000_000)))
    }

    func produced(generation: UInt32) -> UInt64 {
        guard memory.load64(RingLayout.producedGeneration) == UInt64(generation) else { return 0 }
        return memory.load64(RingLayout.producedNanoseconds)
    }

    func hasEnded(generation: UInt32) -> Bool {
        memory.load64(RingLayout.endedGeneration) == 1 << 32 | UInt64(generation)
    }
}
