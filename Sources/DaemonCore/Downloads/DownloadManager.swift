internal import EpisodeCache
internal import Library
internal import MediaPorts
internal import PodcastModel
internal import Reporting
internal import SerialThreads
internal import Synchronization
internal import SystemCalls

/// Downloads the requested episodes, one at a time, and keeps the cache's pins equal to the library.
///
/// Without requests no task and no timer runs. The player comes first: downloads pause while playback waits for bytes,
/// and the current episode is left to the player.
actor DownloadManager {
    struct Ports {
        var library: any LibraryAccess
        /// Records which login each file needs.
        var access: MediaAccess
        /// Refreshes the feed of an episode whose host refuses the address, unless that was done a short time ago.
        var renewAddress: @Sendable (EpisodeID) async -> Void
        var cache: any DownloadCache
        /// Free bytes on the cache's file system; nil if the system does not report them.
        var freeBytes: @Sendable () -> Int64?
        var decisions: DecisionThread
        var activities: ActivityBoard
        var logger: Logger
        var now: @Sendable () -> Timestamp
        /// The player's activity; from any thread.
        var demand: @Sendable () -> PlayerDemand
        /// Called with the episodes after changes that clients see.
        var episodesChanged: @Sendable ([EpisodeID]) -> Void
        /// Nil uses the system's clock, with timers on the actor's thread.
        var clock: (any TimerClock)?
    }

    private enum State {
        /// No download; next: starting.
        case idle
        /// Reading the library; next: fetching, idle.
        case starting(EpisodeID)
        /// Fetching bytes; next: storing, idle.
        case fetching(DownloadFetch)
        /// Every byte is in the cache; the cache and the library record this; next: idle.
        case storing(EpisodeID)
    }

    private struct Shared {
        var isActive = false
        var poll = LibraryPoll()
        var demand = PlayerDemand()
    }

    /// Requests to read at a time; later ones follow when these have ended.
    static let mostRequests = 1000

    private nonisolated let ports: Ports
    private nonisolated let executor: WorkerExecutor
    /// State that any thread reads: whether there is work, and which readings of the library are current.
    private nonisolated let shared = Mutex(Shared())
    private nonisolated var clock: any TimerClock { ports.clock ?? executor.worker }
    private var scheduler = DownloadScheduler()
    private var state = State.idle
    private var timer: (any ScheduledTimer)?
    /// Number of downloaded episodes when the pins were last compared with the library; nil compares them again.
    private var comparedCount: Int?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Does not read the library yet. Throws `SystemError` if the thread cannot start.
    init(_ ports: Ports) throws(SystemError) {
        self.ports = ports
        executor = try WorkerExecutor(name: .downloads)
    }

    // MARK: Called by other parts, from any thread

    /// Reads the library after a change.
    nonisolated func poll() {
        guard shared.withLock({ $0.poll.ask() }) else { return }
        ports.decisions.start { [self] in
            repeat {
                let reading = shared.withLock { $0.poll.begin() }
                do {
                    let needs = try await ports.library.perform {
                        try $0.downloads.downloadNeeds(limit: Self.mostRequests)
                    }
                    let hasWork = shared.withLock { shared in
                        defer { shared.isActive = !needs.isEmpty }
                        return shared.isActive || !needs.isEmpty
                    }
                    if hasWork { await use(needs, from: reading) }
                } catch { return pollAgain(after: error) }
            } while shared.withLock { $0.poll.ended() }
        }
    }

    private nonisolated func pollAgain(after error: any Error) {
        let failure = shared.withLock { $0.poll.failed() }
        if failure.isFirst {
            ports.logger.log(.warning, .playback, "cannot read the download requests, will try again: \(error)")
        }
        ports.decisions.schedule(after: failure.delay) { [weak self] in self?.poll() }
    }

    nonisolated func playerChanged(_ demand: PlayerDemand) {
        let isRelevant = shared.withLock { shared in
            exchange(&shared.demand, with: demand) != demand && shared.isActive
        }
        if isRelevant { ports.decisions.start { [self] in await proceed() } }
    }

    /// Closes the current source and ends the thread.
    nonisolated func close() {
        try? executor.worker.submit { [self] in assumeIsolated { $0.release() } }
        executor.worker.finish()
    }

    // MARK: For commands

    /// Makes failed requests due at once.
    func retry(_ episodes: [EpisodeID]) { scheduler.clearFailures(of: episodes) }

    /// Deletes files of episodes without a record in the library, also during a download, unless others use their URLs.
    func remove(_ episodes: [Episode]) async throws {
        end(episodes.map(\.id))
        let kept = Set(try await ports.library.perform { try $0.downloads.downloadedURLs() }.values)
        let urls = episodes.map(\.enclosure.url).filter { !kept.contains($0) }
        if case .fetching(let fetch) = state, urls.contains(fetch.url) { release() }
        poll()
        for url in urls { try ports.cache.remove(url: url) }
    }

    var wholeFiles: [String: String] { ports.cache.wholeFiles() }

    func wholeFile(url: String) -> String? { ports.cache.wholeFile(url: url) }

    func description(of episode: EpisodeID) -> String {
        switch states[episode] {
        case .underWay?: "under way"
        case .played?: DownloadState.playedReason
        case .failed(let reason, nil)?: "failed: \(reason)"
        case .failed(let reason, _)?: "failed, and is tried again later: \(reason)"
        case nil: "queued"
        }
    }

    /// The states of active and failed requests; all other requests wait.
    var states: [EpisodeID: DownloadState] {
        var states = scheduler.failures(now: clock.now)
        if let played = ports.demand().episode, scheduler.requests.contains(played) { states[played] = .played }
        switch state {
        case .idle: break
        case .starting(let episode): states[episode] = .underWay(progress: nil)
        case .fetching(let fetch):
            states[fetch.id] = .underWay(progress: DownloadFetch.progress(fetch.source.snapshot))
        case .storing(let episode): states[episode] = .underWay(progress: 1)
        }
        return states
    }

    // MARK: Deciding

    private func use(_ needs: DownloadNeeds, from reading: Int) async {
        guard shared.withLock({ $0.poll.isCurrent(reading) }) else { return }
        let hasLost = scheduler.use(needs.requested)
        let failed = Array(scheduler.failures(now: clock.now).keys)
        let episodes = failed.isEmpty ? nil : try? await ports.library.read { try $0.episodes.episodes(failed) }
        let hasMoved = scheduler.retryMoved(episodes ?? [])
        if comparedCount != needs.keptCount || hasLost || hasMoved { await reconcile() }
        await proceed()
    }

    private func proceed() async {
        let demand = ports.demand()
        if case .fetching(var fetch) = state {
            if fetch.id == demand.episode || !scheduler.requests.contains(fetch.id) {
                release()
            } else if demand.isWaiting {
                fetch.suspend()
                state = .fetching(fetch)
            } else {
                await advance()
            }
        }
        timer?.cancel()
        timer = nil
        while case .idle = state {
            switch scheduler.step(now: clock.now, ports.demand()) {
            case .fetch(let episode): await start(episode)
            case .wait(let instant):
                timer = clock.schedule(after: instant - clock.now) { [weak self] in
                    guard let self else { return }
                    ports.decisions.start { await self.proceed() }
                }
                return
            case .rest: return
            }
        }
    }

    // MARK: Fetching

    private func start(_ id: EpisodeID) async {
        state = .starting(id)
        // The cache fetches the file with its feed's login.
        let episode = try? await ports.library.episode(id, noting: ports.access)
        state = .idle
        guard scheduler.requests.contains(id) else { return }
        guard let episode else {
            return scheduler.failed(id, MediaFailure(.internal, "the library cannot be read"), now: clock.now)
        }
        do throws(MediaFailure) {
            let url = episode.enclosure.url
            if let name = episode.unplayableFormat {
                throw MediaFailure(.notAudio, "\(name) cannot be played, so it is not downloaded")
            }
            let source = try ports.cache.openForPrefetch(url)
            do throws(MediaFailure) {
                // Pin the open source, so that the first index contains the pin.
                try ports.cache.setPinned(true, url: url)
            } catch {
                source.close()
                throw error
            }
            let activity = ports.activities.begin(.downloading, "Downloading", subject: episode.title)
            state = .fetching(DownloadFetch(episode, source: source, activity: activity, now: clock.now))
            source.observe { [weak self] _ in self?.sourceChanged() }
            await advance()
        } catch { failed(episode, error) }
    }

    /// Called on the fetching thread.
    private nonisolated func sourceChanged() { ports.decisions.start { [self] in await continueFetching() } }

    private func continueFetching() async {
        guard case .fetching = state, !ports.demand().isWaiting else { return }
        await advance()
        if case .idle = state { await proceed() }
    }

    /// Performs the steps that the source's snapshots require.
    private func advance() async {
        while case .fetching(var fetch) = state {
            let snapshot = fetch.source.snapshot
            if let progress = DownloadFetch.progress(snapshot) { fetch.activity.update(progress: progress) }
            let now = clock.now
            let othersWait = scheduler.isAnotherDue(besides: fetch.id, now: now, ports.demand())
            let step = fetch.step(snapshot, othersWait: othersWait, now: now)
            state = .fetching(fetch)
            switch step {
            case .checkQuota(let length, let missing):
                let quota = quota(besides: fetch.url)
                if let refusal = quota.refusal(of: length, missing: missing) {
                    return failed(fetch.episode, MediaFailure(.storage, refusal))
                }
                fetch.room = min(quota.limit - quota.used, length - missing + quota.free)
                state = .fetching(fetch)
            case .want(let offset): return fetch.source.want(from: offset)
            case .giveUp(let failure, let retryAfter):
                // Useless bytes must not take the room of other downloads.
                if retryAfter == nil { try? ports.cache.setPinned(false, url: fetch.url) }
                return failed(fetch.episode, failure, retryAfter: retryAfter)
            case .finish: return await finish(fetch)
            }
        }
    }

    private func finish(_ fetch: DownloadFetch) async {
        let missing = fetch.source.snapshot.missing
        if missing > 0 {
            ports.logger.log(
                .warning, .playback,
                "'\(fetch.episode.title)' ends \(missing) bytes before the length that its host announces",
                about: [.episode(fetch.id.rawValue)])
        }
        release()
        state = .storing(fetch.id)
        // The file must be on disk before the library records the download.
        await withCheckedContinuation { continuation in ports.cache.whenSaved { continuation.resume() } }
        do {
            let wasRequested = try await ports.library.perform {
                try $0.downloads.downloadIsComplete(fetch.id, url: fetch.url)
            }
            // Before another task asks for the next step.
            end([fetch.id])
            if wasRequested {
                ports.episodesChanged([fetch.id])
            } else {
                // The file is no longer requested, so its pin must be removed.
                comparedCount = nil
            }
        } catch {
            failed(fetch.episode, MediaFailure(.storage, "\(error)"))
        }
        state = .idle
        poll()
    }

    /// Removes requests that the library has removed, and invalidates earlier readings.
    private func end(_ episodes: [EpisodeID]) {
        shared.withLock { $0.poll.requestEnded() }
        scheduler.end(episodes)
    }

    private func release() {
        guard case .fetching(let fetch) = state else { return }
        state = .idle
        fetch.source.close()
        fetch.activity.end()
    }

    private func failed(_ episode: Episode, _ failure: MediaFailure, retryAfter: Duration? = .zero) {
        release()
        scheduler.failed(
            episode.id, failure, url: episode.enclosure.url, retryAfter: retryAfter, now: clock.now)
        ports.logger.log(
            .warning, .playback, "download of '\(episode.title)' failed: \(failure)",
            about: [.episode(episode.id.rawValue)])
        if failure.mayBeOfAddress { ports.decisions.start { [self] in await renewAddress(of: episode.id) } }
        ports.episodesChanged([episode.id])
    }

    /// Continues at the address that the feed lists after a refresh, if that is another one.
    private func renewAddress(of id: EpisodeID) async {
        await ports.renewAddress(id)
        let episode = try? await ports.library.episode(id)
        scheduler.renewalEnded(of: id)
        if let episode, scheduler.retryMoved([episode]) { await reconcile() }
        await proceed()
        ports.episodesChanged([id])
    }

    private func quota(besides url: String) -> DownloadQuota {
        let files = ports.cache.keptFiles()
        let total = files.reduce(0) { $0 + $1.size }
        return DownloadQuota(
            limit: ports.cache.sizeLimit, used: files.reduce(0) { $1.url == url ? $0 : $0 + $1.size },
            free: (ports.freeBytes() ?? .max / 2) + max(0, ports.cache.usage() - total))
    }

    // MARK: Pins

    /// Pins the files in the library's records, and requests missing files again, as after a backup was restored.
    func reconcile() async {
        let records = try? await ports.library.perform { store in
            let requested = try store.downloads.requestedDownloads(limit: Self.mostRequests)
            return (
                downloaded: try store.downloads.downloadedURLs(),
                requested: try store.episodes.episodes(requested).map(\.enclosure.url)
            )
        }
        guard let (downloaded, requested) = records else { return }
        let result = PinReconciliation(downloaded, requested: requested, ports.cache.keptFiles())
        for step in result.steps {
            switch step {
            case .move(let url, let successor):
                if (try? ports.cache.move(url, to: successor)) != true { try? ports.cache.setPinned(false, url: url) }
            case .unpin(let url): try? ports.cache.setPinned(false, url: url)
            }
        }
        comparedCount = downloaded.count
        let now = ports.now()
        guard !result.lost.isEmpty,
            (try? await ports.library.perform({ try $0.downloads.requestLost(result.lost, at: now) })) != nil
        else { return }
        comparedCount = downloaded.count - result.lost.count
        ports.logger.log(
            .warning, .playback,
            "\(counted(result.lost.count, "downloaded file")) missing in the cache; downloading again")
        poll()
        ports.episodesChanged(result.lost)
    }
}
