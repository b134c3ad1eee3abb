internal import Glibc
internal import HTTP
internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Shared by the episodes of a cache: the folder, the table of open episodes, and the worker that may wait for the disk.
final class CacheStore: Sendable {
    let http: HTTPThread
    let clock: any TimerClock
    let settings: EpisodeCache.Settings
    /// The kernel's boot id; empty if unknown.
    let boot: String
    let folder: String
    let sizeLimit: Int64
    private let worker = WorkerThread(name: .cache)
    /// Keeps other processes out of the folder until `finish`.
    private let lock: Mutex<LockFile?>
    private let state = Mutex(State())

    private struct State {
        /// Open episodes by URL.
        var open: [String: CachedEpisode] = [:]
        /// Bytes fetched since the limit was last enforced.
        var fetched: Int64 = 0
        var statistics = EpisodeCache.Statistics()
    }

    init(
        folder: String, http: HTTPThread, sizeLimit: Int64, settings: EpisodeCache.Settings, clock: any TimerClock
    ) throws(SystemError) {
        self.folder = folder
        self.http = http
        self.sizeLimit = sizeLimit
        self.settings = settings
        self.clock = clock
        boot = bootIdentifier() ?? ""
        try StoredFile.makeFolder(folder)
        PrivateFolder.correct(folder, home: nil) { name in
            name == "lock"
                || [EpisodeFile.bytesPath(""), EpisodeFile.indexPath(""), EpisodeFile.framesPath("")].contains {
                    name.hasSuffix($0)
                }
        }
        guard let taken = try LockFile.take(folder + "/lock") else {
            throw SystemError(code: EBUSY, call: "lock \(folder)")
        }
        lock = Mutex(taken)
        // Indexes are written under locks, where a thread could not be started, so start it now or fail.
        try worker.start()
    }

    var statistics: EpisodeCache.Statistics { state.withLock { $0.statistics } }

    /// A source of a URL's episode, which it shares with the other sources of that URL.
    func open(_ url: String, _ priority: FetchPriority = .foreground) throws(SystemError) -> EpisodeSource {
        try state.withLock { (state) throws(SystemError) in
            let episode: CachedEpisode
            if let shared = state.open[url] {
                episode = shared
            } else {
                let (file, known) = try EpisodeFile.open(url: url, base: base(of: url), boot: boot)
                episode = CachedEpisode(file: file, known: known, store: self)
                state.statistics.count(opened: known)
            }
            let source = EpisodeSource(episode, file: try episode.file.openForReading(), priority)
            state.open[url] = episode
            episode.users.withLock { $0 += 1 }
            return source
        }
    }

    /// Removes a user of an episode.
    /// - Returns: whether it was the last one; `forget` must follow once nothing is fetched.
    func close(_ episode: CachedEpisode) -> Bool {
        state.withLock { _ in
            episode.users.withLock { users in
                users -= 1
                return users == 0
            }
        }
    }

    /// Closes an unused episode after its index was written. Until then opening its URL must return this object, because the
    /// files alone do not show yet which bytes are available.
    func forget(_ episode: CachedEpisode) {
        onWorker { [self] in
            let isSaving = state.withLock { state in
                guard state.open[episode.file.url] === episode, episode.users.withLock({ $0 == 0 }) else {
                    return false
                }
                switch episode.remains {
                // Another user opened and closed it meanwhile and will evict it when idle.
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

    /// Runs an action on the worker after the indexes queued so far; does nothing after `finish`.
    func onWorker(_ action: @escaping @Sendable () -> Void) { try? worker.submit(action) }

    /// Waits until all indexes are written; none is written later.
    func finish() {
        worker.finish()
        lock.withLock { $0 = nil }
    }

    // MARK: The limit

    /// Counts fetched bytes and enforces the limit at intervals.
    func fetched(_ bytes: Int64) {
        let isTime = state.withLock { state in
            state.fetched += bytes
            state.statistics.fetchedBytes += bytes
            if state.fetched < 16 << 20 { return false }
            state.fetched = 0
            return true
        }
        if isTime { trimSoon() }
    }

    /// Enforces the limit soon, on the worker.
    func trimSoon() { onWorker { [self] in trim(to: sizeLimit) } }

    /// Removes episodes until the rest is within a limit: the least recently used first, never open or pinned ones.
    func trim(to limit: Int64? = nil) {
        let limit = limit ?? sizeLimit
        var total: Int64 = 0
        let stored = storedEpisodes()
        for episode in stored { total += episode.size }
        for episode in stored.sorted(by: { ($0.used, $0.usedNanoseconds) < ($1.used, $1.usedNanoseconds) }) {
            if total <= limit { return }
            if remove(episode.base) { total -= episode.size }
        }
    }

    /// Removes episodes because the disk is full.
    /// - Returns: whether anything was removed.
    func makeRoom(_ bytes: Int64) -> Bool {
        let before = usage()
        trim(to: max(0, before - bytes))
        return usage() < before
    }

    /// Bytes of all episodes on disk.
    func usage() -> Int64 { storedEpisodes().reduce(0) { $0 + $1.size } }

    /// Removes the files of an episode that is neither open nor pinned.
    private func remove(_ base: String) -> Bool {
        state.withLock { state in
            if state.open.values.contains(where: { $0.file.base == base }) { return false }
            let index = (try? StoredFile.contents(of: EpisodeFile.indexPath(base), limit: 1 << 20))
                .flatMap(CacheIndex.init)
            if index?.isPinned == true { return false }
            do {
                try StoredFile.remove(EpisodeFile.bytesPath(base))
                try StoredFile.remove(EpisodeFile.indexPath(base))
                try StoredFile.remove(EpisodeFile.framesPath(base))
                return true
            } catch {
                return false
            }
        }
    }

    private struct StoredEpisode {
        var base: String
        var size: Int64
        var used: Int64
        var usedNanoseconds: Int64
    }

    private func storedEpisodes() -> [StoredEpisode] {
        ((try? StoredFile.names(in: folder)) ?? []).compactMap { name in
            guard name.hasSuffix(".bytes") else { return nil }
            let base = folder + "/" + name.dropLast(6)
            guard let bytes = try? FileStatus(path: EpisodeFile.bytesPath(base)) else { return nil }
            let index = try? FileStatus(path: EpisodeFile.indexPath(base))
            let frames = try? FileStatus(path: EpisodeFile.framesPath(base))
            return StoredEpisode(
                base: base, size: bytes.allocatedSize + (frames?.allocatedSize ?? 0),
                used: index?.modified ?? bytes.modified,
                usedNanoseconds: index?.modifiedNanoseconds ?? bytes.modifiedNanoseconds)
        }
    }

    // MARK: Other URLs

    /// Assigns an episode's files to another URL.
    /// - Returns: false if one of the two is open, or there are no files.
    func move(_ url: String, to other: String) throws(SystemError) -> Bool {
        try state.withLock { (state) throws(SystemError) in
            if state.open[url] != nil || state.open[other] != nil { return false }
            let (old, new) = (base(of: url), base(of: other))
            guard
                var index = (try? StoredFile.contents(of: EpisodeFile.indexPath(old), limit: 1 << 20))
                    .flatMap(CacheIndex.init), index.url == url
            else { return false }
            index.url = other
            index.known.pinnedURL = nil
            // Bytes without an index are ignored, so an index never refers to bytes of another file.
            try StoredFile.remove(EpisodeFile.indexPath(new))
            try StoredFile.rename(EpisodeFile.bytesPath(old), to: EpisodeFile.bytesPath(new))
            try StoredFile.replace(EpisodeFile.indexPath(new), with: index.bytes, isDurable: true)
            try StoredFile.remove(EpisodeFile.framesPath(new))
            // Without places of frames they are counted again.
            try? StoredFile.rename(EpisodeFile.framesPath(old), to: EpisodeFile.framesPath(new))
            try StoredFile.remove(EpisodeFile.indexPath(old))
            return true
        }
    }

    // MARK: Pins

    /// A pinned episode is kept regardless of the limit.
    func setPinned(_ isPinned: Bool, url: String) throws(SystemError) {
        let source = try open(url)
        source.episode.file.setPinned(isPinned)
        source.episode.state.withLock { source.episode.save(&$0, isDurable: false) }
        source.close()
    }

    /// The path of an episode's files without suffix.
    func base(of url: String) -> String { folder + "/" + name(of: url) }

    /// The index contains the URL, so a collision only costs bytes.
    private func name(of url: String) -> String {
        var hash = StableHash()
        hash.add(url)
        return hash.digits
    }
}
