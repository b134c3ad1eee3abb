/// Times in settings: whole seconds.
public enum SettingTime {
    /// Parses `90`, `10m`, `1h30m`, `2h`, `1d` and `1:30`.
    public static func seconds(parsing text: String) -> Int? {
        if text.utf8.last == UInt8(ascii: "d") {
            guard let days = seconds(parsing: String(text.dropLast())), days <= 3660,
                text.utf8.dropLast().allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
            else { return nil }
            return days * 86_400
        }
        guard let time = MediaTime(parsing: text), time.nanoseconds % 1_000_000_000 == 0 else { return nil }
        return Int(exactly: time.nanoseconds / 1_000_000_000)
    }

    /// Description of valid values, with examples from the range.
    public static func form(in range: ClosedRange<Int>) -> String {
        let examples = ["30", "1:30", "10m", "2h"].filter { seconds(parsing: $0).map(range.contains) == true }
        return "a time from \(range.lowerBound) to \(range.upperBound) seconds, such as " + examples.joinedWithOr()
    }
}

extension [String] {
    /// `a`, `a or b`, `a, b or c`.
    fileprivate func joinedWithOr() -> String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
