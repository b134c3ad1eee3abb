internal import ChildProcess
internal import DecoderProtocol
public import MediaPorts
public import PodcastModel
internal import SystemCalls

/// Starts `podcast-decode` for byte sources.
public final class DecoderLauncher: DecoderStarting {
    private let executable: String?
    private let hangLimit: Duration
    private let ringCapacity: Int

    /// - Parameters:
    ///   - executable: the decoder's path (default: `podcast-decode` in the folder of the running program).
    ///   - hangLimit: time without progress after which a decoder with input and room is replaced.
    ///   - ringCapacity: bytes of decoded audio, a power of two from 256 KiB (default: 4 MiB).
    public init(executable: String? = nil, hangLimit: Duration = .seconds(2), ringCapacity: Int? = nil) {
        self.executable = executable
        #if UNSANDBOXED
            // These builds run under tools that slow a program down by a factor of fifty.
            self.hangLimit = hangLimit * 20
        #else
            self.hangLimit = hangLimit
        #endif
        self.ringCapacity = ringCapacity ?? RingLayout.defaultCapacity
    }

    /// Starts a process. Until the session has stopped it is the source's only observer.
    public func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession {
        try open(source, at: time, generation: generation, events: events)
    }

    /// `start`, for callers that need `DecoderProcessSession.waitUntilGone`.
    public func open(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> DecoderProcessSession {
        do throws(SystemError) {
            let path = if let executable { executable } else { try Launch.sibling("podcast-decode") }
            try FileAccess.execute.check(path)
            let session = try DecoderProcessSession(
                path, source, generation: generation, ringCapacity: ringCapacity, events: events)
            let supervision = Supervision(at: time, generation: generation, hangLimit: hangLimit)
            try session.run(supervision, at: time, generation: generation)
            return session
        } catch {
            throw MediaFailure(.internal, "the decoder cannot be started: \(error)")
        }
    }
}
