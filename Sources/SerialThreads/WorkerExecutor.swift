public import SystemCalls

/// Runs an actor's jobs on one named thread, for actors whose work may wait for a disk.
public final class WorkerExecutor: SerialExecutor {
    /// The thread; it starts with the first job.
    public let worker: WorkerThread

    /// - Parameter name: the thread's name, at most 15 bytes.
    public init(name: String) { worker = WorkerThread(name: name) }

    /// See `SerialExecutor`.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        worker.submit { job.runSynchronously(on: executor) }
    }

    /// Traps on any other thread.
    public func checkIsolated() { precondition(worker.isCurrent, "this actor belongs to its own thread") }
}
