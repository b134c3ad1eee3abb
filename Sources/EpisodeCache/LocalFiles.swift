internal import Glibc
public import MediaPorts
internal import PodcastModel
internal import Synchronization
public import SystemCalls

/// Files that clients have handed over as descriptors, by the URLs of their episodes. They are gone after a restart.
public final class LocalFiles: Sendable {
    /// Open files at most; beyond that the one that was used least recently is closed.
    private static let maximum = 64

    /// The most recently used file is last.
    private let files = Mutex<[(url: String, file: OpenFile)]>([])

    public init() {}

    public func keep(_ file: OpenFile, as url: String) {
        files.withLock { files in
            files.removeAll { $0.url == url }
            files.append((url, file))
            if files.count > Self.maximum { files.removeFirst() }
        }
    }

    /// - Throws: `MediaFailure` if the file was not handed over since the daemon's start.
    public func open(_ url: String) throws(MediaFailure) -> any ByteSource {
        let path = FileAddress.path(of: url) ?? url
        let file = files.withLock { files -> OpenFile? in
            guard let index = files.firstIndex(where: { $0.url == url }) else { return nil }
            files.append(files.remove(at: index))
            return files.last?.file
        }
        guard let file else {
            throw MediaFailure(.forbidden, "the file must be given again: podcastctl play '\(SafeText.line(path))'")
        }
        return try LocalFileSource(file, path: path)
    }
}

/// Opens the files of episodes in the cache, and files that were handed over, for the player, on its own thread, because that may
/// wait for the disk. The cache's thread would not do: it may be synchronizing an index. The thread starts with the first episode.
public final class EpisodeOpener: MediaOpening {
    private let cache: EpisodeCache
    private let files: LocalFiles
    private let worker = WorkerThread(name: .opening)

    public init(_ cache: EpisodeCache, _ files: LocalFiles) {
        self.cache = cache
        self.files = files
    }

    public func open(_ url: String) async throws(MediaFailure) -> any ByteSource {
        do {
            return try await worker.run { [cache, files] in
                FileAddress.isFile(url) ? try files.open(url) : try cache.open(url)
            }
        } catch {
            throw (error as? MediaFailure) ?? MediaFailure(.storage, "cannot open the episode: \(error)")
        }
    }

    public func close() { worker.finish() }
}

/// A local file as a byte source; all bytes are available from the start.
public final class LocalFileSource: ByteSource {
    /// Read-only descriptor of the file; -1 after `close`.
    public var descriptor: Int32 { file.withLock { $0 } }
    public let snapshot: ByteSourceSnapshot
    private let file: Mutex<Int32>

    /// Opens a file by its path, or by a `file:` URL without a host.
    /// - Throws: `MediaFailure` if it is missing, not readable or not a regular file.
    public convenience init(_ pathOrURL: String) throws(MediaFailure) {
        guard let path = FileAddress.isFile(pathOrURL) ? FileAddress.path(of: pathOrURL) : pathOrURL else {
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
}
