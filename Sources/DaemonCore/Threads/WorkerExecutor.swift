internal import SystemCalls

/// Runs an actor's jobs on one thread, for actors whose work may wait for a disk.
final class WorkerExecutor: SerialExecutor {
    let worker: WorkerThread

    /// - Parameter name: what the thread is called; it begins with the first job.
    init(name: String) { worker = WorkerThread(name: name) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        worker.submit { job.runSynchronously(on: executor) }
    }

    func checkIsolated() { precondition(worker.isCurrent, "this actor belongs to its own thread") }
}
