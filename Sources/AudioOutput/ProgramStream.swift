internal import Glibc
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

extension OutputKind {
    /// A renderer in the network, which gets the episode's file from podcast-output.
    static let upnp = OutputKind(
        name: "upnp", parameter: .required("NAME"), programs: ["podcast-output"], isClientAddable: { _ in true },
        isAtSpeedOne: true,
        note: "plays the episode's file on the renderer, at speed 1; 'podcast-output renderers' lists renderers",
        find: { () throws(SinkError) in try renderers() },
        makeSink: { specification, factory in
            let pace = StreamSink.Pace(buffer: .milliseconds(500), speed: 4)
            let program = try factory.program(specification, ["upnp"], pace)
            let stream = ClockStream(program, buffer: pace.buffer, clock: factory.clock)
            return try factory.sink(specification, stream, pace)
        })

    private static let longestList = 64 << 10

    /// The renderers that `podcast-output renderers` lists: each line has a name, a tab and a UDN.
    private static func renderers() throws(SinkError) -> [FoundDevice] {
        do throws(SystemError) {
            let run = try CollectedOutput.of(
                Launch(try Launch.sibling("podcast-output"), ["renderers"]), limit: longestList, timeout: .seconds(4))
            return String(utf8: run.output).split(separator: "\n").compactMap { line in
                line.split(separator: "\t").first.map {
                    FoundDevice(String($0), OutputSpecification(.upnp, String($0)))
                }
            }
        } catch { throw SinkError("cannot search for renderers: \(error)", isTemporary: true) }
    }
}

extension SinkFactory {
    /// podcast-output for an output.
    /// - Parameter command: of podcast-output, with its options.
    func program(
        _ specification: OutputSpecification, _ command: [String], _ pace: StreamSink.Pace
    ) throws -> ProgramStream {
        guard let socket else { throw SinkError("\(specification.name) needs podcastd") }
        let own = ["--socket", socket, "--output", specification.description, "--", specification.parameter]
        return ProgramStream(specification.name, command + own, buffer: pace.buffer)
    }
}

/// podcast-output, which may read frames on its standard input, and writes an `OutputReport` on each line of its standard output. It
/// starts at the first `open` and ends when this stream does, or when it sees that the output is disabled.
final class ProgramStream: PipedStream, PaceSource {
    /// How long `open` waits for podcast-output to be ready if it was not.
    private static let readiness = Duration.milliseconds(700)
    /// Reads from podcast-output at a time.
    private static let mostReads = 4
    /// How long podcast-output may take to stop the renderer.
    private static let stopTimeout = Duration.seconds(3)

    private let name: String
    private let arguments: [String]
    private let buffer: Duration
    private var process: ChildProcess?
    private(set) var end: PipeEnd?
    private var status: FileDescriptor?
    /// The beginning of a line that is not complete; longer lines are not reports.
    private var input = [UInt8](repeating: 0, count: 2048)
    private var inputCount = 0
    private var report = OutputReport.waits("it starts")

    init(_ name: String, _ arguments: [String], buffer: Duration) {
        self.name = name
        self.arguments = arguments
        self.buffer = buffer
    }

    deinit {
        end = nil
        guard let process else { return }
        try? DedicatedThread(name: .programs) {
            if process.wait(until: .now + Self.stopTimeout) == nil { _ = process.terminate(grace: .milliseconds(300)) }
        }.detach()
    }

    func open(_ format: PCMFormat) throws(SinkError) {
        if process?.exitStatus() != nil {
            process = nil
            end = nil
            inputCount = 0
            status = nil
        }
        if process == nil {
            try mapError(of: start(format)) { (error: SystemError) in
                SinkError("cannot start podcast-output: \(error)", isTemporary: true)
            }
        }
        let limit = Instant.now + Self.readiness
        while true {
            readReports()
            guard case .waits = report, let raw = status?.raw, waitForDescriptors(readable: raw, until: limit) else {
                break
            }
        }
        _ = try pace()
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
        process?.reapAtEnd()
        let writing = pipe.closingReading()
        let reading = answers.closingWriting()
        for raw in [writing.raw, reading.raw] { try FileDescriptor.makeNonBlocking(raw) }
        setPipeCapacity(
            of: writing.raw, bytes: Int(PacedBuffer.frames(in: buffer, rate: format.rate)) * format.frameSize)
        end = PipeEnd(writing, frameSize: format.frameSize)
        status = consume reading
        report = .waits("it starts")
    }

    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        _ = try pace()
        guard let end else { throw SinkError("\(name) is closed") }
        do throws(SystemError) {
            return try end.write(frames)
        } catch {
            _ = process?.wait(until: .now + Self.readiness)
            throw ended
        }
    }

    private var ended: SinkError { SinkError("\(name): podcast-output ended; see podcastd's log", isTemporary: true) }

    func pace() throws(SinkError) -> Double {
        readReports()
        if status == nil { throw ended }
        switch report {
        case .plays(let pace): return pace
        case .waits(let reason): throw SinkError("\(name): \(reason)", isTemporary: true)
        }
    }

    /// Reads what podcast-output has written, at most some lines of it; the last report wins. Allocates nothing for one with a pace,
    /// because the sink thread calls it between chunks.
    private func readReports() {
        for _ in 0..<Self.mostReads {
            guard let raw = status?.raw,
                let count = try? input.withUnsafeMutableBytes({ bytes in
                    try readSome(raw, into: UnsafeMutableRawBufferPointer(rebasing: bytes[inputCount...]))
                })
            else { return }
            if count == 0 { return status = nil }
            inputCount += count
            takeReport()
        }
    }

    private func takeReport() {
        guard let end = input[..<inputCount].lastIndex(of: UInt8(ascii: "\n")) else {
            if inputCount == input.count { inputCount = 0 }
            return
        }
        let begin = input[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        input.withUnsafeMutableBytes { bytes in
            if let new = OutputReport(UnsafeRawBufferPointer(rebasing: bytes[begin..<end])) { report = new }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)..<inputCount])
            bytes.copyMemory(from: rest)
            inputCount = rest.count
        }
    }

    /// A reason is seen after this time.
    var patience: Duration? { .milliseconds(250) }
    /// podcast-output stays, because a pause closes outputs.
    func close() {}
}
