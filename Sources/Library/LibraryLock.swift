internal import Glibc
public import PodcastModel
public import SystemCalls

/// The library is locked by another process, or the lock file cannot be opened.
public enum LibraryLockError: Error, Equatable {
    /// Another process has the lock; its process id, if known.
    case held(process: Int32?)
    /// The lock file cannot be opened or locked; the path with the system's error.
    case unavailable(String)
}

/// Holds a role on a library, each on its own file: one daemon, and any number of refreshers, which share their role and claim
/// single feeds (`RefreshClaims`), unless a process has it alone.
///
/// The lock is flock(2)'s: the kernel releases it when the process ends, so the file is never removed. Child processes do not
/// inherit the lock, because its descriptor is closed on exec.
public final class LibraryLock {
    public enum Role: String, Sendable {
        /// The daemon: `library.lock`.
        case daemon = "library.lock"
        /// podcast-refresh: `refresh.lock`.
        case refresher = "refresh.lock"
    }

    // A check by `isHeld` takes microseconds; two in a row must not make `init` fail.
    private static let attempts = 5
    private static let pause = Duration.milliseconds(10)

    private let lock: LockFile

    /// Takes the role in the library's folder, or fails at once; waits only a moment for checks by `isHeld`.
    /// - Parameter isShared: whether other processes may have the role at the same time.
    public init(_ role: Role, in directory: String, isShared: Bool = false) throws(LibraryLockError) {
        let path = "\(directory)/\(role.rawValue)"
        do throws(SystemError) {
            lock = try LockFile(opening: path)
            for attempt in 1... {
                if try isShared ? lock.tryLockShared() : lock.tryLock() { break }
                if attempt == Self.attempts { throw SystemError(code: EWOULDBLOCK, call: path) }
                CurrentProcess.sleep(for: Self.pause)
            }
        } catch {
            if error.code == EWOULDBLOCK { throw .held(process: LockFile.process(in: path)) }
            throw .unavailable("\(path): \(error.reason)")
        }
        // The number only informs; if it cannot be written, for example on a full disk, the lock holds all the same.
        if !isShared { try? lock.recordProcess() }
    }

    /// Records where the process that holds the role listens, for `daemonSocket(in:)`.
    public func record(socket: String) { try? lock.recordProcess(note: socket) }

    /// The control socket of the daemon that has the library now; nil if there is none.
    public static func daemonSocket(in directory: String) -> String? {
        isHeld(.daemon, in: directory) ? LockFile.note(in: "\(directory)/\(Role.daemon.rawValue)") : nil
    }

    /// Reports when a process gives a role up or ends.
    public static func watchRelease(of role: Role, in directory: String) throws(SystemError) -> ClosingWatch {
        let path = "\(directory)/\(role.rawValue)"
        _ = try LockFile(opening: path)
        return try ClosingWatch(path)
    }

    /// True if another process has the role now. Creates no file.
    public static func isHeld(_ role: Role, in directory: String) -> Bool {
        LockFile.isLocked("\(directory)/\(role.rawValue)")
    }
}

/// The feeds that this process refreshes, so that no other one fetches them at the same time. A feed of another process delays
/// only itself. The claims end with the process.
public final class RefreshClaims {
    private let locks: RangeLocks
    private var ours: Set<FeedID> = []

    public init(in directory: String) throws(LibraryLockError) {
        let path = "\(directory)/\(LibraryLock.Role.refresher.rawValue)"
        locks = try mapError(of: RangeLocks(path: path)) { (error: SystemError) in
            LibraryLockError.unavailable("\(path): \(error.reason)")
        }
    }

    /// Claims a feed; false if another process refreshes it.
    public func claim(_ feed: FeedID) -> Bool {
        if ours.contains(feed) { return true }
        // Without working locks a feed may be fetched twice, which does no harm.
        guard (try? locks.tryLock(feed.rawValue)) ?? true else { return false }
        ours.insert(feed)
        return true
    }

    public func release(_ feed: FeedID) { if ours.remove(feed) != nil { locks.unlock(feed.rawValue) } }
}
