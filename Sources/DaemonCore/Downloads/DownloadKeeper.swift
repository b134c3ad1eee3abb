internal import Activity
internal import ControlProtocol
internal import Diagnostics
internal import EpisodeCache
internal import Library
internal import LibraryModel
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Has episodes fetched whole to the cache and kept there, one at a time: those that rules and listeners ask for.
///
/// The wishes and what became of them are in the library; the cache's pins follow them. The actor's thread begins with the
/// first wish; nothing runs and no timer waits while there is none. Whoever listens comes first: nothing is fetched while
/// sound waits for bytes, and the episode that plays is left to the player.
actor DownloadKeeper {
    /// What it works with.
    struct Ports: Sendable {
        var cache: EpisodeCache
        /// The cache's folder.
        var folder: String
        var library: LibraryService
        var access: MediaAccess
        var decisions: DecisionThread
        var activities: ActivityBoard
        var changes: ChangeBoard
        var logger: Logger
        /// What the player does now; from any thread.
        var listening: @Sendable () -> DownloadTurns.Listening
    }

    private enum State {
        /// Nothing is fetched; next: starting.
        case idle
        /// The library is asked about an episode; next: fetching, idle.
        case starting(EpisodeID)
        /// Its bytes come; next: storing, idle.
        case fetching(DownloadFetch)
        /// All bytes are there; the cache and the library take note; next: idle.
        case storing(EpisodeID)
    }

    /// Wishes that are looked at; those behind them come when these have gone.
    static let mostWishes = 1000

    private nonisolated let ports: Ports
    private nonisolated let executor: WorkerExecutor
    /// Whether there is anything to look after, and which readings of the library count.
    private nonisolated let notice = Mutex(Notice())
    private var turns = DownloadTurns()
    private var state = State.idle
    private var timer: (any PlaybackTimer)?
    /// How many episodes the library called kept when that was last held against the cache.
    private var keptCount: Int?

    private struct Notice {
        var isActive = false
        var looks = DownloadLooks()
        var listening = DownloadTurns.Listening()
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A keeper that has not looked at the library yet.
    init(_ ports: Ports) throws(SystemError) {
        self.ports = ports
        executor = try WorkerExecutor(name: "downloads")
    }

    // MARK: Told by others, from any thread

    /// Something changed in the library: looks what there is to do.
    nonisolated func look() {
        guard notice.withLock({ $0.looks.ask() }) else { return }
        ports.decisions.start { [self] in
            repeat {
                let reading = notice.withLock { $0.looks.begin() }
                do {
                    let needs = try await ports.library.perform { try $0.downloadNeeds(limit: Self.mostWishes) }
                    if isConcern(needs) { await use(needs, from: reading) }
                } catch {
                    return lookAgain(after: error)
                }
            } while notice.withLock { $0.looks.ended() }
        }
    }

    /// Whether there is anything to look after, or was until now.
    private nonisolated func isConcern(_ needs: DownloadNeeds) -> Bool {
        notice.withLock { notice in
            defer { notice.isActive = !needs.isEmpty }
            return notice.isActive || !needs.isEmpty
        }
    }

    private nonisolated func lookAgain(after error: any Error) {
        let failure = notice.withLock { $0.looks.failed() }
        if failure.isFirst {
            ports.logger.log(
                .warning, .playback, "the library does not tell what is to be downloaded, and is asked again: \(error)")
        }
        ports.decisions.start(after: failure.delay) { [weak self] in self?.look() }
    }

    /// The player does something else.
    nonisolated func playerChanged(_ status: PlayerStatus) {
        let listening = DownloadTurns.Listening(status)
        let concernsUs = notice.withLock { notice in
            defer { notice.listening = listening }
            return notice.isActive && notice.listening != listening
        }
        if concernsUs { ports.decisions.start { [self] in await turn() } }
    }

    /// Lets go of what is fetched and ends the thread.
    nonisolated func close() {
        try? executor.worker.submit { [self] in assumeIsolated { $0.letGo() } }
        executor.worker.finish()
    }

    // MARK: For commands

    /// Tries wishes again at once that failed.
    func retry(_ episodes: [EpisodeID]) { turns.forgive(episodes) }

    /// Takes the files of episodes away of which the library has let go, also while they are fetched.
    func remove(_ episodes: [Episode]) throws {
        end(episodes.map(\.id))
        let urls = episodes.map(\.enclosure.url)
        if case .fetching(let fetch) = state, urls.contains(fetch.url) { letGo() }
        look()
        for url in urls { try ports.cache.remove(url: url) }
    }

    /// What becomes of a wish, for people.
    func words(on episode: EpisodeID) -> String {
        switch state {
        case .starting(episode), .storing(episode): return "under way"
        case .fetching(let fetch) where fetch.episode == episode: return "under way"
        case .idle, .starting, .fetching, .storing: break
        }
        return turns.reason(of: episode).map { "failed, and is tried again later: \($0)" } ?? "waits its turn"
    }

    // MARK: Deciding

    private func use(_ needs: DownloadNeeds, from reading: DownloadLooks.Reading) async {
        guard notice.withLock({ $0.looks.counts(reading) }) else { return }
        let hasLost = turns.use(needs.wishes)
        if keptCount != needs.keptCount || hasLost { await reconcile() }
        await turn()
    }

    /// Goes on with what is fetched, or begins with the next.
    private func turn() async {
        let listening = ports.listening()
        if case .fetching(let fetch) = state {
            if fetch.episode == listening.episode || !turns.wishes.contains(fetch.episode) {
                letGo()
            } else if listening.isWaiting {
                fetch.source.suspend()
            } else {
                await advance()
            }
        }
        timer = nil
        while case .idle = state {
            switch turns.step(now: monotonicNanoseconds(), ports.listening()) {
            case .fetch(let episode): await begin(episode)
            case .wait(let instant): return arm(for: instant)
            case .rest: return
            }
        }
    }

    private func arm(for instant: Int64) {
        let seconds = Double(instant - monotonicNanoseconds()) / 1e9
        timer = WorkerClock(worker: executor.worker).schedule(after: seconds) { [weak self] in self?.timerRang() }
    }

    private nonisolated func timerRang() { ports.decisions.start { [self] in await turn() } }

    // MARK: Fetching

    private func begin(_ id: EpisodeID) async {
        state = .starting(id)
        let found = try? await ports.library.perform { [access = ports.access] store in
            let episode = try store.episode(id)
            access.note(episode.enclosure.url, of: episode.feed, in: store)
            return (url: episode.enclosure.url, title: episode.title)
        }
        state = .idle
        guard turns.wishes.contains(id) else { return }
        do throws(MediaFailure) {
            guard let found else { throw MediaFailure(.internal, "the library does not tell what it is") }
            let source = try ports.cache.openPatiently(found.url)
            do throws(MediaFailure) {
                // While it is open, so that the first index has it.
                try ports.cache.setPinned(true, url: found.url)
            } catch {
                source.close()
                throw error
            }
            let activity = ports.activities.begin(.downloading, "Downloading", subject: found.title)
            state = .fetching(
                DownloadFetch(
                    episode: id, url: found.url, title: found.title, source: source, activity: activity))
            source.observe { [weak self] _ in self?.newsCame() }
            await advance()
        } catch {
            failed(id, title: found?.title, error)
        }
    }

    /// On the fetching thread.
    private nonisolated func newsCame() { ports.decisions.start { [self] in await hear() } }

    private func hear() async {
        guard case .fetching = state, !ports.listening().isWaiting else { return }
        await advance()
        if case .idle = state { await turn() }
    }

    /// Does what the source's state asks for.
    private func advance() async {
        while case .fetching(var fetch) = state {
            let snapshot = fetch.source.snapshot
            if let progress = DownloadFetch.progress(snapshot) { fetch.activity.update(progress: progress) }
            switch fetch.step(snapshot) {
            case .checkRoom(let length, let missing):
                if let refusal = room(besides: fetch.url).refusal(of: length, missing: missing) {
                    letGo()
                    return failed(fetch.episode, title: fetch.title, MediaFailure(.storage, refusal))
                }
                fetch.hasRoom = true
                state = .fetching(fetch)
            case .want(let offset): return fetch.source.want(from: offset)
            case .giveUp(let failure):
                letGo()
                return failed(fetch.episode, title: fetch.title, failure)
            case .finish: return await finish(fetch)
            }
        }
    }

    private func finish(_ fetch: DownloadFetch) async {
        letGo()
        state = .storing(fetch.episode)
        // What the library calls kept must outlive whatever happens next.
        await withCheckedContinuation { continuation in ports.cache.whenSaved { continuation.resume() } }
        do {
            let isWished = try await ports.library.perform {
                try $0.downloadIsComplete(fetch.episode, url: fetch.url)
            }
            // Before anybody asks for the next turn.
            end([fetch.episode])
            if isWished {
                ports.changes.changed(.episodes)
            } else {
                // Nobody asks for this file any more.
                keptCount = nil
            }
        } catch {
            failed(fetch.episode, title: fetch.title, MediaFailure(.storage, "\(error)"))
        }
        state = .idle
        look()
    }

    /// Forgets wishes that the library has forgotten, and what was read of it before.
    private func end(_ episodes: [EpisodeID]) {
        notice.withLock { $0.looks.wishEnded() }
        turns.end(episodes)
    }

    private func letGo() {
        guard case .fetching(let fetch) = state else { return }
        state = .idle
        fetch.source.observe(nil)
        fetch.source.close()
        fetch.activity.end()
    }

    private func failed(_ episode: EpisodeID, title: String?, _ failure: MediaFailure) {
        turns.failed(episode, failure, now: monotonicNanoseconds())
        ports.logger.log(
            .warning, .playback, "\(title ?? "episode") is not downloaded yet: \(failure)",
            about: [.episode(episode.rawValue)])
        ports.changes.changed(.episodes)
    }

    private func room(besides url: String) -> DownloadRoom {
        let kept = ports.cache.keptFiles()
        let total = kept.reduce(0) { $0 + $1.size }
        let free = (try? DiskRoom(at: ports.folder))?.free ?? .max / 2
        return DownloadRoom(
            limit: ports.cache.sizeLimit, kept: kept.reduce(0) { $1.url == url ? $0 : $0 + $1.size },
            free: free + max(0, ports.cache.usage() - total))
    }

    // MARK: What is kept

    /// Has the cache keep what the library says, and the library say what the cache has.
    private func reconcile() async {
        guard
            let (downloaded, wished) = try? await ports.library.perform({ store in
                let wishes = try store.downloadWishes(limit: Self.mostWishes)
                return (
                    try store.episodes(store.downloadedEpisodes()).map { ($0.id, $0.enclosure.url) },
                    try store.episodes(wishes).map(\.enclosure.url)
                )
            })
        else { return }
        let files = ports.cache.keptFiles()
        let whole = Set(files.filter(\.isWhole).map(\.url))
        let wanted = Set(downloaded.map(\.1)).union(wished)
        let heirs = Dictionary(wished.map { (MediaAddress.key(of: $0), $0) }) { first, _ in first }
        for file in files where !wanted.contains(file.url) {
            // Hosts sign URLs anew and wrap them in others: what was fetched under the old one is not fetched again.
            let heir = heirs[MediaAddress.key(of: file.url)]
            if let heir, (try? ports.cache.move(file.url, to: heir)) == true { continue }
            try? ports.cache.setPinned(false, url: file.url)
        }
        let lost = downloaded.filter { !whole.contains($0.1) }.map(\.0)
        keptCount = downloaded.count
        guard !lost.isEmpty, (try? await ports.library.perform { try $0.dropDownloads(of: lost) }) != nil else {
            return
        }
        keptCount = downloaded.count - lost.count
        ports.changes.changed(.episodes)
    }
}

extension DownloadTurns.Listening {
    /// What a status means for whoever else fetches.
    init(_ status: PlayerStatus) {
        switch status.state {
        case .stopped: self.init()
        case .loading, .buffering: self.init(episode: status.entry?.episode, isWaiting: true)
        case .playing, .paused: self.init(episode: status.entry?.episode)
        }
    }
}
