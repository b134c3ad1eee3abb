internal import Glibc

/// The system's clock; timers are tasks of the shared pool.
public struct SystemPlaybackClock: PlaybackClock {
    /// The system's clock.
    public init() {}

    /// CLOCK_MONOTONIC in nanoseconds.
    public var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// See `PlaybackClock`; a tenth of the delay may be added, so that wake-ups of several timers join.
    public func schedule(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> any PlaybackTimer {
        let task = Task.detached {
            let delay = Duration.seconds(max(seconds, 0))
            do {
                try await Task.sleep(for: delay, tolerance: delay / 10)
            } catch {
                return
            }
            action()
        }
        return TaskTimer(task: task)
    }
}

private final class TaskTimer: PlaybackTimer {
    private let task: Task<Void, Never>
    init(task: Task<Void, Never>) { self.task = task }
    deinit { task.cancel() }
    func cancel() { task.cancel() }
}
