internal import Glibc
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

extension OutputKind {
    /// A renderer in the network, which gets the episode's file from podcast-output; the sound is only its clock.
    static let upnp = OutputKind(
        name: "upnp", parameter: .required("NAME"), programs: ["podcast-output"], isClientAddable: { _ in true },
        note: "plays the episode's file on the renderer; 'podcast-output renderers' lists those in the network",
        makeSink: { specification, factory in
            var specification = specification
            specification.rate = 8_000
            specification.channels = 1
            specification.type = .int16
            // The renderer sets the pace, and podcastd follows it after a wait.
            return try factory.programSink(specification, ["upnp"], .init(buffer: .milliseconds(500), speed: 4))
        })
}

extension SinkFactory {
    /// A sink whose sound podcast-output reads.
    /// - Parameter command: of podcast-output, with its options.
    func programSink(
        _ specification: OutputSpecification, _ command: [String], _ pace: StreamSink.Pace
    ) throws -> StreamSink {
        guard let socket else { throw SinkError("\(specification.name) needs podcastd") }
        let stream = ProgramStream(
            specification.name, command + ["--socket", socket, "--", specification.parameter], buffer: pace.buffer)
        return try sink(specification, stream, pace)
    }
}

/// podcast-output, which reads frames on its standard input at the pace at which they are heard. Frames that it has not read are the
/// latency. On its standard output it writes a line with the reason why it cannot play now, and an empty line when it can. It starts at
/// the first `open` and ends when this stream does, or when it sees that the output is disabled.
final class ProgramStream: PipedStream {
    /// How long `open` waits for podcast-output to be ready if it was not.
    private static let readiness = Duration.milliseconds(700)
    /// How long podcast-output may take to stop the renderer.
    private static let farewell = Duration.seconds(3)

    private let name: String
    private let arguments: [String]
    private let buffer: Duration
    private var process: ChildProcess?
    private(set) var end: PipeEnd?
    private var status: FileDescriptor?
    private var lines = LineBuffer()
    /// Why podcast-output cannot play now.
    private var reason: String?

    init(_ name: String, _ arguments: [String], buffer: Duration) {
        self.name = name
        self.arguments = arguments
        self.buffer = buffer
    }

    deinit {
        end = nil
        guard let process else { return }
        // Without a thread, the end of this object kills podcast-output.
        try? DedicatedThread(name: .programs) {
            if process.wait(until: .now + Self.farewell) == nil { _ = process.terminate(grace: .milliseconds(300)) }
        }.detach()
    }

    func open(_ format: PCMFormat) throws(SinkError) {
        if process?.exitStatus() != nil {
            process = nil
            end = nil
            reason = nil
            lines = LineBuffer()
            status = nil
        }
        if process == nil {
            try mapError(of: start(format)) { (error: SystemError) in
                SinkError("cannot start podcast-output: \(error)", isTemporary: true)
            }
        }
        let limit = Instant.now + Self.readiness
        readStatus()
        while reason != nil, let raw = status?.raw, waitForDescriptors(readable: raw, until: limit) { readStatus() }
        if status == nil { throw ended }
        try checkReason()
    }

    private func start(_ format: PCMFormat) throws(SystemError) {
        let pipe = try Pipe()
        let answers = try Pipe()
        process = try ChildProcess(
            Launch(
                try Launch.sibling("podcast-output"), arguments,
                environment: Launch.inherited(["HOME", "LANG", "PATH", "XDG_CONFIG_HOME"]),
                descriptors: [
                    DescriptorMapping(pipe.reading.raw, to: STDIN_FILENO),
                    DescriptorMapping(answers.writing.raw, to: STDOUT_FILENO),
                    DescriptorMapping(STDERR_FILENO, to: STDERR_FILENO),
                ]))
        let writing = pipe.closingReading()
        let reading = answers.closingWriting()
        for raw in [writing.raw, reading.raw] { try FileDescriptor.makeNonBlocking(raw) }
        setPipeCapacity(
            of: writing.raw, bytes: Int(PacedBuffer.frames(in: buffer, rate: format.rate)) * format.frameSize)
        end = PipeEnd(writing, frameSize: format.frameSize)
        status = consume reading
        reason = "it starts"
    }

    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        readStatus()
        try checkReason()
        guard let end else { throw SinkError("\(name) is closed") }
        do throws(SystemError) {
            return try end.write(frames)
        } catch {
            _ = process?.wait(until: .now + Self.readiness)
            throw ended
        }
    }

    private var ended: SinkError { SinkError("\(name): podcast-output ended; see podcastd's log", isTemporary: true) }

    private func checkReason() throws(SinkError) {
        if let reason { throw SinkError("\(name): \(reason)", isTemporary: true) }
    }

    /// Takes what podcast-output has written; the last line counts.
    private func readStatus() {
        var bytes = [UInt8](repeating: 0, count: 1024)
        while let raw = status?.raw, let count = try? bytes.withUnsafeMutableBytes({ try readSome(raw, into: $0) }) {
            if count == 0 { return status = nil }
            bytes.withUnsafeBytes { lines.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        while let line = lines.takeLine({ String(utf8: $0) }) {
            reason = line.isEmpty ? nil : SafeText.line(line, atMost: 300)
        }
    }

    /// A reason is seen after this time.
    var patience: Duration? { .milliseconds(250) }
    /// podcast-output stays, because a pause closes outputs.
    func close() {}
}
