public import MediaPorts
internal import SystemCalls

/// Makes sinks from specifications.
public struct SinkFactory: Sendable {
    /// Time and waiting of the sinks; the same that their renderer has.
    private let clock: any OutputClock
    /// Whether files and the null sink take frames no faster than they would be heard.
    private let isPaced: Bool

    /// A factory.
    ///
    /// - Parameters:
    ///   - isPaced: false lets files, pipes and the null sink run as fast as they can (`--unpaced`).
    ///   - clock: time and waiting of the sinks; the same that their renderer has.
    public init(isPaced: Bool = true, clock: any OutputClock = MonotonicClock()) {
        self.isPaced = isPaced
        self.clock = clock
    }

    /// Seconds that a stream without a reader is ahead of the ear, like a device: deep, for few wake-ups.
    private static let buffer = 1.8

    /// Makes the sink of a specification; it opens nothing before its `open`.
    ///
    /// Streams are 16 bit unless the specification says otherwise, since most that reads them expects that, and keep
    /// their first format, since they cannot tell their reader of another.
    /// - Throws: `SinkError` when the process has no descriptors left.
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
                // A reader with a clock of its own may be as fast as clocks differ; its own pace then holds us back.
                return try stream(specification, buffer: 0.5, haste: 1.001, FIFOStream(path: path))
            case .pipe(let command):
                return try stream(specification, buffer: 0.5, haste: 1.001, CommandStream(command: command))
            }
        } catch let error as SinkError {
            throw error
        } catch {
            throw SinkError("\(specification.name) cannot be made: \(error)")
        }
    }

    private func stream(
        _ specification: OutputSpecification, buffer: Double, haste: Double = 1, keepsFirst: Bool = true,
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
