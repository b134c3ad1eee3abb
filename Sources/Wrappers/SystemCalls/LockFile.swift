internal import CLinux
internal import Glibc
internal import PodcastModel

/// A file to lock with flock(2). The kernel releases the lock with the process, however it ends, so the file itself can
/// stay; only the lock matters. Child processes do not inherit the lock.
public final class LockFile: Sendable {
    private let descriptor: FileDescriptor
    private let path: String

    /// Locks exclusively without waiting. Returns nil if another process holds the lock.
    public static func take(_ path: String) throws(SystemError) -> LockFile? {
        let file = try LockFile(opening: path)
        return try file.tryLock() ? file : nil
    }

    /// Opens the file without locking, and creates it if it is missing.
    public init(opening path: String) throws(SystemError) {
        self.path = path
        descriptor = try FileDescriptor.openPrivate(path, O_RDWR | O_NOFOLLOW)
    }

    /// Unlocks explicitly: after a close(2), a forked child that has not reached execve(2) would keep the lock.
    deinit { flock(descriptor.raw, LOCK_UN) }

    /// Locks exclusively without waiting; false if another process holds a lock.
    public func tryLock() throws(SystemError) -> Bool { try Self.lock(descriptor.raw, LOCK_EX | LOCK_NB, path) }

    /// Takes a shared lock without waiting; false if another process holds the exclusive lock.
    public func tryLockShared() throws(SystemError) -> Bool { try Self.lock(descriptor.raw, LOCK_SH | LOCK_NB, path) }

    public func lockShared() throws(SystemError) { _ = try Self.lock(descriptor.raw, LOCK_SH, path) }

    public func unlock() { flock(descriptor.raw, LOCK_UN) }

    private static func lock(_ descriptor: Int32, _ operation: Int32, _ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try retrying("flock \(path)") { flock(descriptor, operation) }
            return true
        } catch  where error.code == EWOULDBLOCK {
            return false
        }
    }

    /// True if another process, or another object of this one, holds the exclusive lock. Creates nothing.
    public static func isLocked(_ path: String) -> Bool {
        guard let file = try? FileDescriptor.open(path, O_RDONLY | O_NOFOLLOW) else { return false }
        let isFree = try? lock(file.raw, LOCK_SH | LOCK_NB, path)
        // As in `deinit`, for forked children.
        flock(file.raw, LOCK_UN)
        return isFree == false
    }

    /// Writes this process's number into the file, for `process(in:)`, and a note of one line, for `note(in:)`.
    public func recordProcess(note: String? = nil) throws(SystemError) {
        try StoredFile.truncate(descriptor.raw, to: 0)
        try StoredFile.write(descriptor.raw, at: 0, Array("\(getpid())\n\(note.map { $0 + "\n" } ?? "")".utf8))
    }

    /// The number of the process that holds the lock, if recorded.
    public static func process(in path: String) -> Int32? { lines(of: path).first.flatMap { Int32($0) } }

    /// The note of the process that holds the lock, if recorded.
    public static func note(in path: String) -> String? {
        let lines = lines(of: path)
        return lines.count > 1 && !lines[1].isEmpty ? String(lines[1]) : nil
    }

    /// Only complete lines: another process may be writing them.
    private static func lines(of path: String) -> [Substring] {
        let text = StoredFile.text(of: path, O_NOFOLLOW, upTo: 8192) ?? ""
        return text.fields(separatedBy: "\n").dropLast()
    }
}

/// Locks on bytes of a file, which need not exist, each for an object on which one process at a time works: fcntl(2), open file
/// description locks. The kernel releases them with the process; another object of the process counts as another process.
public final class RangeLocks {
    private let descriptor: FileDescriptor
    private let path: String

    /// Opens the file, and creates it if it is missing.
    public init(path: String) throws(SystemError) {
        self.path = path
        descriptor = try FileDescriptor.openPrivate(path, O_RDWR | O_NOFOLLOW)
    }

    /// Locks a byte without waiting; false if another process holds the lock.
    public func tryLock(_ byte: Int64) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try retrying("lock \(path)") { shim_lock_byte(descriptor.raw, byte, 1) }
            return true
        } catch  where error.code == EAGAIN || error.code == EACCES {
            return false
        }
    }

    public func unlock(_ byte: Int64) { _ = shim_lock_byte(descriptor.raw, byte, 0) }
}
