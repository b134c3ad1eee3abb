public import MediaPorts
internal import SystemCalls

/// Creates sinks from specifications.
public struct SinkFactory: Sendable {
    /// Time and waiting of the sinks; the same as their renderer's.
    let clock: any OutputClock
    /// Whether files and the null sink accept frames only in real time.
    let isPaced: Bool
    /// For tests, whose commands may start late on a busy machine.
    var commandTimeouts = CommandStream.Timeouts()

    /// Creates a factory.
    ///
    /// - Parameters:
    ///   - isPaced: false lets files, pipes and the null sink run at full speed (`--unpaced`).
    ///   - clock: time and waiting of the sinks; the same as their renderer's.
    public init(isPaced: Bool = true, clock: any OutputClock = SystemOutputClock()) {
        self.isPaced = isPaced
        self.clock = clock
    }

    /// Creates the sink of a specification; nothing is opened before its `open`.
    /// - Throws: `SinkError` if the process has no descriptors left.
    public func makeSink(_ specification: OutputSpecification) throws(SinkError) -> any Sink {
        do {
            return try specification.kind.makeSink(specification, self)
        } catch let error as SinkError {
            throw error
        } catch {
            throw SinkError("cannot create \(specification.name): \(error)")
        }
    }

    /// Who reads a stream, which decides the depth of the buffer before the stream and its speed.
    enum Reader {
        /// Nothing waits for bytes: the buffer is as deep as a device's, for few wake-ups.
        case none
        /// The program may run on its own clock, up to 0.1 % faster than ours. We write slightly faster and let back-pressure
        /// set the pace.
        case program
    }

    /// A sink that is a stream of bytes.
    ///
    /// Streams are 16 bit unless the specification says otherwise, because most consumers expect 16 bit. They keep
    /// their first format, because they cannot tell their reader about another.
    func sink(
        _ specification: OutputSpecification, _ stream: any ByteStream, reader: Reader = .none, keepsFirst: Bool = true
    ) throws -> StreamSink {
        let pace: StreamSink.Pace =
            switch reader {
            case .none: .realTime(buffer: .milliseconds(1800), speed: 1)
            case .program: .realTime(buffer: .milliseconds(500), speed: 1.001)
            }
        return try StreamSink(
            name: specification.name, pace: isPaced ? pace : .none,
            rule: StreamSink.FormatRule(
                rate: specification.rate, channels: specification.channels,
                type: specification.type ?? (keepsFirst ? .int16 : nil), keepsFirst: keepsFirst),
            clock: clock, stream: stream)
    }
}
