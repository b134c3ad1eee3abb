/// Interval of a feed's automatic refreshes.
public enum RefreshInterval: Equatable, Sendable, CustomStringConvertible {
    /// Refreshed only if named explicitly.
    case off
    case seconds(Int64)

    private static let units: [(letter: Character, seconds: Int64)] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
    static let range: ClosedRange<Int64> = 5 * 60...365 * 86_400

    /// Parses `off`, or a time with the unit s, m, h or d (default: seconds).
    /// - Returns: nil for other text, and for times outside of 5 minutes to 365 days.
    public init?(parsing text: String) {
        let text = text.lowercased()
        if text == "off" {
            self = .off
            return
        }
        let unit = Self.units.first { $0.letter == text.last }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard let count = Int64(digits), digits.first != "+", count <= Self.range.upperBound,
            Self.range.contains(count * (unit?.seconds ?? 1))
        else { return nil }
        self = .seconds(count * (unit?.seconds ?? 1))
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
