internal import Glibc
public import MediaPorts
internal import Synchronization
public import SystemCalls

/// The daemon's end of the ring, for the sink thread.
///
/// The decoder may be hostile: positions and headers are copied once and checked. At an invalid value the reader stops
/// and wakes the session thread. After a decoder was replaced, the frames of the old one are still read, then those of
/// the new ring; rings of several failed decoders are read in order.
///
/// Samples are not checked: a float may be NaN or infinite.
public final class RingReader: PCMSource {
    private struct Rings {
        var current: SharedMemory
        /// The rings of later decoders, in order.
        var following: [SharedMemory] = []

        var newest: SharedMemory { following.last ?? current }
    }

    /// Maximum number of waiting rings. A decoder decodes for a minute before it is replaced again, and a ring holds
    /// little more, so only a decoder that reports false positions reaches this limit.
    static let maximumFollowing = 4

    private let wakeUps: RingEvents
    private let wanted: Atomic<UInt32>
    private let consumedGeneration: Atomic<UInt32>
    private let consumedNanoseconds = Atomic<UInt64>(0)
    private let faulted = Atomic<Bool>(false)
    private let hasNext = Atomic<Bool>(false)
    /// The sink thread holds this lock for a few instructions: to ask how much is decoded, and when a decoder was replaced.
    private let rings: Mutex<Rings>

    // Used on the sink thread only, as PCMSource requires of its callers.
    nonisolated(unsafe) private var memory: SharedMemory
    nonisolated(unsafe) private var position: UInt64 = 0
    nonisolated(unsafe) private var chunk: PCMChunk?
    nonisolated(unsafe) private var payloadOffset = 0
    // Bytes discarded unread since the wanted generation or the ring changed, and that generation.
    nonisolated(unsafe) private var staleBytes = 0
    nonisolated(unsafe) private var staleGeneration: UInt32 = 0

    /// - Parameter memory: the ring of a decoder that has not started yet.
    public init(_ memory: SharedMemory, _ wakeUps: RingEvents, generation: UInt32) {
        self.memory = memory
        self.wakeUps = wakeUps
        wanted = Atomic(generation)
        consumedGeneration = Atomic(generation)
        rings = Mutex(Rings(current: memory))
    }

    // MARK: The session's side, any thread

    /// True if the newest decoder wrote invalid values; its ring is no longer read.
    public var isFaulted: Bool {
        // A newer ring is waiting, so this fault belongs to an older decoder process.
        faulted.load(ordering: .acquiring)
            && rings.withLock { $0.following.isEmpty && faulted.load(ordering: .acquiring) }
    }

    /// Chunks of other generations will be discarded.
    public func setWantedGeneration(_ generation: UInt32) { wanted.store(generation, ordering: .releasing) }

    /// Adds the ring of a replacement decoder. The sink thread switches to it when the earlier rings are empty or
    /// faulty. Rings without chunks of the wanted generation are released unread.
    /// - Returns: false if `maximumFollowing` rings are waiting already.
    public func replace(with memory: SharedMemory) -> Bool {
        let generation = wanted.load(ordering: .acquiring)
        let isTaken = rings.withLock { rings in
            rings.following.removeAll { !RingMonitor($0).holdsAny(of: generation) }
            guard rings.following.count < Self.maximumFollowing else { return false }
            rings.following.append(memory)
            hasNext.store(true, ordering: .releasing)
            return true
        }
        if isTaken { ringEvent(wakeUps.readiness) }
        return isTaken
    }

    /// Unread seconds of the wanted generation in all rings, as counted by the decoders. Any thread.
    public var bufferedSeconds: Double {
        let generation = wanted.load(ordering: .acquiring)
        let produced = rings.withLock { rings in
            rings.following.reduce(RingMonitor(rings.current).produced(generation: generation)) { sum, ring in
                sum &+ RingMonitor(ring).produced(generation: generation)
            }
        }
        let isCurrent = consumedGeneration.load(ordering: .acquiring) == generation
        let consumed = isCurrent ? consumedNanoseconds.load(ordering: .relaxed) : 0
        // The decoder's value is untrusted; a ring never holds an hour.
        return produced > consumed ? min(Double(produced - consumed) / 1e9, 3600) : 0
    }

    /// True if the newest ring has the end of the wanted generation, or its decoder sleeps because the ring is full. Any thread.
    public var isFilled: Bool {
        let generation = wanted.load(ordering: .acquiring)
        let ring = rings.withLock { RingMonitor($0.newest) }
        let isFull = ring.waitReason == .room && ring.produced(generation: generation) > 0
        return isFull || ring.hasEnded(generation: generation)
    }

    // MARK: The sink thread

    public var readinessDescriptor: Int32 { wakeUps.readiness }

    /// The next chunk of the wanted generation; discards earlier ones. The decoder learns of a new generation before the reader:
    /// more than a ring and one chunk of old ones are a fault, so that a broken decoder cannot keep the sink thread busy here.
    public func nextChunk() -> PCMChunk? {
        let generation = wanted.load(ordering: .acquiring)
        if generation != staleGeneration {
            staleGeneration = generation
            staleBytes = 0
        }
        if let chunk {
            if chunk.generation == generation { return chunk }
            drop(chunk)
        }
        while true {
            guard let found = parseHeader() else {
                if adoptNext() { continue }
                return nil
            }
            if found.generation == generation {
                chunk = found
                return found
            }
            staleBytes += Int(nextPosition &- position)
            guard staleBytes <= memory.capacity + RingLayout.maximumChunk else {
                _ = fault()
                continue
            }
            drop(found)
        }
    }

    /// Copies and consumes bytes; any call consumes an end chunk.
    public func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard var chunk else { return 0 }
        guard chunk.byteCount > 0, let target = buffer.baseAddress else {
            if chunk.byteCount == 0 { finish() }
            return 0
        }
        let count = min(chunk.byteCount, buffer.count) / chunk.format.frameSize * chunk.format.frameSize
        copy(count, to: target)
        addConsumed(chunk.format.nanoseconds(ofBytes: count), of: chunk.generation)
        if count == chunk.byteCount {
            finish()
            return count
        }
        let frames = Int64(count / chunk.format.frameSize)
        let total = Int64(chunk.byteCount / chunk.format.frameSize)
        // At another speed than 1 the numbers of media frames and frames differ: keep their proportion.
        chunk.mediaStart += (chunk.mediaEnd - chunk.mediaStart) * frames / total
        chunk.byteCount -= count
        payloadOffset += count
        self.chunk = chunk
        return count
    }

    /// Requests a wake-up. Returns false if there is a chunk.
    public func prepareToWait() -> Bool {
        clearEvent(wakeUps.readiness)
        while true {
            let waited = memory
            _ = waited.exchange32(RingLayout.readerWaits, 1)
            waited.fence()
            if nextChunk() != nil {
                _ = memory.exchange32(RingLayout.readerWaits, 0)
                return false
            }
            // `nextChunk` may have switched to another ring, which has its own flags.
            guard waited === memory else { continue }
            // Nothing to read: the session thread checks whether the decoder really works.
            ringEvent(wakeUps.watch)
            return true
        }
    }

    /// Pieces below 2 KiB: for larger ones the C library uses an instruction that starts slowly and counts once for each byte.
    private func copy(_ count: Int, to target: UnsafeMutableRawPointer) {
        let source = memory.base + payloadOffset
        var done = 0
        while done < count {
            let piece = min(1920, count - done)
            memcpy(target + done, source + done, piece)
            done += piece
        }
    }

    private func addConsumed(_ nanoseconds: UInt64, of generation: UInt32) {
        if consumedGeneration.load(ordering: .relaxed) != generation {
            consumedNanoseconds.store(0, ordering: .relaxed)
            consumedGeneration.store(generation, ordering: .releasing)
        }
        consumedNanoseconds.wrappingAdd(nanoseconds, ordering: .relaxed)
    }

    private func drop(_ chunk: PCMChunk) {
        payloadOffset += chunk.byteCount
        finish()
    }

    private func finish() {
        chunk = nil
        position = nextPosition
        memory.store64(RingLayout.readPosition, position)
        memory.fence()
        guard RingWriter.WaitReason.isWokenByReader(memory.load32(RingLayout.decoderWaits)) else { return }
        let fill = memory.load64(RingLayout.writePosition) &- position
        guard fill < UInt64(RingLayout.lowMark(memory)) else { return }
        if RingWriter.WaitReason.isWokenByReader(memory.exchange32(RingLayout.decoderWaits, 0)) {
            ringEvent(wakeUps.room)
            ringEvent(wakeUps.watch)
        }
    }

    // Sink thread only, like the properties above.
    nonisolated(unsafe) private var nextPosition: UInt64 = 0

    /// The header at the read position; nil if there is none or it is invalid.
    private func parseHeader() -> PCMChunk? {
        if faulted.load(ordering: .relaxed) { return nil }
        let fill = memory.load64(RingLayout.writePosition) &- position
        if fill == 0 { return nil }
        guard fill <= UInt64(memory.capacity), fill % UInt64(RingLayout.grain) == 0 else { return fault() }
        let offset = memory.prefix + Int(position % UInt64(memory.capacity))
        let header = (memory.base + offset).load(as: ChunkHeader.self)
        guard let kind = PCMChunk.Kind(rawValue: header.kind), let type = SampleType(rawValue: header.type),
            PCMFormat.rates.contains(Int(header.rate)), PCMFormat.channelCounts.contains(Int(header.channels))
        else { return fault() }
        let chunk = PCMChunk(
            kind: kind, generation: header.generation,
            format: PCMFormat(rate: Int(header.rate), channels: Int(header.channels), type: type),
            mediaStart: header.mediaStart, mediaEnd: header.mediaEnd, byteCount: Int(header.byteCount))
        let stride = RingLayout.stride(ofPayload: chunk.byteCount)
        let isWhole = chunk.byteCount % chunk.format.frameSize == 0 && (chunk.byteCount > 0) == (kind == .frames)
        let times = RingLayout.mediaFrames
        guard isWhole, times.contains(chunk.mediaStart), times.contains(chunk.mediaEnd),
            stride <= RingLayout.maximumChunk, UInt64(stride) <= fill,
            (0...RingLayout.longestChunk).contains(chunk.mediaEnd - chunk.mediaStart)
        else { return fault() }
        payloadOffset = offset + RingLayout.grain
        nextPosition = position &+ UInt64(stride)
        return chunk
    }

    private func fault() -> PCMChunk? {
        faulted.store(true, ordering: .releasing)
        ringEvent(wakeUps.watch)
        return nil
    }

    private func adoptNext() -> Bool {
        guard hasNext.load(ordering: .acquiring) else { return false }
        memory = rings.withLock { rings in
            rings.current = rings.following.removeFirst()
            hasNext.store(!rings.following.isEmpty, ordering: .relaxed)
            consumedNanoseconds.store(0, ordering: .relaxed)
            faulted.store(false, ordering: .releasing)
            return rings.current
        }
        position = 0
        nextPosition = 0
        staleBytes = 0
        return true
    }
}
