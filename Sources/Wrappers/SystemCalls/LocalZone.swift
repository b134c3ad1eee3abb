internal import Glibc

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
