internal import MediaPorts
public import PodcastModel
public import Reporting
public import SerialThreads
internal import Synchronization
public import SystemCalls

/// Downloads the requested episodes, one at a time, and keeps the cache's pins equal to the library.
///
/// Without requests no task and no timer runs. The player comes first: downloads pause while playback waits for bytes,
/// and the current episode is left to the player.
public actor DownloadManager {
    public struct Ports: Sendable {
        var library: any DownloadLibrary
        var cache: any DownloadCache
        var decisions: DecisionThread
        var activities: any ActivityReporting
        var logger: Logger
        var demand: @Sendable () -> PlayerDemand
        var episodesChanged: @Sendable ([EpisodeID]) -> Void
        var clock: (any TimerClock)?

        /// - Parameters:
        ///   - demand: the player's activity; from any thread.
        ///   - episodesChanged: called with the episodes after changes that clients see.
        ///   - clock: nil uses the system's clock, with timers on the actor's thread.
        public init(
            library: any DownloadLibrary, cache: any DownloadCache, decisions: DecisionThread,
            activities: any ActivityReporting, logger: Logger, demand: @escaping @Sendable () -> PlayerDemand,
            episodesChanged: @escaping @Sendable ([EpisodeID]) -> Void, clock: (any TimerClock)? = nil
        ) {
            (self.library, self.cache, self.decisions) = (library, cache, decisions)
            (self.activities, self.logger, self.demand) = (activities, logger, demand)
            (self.episodesChanged, self.clock) = (episodesChanged, clock)
        }
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
    private nonisolated var clock: any TimerClock {
        ports.clock ?? executor.worker
    }
    private var scheduler = DownloadScheduler()
    private var state = State.idle
    private var timer: (any ScheduledTimer)?
    /// True if the current download waits because playback needs the network.
    private var isSuspended = false
    /// Number of downloaded episodes when the pins were last compared with the library; nil compares them again.
    private var comparedCount: Int?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Does not read the library yet. Throws `SystemError` if the thread cannot start.
    public init(_ ports: Ports) throws(SystemError) {
        self.ports = ports
        executor = try WorkerExecutor(name: .downloads)
    }

    // MARK: Called by other parts, from any thread

    /// Reads the library after a change.
    public nonisolated func poll() {
        guard shared.withLock({ $0.poll.ask() }) else { return }
        ports.decisions.start { [self] in
            repeat {
                let reading = shared.withLock { $0.poll.begin() }
                do {
                    let requests = try await ports.library.requests(limit: Self.mostRequests)
                    if noteActivity(requests) { await use(requests, from: reading) }
                } catch {
                    return pollAgain(after: error)
                }
            } while shared.withLock { $0.poll.ended() }
        }
    }

    /// True if there is work, or was until now.
    private nonisolated func noteActivity(_ requests: DownloadRequests) -> Bool {
        shared.withLock { shared in
            defer { shared.isActive = !requests.isEmpty }
            return shared.isActive || !requests.isEmpty
        }
    }

    private nonisolated func pollAgain(after error: any Error) {
        let failure = shared.withLock { $0.poll.failed() }
        if failure.isFirst {
            ports.logger.log(.warning, .playback, "cannot read the download requests, will try again: \(error)")
        }
        ports.decisions.schedule(after: failure.delay) { [weak self] in self?.poll() }
    }

    public nonisolated func playerChanged(_ demand: PlayerDemand) {
        let isRelevant = shared.withLock { shared in
            defer { shared.demand = demand }
            return shared.isActive && shared.demand != demand
        }
        if isRelevant { ports.decisions.start { [self] in await proceed() } }
    }

    /// Closes the current source and ends the thread.
    public nonisolated func close() {
        try? executor.worker.submit { [self] in assumeIsolated { $0.release() } }
        executor.worker.finish()
    }

    // MARK: For commands

    /// Makes failed requests due at once.
    public func retry(_ episodes: [EpisodeID]) { scheduler.clearFailures(of: episodes) }

    /// Deletes the files of episodes after the library has removed their records, also during a download. Files that
    /// other episodes use under the same URL stay.
    public func remove(_ episodes: [Episode]) async throws {
        end(episodes.map(\.id))
        let kept = Set(try await ports.library.records(limit: Self.mostRequests).downloaded.values)
        let urls = episodes.map(\.enclosure.url).filter { !kept.contains($0) }
        if case .fetching(let fetch) = state, urls.contains(fetch.url) { release() }
        poll()
        for url in urls { try ports.cache.remove(url: url) }
    }

    public var wholeFiles: [String: String] { ports.cache.wholeFiles() }

    /// The path of a file; nil if the file is not completely cached.
    public func wholeFile(url: String) -> String? { ports.cache.wholeFile(url: url) }

    public func description(of episode: EpisodeID) -> String {
        switch state {
        case .starting(episode), .storing(episode): return "under way"
        case .fetching(let fetch) where fetch.episode == episode: return "under way"
        case .idle, .starting, .fetching, .storing: break
        }
        return scheduler.reason(of: episode).map { "failed, and is tried again later: \($0)" } ?? "waits its turn"
    }

    /// The episode being downloaded, and its progress, 0 to 1.
    public var underWay: (episode: EpisodeID, progress: Double?)? {
        switch state {
        case .idle: nil
        case .starting(let episode): (episode, nil)
        case .fetching(let fetch): (fetch.episode, DownloadFetch.progress(fetch.source.snapshot))
        case .storing(let episode): (episode, 1)
        }
    }

    /// Last failure of each failed request, and the time until the next attempt.
    public var failures: [EpisodeID: (reason: String, retryAfter: Duration)] { scheduler.failures(now: clock.now) }

    // MARK: Deciding

    private func use(_ requests: DownloadRequests, from reading: LibraryPoll.Reading) async {
        guard shared.withLock({ $0.poll.isCurrent(reading) }) else { return }
        let hasLost = scheduler.use(requests.episodes)
        if comparedCount != requests.downloadedCount || hasLost { await reconcile() }
        await proceed()
    }

    private func proceed() async {
        let demand = ports.demand()
        if case .fetching(let fetch) = state {
            if fetch.episode == demand.episode || !scheduler.requests.contains(fetch.episode) {
                release()
            } else if demand.isWaiting {
                fetch.source.suspend()
                isSuspended = true
            } else {
                await advance()
            }
        }
        timer?.cancel()
        timer = nil
        while case .idle = state {
            switch scheduler.step(now: clock.now, ports.demand()) {
            case .fetch(let episode): await start(episode)
            case .wait(let instant): return arm(for: instant)
            case .rest: return
            }
        }
    }

    private func arm(for instant: Instant) {
        timer = clock.schedule(after: instant - clock.now) { [weak self] in self?.retryIsDue() }
    }

    private nonisolated func retryIsDue() { ports.decisions.start { [self] in await proceed() } }

    // MARK: Fetching

    private func start(_ id: EpisodeID) async {
        state = .starting(id)
        let target = try? await ports.library.target(of: id)
        state = .idle
        guard scheduler.requests.contains(id) else { return }
        do throws(MediaFailure) {
            guard let target else { throw MediaFailure(.internal, "the library cannot be read") }
            if let name = target.unplayable {
                throw MediaFailure(.notAudio, "\(name) cannot be played, so it is not downloaded")
            }
            let source = try ports.cache.openForPrefetch(target.url)
            do throws(MediaFailure) {
                // Pin the open source, so that the first index contains the pin.
                try ports.cache.setPinned(true, url: target.url)
            } catch {
                source.close()
                throw error
            }
            isSuspended = false
            let activity = ports.activities.begin(.downloading, "Downloading", subject: target.title)
            state = .fetching(
                DownloadFetch(
                    episode: id, url: target.url, title: target.title, source: source, activity: activity,
                    now: clock.now))
            source.observe { [weak self] _ in self?.sourceChanged() }
            await advance()
        } catch {
            failed(id, title: target?.title, error)
        }
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
            if isSuspended { fetch.resumed(now: now) }
            isSuspended = false
            let othersWait = scheduler.isAnotherDue(besides: fetch.episode, now: now, ports.demand())
            let step = fetch.step(snapshot, othersWait: othersWait, now: now)
            state = .fetching(fetch)
            switch step {
            case .checkQuota(let length, let missing):
                if let refusal = quota(besides: fetch.url).refusal(of: length, missing: missing) {
                    release()
                    return failed(fetch.episode, title: fetch.title, MediaFailure(.storage, refusal))
                }
                fetch.isWithinQuota = true
                state = .fetching(fetch)
            case .want(let offset): return fetch.source.want(from: offset)
            case .giveUp(let failure, let retryAfter):
                release()
                return failed(fetch.episode, title: fetch.title, failure, retryAfter: retryAfter)
            case .finish: return await finish(fetch)
            }
        }
    }

    private func finish(_ fetch: DownloadFetch) async {
        release()
        state = .storing(fetch.episode)
        // The file must be on disk before the library records the download.
        await withCheckedContinuation { continuation in ports.cache.whenSaved { continuation.resume() } }
        do {
            let wasRequested = try await ports.library.complete(fetch.episode, url: fetch.url)
            // Before another task asks for the next step.
            end([fetch.episode])
            if wasRequested {
                ports.episodesChanged([fetch.episode])
            } else {
                // The file is not requested any more, so its pin must be removed.
                comparedCount = nil
            }
        } catch {
            failed(fetch.episode, title: fetch.title, MediaFailure(.storage, "\(error)"))
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
        fetch.source.observe(nil)
        fetch.source.close()
        fetch.activity.end()
    }

    private func failed(
        _ episode: EpisodeID, title: String?, _ failure: MediaFailure, retryAfter: Duration = .zero
    ) {
        scheduler.failed(episode, failure, retryAfter: retryAfter, now: clock.now)
        ports.logger.log(
            .warning, .playback, "download of '\(title ?? "episode")' failed, will retry: \(failure)",
            about: [.episode(episode.rawValue)])
        ports.episodesChanged([episode])
    }

    private func quota(besides url: String) -> DownloadQuota {
        let files = ports.cache.pinnedFiles()
        let total = files.reduce(0) { $0 + $1.size }
        return DownloadQuota(
            limit: ports.cache.sizeLimit, used: files.reduce(0) { $1.url == url ? $0 : $0 + $1.size },
            free: (ports.cache.freeBytes() ?? .max / 2) + max(0, ports.cache.usage() - total))
    }

    // MARK: Pins

    /// Pins the files in the library's records, and clears the marks of missing files.
    private func reconcile() async {
        guard let records = try? await ports.library.records(limit: Self.mostRequests) else { return }
        let result = PinReconciliation(
            records, ports.cache.pinnedFiles(), recording: { ports.library.recording(of: $0) })
        for step in result.steps {
            switch step {
            case .move(let url, let successor):
                if (try? ports.cache.move(url, to: successor)) != true {
                    try? ports.cache.setPinned(false, url: url)
                }
            case .unpin(let url): try? ports.cache.setPinned(false, url: url)
            }
        }
        comparedCount = records.downloaded.count
        guard !result.lost.isEmpty, (try? await ports.library.drop(result.lost)) != nil else { return }
        comparedCount = records.downloaded.count - result.lost.count
        ports.episodesChanged(result.lost)
    }
}
