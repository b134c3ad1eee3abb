internal import Glibc
public import HTTP
public import MediaPorts
public import PodcastModel
internal import SystemCalls

/// Episodes on disk, filled over HTTP as they are played or downloaded.
///
/// The folder belongs to one cache at a time: a lock that ends with the process keeps others out.
/// All methods may be called from any thread. Network and data work runs on the `HTTPThread`, which starts with the first
/// request; indexes are written on the cache's own thread.
public final class EpisodeCache: Sendable {
    public struct Settings: Sendable {
        /// How far ahead to fetch, and when to retry.
        var plan = FetchPlan.Settings()
        /// Resolving, connecting and the TLS handshake.
        var connectTimeout = Duration.seconds(10)
        /// Time limit of the first attempt for an answer; later attempts wait up to four times as long.
        var answerTimeout = Duration.seconds(10)
        /// Time without bytes after which the connection is replaced.
        var stallTimeout = Duration.seconds(10)
        /// Bytes between two writes of an index, which a crash may cause to be fetched again.
        var indexInterval: Int64 = 4 << 20

        /// Identity and login of requests for the URL of an episode (default: none, and the user named the URL). Called for each
        /// request on the fetching thread; must not block.
        public var access: @Sendable (_ url: String) -> HTTPAccess = { _ in HTTPAccess() }

        public init() {}
    }

    /// Counters since the cache was made.
    public struct Statistics: Equatable, Sendable {
        /// Episodes that were complete when opened.
        public var complete = 0
        /// Episodes that were partly available when opened.
        public var partial = 0
        /// Episodes without available bytes when opened.
        public var missing = 0
        /// Bytes that were available when their episodes were opened.
        public var reusedBytes: Int64 = 0
        public var fetchedBytes: Int64 = 0

        mutating func count(opened known: FetchPlan.Knowledge) {
            let bytes = known.have.count
            reusedBytes += bytes
            if bytes == 0 {
                missing += 1
            } else if bytes == known.length {
                complete += 1
            } else {
                partial += 1
            }
        }
    }

    let store: CacheStore

    /// - Parameters:
    ///   - directory: created if missing; must contain nothing else.
    ///   - http: used from the first missing byte on.
    ///   - sizeLimit: bytes on disk above which the least recently used episodes are removed.
    ///   - clock: default: the system's.
    /// - Throws: `MediaFailure` of kind `storage`, also if another process uses the folder.
    public init(
        directory: String, http: HTTPThread, sizeLimit: Int64, settings: Settings = Settings(),
        clock: (any TimerClock)? = nil
    ) throws(MediaFailure) {
        do throws(SystemError) {
            store = try CacheStore(
                folder: directory, http: http, sizeLimit: sizeLimit, settings: settings,
                clock: clock ?? http)
        } catch  where error.code == EBUSY {
            throw MediaFailure(
                .storage,
                "the episode cache in \(SafeText.line(directory)) is used by another podcastd; stop it, or use another "
                    + "--cache-dir")
        } catch {
            throw MediaFailure(cache: directory, error)
        }
    }

    deinit { store.finish() }

    /// A source for an `http` or `https` URL. It fetches nothing before its first `want`; bytes in the cache can be read at once.
    /// - Throws: `MediaFailure` for another scheme, or if the folder cannot be used.
    public func open(_ url: String) throws(MediaFailure) -> any ByteSource {
        try opening(url) { () throws(SystemError) in try store.open(url) }
    }

    func opening<Result>(_ url: String, _ body: () throws(SystemError) -> Result) throws(MediaFailure) -> Result {
        guard HTTPURL.isHTTP(url) else { throw MediaFailure(.notFound, "only http and https URLs can be fetched") }
        do throws(SystemError) {
            return try body()
        } catch {
            throw MediaFailure(cache: store.folder, error)
        }
    }

    /// A pinned episode is kept regardless of the limit. Reads and writes the disk.
    public func setPinned(_ isPinned: Bool, url: String) throws(MediaFailure) {
        do throws(SystemError) {
            try store.setPinned(isPinned, url: url)
        } catch {
            throw MediaFailure(cache: store.folder, error)
        }
    }

    public var statistics: Statistics { store.statistics }

    /// Bytes of all episodes on disk. Reads the disk.
    public func usage() -> Int64 { store.usage() }

    /// Enforces the limit now: removes the least recently used episodes, never open or pinned ones.
    func trim() { store.trim() }

    /// Waits until all indexes are on disk; call before the process exits. Sources may be closed later, but bytes that they fetch
    /// afterwards are lost. Another process may use the folder from then on.
    public func finish() { store.finish() }
}

extension MediaFailure {
    /// A failure of the disk of an episode cache, with what to do.
    init(cache folder: String, _ error: SystemError) {
        let cause =
            switch error.code {
            case ENOSPC, EDQUOT: "\(error.reason); free some space, then try again"
            case EROFS: "\(error.reason); remount its disk for writing, then try again"
            case EIO: "\(error.reason); check its disk"
            default: SafeText.line(error.description)
            }
        self.init(.storage, "cannot use the episode cache in \(SafeText.line(folder)): \(cause)")
    }
}
