internal import SystemCalls

/// Runs an actor's jobs on one thread, for actors whose work may wait for a disk.
final class WorkerExecutor: SerialExecutor {
    let worker: WorkerThread

    /// Starts the thread: an executor cannot refuse a job later.
    /// - Parameter name: what the thread is called.
    init(name: String) throws(SystemError) {
        worker = WorkerThread(name: name)
        try worker.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        // Refused only at the daemon's end, when nobody waits for it any more.
        try? worker.submit { job.runSynchronously(on: executor) }
    }

    func checkIsolated() { precondition(worker.isCurrent, "this actor belongs to its own thread") }
}
