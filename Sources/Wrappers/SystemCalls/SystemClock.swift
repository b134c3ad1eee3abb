internal import CLinux
internal import Glibc
public import PodcastModel

/// The machine's clocks: clock_gettime(2).
public struct SystemClock: MonotonicClock, WallClock {
    public init() {}
    /// CLOCK_MONOTONIC.
    public var now: Instant { .now }
    /// CLOCK_REALTIME.
    public var wallTime: Timestamp { .now }
}

extension Instant {
    public static var now: Instant { Instant(nanoseconds: read(CLOCK_MONOTONIC)) }

    /// Milliseconds from now until this instant, rounded up, because an earlier wake-up would need a second one; -1 for
    /// `distantFuture`, which means no limit to poll(2) and epoll_wait(2).
    public var pollTimeout: Int32 {
        if self == .distantFuture { return -1 }
        let now = Instant.now
        return self <= now ? 0 : Int32(clamping: (nanoseconds - now.nanoseconds - 1) / 1_000_000 + 1)
    }

    var timespec: timespec {
        Glibc.timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }
}

extension Timestamp {
    /// CLOCK_REALTIME.
    public static var now: Timestamp { Timestamp(milliseconds: read(CLOCK_REALTIME) / 1_000_000) }
}

/// clock_gettime(2), in nanoseconds.
func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The time zone of the process: `TZ`, or /etc/localtime.
public enum LocalZone {
    /// Seconds east of UTC at a time: localtime_r(3). 0 on failure.
    public static func offset(atSeconds seconds: Int64) -> Int {
        var time = time_t(seconds)
        var parts = unsafe tm()
        // localtime_r need not read the zone.
        tzset()
        guard unsafe localtime_r(&time, &parts) != nil else { return 0 }
        return unsafe parts.tm_gmtoff
    }
}
