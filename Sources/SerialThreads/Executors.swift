public import PodcastModel
public import SystemCalls

/// The thread of command handlers and the player.
///
/// Every task of the daemon runs here: on Linux Swift's shared pool wakes up once a second after its first use, and an
/// idle daemon must not wake up. The player's timers run here too.
public final class DecisionThread: TaskExecutor {
    private let worker = WorkerThread(name: .decisions)

    /// Starts the thread, because an executor cannot refuse a job later.
    public init() throws(SystemError) { try worker.start() }

    public var waitingJobs: Int { worker.waitingJobs }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        // Refused only after `finish`, when no task is still waiting for the job.
        try? worker.submit { job.runSynchronously(on: executor) }
    }

    public func start(_ work: @escaping @Sendable () async -> Void) { Task(executorPreference: self) { await work() } }
}

extension DecisionThread: TimerClock {
    public var now: Instant { .now }

    @discardableResult
    public func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        worker.schedule(after: delay, action)
    }
}

/// Runs an actor's jobs on one named thread, for actors whose work may wait for a disk.
public final class WorkerExecutor: SerialExecutor {
    public let worker: WorkerThread

    /// Starts the thread, because an executor cannot refuse a job later.
    public init(name: ThreadName) throws(SystemError) {
        worker = WorkerThread(name: name)
        try worker.start()
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        // Refused only after `finish`, when no task is still waiting for the job.
        try? worker.submit { job.runSynchronously(on: executor) }
    }

    /// Traps on any other thread.
    public func checkIsolated() { precondition(worker.isCurrent, "this actor belongs to its own thread") }
}
