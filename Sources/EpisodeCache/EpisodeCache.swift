internal import Glibc
public import HTTP
public import MediaPorts
public import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Episodes on disk, filled over HTTP as they are played or downloaded.
///
/// The folder belongs to one cache at a time: a lock that ends with the process keeps others out.
/// All methods may be called from any thread. Network and data work runs on the `HTTPThread`, which starts with the first
/// request; indexes are written on the cache's own thread, which may wait for the disk.
public final class EpisodeCache: Sendable {
    public struct Settings: Sendable {
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
        /// Episodes that were complete, partly available or not available when opened.
        public var complete = 0
        public var partial = 0
        public var missing = 0
        /// Bytes that were available when their episodes were opened.
        public var reusedBytes: Int64 = 0
        public var fetchedBytes: Int64 = 0

        var opened: Int { complete + partial + missing }

        mutating func count(opened known: FetchPlan.Knowledge) {
            let bytes = known.have.count
            reusedBytes += bytes
            if bytes == 0 { missing += 1 } else if bytes == known.length { complete += 1 } else { partial += 1 }
        }
    }

    let http: HTTPThread
    let clock: any TimerClock
    let settings: Settings
    /// The kernel's boot id; empty if unknown.
    let boot: String
    let folder: String
    /// Bytes on disk above which the least recently used episodes are removed.
    public let sizeLimit: Int64
    private let worker = WorkerThread(name: .cache)
    /// Keeps other processes out of the folder until `finish`.
    private let lock: Mutex<LockFile?>
    let state = Mutex(State())

    struct State {
        var open: [String: CachedEpisode] = [:]
        /// Bytes fetched since the limit was last enforced.
        var fetched: Int64 = 0
        var statistics = Statistics()
    }

    /// - Parameters:
    ///   - directory: created if missing; must contain nothing else.
    ///   - http: used from the first missing byte on.
    ///   - clock: default: the system's.
    /// - Throws: `MediaFailure` of kind `storage`, also if another process uses the folder.
    public init(
        directory: String, http: HTTPThread, sizeLimit: Int64, settings: Settings = Settings(),
        clock: (any TimerClock)? = nil
    ) throws(MediaFailure) {
        folder = directory
        self.http = http
        self.sizeLimit = sizeLimit
        self.settings = settings
        self.clock = clock ?? http
        boot = bootIdentifier() ?? ""
        do throws(SystemError) {
            try StoredFile.makeFolder(directory)
            PrivateFolder.correct(directory, home: nil) { name in
                name == "lock" || EpisodeFile.paths("").contains { name.hasSuffix($0) }
            }
            let taken = try LockFile.take(directory + "/lock")
            guard let taken else { throw SystemError(code: EBUSY, call: "lock \(directory)") }
            lock = Mutex(taken)
            // Indexes are written under locks, where a thread could not be started, so start it now or fail.
            try worker.start()
        } catch  where error.code == EBUSY {
            throw MediaFailure(
                .storage,
                "the episode cache in \(SafeText.line(directory)) is used by another podcastd; stop it, or use another "
                    + "--cache-dir")
        } catch { throw MediaFailure(cache: directory, error) }
    }

    deinit { finish() }

    public var statistics: Statistics { state.withLock { $0.statistics } }

    /// A source of an `http` or `https` URL, which shares the episode with the other sources of that URL. It fetches nothing
    /// before its first `want`; bytes in the cache can be read at once.
    /// - Throws: `MediaFailure` for another scheme, or if the folder cannot be used.
    public func open(_ url: String, priority: FetchPriority = .foreground) throws(MediaFailure) -> any ByteSource {
        try opening(url) { () throws(SystemError) in try source(of: url, priority) }
    }

    func opening<Result>(_ url: String, _ body: () throws(SystemError) -> Result) throws(MediaFailure) -> Result {
        guard HTTPURL.isHTTP(url) else { throw MediaFailure(.notFound, "only http and https URLs can be fetched") }
        return try mapError(of: body()) { MediaFailure(cache: folder, $0) }
    }

    func source(of url: String, _ priority: FetchPriority = .foreground) throws(SystemError) -> EpisodeSource {
        try state.withLock { (state) throws(SystemError) in
            let episode: CachedEpisode
            if let shared = state.open[url] {
                episode = shared
            } else {
                let (file, known) = try EpisodeFile.open(url: url, base: base(of: url), boot: boot)
                episode = CachedEpisode(file: file, known: known, cache: self, number: state.statistics.opened)
                state.statistics.count(opened: known)
            }
            let source = EpisodeSource(episode, file: try episode.file.openForReading(), priority)
            state.open[url] = episode
            return source
        }
    }

    /// Closes an unused episode after its index was written. Until then opening its URL must return this object, because the
    /// files alone do not show yet which bytes are available.
    func forget(_ episode: CachedEpisode) {
        whenSaved { [self] in
            let isSaving = state.withLock { state in
                guard state.open[episode.file.url] === episode else { return false }
                switch episode.remains {
                // Another user opened the episode meanwhile and evicts it when idle.
                case .fetching: return false
                case .saving: return true
                case .settled:
                    state.open[episode.file.url] = nil
                    return false
                }
            }
            if isSaving { forget(episode) }
        }
    }

    /// Deletes an episode's files; the next `open` of its URL starts over.
    func discard(_ episode: CachedEpisode) {
        state.withLock { state in
            if state.open[episode.file.url] === episode { state.open[episode.file.url] = nil }
            episode.file.discard()
        }
    }

    /// Calls back on the cache's thread after the indexes queued so far are on disk. Never called after `finish`.
    public func whenSaved(_ action: @escaping @Sendable () -> Void) { try? worker.submit(action) }

    /// Waits until all indexes are on disk; call before the process exits. Sources may be closed later, but bytes that they fetch
    /// afterwards are lost. Another process may use the folder from then on.
    public func finish() {
        worker.finish()
        lock.withLock { $0 = nil }
    }

    /// The path of an episode's files without suffix. The index contains the URL, so a collision only costs bytes.
    func base(of url: String) -> String {
        var hash = StableHash()
        hash.add(url)
        return folder + "/" + hash.digits
    }
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
