/// A point in time of a monotonic clock: CLOCK_MONOTONIC, or a test's time. Wall time is `Timestamp`.
public struct Instant: Hashable, Comparable, Sendable {
    public let nanoseconds: Int64

    /// Later than every other instant; as a deadline: none.
    public static let distantFuture = Instant(nanoseconds: .max)

    /// Earlier than every other instant; as a deadline: at once.
    public static let distantPast = Instant(nanoseconds: .min)

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Clamped to the clock's range.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(nanoseconds: instant.nanoseconds.saturatingAdd(duration.nanoseconds))
    }

    public static func += (instant: inout Instant, duration: Duration) { instant = instant + duration }

    /// Negative if `earlier` is later.
    public static func - (later: Instant, earlier: Instant) -> Duration {
        .nanoseconds(later.nanoseconds) - .nanoseconds(earlier.nanoseconds)
    }

    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Duration {
    /// Whole nanoseconds, clamped to ±100 years, so that adding to an instant cannot overflow.
    public var nanoseconds: Int64 {
        let century: Int64 = 3_155_760_000
        let (seconds, attoseconds) = components
        guard abs(seconds) < century else { return (seconds < 0 ? -century : century) * 1_000_000_000 }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    public var inSeconds: Double { Double(nanoseconds) / 1e9 }
}

/// Monotonic time. May be used from any thread.
public protocol MonotonicClock: Sendable {
    var now: Instant { get }
}

/// Monotonic time with timers. May be used from any thread.
public protocol TimerClock: MonotonicClock {
    /// Calls `action` once after a delay, on the clock's thread, unless the timer is cancelled before.
    @discardableResult
    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any ScheduledTimer
}

/// A pending call. May be used from any thread.
public protocol ScheduledTimer: Sendable {
    /// Does nothing after the call was made.
    func cancel()
}

/// Wall-clock time, which may jump.
public protocol WallClock: Sendable {
    var wallTime: Timestamp { get }
}
