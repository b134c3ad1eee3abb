internal import Glibc
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

extension OutputKind {
    /// A named pipe, created if it is missing.
    static let fifo = OutputKind(
        name: "fifo", parameter: .required("PATH"), note: "podcastd plays whether or not a program reads it",
        inspect: { FIFOStream.condition(of: $0.parameter) },
        makeSink: { specification, factory in
            let stream = FIFOStream(path: specification.parameter, isPaced: factory.isPaced, clock: factory.clock)
            return try factory.sink(specification, stream, .ofReader)
        })
}

/// The write end of a pipe: never blocks, never raises SIGPIPE, and writes whole frames.
final class PipeEnd {
    private let descriptor: FileDescriptor
    private let frameSize: Int
    /// The rest of a frame that was written partially.
    private var owed: [UInt8] = []
    /// Number of bytes written, modulo the frame size.
    private var phase = 0
    /// Maximum size of one write. A blocking descriptor gets at most the size for which poll(2) guarantees room.
    private let limit: Int

    /// Takes ownership of a descriptor.
    /// - Parameter isBlocking: whether writes may block, because the descriptor's flags are shared with other processes.
    init(_ descriptor: consuming FileDescriptor, frameSize: Int, isBlocking: Bool = false) {
        self.descriptor = descriptor
        self.frameSize = frameSize
        limit = isBlocking ? 4096 : .max
    }

    var raw: Int32 { descriptor.raw }
    var unread: Int { unreadBytes(of: descriptor.raw) + owed.count }

    /// - Returns: number of bytes of whole frames that were accepted.
    func write(_ frames: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        while !owed.isEmpty {
            let result = owed.withUnsafeBytes { bytes in Result { () throws(SystemError) in try put(bytes) } }
            let count = try result.get()
            guard count > 0 else { return 0 }
            owed.removeFirst(count)
        }
        let count = try put(frames)
        let begun = (count + frameSize - 1) / frameSize * frameSize
        if begun > count { owed = Array(frames[count..<begun]) }
        return begun
    }

    /// Removes what the reader has not read, except for the rest of the frame it has begun to read.
    func discardUnread() {
        guard unread > 0 else { return }
        guard let other = try? FileDescriptor.open("/proc/self/fd/\(descriptor.raw)", O_RDONLY | O_NONBLOCK) else {
            return
        }
        var head: [UInt8] = []
        var removed = 0
        // A pipe without more bytes ends this with EAGAIN.
        while let bytes = try? other.readSome(upTo: 16 << 10), !bytes.isEmpty {
            head += bytes.prefix(max(0, frameSize - head.count))
            removed += bytes.count
        }
        head += owed.prefix(max(0, frameSize - head.count))
        let taken = ((phase - removed) % frameSize + frameSize) % frameSize
        phase = taken
        owed = taken == 0 ? [] : Array(head.prefix(frameSize - taken))
    }

    /// Removes what the reader has not read. The next frame is the first of another reader.
    func startOver() {
        discardUnread()
        owed = []
        phase = 0
    }

    private func put(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        if limit < bytes.count, !waitForDescriptors(readable: -1, writable: descriptor.raw, until: .distantPast) {
            return 0
        }
        let part = UnsafeRawBufferPointer(rebasing: bytes[..<min(limit, bytes.count)])
        let count = try writeWithoutSignal(to: descriptor.raw, part)
        phase = (phase + count) % frameSize
        return count
    }
}

/// A named pipe whose readers may come and go.
///
/// The pipe is open for reading too, so that it exists for readers that open it for a moment only (snapserver), and
/// writing does not fail. The pipe shows only whether its bytes are read: without a reader, the stream continues in
/// real time, and each write replaces what the previous one left. So a new reader gets the sound of this moment.
final class FIFOStream: PipedStream {
    /// A pipe from which no program has read for this time has no reader.
    private static let readerPatience = Duration.seconds(1)

    private let path: String
    private let isPaced: Bool
    private let clock: any OutputClock
    private(set) var end: PipeEnd?
    private var node: (device: UInt64, inode: UInt64) = (0, 0)
    private var hasReader = true
    /// Bytes in the pipe when it was looked at last.
    private var left = 0
    /// When bytes were last seen to be read, or there was nothing to read.
    private var lastRead = Instant.distantPast

    /// - Parameter isPaced: false waits for a reader as long as it takes.
    init(path: String, isPaced: Bool, clock: any OutputClock) {
        self.path = path
        self.isPaced = isPaced
        self.clock = clock
        // Programs may open the pipe before the first sound. If it cannot be created, `open` reports it.
        try? StoredFile.makePipe(path)
    }

    func open(_ format: PCMFormat) throws(SinkError) {
        do throws(SystemError) {
            try StoredFile.makePipe(path)
            let descriptor = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK)
            let status = try FileStatus(of: descriptor.raw)
            if status.isPipe {
                // Large enough that a slow reader does not wake the sink thread for every page.
                setPipeCapacity(of: descriptor.raw, bytes: format.rate * format.frameSize)
                node = (status.device, status.inode)
                end = PipeEnd(descriptor, frameSize: format.frameSize)
                hasReader = true
                left = 0
                lastRead = clock.now
            }
        } catch { throw failure(error) }
        if end == nil { throw SinkError("\(path) is not a named pipe; remove it, or set output.sink to raw:\(path)") }
    }

    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        guard let end else { throw SinkError("\(path) is closed") }
        look(at: end)
        if !hasReader {
            try checkPath()
            end.discardUnread()
        }
        do throws(SystemError) {
            let count = try end.write(frames)
            left = end.unread
            return count
        } catch { throw failure(error) }
    }

    func takeBack(_ bytes: Int) {
        end?.discardUnread()
        left = 0
    }

    var unread: Int {
        guard let end else { return 0 }
        look(at: end)
        return hasReader ? left : 0
    }

    var patience: Duration? { Self.readerPatience }
    func close() { end = nil }

    /// Whether a named pipe can be written and read, as far as its permissions say.
    static func condition(of path: String) -> OutputCondition {
        guard let status = try? FileStatus(path: path) else { return PCMFile.condition(of: path) }
        guard status.isPipe else { return .unusable("\(path) is not a named pipe") }
        guard FileAccess([.read, .write]).isAllowed(path) else { return .forbidden(path, "read and write") }
        guard status.permissions & 0o044 != 0 else {
            return .unusable(.other, "other users have no permission to read \(path)", fix: "chmod go+r \(path)")
        }
        return .usable
    }

    private func look(at end: PipeEnd) {
        let now = clock.now
        let before = left
        left = end.unread
        if left < before || left == 0 {
            lastRead = now
            if left < before { hasReader = true }
        } else if hasReader, isPaced, now - lastRead > Self.readerPatience {
            hasReader = false
            end.startOver()
            left = 0
        }
    }

    /// A reader that comes back may have replaced the pipe by another one.
    private func checkPath() throws(SinkError) {
        guard let status = try? FileStatus(path: path), (status.device, status.inode) == node else {
            throw SinkError("\(path) was removed or replaced; podcastd opens it again", isTemporary: true)
        }
    }

    private func failure(_ error: SystemError) -> SinkError {
        guard error.code == EACCES else { return PCMFile.failure(error, path) }
        return SinkError("no permission to read and write \(path); chmod a+rw \(path), or use another path")
    }
}
