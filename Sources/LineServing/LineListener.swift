internal import Glibc
internal import Synchronization
public import SystemCalls

/// A socket on which a server is reached: one that the service manager has opened, or one of its own.
///
/// Its own path is removed when it goes.
public final class ControlListener: Sendable {
    /// Why a path cannot be listened on.
    public enum BindError: Error, Equatable, Sendable, CustomStringConvertible {
        /// Another daemon answers there.
        case alreadyServed(String)
        /// Another daemon is about to.
        case locked(String)
        /// Something that is no socket stands there.
        case notASocket(String)
        /// A system call failed.
        case system(SystemError)

        /// What is wrong, in one line.
        public var description: String {
            switch self {
            case .alreadyServed(let path): "another daemon already serves \(path)"
            case .locked(let path): "another daemon is starting on \(path)"
            case .notASocket(let path): "\(path) exists and is no socket"
            case .system(let error): error.description
            }
        }
    }

    let descriptor: FileDescriptor
    private let ownPath: String?
    // Held as long as the path is ours, so that of two daemons which find a dead path only one takes it.
    private let lock: LockFile?
    private let isWithdrawn = Atomic(false)

    /// Takes over a listening Unix socket from the service manager: sd_listen_fds(3).
    public init(adopting descriptor: consuming FileDescriptor) throws(SystemError) {
        try LocalSocket.prepareListener(descriptor.raw)
        self.descriptor = descriptor
        ownPath = nil
        lock = nil
    }

    /// Listens on a path, mode 0660. A socket there that nobody serves is taken over; one that answers is left alone.
    /// A missing folder is made, its parent is not. A file `PATH.lock` stays behind.
    public init(path: String) throws(BindError) {
        if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
            try Self.make(folder: String(path[..<slash]))
        }
        do throws(SystemError) {
            lock = try LockFile.take(path + ".lock")
        } catch {
            throw .system(error)
        }
        // An empty lock is nobody's, so the message names who has it: whoever serves the path, or will.
        if !Self.isHeld(lock) { throw try Self.isServed(path) ? .alreadyServed(path) : .locked(path) }
        if try Self.isServed(path) { throw .alreadyServed(path) }
        do throws(SystemError) {
            descriptor = try LocalSocket.listen(at: path, mode: 0o660)
        } catch {
            throw .system(error)
        }
        ownPath = path
    }

    deinit { withdraw() }

    /// Removes the path now, for a start that failed while others may still hold this object.
    public func withdraw() {
        if let ownPath, !isWithdrawn.exchange(true, ordering: .relaxed) { unlink(ownPath) }
    }

    private static func isHeld(_ lock: borrowing LockFile?) -> Bool {
        switch lock {
        case .some: true
        case .none: false
        }
    }

    private static func make(folder: String) throws(BindError) {
        if mkdir(folder, 0o755) != 0 && errno != EEXIST { throw .system(.last("mkdir \(folder)")) }
    }

    /// Whether somebody answers on the path; a dead socket there is removed.
    private static func isServed(_ path: String) throws(BindError) -> Bool {
        var status = stat()
        if lstat(path, &status) != 0 {
            if errno == ENOENT { return false }
            throw .system(.last("stat \(path)"))
        }
        if status.st_mode & S_IFMT != S_IFSOCK { throw .notASocket(path) }
        do throws(SystemError) {
            _ = try LocalSocket.connect(to: path)
            return true
        } catch {
            if error.code != ECONNREFUSED { throw .system(error) }
        }
        if unlink(path) != 0 && errno != ENOENT { throw .system(.last("unlink \(path)")) }
        return false
    }
}
