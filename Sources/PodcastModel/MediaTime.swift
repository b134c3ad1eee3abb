/// A position or duration within an episode in nanoseconds, independent of the playback speed.
///
/// Nanoseconds distinguish all frames at all usual sample rates, so that sums of frames do not drift.
public struct MediaTime: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// May be negative for a difference.
    public var nanoseconds: Int64

    public static let zero = MediaTime(nanoseconds: 0)

    public static let distantFuture = MediaTime(nanoseconds: .max)

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public init(milliseconds: Int64) { self.nanoseconds = milliseconds.saturatingMultiply(1_000_000) }

    /// Values beyond ±292 years are clamped; NaN becomes zero.
    public init(seconds: Double) {
        let scaled = (seconds * 1e9).rounded()
        if scaled.isNaN {
            nanoseconds = 0
        } else if scaled >= 9.2e18 {
            nanoseconds = .max
        } else if scaled <= -9.2e18 {
            nanoseconds = .min
        } else {
            nanoseconds = Int64(scaled)
        }
    }

    /// The time of a number of frames, rounded down. `rate` is in frames per second (positive).
    public init(frames: Int64, rate: Int) {
        let rate = Int64(rate)
        let (whole, rest) = frames.quotientAndRemainder(dividingBy: rate)
        let time = MediaTime(nanoseconds: whole.saturatingMultiply(1_000_000_000))
        self = time + MediaTime(nanoseconds: rest * 1_000_000_000 / rate)
    }

    public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Whole milliseconds, rounded down: the resolution of library and protocol.
    public var milliseconds: Int64 { nanoseconds / 1_000_000 }

    /// The frame at this time, rounded to the nearest. `rate` is in frames per second (positive).
    public func frames(rate: Int) -> Int64 {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds.saturatingMultiply(Int64(rate)) + (rest * Int64(rate) + 500_000_000) / 1_000_000_000
    }

    public static func < (left: MediaTime, right: MediaTime) -> Bool { left.nanoseconds < right.nanoseconds }
    public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
        MediaTime(nanoseconds: left.nanoseconds.saturatingAdd(right.nanoseconds))
    }
    public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
        let (sum, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        return MediaTime(nanoseconds: overflow ? (right.nanoseconds < 0 ? .max : .min) : sum)
    }

    /// Clock format without fractions: `0:07`, `12:34`, `1:02:03`; negative times have a minus sign.
    public var description: String {
        let total = nanoseconds.magnitude / 1_000_000_000
        let hours = total / 3600
        let minutes = total / 60 % 60
        let seconds = total % 60
        let sign = nanoseconds <= -1_000_000_000 ? "-" : ""
        let tail = seconds < 10 ? "0\(seconds)" : "\(seconds)"
        if hours == 0 { return "\(sign)\(minutes):\(tail)" }
        return "\(sign)\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
    }
}

extension Int64 {
    func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    func saturatingMultiply(_ factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? ((self < 0) == (factor < 0) ? .max : .min) : product
    }
}
