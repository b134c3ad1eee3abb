public import SystemCalls

/// CLOCK_MONOTONIC, with timers that call on a worker's thread, which has to be started before.
public struct WorkerClock: Sendable {
    private let worker: WorkerThread

    /// A clock whose timers call on `worker`.
    public init(worker: WorkerThread) { self.worker = worker }

    /// Nanoseconds of CLOCK_MONOTONIC.
    public var now: Int64 { monotonicNanoseconds() }

    /// Calls `action` once after `seconds`, unless the timer is cancelled or released before.
    public func timer(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> WorkerTimer {
        WorkerTimer(worker: worker, id: submit(after: seconds, action))
    }

    /// Calls `action` once after `seconds`; `WorkerThread.cancel` takes it back.
    /// - Returns: nil after `finish`: then `action` is never called.
    func submit(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> WorkerThread.TimerID? {
        try? worker.submit(at: now + Int64(min(max(seconds, 0), 1e9) * 1e9), action)
    }
}

/// A call that is due later; releasing it cancels the call.
public final class WorkerTimer: Sendable {
    private let worker: WorkerThread
    private let id: WorkerThread.TimerID?

    init(worker: WorkerThread, id: WorkerThread.TimerID?) {
        self.worker = worker
        self.id = id
    }

    deinit { cancel() }

    /// Cancels the call; does nothing after it was made.
    public func cancel() {
        if let id { worker.cancel(id) }
    }
}
