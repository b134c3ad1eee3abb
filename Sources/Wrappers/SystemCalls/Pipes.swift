internal import CLinux
internal import Glibc

/// A pipe: pipe2(2), close-on-exec.
public struct Pipe: ~Copyable, Sendable {
    public var reading: FileDescriptor
    public var writing: FileDescriptor

    /// Makes a pipe with blocking ends.
    public init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        try retrying("pipe") { unsafe shim_pipe(&ends, O_CLOEXEC) }
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }

    /// Closes the writing end after passing it to another process; the reading end then shows that process's end.
    public consuming func closingWriting() -> FileDescriptor { reading }

    /// Closes the reading end after it was passed to another process.
    public consuming func closingReading() -> FileDescriptor { writing }
}

/// Reads available bytes: read(2).
/// - Returns: number of bytes, 0 at the end, nil if a nonblocking descriptor has no bytes now.
public func readSome(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
    do throws(SystemError) {
        return try retrying("read") { unsafe read(descriptor, buffer.baseAddress, buffer.count) }
    } catch  where error.code == EAGAIN {
        return nil
    }
}

/// Reads at an offset without moving the file position: pread(2).
/// - Returns: number of bytes, 0 at the end of the file.
public func readSome(
    _ descriptor: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
) throws(SystemError) -> Int {
    try retrying("pread") { unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
}

/// write(2) to a pipe or socket without SIGPIPE, whatever the process does with that signal. Any thread.
/// - Returns: bytes written; 0 if a nonblocking descriptor has no room.
/// - Throws: `SystemError`, with `EPIPE` if there is no longer a reader.
public func writeWithoutSignal(to descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    unsafe sigemptyset(&pipe)
    unsafe sigaddset(&pipe, SIGPIPE)
    unsafe sigpending(&pending)
    let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
    unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before)
    defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    while true {
        let count = unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        if count >= 0 { return count }
        let code = errno
        switch code {
        case EINTR: continue
        case EAGAIN: return 0
        case EPIPE where !wasPending:
            // Our write raised SIGPIPE for this thread: consume it here.
            var none = timespec()
            _ = unsafe sigtimedwait(&pipe, nil, &none)
            throw SystemError(code: code, call: "write")
        default: throw SystemError(code: code, call: "write")
        }
    }
}

/// Unread bytes in a pipe: ioctl(2) `FIONREAD`; 0 if unknown.
public func unreadBytes(of descriptor: Int32) -> Int { max(0, Int(shim_unread_bytes(descriptor))) }

/// Requests a pipe's capacity in bytes: fcntl(2) `F_SETPIPE_SZ`. If the system refuses, the old size stays.
public func setPipeCapacity(of descriptor: Int32, bytes: Int) {
    _ = shim_set_pipe_capacity(descriptor, Int32(clamping: bytes))
}
