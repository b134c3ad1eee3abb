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
        let course = SessionCourse(generation: generation)
        let session = try base.start(source, at: time, generation: generation, parameters) { event in
            if case .failed = event { course.isOver.store(true, ordering: .releasing) }
            events(event)
        }
        return PatientSession(session, network: network, course: course)
    }
}

/// What is asked of a session, and whether it has nothing more to give.
private final class SessionCourse: Sendable {
    let isOver = Atomic(false)
    /// The generation asked for last.
    let generation: Atomic<UInt32>
    /// Whether there was plenty of that generation since the ring was empty last.
    let isFilled = Atomic(false)

    init(generation: UInt32) { self.generation = Atomic(generation) }
}

private final class PatientSession: DecoderSession {
    private let base: any DecoderSession
    private let course: SessionCourse
    let pcm: any PCMSource

    init(_ base: any DecoderSession, network: SimulatedNetwork, course: SessionCourse) {
        self.base = base
        self.course = course
        pcm = PatientSource(base.pcm, network: network, course: course)
    }

    func seek(to time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters) {
        course.isFilled.store(false, ordering: .releasing)
        course.generation.store(generation, ordering: .releasing)
        base.seek(to: time, generation: generation, parameters)
    }

    func stop() {
        course.isOver.store(true, ordering: .releasing)
        base.stop()
    }
}

private final class PatientSource: PCMSource {
    /// More than the renderer ever waits for.
    private static let plenty = 4.0
    private static let look = Duration.milliseconds(1)
    private let base: any PCMSource
    private let network: SimulatedNetwork
    private let course: SessionCourse

    init(_ base: any PCMSource, network: SimulatedNetwork, course: SessionCourse) {
        self.base = base
        self.network = network
        self.course = course
    }

    func nextChunk() -> PCMChunk? {
        while true {
            let chunk = base.nextChunk()
            if chunk?.generation != course.generation.load(ordering: .acquiring) {
                course.isFilled.store(false, ordering: .releasing)
                // Frames of the generation before are not waited for.
                if chunk != nil, !network.isHeld, !course.isOver.load(ordering: .acquiring) {
                    waitForDescriptors(readable: -1, network.bell.raw, until: .now + Self.look)
                    continue
                }
            }
            if base.isFilled || base.bufferedSeconds >= Self.plenty {
                course.isFilled.store(true, ordering: .releasing)
            }
            if network.isHeld || course.isOver.load(ordering: .acquiring) { return chunk }
            if let chunk, course.isFilled.load(ordering: .acquiring) { return chunk }
            // How full the ring is rings no bell.
            let bell = chunk == nil && base.prepareToWait() ? base.readinessDescriptor : -1
            waitForDescriptors(readable: bell, network.bell.raw, until: .now + Self.look)
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { base.read(into: buffer) }
    var readinessDescriptor: Int32 { base.readinessDescriptor }
    func prepareToWait() -> Bool { base.prepareToWait() }
    var bufferedSeconds: Double { base.bufferedSeconds }
    var isFilled: Bool { base.isFilled }
}
