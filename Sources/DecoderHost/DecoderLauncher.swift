internal import DecoderProtocol
public import MediaPorts
public import PodcastModel
internal import SystemCalls

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
