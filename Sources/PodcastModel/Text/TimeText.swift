/// The grammar of times that people write, in commands, settings, rules and JSON: seconds (`90`, `1.5`), a clock (`M:SS`,
/// `H:MM:SS[.mmm]`) or units from the largest to the smallest (`1d`, `1h2m3s`).
///
/// `AnnouncedTime` reads what publishers write.
extension MediaTime {
    private static let longest = Int64(10 * 366 * 86_400)

    /// - Returns: nil for any other text and for times of more than ten years.
    public init?(parsing text: some StringProtocol) {
        let text = Substring(text)
        guard let first = text.utf8.first, first.isDigit else { return nil }
        if text.utf8.contains(.colon) { self.init(clock: text) } else { self.init(units: text) }
    }

    /// Minutes and seconds after a colon range from 0 to 59.
    private init?(clock text: Substring) {
        let parts = text.fields(separatedBy: ":")
        guard parts.count <= 3, let seconds = Self.nanoseconds(parts[parts.count - 1]), seconds < 60_000_000_000,
            let minutes = Self.digits(parts[parts.count - 2]), parts.count == 2 || minutes < 60,
            let hours = parts.count == 3 ? Self.digits(parts[0]) : 0, hours * 3600 + minutes * 60 <= Self.longest
        else { return nil }
        self.init(nanoseconds: (hours * 3600 + minutes * 60) * 1_000_000_000 + seconds)
    }

    /// A number without a unit is in seconds, if it stands alone.
    private init?(units text: Substring) {
        var rest = text
        var total = Int64(0)
        var last = Int64.max
        repeat {
            let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest[number.endIndex...]
            let unit = rest.popFirst()
            guard let value = Self.nanoseconds(number),
                let factor = RefreshInterval.units.first(where: { $0.letter == unit ?? "s" })?.seconds,
                factor < last,
                unit != nil || last == .max, value / 1_000_000_000 <= Self.longest / factor
            else { return nil }
            total += value * factor
            last = factor
        } while !rest.isEmpty
        guard total / 1_000_000_000 <= Self.longest else { return nil }
        self.init(nanoseconds: total)
    }

    /// `1` or `1.5` seconds.
    private static func nanoseconds(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = digits(parts[0]) else { return nil }
        if parts.count == 1 { return whole * 1_000_000_000 }
        guard !parts[1].isEmpty, parts[1].utf8.allSatisfy(\.isDigit),
            let fraction = Int64((String(parts[1]) + "000000000").prefix(9))
        else { return nil }
        return whole * 1_000_000_000 + fraction
    }

    private static func digits(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit), let value = Int64(text), value <= longest else {
            return nil
        }
        return value
    }

}

/// Times in settings and rules: whole seconds, in the same grammar.
public enum SettingTime {
    public static func seconds(parsing text: some StringProtocol) -> Int? {
        guard let time = MediaTime(parsing: text), time.nanoseconds % 1_000_000_000 == 0 else { return nil }
        return Int(time.nanoseconds / 1_000_000_000)
    }

    /// Description of valid settings in a range of seconds, with examples.
    static func form(in range: ClosedRange<Int>) -> String {
        let examples = ["30", "1:30", "10m", "2h"].filter { seconds(parsing: $0).map(range.contains) == true }
        let words = examples.dropLast().joinedText(", ") + (examples.count > 1 ? " or " : "")
        return "a time from \(range.lowerBound) to \(range.upperBound) seconds, such as \(words)\(examples.last ?? "")"
    }
}

/// A time that a user or a script enters: absolute, or relative to the current position.
public enum TimeArgument: Equatable, Sendable {
    /// From the beginning.
    case absolute(MediaTime)
    /// Relative to the audible position; negative seeks back.
    case relative(MediaTime)
    /// A share of the duration, from 0 to 1.
    case share(Double)
    /// A share of the duration, from -1 to 1, relative to the audible position.
    case relativeShare(Double)

    /// Parses a time, after `+` or `-` for a relative time; or `50%`, `+10%`.
    /// - Returns: nil for any other text and for times of more than ten years.
    public init?(parsing text: String) {
        var rest = text[...]
        let sign = rest.first == "+" || rest.first == "-" ? rest.removeFirst() : nil
        if rest.last == "%" {
            // A percentage is written like a number of seconds.
            guard !rest.contains(where: { ":dhms".contains($0) }), let percentage = MediaTime(parsing: rest.dropLast()),
                percentage <= MediaTime(seconds: 100)
            else { return nil }
            let share = percentage.seconds / 100
            self = sign == nil ? .share(share) : .relativeShare(sign == "-" ? -share : share)
            return
        }
        guard let time = MediaTime(parsing: rest) else { return nil }
        switch sign {
        case "+": self = .relative(time)
        case "-": self = .relative(.zero - time)
        default: self = .absolute(time)
        }
    }
}

/// Interval of a feed's automatic refreshes.
public enum RefreshInterval: Equatable, Sendable, CustomStringConvertible {
    /// Refreshed only if named explicitly.
    case off
    case seconds(Int64)

    static let units: [(letter: Character, seconds: Int64)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
    static let range: ClosedRange<Int64> = 5 * 60...365 * 86_400

    /// Parses `off`, or a time.
    /// - Returns: nil for other text, and for times outside of 5 minutes to 365 days.
    public init?(parsing text: String) {
        let text = text.lowercased()
        if text == "off" {
            self = .off
        } else if let seconds = SettingTime.seconds(parsing: text), Self.range.contains(Int64(seconds)) {
            self = .seconds(Int64(seconds))
        } else {
            return nil
        }
    }

    /// The form in the database: `off`, or the number of seconds.
    public var stored: String {
        switch self {
        case .off: "off"
        case .seconds(let seconds): "\(seconds)"
        }
    }

    /// Text that parses to the same value, in the largest unit: `6h`.
    public var description: String {
        switch self {
        case .off: return "off"
        case .seconds(let seconds):
            let unit = Self.units.first { seconds % $0.seconds == 0 } ?? ("s", 1)
            return "\(seconds / unit.seconds)\(unit.letter)"
        }
    }
}
