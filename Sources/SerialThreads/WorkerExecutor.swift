public import SystemCalls

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
        // Refused only after `finish`, when no task waits for the job any more.
        try? worker.submit { job.runSynchronously(on: executor) }
    }

    /// Traps on any other thread.
    public func checkIsolated() { precondition(worker.isCurrent, "this actor belongs to its own thread") }
}
