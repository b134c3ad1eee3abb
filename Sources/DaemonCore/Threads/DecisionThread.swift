internal import Playback
internal import SystemCalls

/// The one thread on which handlers and the player decide.
///
/// Swift's shared pool on Linux looks at itself once a second from its first use on; an idle daemon must not wake, so
/// every task of the daemon prefers this executor. The player's timers run here too.
final class DecisionThread: TaskExecutor, PlaybackClock {
    private let worker = WorkerThread(name: "decisions")
    private var clock: WorkerClock { WorkerClock(worker: worker) }

    /// Starts the thread: an executor cannot refuse a job later.
    init() throws(SystemError) { try worker.start() }

    var now: Int64 { clock.now }

    /// Jobs that wait for the thread.
    var waitingJobs: Int { worker.waitingJobs }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        // Refused only at the daemon's end, when nobody waits for it any more.
        try? worker.submit { job.runSynchronously(on: executor) }
    }

    func schedule(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> any PlaybackTimer {
        clock.schedule(after: seconds, action)
    }

    /// Does something here later that nobody takes back.
    func start(after seconds: Double, _ action: @escaping @Sendable () -> Void) {
        _ = clock.submit(after: seconds, action)
    }

    /// Starts work here.
    func start(_ work: @escaping @Sendable () async -> Void) {
        Task(executorPreference: self) { await work() }
    }
}
