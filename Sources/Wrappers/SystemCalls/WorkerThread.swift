internal import Glibc
public import PodcastModel
internal import Synchronization

/// Executes jobs in order on a separate thread; for blocking calls, which must not occupy Swift's shared pool.
///
/// The thread starts with the first job, so that an unused part has no thread, and sleeps without a timeout. If the
/// thread cannot start, the job is refused and the next one tries again.
public final class WorkerThread: Sendable {
    /// Starts a thread; fails if the system has no room for one.
    public typealias Starter =
        @Sendable (_ name: ThreadName, _ body: @escaping @Sendable () -> Void) throws(SystemError) -> DedicatedThread

    private struct Timer {
        let id: UInt64
        let deadline: Instant
        let job: @Sendable () -> Void
    }

    private struct State {
        var jobs: [@Sendable () -> Void] = []
        /// Few at a time, so they are not kept sorted.
        var timers: [Timer] = []
        var lastTimer: UInt64 = 0
        /// From the first job until a caller waits for the thread's end.
        var thread: DedicatedThread?
        var isFinishing = false
        var timerWasLast = false

        /// The next due job: a due timer first, so that a long job queue cannot delay timers, or else a submitted job.
        /// Between two timers one job runs, so that timers that are always due cannot delay the jobs either.
        mutating func takeJob(at now: Instant) -> (@Sendable () -> Void)? {
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

    private let name: ThreadName
    private let starter: Starter
    private let state = Mutex(State())
    private let work = Semaphore()
    /// pthread_self(3) of the running thread.
    private let itself = Atomic<pthread_t>(0)

    /// - Parameter starter: starts the thread at the first job.
    public init(name: ThreadName, starter: @escaping Starter = DedicatedThread.init) {
        self.name = name
        self.starter = starter
    }

    /// True if the caller runs on this worker's thread.
    public var isCurrent: Bool { itself.load(ordering: .relaxed) == pthread_self() }

    /// Jobs that were submitted and not begun, without timers that are not due.
    public var waitingJobs: Int { state.withLock { $0.jobs.count } }

    /// Starts the thread before its first job: from then on jobs are refused only after `finish`.
    /// - Throws: `SystemError` if the thread cannot start.
    public func start() throws(SystemError) { try begin { _ in } }

    /// Submits a job without blocking.
    /// - Throws: `SystemError` if the thread cannot start, and after `finish`: the job is then not executed.
    public func submit(_ job: @escaping @Sendable () -> Void) throws(SystemError) { try begin { $0.jobs.append(job) } }

    /// Submits a job for a time. A due job waits for at most two others. `finish` discards jobs that are not due.
    /// - Throws: as the other `submit`.
    @discardableResult
    public func submit(
        at deadline: Instant, _ job: @escaping @Sendable () -> Void
    ) throws(SystemError) -> any ScheduledTimer {
        let id = try begin { state in
            state.lastTimer += 1
            state.timers.append(Timer(id: state.lastTimer, deadline: deadline, job: job))
            return state.lastTimer
        }
        return WorkerTimer(worker: self, id: id)
    }

    /// Executes work on the thread and awaits it without blocking.
    /// - Throws: errors of the work, or `SystemError` if it is not executed, as `submit`.
    public func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            do throws(SystemError) {
                try submit { continuation.resume(with: Swift.Result { try work() }) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    fileprivate func cancel(_ timer: UInt64) { state.withLock { state in state.timers.removeAll { $0.id == timer } } }

    private func begin<Value>(_ add: (inout State) -> Value) throws(SystemError) -> Value {
        let value = try state.withLock { (state) throws(SystemError) in
            guard !state.isFinishing else { throw SystemError(code: ECANCELED, call: "the thread \(name) is ending") }
            if state.thread == nil { state.thread = try starter(name) { [self] in loop() } }
            return add(&state)
        }
        work.post()
        return value
    }

    /// Executes the submitted jobs, ends the thread and waits for its end. Must not be called from a job.
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
            let (job, isOver, deadline) = state.withLock { state -> ((@Sendable () -> Void)?, Bool, Instant?) in
                if let job = state.takeJob(at: .now) { return (job, false, nil) }
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

/// CLOCK_MONOTONIC, and timers that call on the thread.
extension WorkerThread: TimerClock {
    public var now: Instant { .now }

    /// The action is never called if the thread cannot start, or after `finish`.
    @discardableResult
    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        (try? submit(at: now + max(delay, .zero), action)) ?? WorkerTimer(worker: self, id: 0)
    }
}

private struct WorkerTimer: ScheduledTimer {
    let worker: WorkerThread
    /// Never zero.
    let id: UInt64
    func cancel() { worker.cancel(id) }
}
