internal import PodcastModel
internal import Synchronization
public import SystemCalls

/// Runs all checks at the same time, each on its own short-lived thread, and replaces the rows of checks that miss the deadline.
///
/// A request during a round gets that round's findings, and a check that is still running from an earlier round is not
/// started again. So there is at most one thread per check, regardless of the number of requests.
public final class CheckRunner<Row: Sendable>: Sendable {
    /// Runs a check and returns its rows. May block.
    public typealias Check = @Sendable () -> [Row]
    private typealias Answer = @Sendable ([Row]) -> Void

    private final class Round: Sendable {
        let rows = Mutex<[Int: [Row]]>([:])
        let hasFinished = Semaphore()
    }

    private struct State {
        /// The requests that the current round answers; nil between rounds.
        var requests: [Answer]?
        /// Checks of any round that are still running.
        var running: Set<Int> = []
    }

    private let checks: [Check]
    private let deadline: Duration
    private let replacement: @Sendable (Int, SystemError?) -> [Row]
    private let state = Mutex(State())

    /// A runner whose rows have the order of `checks`.
    /// - Parameter replacement: the rows in place of those of a check, given the check's index, and why it has no thread; nil if
    ///   it missed the deadline.
    public init(
        _ checks: [Check], deadline: Duration, replacement: @escaping @Sendable (Int, SystemError?) -> [Row]
    ) {
        self.checks = checks
        self.deadline = deadline
        self.replacement = replacement
    }

    /// Starts a round or joins the current one, without blocking; `answer` is called from any thread.
    public func run(_ answer: @escaping @Sendable ([Row]) -> Void) {
        let isFirst = state.withLock { exchange(&$0.requests, with: ($0.requests ?? []) + [answer]) == nil }
        guard isFirst else { return }
        onThread { [self] in
            end(findings())
        } failed: { [self] error in
            end(checks.indices.flatMap { replacement($0, error) })
        }
    }

    private func end(_ rows: [Row]) {
        for answer in state.withLock({ $0.requests.take() ?? [] }) { answer(rows) }
    }

    /// Runs the checks and waits for them on the caller's thread, at most until the deadline.
    public func findings() -> [Row] {
        let round = Round()
        let end = Instant.now + deadline
        let started = state.withLock { state in
            let started = Set(checks.indices).subtracting(state.running)
            state.running.formUnion(started)
            return started
        }
        for index in started.sorted() { start(index, in: round) }
        while round.rows.withLock({ $0.count }) < started.count, .now < end { round.hasFinished.wait(until: end) }
        let found = round.rows.withLock { $0 }
        return checks.indices.flatMap { found[$0] ?? replacement($0, nil) }
    }

    private func start(_ index: Int, in round: Round) {
        let finish: @Sendable ([Row]) -> Void = { [self] rows in
            state.withLock { _ = $0.running.remove(index) }
            round.rows.withLock { $0[index] = rows }
            round.hasFinished.post()
        }
        let check = checks[index]
        onThread {
            finish(check())
        } failed: { [replacement] error in
            finish(replacement(index, error))
        }
    }

    private func onThread(_ body: @escaping @Sendable () -> Void, failed: (SystemError) -> Void) {
        do throws(SystemError) { try DedicatedThread(name: .doctor, body).detach() } catch { failed(error) }
    }
}

extension CheckRunner where Row == Finding {
    public convenience init(_ checks: [HealthCheck], deadline: Duration) {
        self.init(checks.map(\.run), deadline: deadline) { index, error in
            let finding =
                error.map { Finding.problem("\($0)", fix: "end other programs, or add memory") }
                ?? .notice(
                    "no answer within \(deadline.components.seconds) s: slow or stuck",
                    fix: "ask again in a minute; if it stays so, look at what it reads: disk, device or network")
            return [finding.named(checks[index].name)]
        }
    }
}
