internal import Glibc
internal import SystemCalls

/// The library is locked by another process, or the lock file cannot be opened.
public enum LibraryLockError: Error, Equatable, Sendable {
    /// Another process has it: its number, when the file tells.
    case held(process: Int32?)
    /// The lock file cannot be opened or locked; the system's words with the path.
    case unavailable(String)
}

/// Holds a role on a library: one daemon and one refresher at a time, each on its own file.
///
/// The lock is flock(2)'s: the kernel drops it with the process, however that ends, so the file itself may stay
/// lying about and is never removed. The lock is also not inherited by programs started: its descriptor is closed
/// on exec.
public final class LibraryLock {
    /// What a process does with the library.
    public enum Role: String, Sendable {
        /// The daemon: `library.lock`.
        case daemon = "library.lock"
        /// podcast-refresh: `refresh.lock`.
        case refresher = "refresh.lock"
    }

    // A check by `isHeld` takes microseconds; two in a row must not make this fail.
    private static let attempts = 5
    private static let pause = Duration.milliseconds(10)

    private let lock: LockFile

    /// Takes the role. Fails at once if another process has it, but waits a moment for checks by `isHeld`.
    ///
    /// - Parameters:
    ///   - role: which one.
    ///   - directory: the library's folder.
    /// - Throws: `held` with the holder's process number, or `unavailable`.
    public init(_ role: Role, in directory: String) throws(LibraryLockError) {
        let path = "\(directory)/\(role.rawValue)"
        do throws(SystemError) {
            lock = try LockFile(opening: path)
            for attempt in 1... {
                if try lock.tryLock() { break }
                if attempt == Self.attempts { throw SystemError(code: EWOULDBLOCK, call: path) }
                CurrentProcess.sleep(for: Self.pause)
            }
        } catch {
            if error.code == EWOULDBLOCK { throw .held(process: LockFile.process(in: path)) }
            throw .unavailable("\(path): \(error.reason)")
        }
        // The number only informs; if it cannot be written, for example on a full disk, the lock holds all the same.
        try? lock.recordProcess()
    }

    /// Whether another process has the role now. Creates nothing.
    public static func isHeld(_ role: Role, in directory: String) -> Bool {
        LockFile.isLocked("\(directory)/\(role.rawValue)")
    }
}
