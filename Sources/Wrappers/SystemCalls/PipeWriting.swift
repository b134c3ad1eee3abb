internal import CLinux
internal import Glibc

/// write(2) to a pipe or socket whose reader may have gone: that gives `EPIPE` and no SIGPIPE, whatever the
/// process does with that signal. Any thread.
///
/// - Returns: bytes written; 0 when a descriptor that does not block has no room.
/// - Throws: `SystemError`; its code is `EPIPE` when nobody reads any more.
public func writeWithoutSignal(
    to descriptor: Int32, _ bytes: UnsafeRawBufferPointer
) throws(SystemError) -> Int {
    var (pipe, before, pending) = (sigset_t(), sigset_t(), sigset_t())
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
            // Our write raised it for this thread: taken here, it reaches nobody.
            var none = timespec()
            _ = unsafe sigtimedwait(&pipe, nil, &none)
            throw SystemError(code: code, call: "write")
        default: throw SystemError(code: code, call: "write")
        }
    }
}

/// Bytes in a pipe that its reader has not taken: ioctl(2) `FIONREAD`; 0 when that cannot be known.
public func unreadBytes(of descriptor: Int32) -> Int {
    max(0, Int(shim_unread_bytes(descriptor)))
}

/// Asks for a pipe's capacity in bytes: fcntl(2) `F_SETPIPE_SZ`. The system may refuse; the old size stays then.
public func setPipeCapacity(of descriptor: Int32, bytes: Int) {
    _ = shim_set_pipe_capacity(descriptor, Int32(clamping: bytes))
}
