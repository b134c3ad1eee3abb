public import Playback
public import SerialThreads

// The player's timers are those of a named thread.

extension WorkerTimer: PlaybackTimer {}

extension WorkerClock: PlaybackClock {
    public func schedule(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> any PlaybackTimer {
        timer(after: seconds, action)
    }
}

extension DecisionThread: PlaybackClock {
    public var now: Int64 { clock.now }

    public func schedule(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> any PlaybackTimer {
        clock.schedule(after: seconds, action)
    }
}
