public import Health
public import Playback
public import SerialThreads

// The timers of the player and of checks are those of a named thread.

extension WorkerTimer: PlaybackTimer {}

extension WorkerClock: PlaybackClock {
    /// See `PlaybackClock`.
    public func schedule(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> any PlaybackTimer {
        timer(after: seconds, action)
    }
}

extension DecisionThread: PlaybackClock {
    /// See `PlaybackClock`.
    public var now: Int64 { clock.now }

    /// See `PlaybackClock`.
    public func schedule(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> any PlaybackTimer {
        clock.schedule(after: seconds, action)
    }
}

extension DecisionThread: CheckTimers {
    /// See `CheckTimers`.
    public func schedule(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let timer = clock.timer(after: seconds, action)
        return { timer.cancel() }
    }
}
