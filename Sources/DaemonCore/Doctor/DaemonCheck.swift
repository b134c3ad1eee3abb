internal import ControlProtocol
internal import Playback
internal import Synchronization
internal import SystemCalls

/// One look of the daemon at something that may make it wait.
struct DaemonCheck: Sendable {
    /// The name under which it is told that the look did not end.
    let name: String
    /// Looks; on a thread of its own.
    let look: @Sendable () -> [CheckReply]

    init(_ name: String, _ look: @escaping @Sendable () -> [CheckReply]) {
        self.name = name
        self.look = look
    }
}

/// Does all looks at once, each on a thread of its own that ends with it, and waits for none longer than its patience.
///
/// Who asks during a round gets that round's answer; a look that an earlier round still waits for is not begun again. So
/// however often somebody asks, there is one thread at most for each check.
final class CheckRounds: Sendable {
    private struct State {
        /// Those who wait for the round in progress; nil when there is none.
        var waiting: [@Sendable ([CheckReply]) -> Void]?
        var round = 0
        /// Ends the round whatever is missing.
        var timer: (any PlaybackTimer)?
        /// Looks of this round that did not end yet.
        var pending: Set<Int> = []
        var results: [Int: [CheckReply]] = [:]
        /// Looks of any round that did not end yet.
        var unfinished: Set<Int> = []
    }

    private let checks: [DaemonCheck]
    /// Seconds.
    private let patience: Double
    private let clock: any PlaybackClock
    private let state = Mutex(State())

    /// Rounds of checks, answered in this order.
    init(_ checks: [DaemonCheck], patience: Double, clock: any PlaybackClock) {
        self.checks = checks
        self.patience = patience
        self.clock = clock
    }

    /// Begins a round, or joins the one in progress. Returns at once; `answer` is called from any thread.
    func run(_ answer: @escaping @Sendable ([CheckReply]) -> Void) {
        let begun = state.withLock { state -> (round: Int, checks: Set<Int>)? in
            guard state.waiting == nil else {
                state.waiting?.append(answer)
                return nil
            }
            state.waiting = [answer]
            state.round += 1
            state.results = [:]
            state.pending = Set(checks.indices).subtracting(state.unfinished)
            state.unfinished.formUnion(state.pending)
            return (state.round, state.pending)
        }
        guard let (round, checks) = begun else { return }
        let timer = clock.schedule(after: patience) { [weak self] in self?.end(round, isOverdue: true) }
        state.withLock { $0.timer = timer }
        for index in checks.sorted() { start(index, in: round) }
        // Where every look still waits since an earlier round, nobody else ends this one.
        end(round, isOverdue: false)
    }

    private func start(_ index: Int, in round: Int) {
        do throws(SystemError) {
            let check = checks[index]
            let thread = try DedicatedThread(name: "doctor", stackSize: 1 << 20) { [self] in
                finish(index, in: round, check.look())
            }
            thread.detach()
        } catch {
            let reply = CheckReply.needsPerson(checks[index].name, "\(error)", fix: "end other programs, or add memory")
            finish(index, in: round, [reply])
        }
    }

    private func finish(_ index: Int, in round: Int, _ replies: [CheckReply]) {
        state.withLock { state in
            state.unfinished.remove(index)
            guard state.round == round else { return }
            state.pending.remove(index)
            state.results[index] = replies
        }
        end(round, isOverdue: false)
    }

    /// Answers when all has been looked at, or when the time for it is over.
    private func end(_ round: Int, isOverdue: Bool) {
        typealias Ended = (
            answers: [@Sendable ([CheckReply]) -> Void], results: [Int: [CheckReply]], timer: (any PlaybackTimer)?
        )
        let ended = state.withLock { state -> Ended? in
            guard state.round == round, let waiting = state.waiting else { return nil }
            guard isOverdue || state.pending.isEmpty else { return nil }
            state.waiting = nil
            return (waiting, state.results, state.timer.take())
        }
        guard let ended else { return }
        ended.timer?.cancel()
        let replies = checks.indices.flatMap { ended.results[$0] ?? [unanswered(checks[$0].name)] }
        for answer in ended.answers { answer(replies) }
    }

    private func unanswered(_ name: String) -> CheckReply {
        .notice(
            name, "no answer within \(Int(patience)) s: slow or stuck",
            fix: "ask again in a minute; if it stays so, look at what it reads: disk, device or network")
    }
}
