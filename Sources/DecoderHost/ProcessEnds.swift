internal import DecoderProtocol
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// A decoder process, and the daemon's ends of its socket and its stderr pipe.
final class ProcessEnds {
    let process: ChildProcess
    let socket: MessageSocket
    private let errors: FileDescriptor
    private var errorText: [UInt8] = []
    private var errorsAreOver = false

    /// Starts a process, which is killed when the calling thread ends.
    init(
        _ executable: String, source: Int32, index: Int32, room: Int32, readiness: Int32, memory: SharedMemory
    ) throws(SystemError) {
        let pair = try MessageSocket.pair()
        let pipe = try Pipe()
        let inherited = DecoderDescriptors.inherited
        try FileDescriptor.makeNonBlocking(pipe.reading.raw)
        process = try ChildProcess(
            Launch(
                executable,
                descriptors: [
                    DescriptorMapping(pipe.writing.raw, to: 2), DescriptorMapping(pair.far.raw, to: inherited.socket),
                    DescriptorMapping(memory.descriptor, to: inherited.memory),
                    DescriptorMapping(room, to: inherited.room), DescriptorMapping(readiness, to: inherited.readiness),
                    DescriptorMapping(source, to: inherited.source), DescriptorMapping(index, to: inherited.index),
                ], signalWhenParentEnds: SIGKILL))
        errors = pipe.closingWriting()
        socket = pair.keepingNear()
    }

    /// The pipe from the process's stderr; -1 once the pipe is closed.
    var errorDescriptor: Int32 { errorsAreOver ? -1 : errors.raw }

    /// Reads the process's stderr; keeps the first 2 KiB.
    func readErrors() {
        let room = 2048 - errorText.count
        let count = withUnsafeTemporaryAllocation(byteCount: 2048, alignment: 1) { buffer -> Int? in
            do throws(SystemError) {
                guard let count = try readSome(errors.raw, into: buffer) else { return nil }
                errorText += buffer[..<min(count, room)]
                return count
            } catch {
                // A pipe that fails is treated like one that ended.
                return 0
            }
        }
        if count == 0 { errorsAreOver = true }
    }

    /// Kills the process without waiting.
    func kill() {
        #if !COUNTED
            process.signal(SIGKILL)
        #endif
    }

    /// Kills the process and waits for its end.
    func end() -> ProcessEnd {
        #if COUNTED
            // callgrind writes its figures only if a process exits normally.
            StreamSocket.shutdown(socket.raw)
            _ = process.wait(until: .now + .seconds(20))
        #endif
        process.signal(SIGKILL)
        let status = process.wait()
        while !errorsAreOver {
            let before = errorText.count
            readErrors()
            if errorText.count == before { break }
        }
        let text = SafeText.title(String(utf8: errorText), atMostBytes: 300)
        return ProcessEnd(status, text)
    }
}

/// The end of a decoder's process.
struct ProcessEnd: Equatable, CustomStringConvertible {
    let status: TerminationStatus
    /// The text that the process wrote to stderr, as one line.
    let text: String?

    init(_ status: TerminationStatus, _ text: String? = nil) {
        self.status = status
        self.text = text
    }

    var description: String { text.map { "\(status): \($0)" } ?? "\(status)" }
}
