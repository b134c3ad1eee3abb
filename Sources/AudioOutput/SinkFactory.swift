public import MediaPorts
internal import SystemCalls

/// Creates sinks from specifications.
public struct SinkFactory: Sendable {
    /// Time and waiting of the sinks; the same as their renderer's.
    private let clock: any OutputClock
    /// Whether files and the null sink accept frames only in real time.
    private let isPaced: Bool
    /// For tests, whose commands may start late on a busy machine.
    var commandGraces = CommandStream.Graces()

    /// Creates a factory.
    ///
    /// - Parameters:
    ///   - isPaced: false lets files, pipes and the null sink run at full speed (`--unpaced`).
    ///   - clock: time and waiting of the sinks; the same as their renderer's.
    public init(isPaced: Bool = true, clock: any OutputClock = SystemOutputClock()) {
        self.isPaced = isPaced
        self.clock = clock
    }

    /// Buffer of a stream without a reader, as deep as a device's, for few wake-ups.
    private static let buffer = Duration.milliseconds(1800)

    /// Creates the sink of a specification; nothing is opened before its `open`.
    ///
    /// Streams are 16 bit unless the specification says otherwise, because most consumers expect 16 bit. They keep
    /// their first format, because they cannot tell their reader about another.
    /// - Throws: `SinkError` if the process has no descriptors left.
    public func makeSink(_ specification: OutputSpecification) throws(SinkError) -> any Sink {
        do {
            switch specification.kind {
            case .alsa(let device):
                return try ALSASink(
                    device: device, rate: specification.rate, channels: specification.channels,
                    type: specification.type, clock: clock)
            case .null: return try stream(specification, buffer: Self.buffer, keepsFirst: false, NullStream())
            case .wav(let path): return try stream(specification, buffer: Self.buffer, WAVStream(path: path))
            case .raw(let path): return try stream(specification, buffer: Self.buffer, RawStream(path: path))
            case .fifo(let path):
                // The reader may run on its own clock, up to 0.1 % faster than ours. We write slightly faster and let
                // back-pressure set the pace.
                return try stream(
                    specification, buffer: .milliseconds(500), haste: 1.001,
                    FIFOStream(path: path, isPaced: isPaced, clock: clock))
            case .pipe(let command):
                return try stream(
                    specification, buffer: .milliseconds(500), haste: 1.001,
                    CommandStream(command: command, graces: commandGraces))
            }
        } catch let error as SinkError {
            throw error
        } catch {
            throw SinkError("cannot create \(specification.name): \(error)")
        }
    }

    private func stream(
        _ specification: OutputSpecification, buffer: Duration, haste: Double = 1, keepsFirst: Bool = true,
        _ stream: any ByteStream
    ) throws -> StreamSink {
        let type = specification.type ?? (keepsFirst ? .int16 : nil)
        return try StreamSink(
            name: specification.name, pace: isPaced ? .realTime(buffer: buffer, haste: haste) : .none,
            rule: StreamSink.FormatRule(
                rate: specification.rate, channels: specification.channels, type: type, keepsFirst: keepsFirst),
            clock: clock, stream: stream)
    }
}
