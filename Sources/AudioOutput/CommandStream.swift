internal import Glibc
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

extension OutputKind {
    static let pipe = OutputKind(
        name: "pipe", parameter: .required("COMMAND"),
        makeSink: { specification, factory in
            let stream = CommandStream(command: specification.parameter, timeouts: factory.commandTimeouts)
            return try factory.sink(specification, stream, .ofReader)
        })
}

/// A command that reads frames on its standard input. `open` starts it, `close` closes its input.
final class CommandStream: PipedStream {
    /// How long a command may take. Together they are short enough that systemd, and a user who switches outputs, need not
    /// wait long for a command that does not end.
    struct Timeouts {
        /// To play what it has received after its input was closed.
        var end = Duration.milliseconds(700)
        /// To exit after SIGTERM, or after it closed its input.
        var terminate = Duration.milliseconds(300)
    }

    private let command: String
    private let timeouts: Timeouts
    private(set) var end: PipeEnd?
    private var process: ChildProcess?

    init(command: String, timeouts: Timeouts) {
        self.command = command
        self.timeouts = timeouts
    }

    func open(_ format: PCMFormat) throws(SinkError) {
        do throws(SystemError) {
            let pipe = try Pipe()
            // Errors of the command reach our log.
            process = try ChildProcess(
                .shell(
                    command,
                    descriptors: [
                        DescriptorMapping(pipe.reading.raw, to: STDIN_FILENO),
                        DescriptorMapping(STDERR_FILENO, to: STDERR_FILENO),
                    ]))
            let writing = pipe.closingReading()
            try FileDescriptor.makeNonBlocking(writing.raw)
            setPipeCapacity(of: writing.raw, bytes: format.rate * format.frameSize)
            end = PipeEnd(writing, frameSize: format.frameSize)
        } catch {
            throw SinkError("cannot start the command \"\(command)\": \(error)", isTemporary: true)
        }
    }

    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        guard let end else { throw SinkError("the command \"\(command)\" was closed") }
        return try mapError(of: end.write(frames), failure)
    }

    func close() {
        end = nil
        guard let process = process.take() else { return }
        if process.wait(until: .now + timeouts.end) == nil { _ = process.terminate(grace: timeouts.terminate) }
    }

    private func failure(_ error: SystemError) -> SinkError {
        guard error.code == EPIPE else {
            return SinkError("cannot write to the command \"\(command)\": \(error.reason)")
        }
        switch process?.wait(until: .now + timeouts.terminate) {
        case .exited(126), .exited(127):
            // The shell's exit statuses for a command that cannot be executed, and for one that was not found.
            return SinkError(
                "cannot run the command \"\(command)\"; set output.sink to a command that reads audio from standard input"
            )
        case .some(let status): return SinkError("the command \"\(command)\" ended with \(status)", isTemporary: true)
        case nil: return SinkError("the command \"\(command)\" closed its standard input", isTemporary: true)
        }
    }
}
