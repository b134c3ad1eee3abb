internal import DecoderProtocol
internal import Glibc
public import MediaPorts
public import PodcastModel
internal import Synchronization
internal import SystemCalls

/// One source and the decoder process that works on it.
///
/// The session has its own thread, which sleeps until the decoder, the reader, the source or a caller needs it. This thread also
/// starts the process, because the parent-death signal is bound to the thread that started it.
final class DecoderProcessSession: DecoderSession {
    /// Requests of other threads to the session thread, and state shared with them.
    private struct Shared {
        /// The memory of the newest process.
        var memory: SharedMemory
        var seek: (time: MediaTime, generation: UInt32, parameters: PlaybackParameters)?
        var isStopping = false
        /// Where the decoder waits for bytes.
        var awaitedOffset: Int64?
        /// Whether these bytes arrived or never will.
        var hasSourceChanged = false
        var generation: UInt32
        var inputOffset: Int64 = 0
    }

    private let source: any ByteSource
    // Duplicates: if the caller closes the source, its descriptor numbers may be reused for other files.
    private let sourceDescriptor: FileDescriptor
    private let sourceIndex: FileDescriptor
    private let events: @Sendable (DecoderEvent) -> Void
    private let shared: Mutex<Shared>
    private let room: EventDescriptor
    private let readiness: EventDescriptor
    /// Wakes the session thread.
    let wake: EventDescriptor
    private let reader: RingReader
    private let ringCapacity: Int
    private let gone = Semaphore()

    init(
        _ source: any ByteSource, generation: UInt32, ringCapacity: Int,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(SystemError) {
        self.source = source
        self.events = events
        self.ringCapacity = ringCapacity
        sourceDescriptor = try FileDescriptor(duplicating: source.descriptor)
        let indexNumber = source.indexDescriptor
        sourceIndex =
            indexNumber >= 0
            ? try FileDescriptor(duplicating: indexNumber)
            // The index of this session alone, which a restarted process finds again.
            : try MemoryFile(name: "podcast-index").openForWriting()
        room = try EventDescriptor()
        readiness = try EventDescriptor()
        wake = try EventDescriptor()
        let memory = try RingLayout.makeMemory(capacity: ringCapacity)
        RingMonitor(memory).setWantedGeneration(generation)
        shared = Mutex(Shared(memory: memory, generation: generation))
        reader = RingReader(
            memory, RingEvents(room: room.raw, readiness: readiness.raw, watch: wake.raw), generation: generation)
    }

    var pcm: any PCMSource { reader }

    /// Continues at a time with a new generation; frames of older generations are dropped at once. Any thread.
    func seek(to time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters) {
        shared.withLock { shared in
            shared.seek = (time, generation, parameters)
            shared.generation = generation
            // The decoder first: too many frames of the old generation would count as a fault at the reader.
            RingMonitor(shared.memory).setWantedGeneration(generation)
            reader.setWantedGeneration(generation)
        }
        wake.signal()
    }

    /// Ends the process soon. No event follows, except one that is being delivered at this moment. Any thread.
    func stop() {
        shared.withLock { $0.isStopping = true }
        wake.signal()
    }

    /// Waits until the process is reaped. For one caller, after `stop` or an event that ends the session.
    func waitUntilGone() { gone.wait() }

    /// The descriptors that a new process gets, and the memory that it shares.
    func makeEnds(_ decoder: DecoderKind) throws(SystemError) -> ProcessEnds {
        // A name is in the folder of the running program.
        let name = decoder.executable
        let isPath = decoder.executable.hasPrefix("/")
        let path = isPath ? name : try Launch.sibling(name)
        try FileAccess.execute.check(path)
        return try ProcessEnds(
            path, source: sourceDescriptor.raw, index: sourceIndex.raw, room: room.raw, readiness: readiness.raw,
            memory: shared.withLock { $0.memory })
    }

    /// Starts the session's thread.
    /// - Parameter decoders: one of them or more; the thread reads the beginning of the file to choose the first.
    func run(
        _ decoders: [DecoderKind], at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        hangLimit: Duration
    ) throws(SystemError) {
        source.observe { [weak self] snapshot in self?.sourceChanged(snapshot) }
        refreshTable()
        let thread = try DedicatedThread(name: .decoder) { [self] in
            let decoders = DecoderKind.ordered(decoders, head: head, mediaType: source.snapshot.contentType)
            // Not the generation of a seek that arrived meanwhile: its frames begin elsewhere.
            let supervision = Supervision(decoders, at: time, generation: generation, parameters, hangLimit: hangLimit)
            var loop = SessionLoop(self, supervision)
            loop.run()
            // Wakes a reader that waits for frames; there will be no more.
            readiness.signal()
            gone.post()
        }
        thread.detach()
    }

    /// The first bytes of the file, if they are available.
    private var head: [UInt8] {
        let snapshot = source.snapshot
        let count = Int(min(64, snapshot.end(ofAvailableFrom: 0)))
        guard count > 0 else { return [] }
        return (try? StoredFile.read(sourceDescriptor.raw, at: 0, count: count)) ?? []
    }

    // MARK: The source's thread

    private func sourceChanged(_ snapshot: ByteSourceSnapshot) {
        let mustWake = shared.withLock { shared -> Bool in
            SourceTable(shared.memory).write(snapshot, around: shared.awaitedOffset ?? shared.inputOffset)
            guard let offset = shared.awaitedOffset else { return false }
            let answer = SourceTable(shared.memory).lookUp(offset)
            // While the ring holds seconds of audio, the decoder continues to sleep until a burst is worthwhile: the reader
            // will wake it. The ring is looked at after the table was written. Otherwise the reader could empty the ring in
            // between, and the decoder that it wakes would not see these bytes.
            shared.memory.fence()
            let needsBytes = reader.bufferedSeconds < 2
            let isWorthIt = answer.available >= (needsBytes ? 1 : 65_536) || answer.endsThere
            if isWorthIt || snapshot.failure != nil { shared.hasSourceChanged = true }
            return shared.hasSourceChanged
        }
        if mustWake { wake.signal() }
    }

    /// Takes the snapshot under the lock: an older snapshot must not overwrite a newer one.
    private func refreshTable() {
        shared.withLock { shared in
            SourceTable(shared.memory).write(source.snapshot, around: shared.awaitedOffset ?? shared.inputOffset)
        }
    }

    // MARK: The session thread

    /// The requests of other threads since the last call.
    func takeRequests(isWatched: Bool) -> [Supervision.Input] {
        wake.clear()
        var inputs: [Supervision.Input] = []
        let requests = shared.withLock { shared in
            defer {
                shared.seek = nil
                shared.hasSourceChanged = false
            }
            return shared
        }
        let monitor = RingMonitor(requests.memory)
        if requests.isStopping { return [.stopRequested] }
        if let seek = requests.seek {
            monitor.expectWork()
            inputs.append(.seekRequested(to: seek.time, generation: seek.generation, seek.parameters))
        }
        if requests.hasSourceChanged { inputs.append(.sourceChanged(sourceState(at: requests.awaitedOffset))) }
        if reader.isFaulted { inputs.append(.invalidData("in the ring")) }
        let awaitsBytes = monitor.waitReason == .bytes && requests.awaitedOffset != nil
        if !isWatched && !awaitsBytes && inputs.isEmpty {
            let offset = monitor.inputOffset
            if let offset { shared.withLock { $0.inputOffset = offset } }
            inputs.append(.workBegan(inputOffset: offset))
        }
        return inputs
    }

    /// Asks the source for bytes.
    /// - Returns: the state of the source, if the decoder waits for these bytes.
    func want(_ offset: Int64, isAwaited: Bool) -> Supervision.Source? {
        source.want(from: offset)
        guard isAwaited else { return nil }
        shared.withLock { $0.awaitedOffset = offset }
        refreshTable()
        return sourceState(at: offset)
    }

    private func sourceState(at offset: Int64?) -> Supervision.Source {
        guard let offset else { return Supervision.Source(canProceed: false, failure: nil) }
        let answer = shared.withLock { SourceTable($0.memory).lookUp(offset) }
        return Supervision.Source(
            canProceed: answer.available > 0 || answer.endsThere, failure: source.snapshot.failure)
    }

    func check(since before: DecoderProgress) -> Supervision.Check {
        let (monitor, awaited) = shared.withLock { (RingMonitor($0.memory), $0.awaitedOffset) }
        let progress = monitor.progress
        return Supervision.Check(
            waitReason: monitor.waitReason, isRingLow: monitor.isLow,
            hasAwaitedBytes: sourceState(at: awaited).canProceed,
            hasDecoded: progress.written != before.written, hasRead: progress.inputOffset != before.inputOffset)
    }

    func stopAwaiting() { shared.withLock { $0.awaitedOffset = nil } }

    /// Makes memory for a new process; frames decoded by the old one are still read.
    func renewMemory() throws(SystemError) {
        let memory = try RingLayout.makeMemory(capacity: ringCapacity)
        shared.withLock { shared in
            shared.memory = memory
            shared.awaitedOffset = nil
            // Under the lock, so that the generation of a concurrent seek is not overwritten by an older one.
            RingMonitor(memory).setWantedGeneration(shared.generation)
        }
        refreshTable()
        guard reader.replace(with: memory) else {
            throw SystemError(code: EMFILE, call: "another ring: the decoder breaks too often")
        }
    }

    var monitor: RingMonitor { RingMonitor(shared.withLock { $0.memory }) }

    func emit(_ event: DecoderEvent) { if !shared.withLock({ $0.isStopping }) { events(event) } }
}

extension ByteSourceSnapshot {
    fileprivate var failure: MediaFailure? { if case .failed(let failure) = phase { failure } else { nil } }
}

/// Starts decoder processes for byte sources.
public final class DecoderLauncher: DecoderStarting {
    public static var programs: [String] { DecoderKind.all.map(\.executable) }

    private let decoders: [DecoderKind]
    private let hangLimit: Duration
    private let ringCapacity: Int

    /// - Parameters:
    ///   - folder: folder of the decoders (default: that of the running program).
    ///   - executable: path of a decoder to use for every file, instead of all of them.
    ///   - hangLimit: time without progress after which a decoder with input and room is replaced.
    ///   - ringCapacity: bytes of decoded audio, a power of two from 256 KiB (default: 4 MiB).
    public init(
        folder: String? = nil, executable: String? = nil, hangLimit: Duration = .seconds(2), ringCapacity: Int? = nil
    ) {
        let all = DecoderKind.all.map { kind in folder.map { kind.at("\($0)/\(kind.executable)") } ?? kind }
        decoders = executable.map { [DecoderKind.mpeg.at($0)] } ?? all
        #if UNSANDBOXED
            // These builds run under tools that slow a program down by a factor of fifty.
            self.hangLimit = hangLimit * 20
        #else
            self.hangLimit = hangLimit
        #endif
        self.ringCapacity = ringCapacity ?? RingLayout.defaultCapacity
    }

    public func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession {
        do throws(SystemError) {
            let session = try DecoderProcessSession(
                source, generation: generation, ringCapacity: ringCapacity, events: events)
            try session.run(decoders, at: time, generation: generation, parameters, hangLimit: hangLimit)
            return session
        } catch {
            throw MediaFailure(.internal, "the decoder cannot be started: \(error)")
        }
    }
}
