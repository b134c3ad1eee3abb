internal import PodcastModel

/// Parses times as publishers write them: seconds, `M:S`, `H:M:S`, with fractions after a point or a comma; `1h 2m 3s`,
/// `1h02`, `90 min`, `62'03"`; ISO 8601 `P0DT1H2M3S`.
///
/// More lenient than `MediaTime(parsing:)`, which reads times that users of this program write.
enum AnnouncedTime {
    private static let longestText = 40
    private static let tenYears = 10.0 * 366 * 86_400

    /// A duration. Nil for invalid text, for zero (which publishers write for "unknown") and for more than ten years.
    static func duration(_ text: ElementText) -> MediaTime? {
        guard let seconds = grouped(text.bytes) ?? Self.seconds(text.bytes), seconds > 0 else { return nil }
        return MediaTime(seconds: seconds)
    }

    /// "3,600" is an hour, not three seconds; nil for other forms.
    private static func grouped(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard (5...7).contains(text.count), text[text.count - 4] == .comma else { return nil }
        let digits = text.filter(\.isDigit)
        return digits.count == text.count - 1 ? digits.reduce(0) { $0 * 10 + Double($1.digitValue) } : nil
    }

    /// A position within an episode. Parsed like a duration, except that zero is valid.
    static func start(_ text: ElementText) -> MediaTime? { seconds(text.bytes).map(MediaTime.init(seconds:)) }

    /// A position within an episode; surrounding spaces are ignored.
    static func start(_ text: some StringProtocol) -> MediaTime? { ElementText.reading(text) { start($0) } }

    /// A position within an episode, in seconds. Nil for negative numbers and for more than ten years.
    static func start(seconds: Double) -> MediaTime? {
        seconds >= 0 && seconds < tenYears ? MediaTime(seconds: seconds) : nil
    }

    private static func seconds(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard !text.isEmpty, text.count <= 2 * longestText else { return nil }
        if text.contains(where: { $0 >= 0x80 }) {
            let plain = asciiDigits(text)
            return plain.contains { $0 >= 0x80 } ? nil : plain.withUnsafeBufferPointer { Self.seconds($0) }
        }
        guard text.count <= longestText else { return nil }
        let seconds = text.contains(.colon) ? clock(text) : units(text)
        guard let seconds, seconds < tenYears else { return nil }
        return seconds
    }

    /// Replaces the digits of Arabic and Persian (U+0660, U+06F0).
    private static func asciiDigits(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        for byte in text.prefix(2 * longestText) {
            switch (plain.last, byte) {
            case (0xD9, 0xA0...0xA9), (0xDB, 0xB0...0xB9): plain[plain.count - 1] = 0x30 | byte & 0x0F
            case (_, _): plain.append(byte)
            }
        }
        return plain
    }

    /// Nil unless the text consists of digits with at most one point or comma.
    private static func decimal(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        var value = 0.0
        var scale = 0.0
        for byte in bytes {
            if byte.isDigit {
                value = value * 10 + Double(byte.digitValue)
                scale *= 10
            } else if (byte == .point || byte == .comma) && scale == 0 {
                scale = 1
            } else {
                return nil
            }
        }
        return value / max(scale, 1)
    }

    private static func clock(_ written: UnsafeBufferPointer<UInt8>) -> Double? {
        let bytes = withoutUnit(written)
        var total = 0.0
        var start = 0
        for _ in 0..<3 {
            let end = bytes[start...].firstIndex(of: .colon) ?? bytes.count
            guard let value = decimal(bytes[start..<end].trimmed) else { return nil }
            total = total * 60 + value
            if end == bytes.count { return total }
            start = end + 1
        }
        return nil
    }

    /// Removes a trailing unit: "62:03 min".
    private static func withoutUnit(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard let last = bytes.lastIndex(where: { $0.isDigit || $0 == .colon }), last + 1 < bytes.count
        else { return bytes }
        let word = bytes[(last + 1)...].drop { $0 == .space }
        return factor(of: word) == nil ? bytes : UnsafeBufferPointer(rebasing: bytes[...last])
    }

    /// Parses numbers followed by units. A number without a unit has the unit below the previous one, or seconds.
    private static func units(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        var rest = bytes[...]
        if rest.first == .plus { rest.removeFirst() }
        if let first = rest.first, first | 0x20 == UInt8(ascii: "p") {
            rest.removeFirst()
            if let next = rest.first, next | 0x20 == UInt8(ascii: "t") { rest.removeFirst() }
        }
        var total = 0.0
        var latest = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isDigit || $0 == .point || $0 == .comma }
            guard let first = number.first, first.isDigit, let value = decimal(number) else { return nil }
            rest = rest[number.endIndex...].drop { $0 == .space }
            let unit = rest.prefix { $0.isLetter || $0 == .apostrophe || $0 == .quote }
            rest = rest[unit.endIndex...].drop { $0 == .space || $0 == .comma }
            guard var factor = factor(of: unit) else { return nil }
            if unit.isEmpty && latest == 3600 { factor = 60 }
            total += value * factor
            latest = factor
        }
        return total
    }

    private static func factor(of unit: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        switch String(utf8: unit.lazy.map { $0 | 0x20 }) {
        case "", "s", "sec", "secs", "second", "seconds", "sek", "\"", "''": 1
        case "m", "min", "mins", "minute", "minutes", "minuten", "'": 60
        case "h", "hr", "hrs", "hour", "hours", "std": 3600
        // ISO 8601 puts a T between days and hours.
        case "d", "dt", "day", "days": 86_400
        default: nil
        }
    }
}
