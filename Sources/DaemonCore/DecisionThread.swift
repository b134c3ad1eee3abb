internal import Playback
internal import SystemCalls

/// The one thread on which handlers and the player decide.
///
/// Swift's shared pool on Linux looks at itself once a second from its first use on; an idle daemon must not wake, so
/// every task of the daemon prefers this executor. The player's timers run here too.
final class DecisionThread: TaskExecutor, PlaybackClock {
    private let worker = WorkerThread(name: "decisions")

    var now: Int64 { monotonicNanoseconds() }

    /// Jobs that wait for the thread.
    var waitingJobs: Int { worker.waitingJobs }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        worker.submit { job.runSynchronously(on: executor) }
    }

    func schedule(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> any PlaybackTimer {
        DecisionTimer(worker: worker, id: submit(after: seconds, action))
    }

    /// Does something here later that nobody takes back.
    func start(after seconds: Double, _ action: @escaping @Sendable () -> Void) { _ = submit(after: seconds, action) }

    private func submit(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> WorkerThread.TimerID {
        worker.submit(at: now + Int64(min(max(seconds, 0), 1e9) * 1e9), action)
    }

    /// Starts work here.
    func start(_ work: @escaping @Sendable () async -> Void) {
        Task(executorPreference: self) { await work() }
    }
}

private final class DecisionTimer: PlaybackTimer {
    private let worker: WorkerThread
    private let id: WorkerThread.TimerID

    init(worker: WorkerThread, id: WorkerThread.TimerID) {
        self.worker = worker
        self.id = id
    }

    deinit { worker.cancel(id) }

    func cancel() { worker.cancel(id) }
}
