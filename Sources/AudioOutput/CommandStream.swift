internal import ChildProcess
internal import Glibc
internal import MediaPorts
internal import SystemCalls

/// A command that reads frames on its standard input; started at `open`, and given its end of input at `close`.
final class CommandStream: ByteStream {
    /// Milliseconds that a command has to play what it holds after its input ended, and to end when asked to: together
    /// short enough that a service manager, or a listener who changes outputs, does not wait for a stubborn one.
    private static let graces: (end: Int32, terminate: Int32) = (700, 300)

    private let command: String
    private var end: PipeEnd?
    private var process: ChildProcess?

    init(command: String) { self.command = command }

    func open(_ format: PCMFormat) throws(SinkError) {
        do throws(SystemError) {
            let pipe = try Pipe()
            // What it has to say against the sound goes where our own messages go.
            process = try ChildProcess(
                .shell(
                    command,
                    descriptors: [
                        DescriptorMapping(pipe.reading.raw, to: STDIN_FILENO),
                        DescriptorMapping(STDERR_FILENO, to: STDERR_FILENO),
                    ]))
            let writing = pipe.closingReading()
            try Pipe.makeNonBlocking(writing.raw)
            setPipeCapacity(of: writing.raw, bytes: format.rate * format.frameSize)
            end = PipeEnd(writing, frameSize: format.frameSize)
        } catch {
            throw SinkError("the command \"\(command)\" cannot be started: \(error)", isTemporary: true)
        }
    }

    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        guard let end else { throw SinkError("the command \"\(command)\" was ended") }
        do throws(SystemError) {
            return try end.write(frames)
        } catch {
            throw failure(error)
        }
    }

    func takeBack(_ bytes: Int) { end?.discardUnread() }
    var unread: Int { end?.unread ?? 0 }
    var descriptor: Int32 { end?.raw ?? -1 }

    func close() {
        end = nil
        guard let process else { return }
        self.process = nil
        if process.wait(milliseconds: Self.graces.end) == nil {
            _ = process.terminate(grace: Self.graces.terminate)
        }
    }

    private func failure(_ error: SystemError) -> SinkError {
        guard error.code == EPIPE else {
            return SinkError("the command \"\(command)\" cannot be written to: \(error.reason)")
        }
        switch process?.wait(milliseconds: Self.graces.terminate) {
        case .exited(126), .exited(127):
            // The shell's own statuses for what cannot be run and what is not found.
            return SinkError("the command \"\(command)\" cannot be run; write one that reads sound on standard input")
        case .some(let status):
            return SinkError("the command \"\(command)\" ended with \(status)", isTemporary: true)
        case nil:
            return SinkError("the command \"\(command)\" reads no more", isTemporary: true)
        }
    }
}
