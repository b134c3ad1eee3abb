internal import ChildProcess
internal import DecoderProtocol
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// A decoder process and the daemon's ends of what leads to it.
final class ProcessEnds {
    let process: ChildProcess
    let socket: MessageSocket
    private let errors: FileDescriptor
    private var errorText: [UInt8] = []
    private var errorsAreOver = false

    /// Starts a process; it gets its signal when the calling thread ends.
    init(
        _ executable: String, source: Int32, sourceMemory: Int32, room: Int32, readiness: Int32, memory: SharedMemory
    ) throws(SystemError) {
        let pair = try MessageSocket.pair()
        let pipe = try Pipe()
        try Pipe.makeNonBlocking(pipe.reading.raw)
        process = try ChildProcess(
            Launch(
                executable,
                descriptors: [
                    DescriptorMapping(pipe.writing.raw, to: 2),
                    DescriptorMapping(pair.far.raw, to: DecoderDescriptors.socket),
                    DescriptorMapping(memory.descriptor, to: DecoderDescriptors.memory),
                    DescriptorMapping(room, to: DecoderDescriptors.room),
                    DescriptorMapping(readiness, to: DecoderDescriptors.readiness),
                    DescriptorMapping(source, to: DecoderDescriptors.source),
                    DescriptorMapping(sourceMemory, to: DecoderDescriptors.sourceMemory),
                ], signalWhenParentEnds: SIGKILL))
        errors = pipe.closingWriting()
        socket = pair.keepingNear()
    }

    /// What it writes to stderr; -1 once that is closed.
    var errorDescriptor: Int32 { errorsAreOver ? -1 : errors.raw }

    /// Takes what it wrote to stderr; keeps the first 2 KiB.
    func readErrors() {
        let room = 2048 - errorText.count
        let count = withUnsafeTemporaryAllocation(byteCount: 2048, alignment: 1) { buffer -> Int? in
            do throws(SystemError) {
                guard let count = try readSome(errors.raw, into: buffer) else { return nil }
                errorText += buffer[..<min(count, room)]
                return count
            } catch {
                // A pipe that fails is as good as one that ended.
                return 0
            }
        }
        if count == 0 { errorsAreOver = true }
    }

    /// Ends it without waiting.
    func kill() {
        #if !COUNTED
            process.signal(SIGKILL)
        #endif
    }

    /// Kills it, waits for it, and tells how it ended, with its last words.
    func end() -> String {
        #if COUNTED
            // Tools that count instructions write their figures when a process ends by itself.
            StreamSocket.shutdown(socket.raw)
            _ = process.wait(milliseconds: 20_000)
        #endif
        process.signal(SIGKILL)
        let status = process.wait()
        while !errorsAreOver {
            let before = errorText.count
            readErrors()
            if errorText.count == before { break }
        }
        let words = SafeText.title(String(decoding: errorText, as: UTF8.self), atMostBytes: 300)
        return words.map { "\(status): \($0)" } ?? "\(status)"
    }
}
