internal import Playback
internal import SystemCalls

/// The system's clock with timers that call on a worker's thread, which was started before.
struct WorkerClock: PlaybackClock {
    let worker: WorkerThread

    var now: Int64 { monotonicNanoseconds() }

    func schedule(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> any PlaybackTimer {
        WorkerTimer(worker: worker, id: submit(after: seconds, action))
    }

    /// Calls once, for those who never take it back.
    /// - Returns: nil once the worker has finished: then nothing is called any more.
    func submit(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> WorkerThread.TimerID? {
        try? worker.submit(at: now + Int64(min(max(seconds, 0), 1e9) * 1e9), action)
    }
}

private final class WorkerTimer: PlaybackTimer {
    private let worker: WorkerThread
    private let id: WorkerThread.TimerID?

    init(worker: WorkerThread, id: WorkerThread.TimerID?) {
        self.worker = worker
        self.id = id
    }

    deinit { cancel() }

    func cancel() {
        if let id { worker.cancel(id) }
    }
}
