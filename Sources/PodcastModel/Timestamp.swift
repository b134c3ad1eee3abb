internal import Glibc

/// A point in time: milliseconds since 1970-01-01 00:00 UTC, without leap seconds.
///
/// Uses the proleptic Gregorian calendar, so modules do not need Foundation for dates. Every instance is within the years 1 to
/// 9999: others are clamped, so that arithmetic on times from outside cannot overflow.
public struct Timestamp: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Milliseconds since the epoch, in `range`; negative before 1970.
    public let milliseconds: Int64

    /// The years 1 to 9999, in milliseconds.
    public static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    public init(seconds: Int64) { self.init(milliseconds: seconds.saturatingMultiply(1000)) }

    /// - Parameters:
    ///   - year: -9999 to 9999.
    ///   - month: 1 to 12.
    ///   - day: 1 to 31; a day past the month's end continues into the next month.
    ///   - second: seconds since midnight UTC.
    public init(year: Int, month: Int, day: Int, second: Int = 0) {
        // Days from civil: years begin in March, so the leap day is the last of its year. Several times faster than timegm(3).
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        self.init(seconds: Int64(days) * 86_400 + Int64(second))
    }

    /// Whole seconds since the epoch, rounded down.
    public var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000 }

    /// In UTC.
    public var civilDate: (year: Int, month: Int, day: Int) {
        var seconds = time_t(seconds)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        return (Int(fields.tm_year) + 1900, Int(fields.tm_mon) + 1, Int(fields.tm_mday))
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// Clamped like every time.
    public func adding(seconds: Int64) -> Timestamp { adding(milliseconds: seconds.saturatingMultiply(1000)) }

    /// Clamped like every time.
    public func adding(milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: self.milliseconds.saturatingAdd(milliseconds))
    }

    /// RFC 3339 in UTC, with seconds: `2026-11-21T07:00:00Z`.
    public var description: String {
        let (year, month, day) = civilDate
        let inDay = Int(((seconds % 86_400) + 86_400) % 86_400)
        // Digit by digit, because joining texts takes twenty times as long, and each row of a list has several times.
        return String(unsafeUninitializedCapacity: 32) { text in
            var count = 0
            func put(_ number: Int, from unit: Int, _ mark: Unicode.Scalar) {
                var unit = unit
                while unit > 0 {
                    text[count] = UInt8(ascii: "0") + UInt8(number / unit % 10)
                    count += 1
                    unit /= 10
                }
                text[count] = UInt8(ascii: mark)
                count += 1
            }
            put(year, from: 1_000, "-")
            put(month, from: 10, "-")
            put(day, from: 10, "T")
            put(inDay / 3600, from: 10, ":")
            put(inDay / 60 % 60, from: 10, ":")
            put(inDay % 60, from: 10, "Z")
            return count
        }
    }

    /// Parses an instant of RFC 3339, section 5.6, such as `2026-11-28T09:00:00Z` or `2026-11-28T10:00:00.25+01:00`; nil for other
    /// text. Digits beyond milliseconds are ignored.
    public init?(parsing text: String) {
        let bytes = Array(text.utf8)
        guard (20...40).contains(bytes.count), bytes[4] == .dash, bytes[7] == .dash,
            bytes[10] == UInt8(ascii: "T"), bytes[13] == .colon, bytes[16] == .colon
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard byte.isDigit else { return nil }
                value = value * 10 + byte.digitValue
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        var end = 19
        var fraction = 0
        if bytes[19] == .point {
            end = bytes[20...].firstIndex { !$0.isDigit } ?? bytes.count
            guard end > 20, let digits = number(20..<min(end, 23)) else { return nil }
            fraction = digits * [100, 10, 1][min(end, 23) - 21]
        }
        var offset = 0
        if bytes[end...] != [UInt8(ascii: "Z")] {
            guard bytes.count == end + 6, bytes[end + 3] == .colon, let hours = number(end + 1..<end + 3),
                let minutes = number(end + 4..<end + 6), hours < 24, minutes < 60
            else { return nil }
            switch bytes[end] {
            case .plus: offset = hours * 60 + minutes
            case .dash: offset = -(hours * 60 + minutes)
            default: return nil
            }
        }
        self.init(year: year, month: month, day: day, second: hour * 3600 + (minute - offset) * 60 + second)
        self = adding(milliseconds: Int64(fraction))
    }
}
