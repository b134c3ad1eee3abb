internal import DecoderHost
internal import MediaPorts
internal import PodcastModel
internal import Synchronization

/// Starts decoders and lets the program wait for the end of the last decoder, so that no process stays behind and the
/// decoder's resource usage counts for the program.
final class LastingDecoders: DecoderStarting {
    private let launcher = DecoderLauncher()
    private let last = Mutex<DecoderProcessSession?>(nil)

    func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession {
        let session = try launcher.open(source, at: time, generation: generation, parameters, events: events)
        let earlier = last.withLock { last in
            defer { last = session }
            return last
        }
        // Released outside the lock.
        _ = earlier
        return session
    }

    /// Ends the last decoder and waits until the decoder has exited. Blocks; only one thread calls this method.
    func finish() {
        let session = last.withLock { last in
            defer { last = nil }
            return last
        }
        session?.stop()
        session?.waitUntilGone()
    }
}

/// Starts decoders whose output ends at a given time.
struct LimitedDecoders: DecoderStarting {
    let decoders: any DecoderStarting
    let end: MediaTime

    func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession {
        let session = try decoders.start(source, at: time, generation: generation, parameters, events: events)
        return LimitedSession(session: session, pcm: LimitedFrames(session.pcm, end: end))
    }
}

private final class LimitedSession: DecoderSession {
    private let session: any DecoderSession
    let pcm: any PCMSource

    init(session: any DecoderSession, pcm: any PCMSource) {
        self.session = session
        self.pcm = pcm
    }

    func seek(to time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters) {
        session.seek(to: time, generation: generation, parameters)
    }
    func stop() { session.stop() }
}

/// Passes on frames up to a time, then reports the end.
final class LimitedFrames: PCMSource {
    private let source: any PCMSource
    private let end: MediaTime
    /// Number of bytes before the end in the chunk that was described last; used on the sink thread only.
    private let allowance = Atomic<Int>(0)
    private let isAtEnd = Atomic<Bool>(false)

    init(_ source: any PCMSource, end: MediaTime) {
        self.source = source
        self.end = end
    }

    func nextChunk() -> PCMChunk? {
        guard var chunk = source.nextChunk() else { return nil }
        let last = end.frames(rate: chunk.format.rate)
        guard chunk.kind == .frames, chunk.mediaEnd > last else {
            allowance.store(chunk.byteCount, ordering: .relaxed)
            isAtEnd.store(false, ordering: .relaxed)
            return chunk
        }
        let count = max(last - chunk.mediaStart, 0)
        chunk.byteCount = min(Int(count) * chunk.format.frameSize, chunk.byteCount)
        chunk.mediaEnd = max(last, chunk.mediaStart)
        if count == 0 { chunk.kind = .end }
        allowance.store(chunk.byteCount, ordering: .relaxed)
        isAtEnd.store(count == 0, ordering: .relaxed)
        return chunk
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !isAtEnd.load(ordering: .relaxed) else { return 0 }
        let allowed = allowance.load(ordering: .relaxed)
        let count = source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(allowed)))
        allowance.store(allowed - count, ordering: .relaxed)
        return count
    }

    var readinessDescriptor: Int32 { source.readinessDescriptor }
    func prepareToWait() -> Bool { source.prepareToWait() }
    var bufferedSeconds: Double { source.bufferedSeconds }
    var isComplete: Bool { isAtEnd.load(ordering: .relaxed) || source.isComplete }
}
