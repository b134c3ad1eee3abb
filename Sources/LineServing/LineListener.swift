internal import Glibc
internal import Synchronization
public import SystemCalls

/// A Unix socket on which a server accepts connections: one that the service manager has opened, or one that it makes itself and
/// removes at the end.
public final class LineListener: Sendable {
    /// Why the server cannot listen on a path.
    public enum BindError: Error, Equatable, Sendable, CustomStringConvertible {
        case alreadyServed(String)
        /// Another daemon is starting.
        case locked(String)
        case notASocket(String)
        case system(SystemError)

        /// A message in one line.
        public var description: String {
            switch self {
            case .alreadyServed(let path): "another daemon already serves \(path)"
            case .locked(let path): "another daemon is starting on \(path)"
            case .notASocket(let path): "\(path) exists and is not a socket"
            case .system(let error): error.description
            }
        }
    }

    let descriptor: FileDescriptor
    private let ownPath: String?
    // Held as long as the path is ours, so that only one of two daemons replaces a socket that no process serves.
    private let lock: LockFile?
    private let isWithdrawn = Atomic(false)

    /// Uses a listening Unix socket that the service manager has opened: sd_listen_fds(3).
    public init(adopting descriptor: consuming FileDescriptor) throws(SystemError) {
        try LocalSocket.prepareListener(descriptor.raw)
        self.descriptor = descriptor
        ownPath = nil
        lock = nil
    }

    /// Listens on a path, with mode 0660. A socket that no process serves is replaced. A missing folder is created, but not its
    /// parent. The file `PATH.lock` is not removed at the end.
    public init(path: String) throws(BindError) {
        if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
            try Self.make(folder: String(path[..<slash]))
        }
        do throws(SystemError) {
            lock = try LockFile.take(path + ".lock")
        } catch {
            throw .system(error)
        }
        // The lock file holds no process id; report that the path is in use instead.
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

    /// Removes the path now, for a start that fails while other references to this object may remain.
    public func withdraw() {
        if let ownPath, !isWithdrawn.exchange(true, ordering: .relaxed) { unlink(ownPath) }
    }

    /// Identifies the peer of an accepted connection; nil if it is gone.
    func peer(of connection: Int32) -> LinePeer? {
        guard let credentials = try? LocalSocket.credentials(of: connection) else { return nil }
        return .local(credentials, groups: LocalSocket.groups(of: connection))
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

    /// Whether a process serves the path; a socket without one is removed.
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
