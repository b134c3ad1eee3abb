internal import HTTP
internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// One episode that is open: runs its plan. Any thread may ask; everything is carried out on the fetching thread.
final class CachedEpisode: Sendable {
    struct State {
        var plan: FetchPlan
        var users = EpisodeUsers()
        /// The request under way, as the delegate and the thread know it.
        var fetch: (number: Int, id: HTTPThread.TransferID)?
        var lastFetch = 0
        var news = NewsPolicy()
        var rate = RateMeter()
        /// Bytes stored since the index was written.
        var unsaved: Int64 = 0
        /// Whether all that was stored is in an index that outlives a power cut, or will be.
        var isOnDisk = true
        /// Indexes that are still to be written.
        var savesUnderWay = 0
        /// What is kept in memory.
        var spare: SpareMemory
        /// Whether an HTML content type still has to be held against the first bytes.
        var isUnderSuspicion = false
    }

    let file: EpisodeFile
    let store: CacheStore
    let host: String
    /// How many sources there are; the store's lock is held around changes.
    let users = Mutex(0)
    let state: Mutex<State>

    init(file: EpisodeFile, known: FetchPlan.Knowledge, store: CacheStore) {
        self.file = file
        self.store = store
        host = SafeText.line(HTTPURL.host(of: file.url) ?? "the server")
        let plan = FetchPlan(host: host, known: known, settings: store.settings.plan)
        var state = State(plan: plan, spare: SpareMemory(capacity: file.memory.capacity))
        state.news = NewsPolicy(told: CachedEpisode.snapshot(state, now: 0))
        self.state = Mutex(state)
    }

    /// What is known for later: what is in memory will be gone.
    var known: FetchPlan.Knowledge {
        state.withLock { state in
            var known = state.plan.known
            known.have.remove(state.spare.window.range)
            return known
        }
    }

    var snapshot: ByteSourceSnapshot { state.withLock { CachedEpisode.snapshot($0, now: store.clock.now()) } }

    // MARK: For sources, on any thread

    func addUser(isPatient: Bool) -> Int { state.withLock { $0.users.add(isPatient: isPatient) } }

    func observe(_ handler: (@Sendable (ByteSourceSnapshot) -> Void)?, user: Int) {
        state.withLock { $0.users.setHandler(handler, of: user) }
    }

    func want(from offset: Int64, user: Int) {
        let mustAct = state.withLock { state in
            let hasUntold = state.news.hasUntold(at: offset, state.plan.known.have)
            return state.users.want(from: offset, user: user, &state.plan) || hasUntold
        }
        if mustAct { store.http.perform { [self] in carryOut(user: user) } }
    }

    func suspend(user: Int) {
        let mustAct = state.withLock { $0.users.rest(user: user, $0.plan) }
        if mustAct { store.http.perform { [self] in carryOut(user: user) } }
    }

    func close(user: Int) {
        let (mustAct, isFetched, isOver) = state.withLock { state in
            (state.users.remove(user: user, state.plan), state.fetch != nil, CachedEpisode.isOver(state.plan))
        }
        let isUnused = store.close(self)
        // At once, so that a process that ends need only wait for the worker, and so does whoever saw all of it come.
        if isUnused || isOver { saveAtRest() }
        guard mustAct || isUnused && isFetched else {
            // The fetching thread need not begin for that.
            if isUnused { store.forget(self) }
            return
        }
        store.http.perform { [self] in
            carryOut(user: user)
            if isUnused { store.forget(self) }
        }
    }

    // MARK: On the fetching thread

    /// Does what a user wants now.
    private func carryOut(user: Int) {
        step { $0.users.carryOut(user: user, &$0.plan, now: $1) }
        tell(isUrgent: true)
    }

    /// Gives the plan an event and does what it says.
    func step(_ event: (inout State, Int64) -> [FetchPlan.Action]) {
        let now = store.clock.now()
        let (actions, isOver) = state.withLock { state in
            var actions = event(&state, now)
            let isOver = CachedEpisode.isOver(state.plan)
            // One connection serves all users: those it has passed over get their turn when it has done.
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
            if let fetch { store.http.cancel(fetch.id) }
        case .hold: break  // The answer to the bytes that made enough says it.
        case .resume:
            if let fetch = state.withLock({ $0.fetch }) { store.http.resume(fetch.id) }
        case .wake(let number, let delay):
            store.clock.schedule(after: delay) { [weak self] in
                self?.store.http.perform { [weak self] in
                    self?.step { $0.plan.timer(number: number, now: $1) }
                    self?.tell(isUrgent: true)
                }
            }
        case .discard: store.discard(self)
        }
    }

    private func start(_ request: FetchPlan.Request) {
        var wire = HTTPRequest(request.pinnedURL ?? file.url)
        var access = store.settings.access(file.url)
        // What an answer redirected to before is nobody's word but the host's.
        access.namedHosts = access.namedHosts ?? [HTTPURL.host(of: file.url) ?? ""]
        access.apply(to: &wire)
        wire.contentCoding = .identity
        wire.bufferSize = 64 << 10
        if request.usesRange {
            wire.rangeStart = request.start
            wire.rangeEnd = request.end
        }
        let settings = store.settings
        wire.timeouts.connect = settings.connectTimeout
        wire.timeouts.firstByte = settings.answerTimeout * (1 << min(request.attempt, 2))
        wire.timeouts.stall = settings.stallTimeout
        let number = state.withLock { state in
            state.lastFetch += 1
            return state.lastFetch
        }
        let id = store.http.start(wire, delegate: EpisodeFetch(self, number: number))
        state.withLock { $0.fetch = (number, id) }
    }

    func saveAtRest() {
        state.withLock { state in
            if !state.isOnDisk { save(&state, isDurable: true) }
            (state.unsaved, state.isOnDisk) = (0, true)
        }
    }

    /// Has the index written on the store's worker.
    func save(_ state: inout State, isDurable: Bool) {
        state.savesUnderWay += 1
        // Within the lock: who sees that one is under way finds it queued.
        store.onWorker { [self] in
            // An index that cannot be written costs fetching again, no more.
            try? file.save(known, boot: store.boot, isDurable: isDurable)
            self.state.withLock { $0.savesUnderWay -= 1 }
        }
    }

    /// What the files tell of an episode that nobody uses.
    enum Remains {
        /// Not all: it is still fetched, until the last one who went is heard.
        case fetching
        /// Not all: an index is still to be written.
        case saving
        /// All that is known.
        case settled
    }

    /// What the files tell if nobody uses it.
    var remains: Remains {
        state.withLock { state in
            if !state.plan.isAtRest || state.fetch != nil || !state.isOnDisk { return .fetching }
            return state.savesUnderWay > 0 ? .saving : .settled
        }
    }

    private static func isOver(_ plan: FetchPlan) -> Bool {
        switch plan.phase {
        case .idle, .complete, .failed: true
        case .connecting, .receiving, .waitingToRetry: false
        }
    }
}

// MARK: - News

extension CachedEpisode {
    static func snapshot(_ state: State, now: Int64) -> ByteSourceSnapshot {
        let plan = state.plan
        var snapshot = ByteSourceSnapshot(
            length: plan.known.length, available: plan.known.have.ranges, contentType: plan.known.contentType,
            isSeekable: plan.isSeekable, phase: plan.phase,
            rate: plan.phase == .receiving ? state.rate.value(now: now) : 0)
        if state.spare.window.count > 0 { snapshot.memory = state.spare.window }
        snapshot.shortage = state.spare.shortage
        return snapshot
    }

    /// Tells the users what is new, unless it can wait.
    func tell(isUrgent: Bool) {
        let now = store.clock.now()
        let (snapshot, handlers) = state.withLock { state in
            let snapshot = CachedEpisode.snapshot(state, now: now)
            guard
                state.news.isDue(
                    snapshot, wanted: state.users.wanted, isUrgent: isUrgent, now: now)
            else { return (snapshot, [(@Sendable (ByteSourceSnapshot) -> Void)]()) }
            return (snapshot, state.users.handlers)
        }
        for handler in handlers { handler(snapshot) }
        if let delay = state.withLock({ $0.news.delayForRest(now: now) }) {
            store.http.schedule(after: .nanoseconds(delay)) { [weak self] in
                self?.state.withLock { $0.news.restIsDue() }
                self?.tell(isUrgent: true)
            }
        }
    }
}

/// Decides when users are told: at once when the byte they wait for has come or something else than bytes changed,
/// otherwise ten times a second.
struct NewsPolicy {
    private static let interval: Int64 = 100_000_000

    private var told: ByteSourceSnapshot
    private var toldAt: Int64 = 0
    private var hasRest = false
    private var isRestScheduled = false

    /// - Parameter told: what users can know from the start.
    init(told: ByteSourceSnapshot = ByteSourceSnapshot()) { self.told = told }

    /// Whether a byte is at hand that users were not told of.
    func hasUntold(at offset: Int64, _ have: ByteRanges) -> Bool {
        have.end(from: offset) > offset && told.end(ofAvailableFrom: offset) <= offset
    }

    mutating func isDue(_ snapshot: ByteSourceSnapshot, wanted: [Int64], isUrgent: Bool, now: Int64) -> Bool {
        var comparable = snapshot
        comparable.rate = told.rate
        if comparable == told { return false }
        let isOther =
            told.phase != snapshot.phase || told.length != snapshot.length || told.isSeekable != snapshot.isSeekable
            || told.shortage != snapshot.shortage
        let isAwaited = wanted.contains { offset in
            snapshot.end(ofAvailableFrom: offset) > offset && told.end(ofAvailableFrom: offset) <= offset
        }
        guard isUrgent || isOther || isAwaited || now - toldAt >= NewsPolicy.interval else {
            hasRest = true
            return false
        }
        hasRest = false
        told = snapshot
        toldAt = now
        return true
    }

    /// When to tell what was held back; nil when there is nothing, or somebody comes for it already.
    mutating func delayForRest(now: Int64) -> Int64? {
        if !hasRest || isRestScheduled { return nil }
        isRestScheduled = true
        return max(1_000_000, toldAt + NewsPolicy.interval - now)
    }

    mutating func restIsDue() { isRestScheduled = false }
}

/// Bytes per second of late.
struct RateMeter {
    private var rate = 0.0
    private var windowStart: Int64 = 0
    private var windowBytes = 0.0

    mutating func add(_ bytes: Int, now: Int64) {
        if windowStart == 0 || now - windowStart > 5_000_000_000 { (windowStart, windowBytes, rate) = (now, 0, 0) }
        windowBytes += Double(bytes)
        let seconds = Double(now - windowStart) / 1e9
        guard seconds >= 0.25 else { return }
        let current = windowBytes / seconds
        rate = rate == 0 ? current : rate + (current - rate) * min(1, seconds)
        (windowStart, windowBytes) = (now, 0)
    }

    /// 0 when nothing came for a while.
    func value(now: Int64) -> Double {
        let seconds = Double(now - windowStart) / 1e9
        if seconds > 3 { return 0 }
        return rate == 0 && seconds > 0.01 ? windowBytes / seconds : rate
    }
}
