internal import Glibc
public import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// A local file as a byte source; all bytes are available from the start.
public final class LocalFileSource: ByteSource {
    /// Read-only descriptor of the file; -1 after `close`.
    public var descriptor: Int32 { file.withLock { $0 } }
    public let snapshot: ByteSourceSnapshot
    private let file: Mutex<Int32>

    /// Opens a file by its path, or by a `file:` URL without a host.
    /// - Throws: `MediaFailure` if it is missing, not readable or not a regular file.
    public convenience init(_ pathOrURL: String) throws(MediaFailure) {
        guard let path = LocalFileSource.path(pathOrURL) else {
            throw MediaFailure(.notFound, "the file URL is malformed or names another host")
        }
        // Without O_NONBLOCK, a FIFO without a writer would block the caller.
        try self.init(path: path) { () throws(SystemError) in try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK) }
    }

    /// Reads a file that is open.
    /// - Parameter path: for messages.
    /// - Throws: `MediaFailure` if it is not a regular file.
    convenience init(_ file: OpenFile, path: String) throws(MediaFailure) {
        try self.init(path: path) { () throws(SystemError) in try file.duplicate() }
    }

    private init(path: String, open: () throws(SystemError) -> FileDescriptor) throws(MediaFailure) {
        do throws(SystemError) {
            let file = try open()
            let status = try FileStatus(of: file.raw)
            guard status.isRegular else { throw SystemError(code: status.isFolder ? EISDIR : EINVAL, call: path) }
            let length = status.size
            snapshot = ByteSourceSnapshot(length: length, available: length > 0 ? [0..<length] : [], phase: .complete)
            self.file = Mutex(file.release())
        } catch {
            let kind: MediaFailure.Kind =
                switch error.code {
                case ENOENT, ENOTDIR, EISDIR, EINVAL, ELOOP, ENAMETOOLONG: .notFound
                case EACCES, EPERM: .forbidden
                default: .storage
                }
            let reason = error.code == EINVAL ? "not a regular file" : error.reason
            throw MediaFailure(kind, "\(SafeText.line(path)): \(reason)")
        }
    }

    deinit { close() }

    public func want(from offset: Int64) {}
    public func observe(_ handler: @escaping @Sendable (ByteSourceSnapshot) -> Void) {}
    public func suspend() {}
    public func close() {
        let raw = file.withLock { exchange(&$0, with: -1) }
        if raw >= 0 { _ = FileDescriptor(owning: raw) }
    }

    private static func path(_ text: String) -> String? {
        FileAddress.isFile(text) ? FileAddress.path(of: text) : text
    }
}
