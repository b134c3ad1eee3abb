internal import Glibc
internal import SystemCalls

/// Something that a confined process must not be able to do. A test starts the program once for each and sees it end
/// with SIGSYS.
public enum ForbiddenAct: String, CaseIterable, Sendable {
    /// Opening a file.
    case open
    /// Making a socket.
    case socket
    /// Making a process.
    case fork
    /// Becoming another program.
    case execute
    /// Making a thread.
    case thread
    /// Making memory that can be run.
    case executableMemory = "executable-memory"
    /// Reading another process.
    case trace

    /// Tries it. Returns only when nothing stopped it.
    public func attempt() { tryForbidden(rawValue) }
}
