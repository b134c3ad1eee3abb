internal import HTTP
internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// One open episode: performs the actions that its state decides on. Sources call it from any thread; actions are performed on
/// the fetching thread.
final class CachedEpisode: Sendable {
    let file: EpisodeFile
    let cache: EpisodeCache
    let host: String
    /// Rises with each episode that is opened.
    let number: Int
    let state: Mutex<EpisodeState>

    init(file: EpisodeFile, known: FetchPlan.Knowledge, cache: EpisodeCache, number: Int) {
        self.file = file
        self.number = number
        self.cache = cache
        host = SafeText.line(HTTPURL.host(of: file.url) ?? "the server")
        let plan = FetchPlan(
            host: host, address: SafeText.line(redactingAddresses(in: file.url)), known: known,
            settings: cache.settings.plan)
        state = Mutex(EpisodeState(plan: plan))
    }

    var snapshot: ByteSourceSnapshot { state.withLock { $0.snapshot(now: cache.clock.now) } }

    // MARK: For sources, on any thread

    func addUser(_ priority: FetchPriority) -> Int { state.withLock { $0.users.add(priority) } }

    func observe(_ handler: @escaping @Sendable (ByteSourceSnapshot) -> Void, user: Int) {
        state.withLock { $0.users.addHandler(handler, of: user) }
    }

    func want(from offset: Int64, user: Int) {
        let mustAct = state.withLock { state in
            let hasUnreported = state.reports.hasUnreported(at: offset, state.plan.known.have)
            return state.users.want(from: offset, user: user, &state.plan) || hasUnreported
        }
        if mustAct { cache.http.perform { [self] in carryOut(user: user) } }
    }

    func suspend(user: Int) {
        let mustAct = state.withLock { $0.users.suspend(user: user, &$0.plan) }
        if mustAct { cache.http.perform { [self] in carryOut(user: user) } }
    }

    func close(user: Int) {
        let (mustAct, isUnused, isFetched, isOver, isUseless) = state.withLock { state in
            let mustAct = state.users.remove(user: user, &state.plan)
            return (mustAct, state.users.isEmpty, state.fetch != nil, state.isOver, state.plan.isUselessLater)
        }
        if isUnused, isUseless { cache.discard(self) }
        if isUnused { file.becomeUnused() }
        // At once, so that an exiting process and users who saw the file complete only have to wait for the worker.
        if isUnused || isOver { saveAtRest() }
        guard mustAct || isUnused && isFetched else {
            // Closing does not need the fetching thread, which may not run.
            if isUnused { cache.forget(self) }
            return
        }
        cache.http.perform { [self] in
            carryOut(user: user)
            if isUnused { cache.forget(self) }
        }
    }

    // MARK: On the fetching thread

    private func carryOut(user: Int) {
        step { $0.users.carryOut(user: user, &$0.plan, now: $1) }
        reportChanges(isUrgent: true)
    }

    func step(_ event: (inout EpisodeState, Instant) -> [FetchPlan.Action]) {
        let now = cache.clock.now
        let (actions, isOver) = state.withLock { state in
            var actions = event(&state, now)
            let isOver = state.isOver
            // One connection serves all users: the others follow when it is done.
            if isOver { actions += state.users.serveOthers(&state.plan, now: now) }
            return (actions, isOver)
        }
        for action in actions { perform(action) }
        if isOver { saveAtRest() }
    }

    private func perform(_ action: FetchPlan.Action) {
        switch action {
        case .request(let request): start(request)
        case .cancel:
            let fetch = state.withLock { $0.fetch.take() }
            if let fetch { cache.http.cancel(fetch.id) }
        case .resume: if let fetch = state.withLock({ $0.fetch }) { cache.http.resume(fetch.id) }
        case .wake(let number, let delay):
            beginWait(delay)
            cache.clock.schedule(after: delay) { [weak self] in
                self?.cache.http.perform { [weak self] in
                    self?.step { $0.plan.timer(number: number, now: $1) }
                    self?.reportChanges(isUrgent: true)
                }
            }
        case .discard: cache.discard(self)
        }
    }

    private func start(_ request: FetchPlan.Request) {
        var wire = HTTPRequest(request.redirectTarget ?? file.url)
        var access = cache.settings.access(file.url)
        // The user named the episode's host, not a host of earlier redirects.
        access.namedHosts = access.namedHosts ?? [HTTPURL.host(of: file.url) ?? ""]
        access.apply(to: &wire)
        let sendsLogin = access.login?.credentials(for: wire.url) != nil
        wire.contentCoding = request.decodes ? .gzip : .identity
        wire.bufferSize = 64 << 10
        if request.usesRange {
            wire.rangeStart = request.start
            wire.rangeEnd = request.end
        }
        let settings = cache.settings
        wire.timeouts.connect = settings.connectTimeout
        wire.timeouts.firstByte = settings.answerTimeout * (1 << min(request.attempt, 2))
        wire.timeouts.stall = settings.stallTimeout
        let number = state.withLock { state in
            state.lastFetch += 1
            state.plan.sendsLogin = sendsLogin
            return state.lastFetch
        }
        beginWait(wire.timeouts.firstByte)
        let id = cache.http.start(wire, delegate: EpisodeFetch(self, number: number))
        state.withLock { $0.fetch = EpisodeState.Fetch(number: number, id: id) }
    }

    private func beginWait(_ limit: Duration) {
        let now = cache.clock.now
        state.withLock { $0.wait = HostWait(begin: now, end: now + limit) }
    }

    func saveAtRest() { state.withLock { if $0.index.isDurableDue() { save(&$0, isDurable: true) } } }

    /// Writes the index on the cache's thread.
    func save(_ state: inout EpisodeState, isDurable: Bool) {
        state.index.writes += 1
        // Under the lock: a write that is counted is also queued.
        cache.whenSaved { [self] in
            // Without an index the bytes are fetched again; there is no other harm.
            try? file.save(self.state.withLock { $0.plan.known }, boot: cache.boot, isDurable: isDurable)
            self.state.withLock { $0.index.writes -= 1 }
        }
    }

    var remains: EpisodeState.Remains { state.withLock { $0.remains } }

    func reportChanges(isUrgent: Bool) {
        let now = cache.clock.now
        let (snapshot, handlers, delay) = state.withLock { state in
            let snapshot = state.snapshot(now: now)
            let isDue = state.reports.isDue(snapshot, wanted: state.users.wanted, isUrgent: isUrgent, now: now)
            return (snapshot, isDue ? state.users.handlers : [], state.reports.nextTimer(now: now))
        }
        for handler in handlers { handler(snapshot) }
        guard let delay else { return }
        cache.http.schedule(after: delay) { [weak self] in
            self?.state.withLock { $0.reports.timerFired() }
            self?.reportChanges(isUrgent: true)
        }
    }
}

/// Recent transfer rate in bytes per second.
struct RateMeter {
    private var rate = 0.0
    private var windowStart = Instant.distantPast
    private var windowBytes = 0.0

    mutating func add(_ bytes: Int, now: Instant) {
        if now - windowStart > .seconds(5) {
            windowStart = now
            windowBytes = 0
            rate = 0
        }
        windowBytes += Double(bytes)
        let seconds = (now - windowStart).inSeconds
        guard seconds >= 0.25 else { return }
        let current = windowBytes / seconds
        rate = rate == 0 ? current : rate + (current - rate) * min(1, seconds)
        windowStart = now
        windowBytes = 0
    }

    /// 0 if nothing was received for three seconds.
    func value(now: Instant) -> Double {
        let seconds = (now - windowStart).inSeconds
        if seconds > 3 { return 0 }
        return rate == 0 && seconds > 0.01 ? windowBytes / seconds : rate
    }
}

/// One user's view of a cached episode; several may share the episode and its only connection.
final class EpisodeSource: ByteSource {
    let episode: CachedEpisode
    private let number: Int
    private let files: Mutex<(file: Int32, index: Int32)>

    init(_ episode: CachedEpisode, file: consuming FileDescriptor, _ priority: FetchPriority) {
        self.episode = episode
        var index: Int32 = -1
        if priority == .foreground, let frames = episode.file.openFrames() { index = frames.release() }
        files = Mutex((file.release(), index))
        number = episode.addUser(priority)
    }

    deinit { close() }

    var descriptor: Int32 { files.withLock { $0.file } }
    var indexDescriptor: Int32 { files.withLock { $0.index } }
    var snapshot: ByteSourceSnapshot { episode.snapshot }
    func want(from offset: Int64) { episode.want(from: offset, user: number) }
    func observe(_ handler: @escaping @Sendable (ByteSourceSnapshot) -> Void) { episode.observe(handler, user: number) }
    func suspend() { episode.suspend(user: number) }

    func close() {
        let open = files.withLock { exchange(&$0, with: (-1, -1)) }
        if open.file < 0 { return }
        _ = FileDescriptor(owning: open.file)
        if open.index >= 0 { _ = FileDescriptor(owning: open.index) }
        episode.close(user: number)
    }
}
