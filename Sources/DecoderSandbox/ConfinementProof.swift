internal import Glibc
internal import SystemCalls

/// Acts that the sandbox must prevent. A test starts the program once for each and expects SIGSYS.
public enum ForbiddenAct: String, CaseIterable, Sendable {
    case open
    case socket
    case fork
    case execute
    case thread
    case executableMemory = "executable-memory"
    case trace

    /// Returns only if the sandbox did not prevent the act.
    public func attempt() { tryForbidden(rawValue) }
}
