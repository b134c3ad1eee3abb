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

    /// A sink that is a stream of bytes.
    /// - Parameter isReadByProgram: whether a program reads the stream. The program may run on its own clock, up to 0.1 % faster
    ///   than ours, so we write slightly faster and let back-pressure set the pace. Without a program the buffer is as deep
    ///   as a device's, for few wake-ups.
    func sink(
        _ specification: OutputSpecification, _ stream: any ByteStream, isReadByProgram: Bool = false,
        keepsFirst: Bool = true
    ) throws -> StreamSink {
        let pace =
            isReadByProgram
            ? StreamSink.Pace(buffer: .milliseconds(500), speed: 1.001)
            : StreamSink.Pace(buffer: .milliseconds(1800), speed: 1)
        return try StreamSink(
            specification, stream, pace: isPaced ? pace : nil, keepsFirst: keepsFirst, clock: clock)
    }
}
