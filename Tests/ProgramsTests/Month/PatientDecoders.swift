import MediaPorts
import PodcastModel
import Synchronization
import SystemCalls

/// Decoders whose work takes no simulated time: the sink thread waits for what they can still decode, and sees an empty
/// ring only where the network holds its bytes back.
struct PatientDecoders: DecoderStarting {
    let base: any DecoderStarting
    let network: SimulatedNetwork

    func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession {
        let end = SessionEnd()
        let session = try base.start(source, at: time, generation: generation, parameters) { event in
            if case .failed = event { end.isOver.store(true, ordering: .releasing) }
            events(event)
        }
        return PatientSession(session, network: network, end: end)
    }
}

/// Whether a session has nothing more to give.
private final class SessionEnd: Sendable {
    let isOver = Atomic(false)
}

private final class PatientSession: DecoderSession {
    private let base: any DecoderSession
    private let end: SessionEnd
    let pcm: any PCMSource

    init(_ base: any DecoderSession, network: SimulatedNetwork, end: SessionEnd) {
        self.base = base
        self.end = end
        pcm = PatientSource(base.pcm, network: network, end: end)
    }

    func seek(to time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters) {
        base.seek(to: time, generation: generation, parameters)
    }

    func stop() {
        end.isOver.store(true, ordering: .releasing)
        base.stop()
    }
}

private final class PatientSource: PCMSource {
    /// More than the renderer ever waits for.
    private static let plenty = 4.0
    private static let look = Duration.milliseconds(1)
    private let base: any PCMSource
    private let network: SimulatedNetwork
    private let end: SessionEnd
    /// Whether there was plenty since the ring was empty last.
    private let isFilled = Atomic(false)

    init(_ base: any PCMSource, network: SimulatedNetwork, end: SessionEnd) {
        self.base = base
        self.network = network
        self.end = end
    }

    func nextChunk() -> PCMChunk? {
        while true {
            let chunk = base.nextChunk()
            if chunk == nil { isFilled.store(false, ordering: .relaxed) }
            if base.isComplete || base.bufferedSeconds >= Self.plenty { isFilled.store(true, ordering: .relaxed) }
            if network.isHeld || end.isOver.load(ordering: .acquiring) { return chunk }
            if let chunk, isFilled.load(ordering: .relaxed) { return chunk }
            // How full the ring is rings no bell.
            let bell = chunk == nil && base.prepareToWait() ? base.readinessDescriptor : -1
            waitForDescriptors(readable: bell, network.bell.raw, until: .now + Self.look)
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { base.read(into: buffer) }
    var readinessDescriptor: Int32 { base.readinessDescriptor }
    func prepareToWait() -> Bool { base.prepareToWait() }
    var bufferedSeconds: Double { base.bufferedSeconds }
    var isComplete: Bool { base.isComplete }
}
