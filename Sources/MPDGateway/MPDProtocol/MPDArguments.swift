internal import PodcastModel

/// Positions from `start` to before `end`; nil for all that follow.
struct MPDRange: Equatable {
    var start: Int
    var end: Int?

    init(_ start: Int, _ end: Int?) {
        self.start = start
        self.end = end
    }

    init(at position: Int) { self.init(position, position + 1) }

    static let all = MPDRange(0, nil)

    /// The positions that exist.
    func clamped(to count: Int) -> Range<Int> {
        let end = min(end ?? count, count)
        return min(start, end)..<end
    }
}

/// Where something goes in the queue.
enum MPDPosition: Equatable {
    case absolute(Int)
    /// A number of entries after the current one: 0 for directly after it.
    case after(Int)
    /// A number of entries before the current one.
    case before(Int)

    /// The index from 0; nil if there is no current entry, or beyond the queue.
    func index(current: Int?, count: Int) -> Int? {
        let index: Int? =
            switch self {
            case .absolute(let position): position
            case .after(let distance): current.map { $0 + 1 + distance }
            case .before(let distance): current.map { $0 - distance }
            }
        return index.flatMap { (0...count).contains($0) ? $0 : nil }
    }
}

/// Parses arguments, with MPD's messages.
enum MPDArgument {
    static func integer(_ text: String, _ range: ClosedRange<Int> = 0...Int(Int32.max)) throws(MPDError) -> Int {
        guard let number = Int(text) else { throw .argument("Integer expected: \(text)") }
        if number < range.lowerBound { throw .argument("Number too small: \(text)") }
        if number > range.upperBound { throw .argument("Number too large: \(text)") }
        return number
    }

    static func flag(_ text: String) throws(MPDError) -> Bool {
        switch text {
        case "0": return false
        case "1": return true
        default: throw .argument("Boolean (0/1) expected: \(text)")
        }
    }

    /// `START:END`, `START:`, or a position alone. -1 as MPD's old clients send it means all.
    static func range(_ text: String) throws(MPDError) -> MPDRange {
        if text == "-1" { return .all }
        guard let colon = text.firstIndex(of: ":") else { return MPDRange(at: try integer(text)) }
        let start = try integer(String(text[..<colon]))
        let rest = text[text.index(after: colon)...]
        if rest.isEmpty { return MPDRange(start, nil) }
        let end = try integer(String(rest))
        if end < start { throw .badIndex }
        return MPDRange(start, end)
    }

    /// A position, or with a sign one relative to the current entry.
    static func position(_ text: String) throws(MPDError) -> MPDPosition {
        switch text.first {
        case "+": .after(try integer(String(text.dropFirst())))
        case "-": .before(try integer(String(text.dropFirst())))
        default: .absolute(try integer(text))
        }
    }

    /// Seconds with decimals.
    static func time(_ text: String) throws(MPDError) -> MediaTime {
        guard let seconds = Double(text), seconds.isFinite else { throw .argument("Float expected: \(text)") }
        if seconds < 0 || seconds > 1e9 { throw .argument("Number out of range: \(text)") }
        return MediaTime(seconds: seconds)
    }

    /// For `seekcur`: with a sign relative to the position.
    static func seek(_ text: String) throws(MPDError) -> TimeArgument {
        let amount = try time(String(text.first == "+" || text.first == "-" ? text.dropFirst() : text[...]))
        return switch text.first {
        case "+": .relative(amount)
        case "-": .relative(.zero - amount)
        default: .absolute(amount)
        }
    }

    /// A time as `modified-since` takes it: seconds since 1970, or ISO 8601.
    static func instant(_ text: String) throws(MPDError) -> Timestamp {
        if let seconds = Int64(text) { return Timestamp(seconds: seconds) }
        guard let time = Timestamp(parsing: text) ?? Timestamp(parsing: text + "T00:00:00Z") else {
            throw .argument("Invalid time stamp: \(text)")
        }
        return time
    }
}
