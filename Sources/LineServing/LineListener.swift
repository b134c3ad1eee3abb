internal import Glibc
internal import PodcastModel
internal import Synchronization
public import SystemCalls

/// A socket on which a server accepts connections: an inherited one, or a Unix socket that is removed at the end.
public final class LineListener: Sendable {
    /// Why the server cannot listen on a path.
    public enum BindError: Error, Equatable, CustomStringConvertible {
        case alreadyServed(String)
        /// Another daemon is starting.
        case locked(String)
        case notASocket(String)
        case system(SystemError)

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
    private let isNetwork: Bool
    private let ownPath: String?
    // Held as long as the path is ours, so that only one of two daemons replaces an unused socket.
    private let lock: LockFile?
    private let isWithdrawn = Atomic(false)

    /// Uses a listening socket, Unix or TCP, that the service manager has opened: sd_listen_fds(3).
    public init(adopting descriptor: consuming FileDescriptor) throws(SystemError) {
        try LocalSocket.prepareListener(descriptor.raw)
        isNetwork = InternetListener.port(of: descriptor.raw) != nil
        self.descriptor = descriptor
        ownPath = nil
        lock = nil
    }

    /// Listens with mode 0660; replaces an unused socket, makes missing directories. `PATH.lock` is not removed.
    public init(path: String) throws(BindError) {
        do throws(SystemError) {
            try StoredFile.makeFolder(StoredFile.folder(of: path), mode: 0o755)
            lock = try LockFile.take(path + ".lock")
        } catch {
            throw .system(error)
        }
        // The lock file holds no process id; report that the path is in use instead.
        if lock == nil { throw try Self.isServed(path) ? .alreadyServed(path) : .locked(path) }
        if try Self.isServed(path) { throw .alreadyServed(path) }
        isNetwork = false
        descriptor = try mapError(of: LocalSocket.listen(at: path, mode: 0o660)) { BindError.system($0) }
        ownPath = path
    }

    deinit { withdraw() }

    /// Removes the path now, for a start that fails while other references to this object may remain.
    public func withdraw() {
        if let ownPath, !isWithdrawn.exchange(true, ordering: .relaxed) { try? StoredFile.remove(ownPath) }
    }

    /// Identifies the peer of an accepted connection; nil if it is gone.
    func peer(of connection: Int32) -> LinePeer? {
        if isNetwork { return InternetListener.peer(of: connection).map { .network(address: $0) } }
        guard let credentials = try? LocalSocket.credentials(of: connection) else { return nil }
        return .local(credentials, groups: LocalSocket.groups(of: connection))
    }

    /// True if a process serves the path; removes a socket without a process.
    private static func isServed(_ path: String) throws(BindError) -> Bool {
        do throws(SystemError) {
            guard let status = try FileStatus(ofLink: path) else { return false }
            if !status.isSocket { throw SystemError(code: ENOTSOCK, call: path) }
            do throws(SystemError) {
                _ = try LocalSocket.connect(to: path)
                return true
            } catch  where error.code == ECONNREFUSED {
                try StoredFile.remove(path)
                return false
            }
        } catch {
            throw error.code == ENOTSOCK ? .notASocket(path) : .system(error)
        }
    }
}

/// Open spare descriptors, which are closed to accept connections when the process has reached its limit.
final class SpareDescriptors {
    /// One descriptor is always kept to refuse connections with; the others serve the owner's connections.
    private static let maximum = 8

    private var spares: [OpenFile] = []

    init() { refill() }

    /// Opens the missing ones, as far as the limit allows.
    func refill() {
        while spares.count < Self.maximum, let spare = try? FileDescriptor.open("/dev/null", O_RDONLY) {
            spares.append(OpenFile(spare))
        }
    }

    /// True if a spare to refuse connections with remains after one more connection.
    var sufficesForConnection: Bool { spares.count >= 1 }

    /// Closes one; false if there is none.
    func giveUpOne() -> Bool { spares.popLast() != nil }
}
