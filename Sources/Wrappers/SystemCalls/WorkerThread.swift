internal import Glibc
internal import Synchronization

/// One thread of its own that does jobs in the order in which they were given; for calls that block, which must not
/// hold up Swift's shared pool.
///
/// The thread starts with the first job, so that a part that is never used costs none, and sleeps without a time-out. If it
/// cannot start, the job is refused and the next one tries again.
public final class WorkerThread: Sendable {
    /// Starts a thread of a name; fails where the system has no room for one.
    public typealias Starter =
        @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) -> DedicatedThread

    /// Which timed job is meant.
    public struct TimerID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Timer {
        let id: TimerID
        let deadline: Int64
        let job: @Sendable () -> Void
    }

    private struct State {
        var jobs: [@Sendable () -> Void] = []
        /// Few at a time, so their order is looked for and not kept.
        var timers: [Timer] = []
        var lastTimer: UInt64 = 0
        /// From the first job until somebody waits for its end.
        var thread: DedicatedThread?
        var isFinishing = false
        var timerWasLast = false

        /// What is due now: a timer whose time has come, so that a long queue of jobs cannot delay it, else a job that was
        /// given. Between two timers one job passes, so that timers that are always due cannot delay the jobs either.
        mutating func takeJob(at now: Int64) -> (@Sendable () -> Void)? {
            if !timerWasLast || jobs.isEmpty,
                let next = timers.indices.min(by: { timers[$0].deadline < timers[$1].deadline }),
                timers[next].deadline <= now
            {
                timerWasLast = true
                return timers.remove(at: next).job
            }
            timerWasLast = false
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }

    private let name: String
    private let starter: Starter
    private let state = Mutex(State())
    private let work = Semaphore()
    /// pthread_self(3) of the thread once it runs.
    private let itself = Atomic<pthread_t>(0)

    /// A worker whose thread will carry a name of at most 15 bytes in `ps -L`.
    public init(name: String, starter: @escaping Starter = WorkerThread.startThread) {
        self.name = name
        self.starter = starter
    }

    /// Starts a thread as every worker does: with 8 MiB of stack.
    public static func startThread(
        _ name: String, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) -> DedicatedThread {
        try DedicatedThread(name: name, stackSize: 8 << 20, body)
    }

    /// Whether the caller runs on this worker's thread.
    public var isCurrent: Bool { itself.load(ordering: .relaxed) == pthread_self() }

    /// Jobs that were given and not begun; timers are not among them before their time.
    public var waitingJobs: Int { state.withLock { $0.jobs.count } }

    /// Starts the thread before its first job: from then on jobs are refused only after `finish`.
    /// - Throws: `SystemError` when the thread cannot start.
    public func start() throws(SystemError) { try begin { _ in } }

    /// Gives a job; returns at once.
    /// - Throws: `SystemError` when the thread cannot start, and after `finish`: the job is not done then.
    public func submit(_ job: @escaping @Sendable () -> Void) throws(SystemError) {
        try begin { $0.jobs.append(job) }
    }

    /// Gives a job for a time: CLOCK_MONOTONIC in nanoseconds. It is done then, or once the job under way has ended and one
    /// more, before others that wait; timers that are not due when `finish` is called are not done.
    /// - Throws: as the other `submit`.
    public func submit(at deadline: Int64, _ job: @escaping @Sendable () -> Void) throws(SystemError) -> TimerID {
        try begin { state in
            state.lastTimer += 1
            let id = TimerID(number: state.lastTimer)
            state.timers.append(Timer(id: id, deadline: deadline, job: job))
            return id
        }
    }

    /// Does something on the thread and waits for it without blocking.
    /// - Throws: what the work throws, or `SystemError` when it is not done, as `submit`.
    public func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            do throws(SystemError) {
                try submit { continuation.resume(with: Swift.Result { try work() }) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Takes a timed job back; does nothing once it was begun.
    public func cancel(_ timer: TimerID) {
        state.withLock { state in state.timers.removeAll { $0.id == timer } }
    }

    private func begin<Value>(_ add: (inout State) -> Value) throws(SystemError) -> Value {
        let value = try state.withLock { (state) throws(SystemError) in
            guard !state.isFinishing else { throw SystemError(code: ECANCELED, call: "the thread \(name) is ending") }
            if state.thread == nil { state.thread = try starter(name) { [self] in loop() } }
            return add(&state)
        }
        work.post()
        return value
    }

    /// Does what was given before, ends the thread and waits until it is gone. Not to be called from a job.
    public func finish() {
        let thread = state.withLock { state in
            state.isFinishing = true
            return state.thread.take()
        }
        guard let thread else { return }
        work.post()
        thread.join()
    }

    private func loop() {
        itself.store(pthread_self(), ordering: .relaxed)
        while true {
            let (job, isOver, deadline) = state.withLock { state -> ((@Sendable () -> Void)?, Bool, Int64?) in
                if let job = state.takeJob(at: monotonicNanoseconds()) { return (job, false, nil) }
                return (nil, state.isFinishing, state.timers.map(\.deadline).min())
            }
            if let job {
                job()
            } else if isOver {
                break
            } else {
                work.wait(until: deadline)
            }
        }
    }
}
