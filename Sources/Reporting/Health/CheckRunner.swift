public import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Runs all checks at the same time, each on its own short-lived thread, and reports checks that miss the deadline.
///
/// A request during a round gets that round's findings, and a check that is still running from an earlier round is not
/// started again. So there is at most one thread per check, regardless of the number of requests.
public final class CheckRunner: Sendable {
    private struct State {
        /// The requests that the current round answers; nil between rounds.
        var requests: [@Sendable ([Finding]) -> Void]?
        var round = 0
        var deadlineTimer: (any ScheduledTimer)?
        /// Checks of this round that are still running.
        var pending: Set<Int> = []
        var findings: [Int: [Finding]] = [:]
        /// Checks of any round that are still running.
        var running: Set<Int> = []
    }

    private let checks: [HealthCheck]
    private let deadline: Duration
    private let timers: (any TimerClock)?
    private let state = Mutex(State())

    /// Findings have the order of `checks`.
    public convenience init(_ checks: [HealthCheck], deadline: Duration, timers: any TimerClock) {
        self.init(checks, deadline, timers)
    }

    /// Without timers, the caller waits for the deadline.
    private init(_ checks: [HealthCheck], _ deadline: Duration, _ timers: (any TimerClock)?) {
        self.checks = checks
        self.deadline = deadline
        self.timers = timers
    }

    /// Runs checks and waits on the caller's thread, at most until the deadline.
    public static func findings(of checks: [HealthCheck], deadline: Duration) -> [Finding] {
        let runner = CheckRunner(checks, deadline, nil)
        let result = Mutex<[Finding]?>(nil)
        let isDone = Semaphore()
        runner.run { findings in
            result.withLock { $0 = findings }
            isDone.post()
        }
        isDone.wait(until: .now + deadline)
        runner.end(1, isOverdue: true)
        // A check that finished right at the deadline may be about to answer on its own thread.
        while true {
            if let findings = result.withLock({ $0 }) { return findings }
            isDone.wait()
        }
    }

    /// Starts a round or joins the current one, without blocking; `answer` is called from any thread.
    public func run(_ answer: @escaping @Sendable ([Finding]) -> Void) {
        let begun = state.withLock { state -> (round: Int, checks: Set<Int>)? in
            guard state.requests == nil else {
                state.requests?.append(answer)
                return nil
            }
            state.requests = [answer]
            state.round += 1
            state.findings = [:]
            state.pending = Set(checks.indices).subtracting(state.running)
            state.running.formUnion(state.pending)
            return (state.round, state.pending)
        }
        guard let (round, checks) = begun else { return }
        let timer = timers?.schedule(after: deadline) { [weak self] in self?.end(round, isOverdue: true) }
        state.withLock { $0.deadlineTimer = timer }
        for index in checks.sorted() { start(index, in: round) }
        // If all checks are still running from an earlier round, end this round here.
        end(round, isOverdue: false)
    }

    private func start(_ index: Int, in round: Int) {
        do throws(SystemError) {
            let check = checks[index]
            let thread = try DedicatedThread(name: .doctor) { [self] in
                finish(index, in: round, check.run())
            }
            thread.detach()
        } catch {
            let finding = Finding.problem(checks[index].name, "\(error)", fix: "end other programs, or add memory")
            finish(index, in: round, [finding])
        }
    }

    private func finish(_ index: Int, in round: Int, _ findings: [Finding]) {
        state.withLock { state in
            state.running.remove(index)
            guard state.round == round else { return }
            state.pending.remove(index)
            state.findings[index] = findings
        }
        end(round, isOverdue: false)
    }

    /// Answers if every check has finished or the deadline has passed.
    private func end(_ round: Int, isOverdue: Bool) {
        typealias Ended = (
            requests: [@Sendable ([Finding]) -> Void], findings: [Int: [Finding]], timer: (any ScheduledTimer)?
        )
        let ended = state.withLock { state -> Ended? in
            guard state.round == round, let requests = state.requests else { return nil }
            guard isOverdue || state.pending.isEmpty else { return nil }
            state.requests = nil
            return (requests, state.findings, state.deadlineTimer.take())
        }
        guard let ended else { return }
        ended.timer?.cancel()
        let findings = checks.indices.flatMap { ended.findings[$0] ?? [overdue(checks[$0].name)] }
        for answer in ended.requests { answer(findings) }
    }

    private func overdue(_ name: String) -> Finding {
        .notice(
            name, "no answer within \(deadline.components.seconds) s: slow or stuck",
            fix: "ask again in a minute; if it stays so, look at what it reads: disk, device or network")
    }
}
