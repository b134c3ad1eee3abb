internal import Glibc
public import MediaPorts
internal import Synchronization
public import SystemCalls

/// The daemon's end of the ring, for the sink thread.
///
/// The decoder is hostile until proven otherwise: positions and headers are copied once and checked; what does not
/// hold makes the reader stop there, keep silent and tell the session thread. After a decoder was replaced, what the old
/// one had decoded is still read, then the new one's ring; rings of several that broke in a row follow in their order.
///
/// Samples are not looked at: a single-precision one may be a NaN or infinite.
public final class RingReader: PCMSource {
    private struct Rings {
        var current: SharedMemory
        /// Those of later decoders, in order.
        var following: [SharedMemory] = []

        var newest: SharedMemory { following.last ?? current }
    }

    /// Rings that may wait to be read. A decoder decodes for a minute before it is replaced again, and a ring holds little
    /// more, so that only one that lies about where it is comes so far.
    public static let mostFollowing = 4

    private let doorbells: RingDoorbells
    private let wanted: Atomic<UInt32>
    private let consumedGeneration: Atomic<UInt32>
    private let consumedNanoseconds = Atomic<UInt64>(0)
    private let faulted = Atomic<Bool>(false)
    private let hasNext = Atomic<Bool>(false)
    /// The sink thread takes this lock only when `hasNext` tells that a decoder was replaced.
    private let rings: Mutex<Rings>

    // Touched on the sink thread only, as PCMSource demands of its callers.
    nonisolated(unsafe) private var memory: SharedMemory
    nonisolated(unsafe) private var position: UInt64 = 0
    nonisolated(unsafe) private var chunk: PCMChunk?
    nonisolated(unsafe) private var payloadOffset = 0
    // Bytes of the ring that were dropped unread since another generation was wanted or another ring came, and which.
    nonisolated(unsafe) private var staleBytes = 0
    nonisolated(unsafe) private var staleGeneration: UInt32 = 0

    /// A reader of a ring whose decoder has not started yet.
    public init(_ memory: SharedMemory, _ doorbells: RingDoorbells, generation: UInt32) {
        self.memory = memory
        self.doorbells = doorbells
        wanted = Atomic(generation)
        consumedGeneration = Atomic(generation)
        rings = Mutex(Rings(current: memory))
    }

    // MARK: The session's side, any thread

    /// Whether the newest decoder wrote what cannot be; nothing more is read from its ring.
    public var isFaulted: Bool {
        // A fault of a ring whose successor waits here is not the successor's.
        faulted.load(ordering: .acquiring)
            && rings.withLock { $0.following.isEmpty && faulted.load(ordering: .acquiring) }
    }

    /// Chunks of other generations are dropped from now on.
    public func setWantedGeneration(_ generation: UInt32) { wanted.store(generation, ordering: .releasing) }

    /// Gives the ring of a decoder that replaces one which has ended; the sink thread goes over to it when it has read
    /// those before it empty or found them faulty. Rings with nothing of the wanted generation are let go unread.
    ///
    /// - Returns: false when `mostFollowing` rings wait already; the ring is then not taken.
    public func replace(with memory: SharedMemory) -> Bool {
        let generation = wanted.load(ordering: .acquiring)
        let isTaken = rings.withLock { rings in
            rings.following.removeAll { !RingMonitor($0).holdsAny(of: generation) }
            guard rings.following.count < Self.mostFollowing else { return false }
            rings.following.append(memory)
            hasNext.store(true, ordering: .releasing)
            return true
        }
        if isTaken { ringEvent(doorbells.readiness) }
        return isTaken
    }

    /// Decoded and unread seconds of the wanted generation, as the decoders count them, in all rings; any thread.
    public var bufferedSeconds: Double {
        let generation = wanted.load(ordering: .acquiring)
        let produced = rings.withLock { rings in
            rings.following.reduce(RingMonitor(rings.current).produced(generation: generation)) { sum, ring in
                sum &+ RingMonitor(ring).produced(generation: generation)
            }
        }
        let isCurrent = consumedGeneration.load(ordering: .acquiring) == generation
        let consumed = isCurrent ? consumedNanoseconds.load(ordering: .relaxed) : 0
        // The figure comes from the decoder: keep it sane. No ring holds an hour.
        return produced > consumed ? min(Double(produced - consumed) / 1e9, 3600) : 0
    }

    /// Whether the newest ring holds the wanted generation's end; any thread.
    public var isComplete: Bool {
        let generation = wanted.load(ordering: .acquiring)
        return rings.withLock { RingMonitor($0.newest).hasEnded(generation: generation) }
    }

    // MARK: The sink thread

    /// The eventfd that the decoder rings.
    public var readinessDescriptor: Int32 { doorbells.readiness }

    /// The next chunk of the wanted generation; chunks of others in front of it are dropped. A decoder that is told of a
    /// generation before the reader wants it leaves no more of them than the ring holds and one: more are a fault, so that
    /// a broken decoder does not keep the sink thread here.
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

    /// Copies and consumes; an end chunk goes with any call.
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
        // With a speed other than 1 media frames and sounding frames differ: keep the proportion.
        chunk.mediaStart += (chunk.mediaEnd - chunk.mediaStart) * frames / total
        chunk.byteCount -= count
        payloadOffset += count
        self.chunk = chunk
        return count
    }

    /// Asks to be rung; false when there is a chunk.
    public func prepareToWait() -> Bool {
        clearEvent(doorbells.readiness)
        while true {
            let waited = memory
            _ = waited.exchange32(RingLayout.readerWaits, 1)
            waited.fence()
            if nextChunk() != nil {
                _ = memory.exchange32(RingLayout.readerWaits, 0)
                return false
            }
            // Looking for a chunk may have gone over to another decoder's ring, which has flags of its own.
            guard waited === memory else { continue }
            // A decoder that only says that it works or sleeps is noticed because there is nothing to read.
            ringEvent(doorbells.watch)
            return true
        }
    }

    /// In pieces below 2 KiB: above, the C library goes over to an instruction that is slow to begin and that instruction
    /// counters take for one a byte.
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

    /// Lets the chunk's room go: its end is where its payload ends, rounded up.
    private func finish() {
        chunk = nil
        position = nextPosition
        memory.store64(RingLayout.readPosition, position)
        memory.fence()
        guard RingWriter.WaitReason.isWokenByReader(memory.load32(RingLayout.decoderWaits)) else { return }
        let fill = memory.load64(RingLayout.writePosition) &- position
        guard fill < UInt64(RingLayout.lowMark(memory)) else { return }
        if RingWriter.WaitReason.isWokenByReader(memory.exchange32(RingLayout.decoderWaits, 0)) {
            ringEvent(doorbells.room)
            ringEvent(doorbells.watch)
        }
    }

    // Of the sink thread alone, like the fields above.
    nonisolated(unsafe) private var nextPosition: UInt64 = 0

    /// Reads the header at the read position; nil when there is none, or none that can be.
    private func parseHeader() -> PCMChunk? {
        if faulted.load(ordering: .relaxed) { return nil }
        let fill = memory.load64(RingLayout.writePosition) &- position
        if fill == 0 { return nil }
        guard fill <= UInt64(memory.capacity), fill % UInt64(RingLayout.grain) == 0 else { return fault() }
        let offset = memory.prefix + Int(position % UInt64(memory.capacity))
        let header = memory.base + offset
        guard let kind = PCMChunk.Kind(rawValue: header.load(as: UInt32.self)) else { return fault() }
        let generation = header.load(fromByteOffset: 4, as: UInt32.self)
        let rate = Int(header.load(fromByteOffset: 8, as: UInt32.self))
        let channels = Int(header.load(fromByteOffset: 12, as: UInt32.self))
        let type = SampleType(rawValue: header.load(fromByteOffset: 16, as: UInt32.self))
        let byteCount = Int(header.load(fromByteOffset: 20, as: UInt32.self))
        let mediaStart = header.load(fromByteOffset: 24, as: Int64.self)
        let mediaEnd = header.load(fromByteOffset: 32, as: Int64.self)
        guard let type, PCMFormat.rates.contains(rate), PCMFormat.channelCounts.contains(channels) else {
            return fault()
        }
        let format = PCMFormat(rate: rate, channels: channels, type: type)
        let stride = RingLayout.stride(ofPayload: byteCount)
        let isWhole = byteCount % format.frameSize == 0 && (byteCount > 0) == (kind == .frames)
        let isTime = RingLayout.mediaFrames.contains(mediaStart) && RingLayout.mediaFrames.contains(mediaEnd)
        guard isWhole, isTime, stride <= RingLayout.maximumChunk, UInt64(stride) <= fill,
            (0...RingLayout.longestChunk).contains(mediaEnd - mediaStart)
        else { return fault() }
        payloadOffset = offset + RingLayout.grain
        nextPosition = position &+ UInt64(stride)
        return PCMChunk(
            kind: kind, generation: generation, format: format, mediaStart: mediaStart, mediaEnd: mediaEnd,
            byteCount: byteCount)
    }

    private func fault() -> PCMChunk? {
        faulted.store(true, ordering: .releasing)
        ringEvent(doorbells.watch)
        return nil
    }

    private func adoptNext() -> Bool {
        guard hasNext.load(ordering: .acquiring) else { return false }
        let next = rings.withLock { rings -> SharedMemory? in
            guard let next = rings.following.first else { return nil }
            rings.following.removeFirst()
            rings.current = next
            hasNext.store(!rings.following.isEmpty, ordering: .relaxed)
            consumedNanoseconds.store(0, ordering: .relaxed)
            faulted.store(false, ordering: .releasing)
            return next
        }
        guard let next else { return false }
        memory = next
        position = 0
        nextPosition = 0
        staleBytes = 0
        return true
    }
}
