internal import PodcastModel

/// When an account is synchronized: soon after something was done here or there, otherwise at an interval, and after failures less and
/// less often. Pure.
struct AccountSchedule: Equatable, Sendable {
    enum Event: Equatable, Sendable {
        /// The daemon answers, now or again.
        case connected
        /// The position of the episode that plays.
        case changed
        /// Anything else: a pause, a mark, a new feed.
        case acted
        /// The server says that something has changed there.
        case changedThere
        /// The orders for the account that have not begun, instead of those that waited until now.
        case ordered([SyncOrder])
        case ended(End)
    }

    enum End: Equatable, Sendable {
        case done
        /// There was nothing to do.
        case unchanged
        /// The listener is asked whether to begin.
        case asking
        /// - Parameter retryAfter: seconds that the server wants.
        case failed(retryAfter: Int?)
        /// Nothing was synchronized, but a server that failed before answers again.
        case recovered
        case daemonLost
    }

    /// The step to take now.
    enum Step: Equatable, Sendable {
        case wait
        /// - Parameter isLocal: whether to do nothing if nothing has changed here.
        case synchronize(isLocal: Bool)
        case carryOut(SyncOrder)
    }

    private enum State: Equatable, Sendable {
        case disconnected
        case idle
        case asking
        case failed(times: Int)
    }

    /// How soon after an act, and between two synchronizations because of changes.
    private let delay: Duration
    private let pause: Duration
    private let interval: Duration
    /// Seconds from the first failure to the next attempt.
    private let firstRetry: Int
    private var state = State.disconnected
    private var orders: [SyncOrder] = []
    private var last = Instant.distantPast
    /// When to synchronize if something has changed here, and in any case.
    private var (localDue, fullDue) = (Instant.distantFuture, Instant.distantFuture)

    /// - Parameter isQuick: for another podcastd, which a listener uses at the same time.
    init(interval: Duration, isQuick: Bool) {
        self.interval = interval
        (delay, pause) = isQuick ? (.milliseconds(50), .milliseconds(500)) : (.seconds(1), .seconds(30))
        firstRetry = isQuick ? 4 : 30
    }

    var due: Instant {
        if state == .disconnected { return .distantFuture }
        return orders.isEmpty ? min(localDue, fullDue) : .distantPast
    }

    mutating func handle(_ event: Event, at now: Instant) {
        switch event {
        case .connected: (state, fullDue) = (.idle, now)
        case .changed: changed(at: max(now + delay, last + pause))
        case .acted: changed(at: now + delay)
        // A failed account waits for its next attempt, and one that asks for the listener.
        case .changedThere: if state == .idle { fullDue = min(fullDue, max(now, last + pause)) }
        case .ordered(let waiting): orders = waiting
        case .ended(.unchanged): break
        case .ended(let end):
            last = now
            switch (end, state) {
            case (.done, _): (state, fullDue) = (.idle, now + interval)
            case (.asking, _): (state, fullDue) = (.asking, now + interval)
            case (.failed(let seconds), .failed(let times)): fail(times + 1, seconds, at: now)
            case (.failed(let seconds), _): fail(1, seconds, at: now)
            case (.recovered, _): (state, fullDue) = (.idle, now)
            case (.daemonLost, _): state = .disconnected
            case (.unchanged, _): break
            }
        }
    }

    mutating func step(at now: Instant) -> Step {
        if due > now { return .wait }
        if orders.isEmpty {
            let isFull = fullDue <= now
            localDue = .distantFuture
            if isFull { fullDue = .distantFuture }
            return .synchronize(isLocal: !isFull)
        }
        // The dates stay, because the daemon may refuse to begin the order.
        return .carryOut(orders.removeFirst())
    }

    private mutating func changed(at instant: Instant) { if state == .idle { localDue = min(localDue, instant) } }

    /// Tries again after 30 s (4 s if quick), and each time after twice as long, up to 1 h.
    private mutating func fail(_ times: Int, _ wanted: Int?, at now: Instant) {
        state = .failed(times: times)
        let seconds = max(min(3600, firstRetry << min(times - 1, 10)), min(wanted ?? 0, 86_400))
        localDue = .distantFuture
        fullDue = now + .seconds(seconds)
    }
}
