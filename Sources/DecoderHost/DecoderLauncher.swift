internal import ChildProcess
internal import DecoderProtocol
public import MediaPorts
public import PodcastModel
internal import SystemCalls

/// Starts decoder processes for byte sources.
public final class DecoderLauncher: DecoderStarting {
    /// The names of all decoder programs.
    public static var programs: [String] { DecoderKind.all.map(\.executable) }

    private let decoders: [DecoderKind]
    private let hangLimit: Duration
    private let ringCapacity: Int

    /// - Parameters:
    ///   - executable: path of a decoder to use for every file, instead of all of them in the folder of the running program.
    ///   - hangLimit: time without progress after which a decoder with input and room is replaced.
    ///   - ringCapacity: bytes of decoded audio, a power of two from 256 KiB (default: 4 MiB).
    public init(executable: String? = nil, hangLimit: Duration = .seconds(2), ringCapacity: Int? = nil) {
        decoders = executable.map { [DecoderKind.mpeg.at($0)] } ?? DecoderKind.all
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
            let decoders = DecoderKind.ordered(
                decoders, head: Self.head(of: source), mediaType: source.snapshot.contentType)
            try FileAccess.execute.check(try Self.path(of: decoders[0]))
            let session = try DecoderProcessSession(
                source, generation: generation, ringCapacity: ringCapacity, events: events)
            let supervision = Supervision(decoders, at: time, generation: generation, hangLimit: hangLimit)
            try session.run(supervision, decoders[0], at: time, generation: generation)
            return session
        } catch {
            throw MediaFailure(.internal, "the decoder cannot be started: \(error)")
        }
    }

    /// The program's path; a name is in the folder of the running program.
    static func path(of decoder: DecoderKind) throws(SystemError) -> String {
        decoder.executable.hasPrefix("/") ? decoder.executable : try Launch.sibling(decoder.executable)
    }

    /// The first bytes of the file, if they are available.
    private static func head(of source: any ByteSource) -> [UInt8] {
        let snapshot = source.snapshot
        let count = Int(min(64, snapshot.end(ofAvailableFrom: 0)))
        guard count > 0, !snapshot.memory.range.contains(0) else { return [] }
        var head = [UInt8](repeating: 0, count: count)
        let read = head.withUnsafeMutableBytes { try? readSome(source.descriptor, at: 0, into: $0) }
        return Array(head.prefix(read ?? 0))
    }
}
