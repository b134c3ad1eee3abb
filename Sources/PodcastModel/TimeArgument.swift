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

    /// Parses `SECONDS`, `M:SS`, `H:MM:SS[.mmm]` or `1h2m3s`, after `+` or `-` for a relative time; or `50%`, `+10%`.
    /// Minutes and seconds after a colon range from 0 to 59.
    /// - Returns: nil for any other text and for times of more than ten years.
    public init?(parsing text: String) {
        if text.utf8.last == UInt8(ascii: "%") {
            // Parse the percentage like a number of seconds.
            let sign = text.first == "+" || text.first == "-" ? text.first : nil
            guard let number = MediaTime(parsingUnsigned: text.dropFirst(sign == nil ? 0 : 1).dropLast()),
                number <= MediaTime(seconds: 100),
                !text.contains(where: { ":hms".contains($0) })
            else { return nil }
            let share = number.seconds / 100
            self = sign == nil ? .share(share) : .relativeShare(sign == "-" ? -share : share)
            return
        }
        var rest = text[...]
        let sign = rest.first
        if sign == "+" || sign == "-" { rest.removeFirst() }
        guard let time = MediaTime(parsingUnsigned: rest) else { return nil }
        switch sign {
        case "+": self = .relative(time)
        case "-": self = .relative(MediaTime.zero - time)
        default: self = .absolute(time)
        }
    }
}

extension MediaTime {
    /// Parses an absolute time in the formats of `TimeArgument`.
    public init?(parsing text: String) {
        self.init(parsingUnsigned: text[...])
    }

    fileprivate init?(parsingUnsigned text: Substring) {
        guard let first = text.utf8.first, first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9") else { return nil }
        if text.utf8.contains(UInt8(ascii: ":")) {
            self.init(parsingClock: text)
        } else if let last = text.utf8.last, "hms".utf8.contains(last) {
            self.init(parsingUnits: text)
        } else {
            self.init(parsingSeconds: text)
        }
    }

    private static let longest = Int64(10 * 366 * 86_400)

    private init?(parsingSeconds text: Substring) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Self.digits(parts[0]), whole <= Self.longest else { return nil }
        var nanoseconds: Int64 = 0
        if parts.count == 2 {
            guard Self.isDigits(parts[1]) else { return nil }
            let padded = (String(parts[1]) + "000000000").prefix(9)
            guard let fraction = Int64(padded) else { return nil }
            nanoseconds = fraction
        }
        self.init(nanoseconds: whole * 1_000_000_000 + nanoseconds)
    }

    private init?(parsingClock text: Substring) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3, let seconds = MediaTime(parsingSeconds: parts[parts.count - 1]) else { return nil }
        guard seconds.nanoseconds < 60_000_000_000, let minutes = Self.digits(parts[parts.count - 2]) else {
            return nil
        }
        var hours: Int64 = 0
        if parts.count == 3 {
            guard let value = Self.digits(parts[0]), minutes < 60 else { return nil }
            hours = value
        }
        guard hours * 3600 + minutes * 60 <= Self.longest else { return nil }
        self.init(nanoseconds: (hours * 3600 + minutes * 60) * 1_000_000_000 + seconds.nanoseconds)
    }

    private init?(parsingUnits text: Substring) {
        var total: Int64 = 0
        var number: Substring = ""
        var allowed: Substring = "hms"
        for character in text {
            if character.isASCII && (character.isNumber || character == ".") {
                number.append(character)
                continue
            }
            guard let place = allowed.firstIndex(of: character), let value = MediaTime(parsingSeconds: number) else {
                return nil
            }
            let factor: Int64 = character == "h" ? 3600 : character == "m" ? 60 : 1
            guard value.nanoseconds / 1_000_000_000 <= Self.longest / factor else { return nil }
            total += value.nanoseconds * factor
            number = ""
            allowed = allowed[allowed.index(after: place)...]
        }
        guard number.isEmpty, total / 1_000_000_000 <= Self.longest else { return nil }
        self.init(nanoseconds: total)
    }

    private static func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }

    private static func digits(_ text: Substring) -> Int64? {
        guard isDigits(text), let value = Int64(text), value <= longest else { return nil }
        return value
    }
}
