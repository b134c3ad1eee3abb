internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Runs all checks at the same time, each on its own short-lived thread, and reports checks that miss the deadline.
///
/// A request during a round gets that round's findings, and a check that is still running from an earlier round is not
/// started again. So there is at most one thread per check, regardless of the number of requests.
public final class CheckRunner: Sendable {
    private typealias Answer = @Sendable ([Finding]) -> Void

    private final class Round: Sendable {
        let findings = Mutex<[Int: [Finding]]>([:])
        let hasFinished = Semaphore()
    }

    private struct State {
        /// The requests that the current round answers; nil between rounds.
        var requests: [Answer]?
        /// Checks of any round that are still running.
        var running: Set<Int> = []
    }

    private let checks: [HealthCheck]
    private let deadline: Duration
    private let state = Mutex(State())

    /// A runner whose findings have the order of `checks`.
    public init(_ checks: [HealthCheck], deadline: Duration) {
        self.checks = checks
        self.deadline = deadline
    }

    /// Starts a round or joins the current one, without blocking; `answer` is called from any thread.
    public func run(_ answer: @escaping @Sendable ([Finding]) -> Void) {
        let isFirst = state.withLock { exchange(&$0.requests, with: ($0.requests ?? []) + [answer]) == nil }
        if isFirst {
            onThread { [self] in
                end(findings())
            } failed: { [self] in
                end([$0])
            }
        }
    }

    private func end(_ findings: [Finding]) {
        for answer in state.withLock({ $0.requests.take() ?? [] }) { answer(findings) }
    }

    /// Runs the checks and waits for them on the caller's thread, at most until the deadline.
    public func findings() -> [Finding] {
        let round = Round()
        let end = Instant.now + deadline
        let started = state.withLock { state in
            let started = Set(checks.indices).subtracting(state.running)
            state.running.formUnion(started)
            return started
        }
        for index in started.sorted() { start(index, in: round) }
        while round.findings.withLock({ $0.count }) < started.count, .now < end { round.hasFinished.wait(until: end) }
        let found = round.findings.withLock { $0 }
        return checks.indices.flatMap { found[$0] ?? [overdue(checks[$0].name)] }
    }

    private func start(_ index: Int, in round: Round) {
        let finish: @Sendable ([Finding]) -> Void = { [self] findings in
            state.withLock { _ = $0.running.remove(index) }
            round.findings.withLock { $0[index] = findings }
            round.hasFinished.post()
        }
        let check = checks[index]
        onThread {
            finish(check.run())
        } failed: { failure in
            finish([failure.named(check.name)])
        }
    }

    private func onThread(_ body: @escaping @Sendable () -> Void, failed: (Finding) -> Void) {
        do throws(SystemError) {
            try DedicatedThread(name: .doctor, body).detach()
        } catch {
            failed(.problem("\(error)", fix: "end other programs, or add memory"))
        }
    }

    private func overdue(_ name: String) -> Finding {
        Finding.notice(
            "no answer within \(deadline.components.seconds) s: slow or stuck",
            fix: "ask again in a minute; if it stays so, look at what it reads: disk, device or network"
        ).named(name)
    }
}
