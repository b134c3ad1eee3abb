internal import Glibc
public import PodcastModel

/// Where the refresher takes the time from.
public protocol RefreshClock {
    /// The wall clock; may jump.
    var now: Timestamp { get }
    /// Milliseconds of a clock that never goes back.
    var monotonicMilliseconds: Int64 { get }
}

/// The system's clocks.
public struct SystemClock: RefreshClock, Sendable {
    /// The clocks.
    public init() {}
    /// clock_gettime(2), `CLOCK_REALTIME`.
    public var now: Timestamp { Timestamp(milliseconds: Self.milliseconds(CLOCK_REALTIME)) }
    /// clock_gettime(2), `CLOCK_MONOTONIC`.
    public var monotonicMilliseconds: Int64 { Self.milliseconds(CLOCK_MONOTONIC) }

    /// Nanoseconds of the processor that the calling thread has used: clock_gettime(2), `CLOCK_THREAD_CPUTIME_ID`.
    public static func threadWork() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
