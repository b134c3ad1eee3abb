/// What a value may be: of a command's parameter, an option, a setting, a feed's setting or a field of a form.
public struct ValueKind: Equatable, Sendable {
    /// How a value is written. The raw value is the type's name in the protocol.
    public enum Syntax: String, CaseIterable, Sendable {
        /// A text; on a command line one word.
        case string
        /// A text; on a command line all words that are left.
        case text
        /// A text that is never shown.
        case secret
        case choice
        /// `yes` or `no`; true or false in JSON.
        case flag
        case integer
        case number
        /// A whole percentage without a sign: `80` or `80%`.
        case percent
        /// A playback speed, such as 1.5.
        case speed
        /// `off`, or a whole number of LUFS.
        case loudness
        /// A time in a spelling of `TimeArgument`, or seconds as a number in JSON.
        case time
        /// Whole seconds in a spelling of `SettingTime`.
        case duration
        /// `off`, or a time in a spelling of `RefreshInterval`.
        case interval
        /// Bytes as a whole number, or with a unit: `500M`, `2G`.
        case size
        /// A whole number from 1, or `all`.
        case limit
        /// A file to read or write; `-` means stdin or stdout if the program supports it.
        case file
        case folder
        /// An absolute path, or empty.
        case path
        /// An http or https URL.
        case url
        /// Words separated by commas.
        case tags
        /// Names of hosts separated by spaces.
        case hosts
        /// A log level, optionally with levels for some sections: `notice,playback=debug`.
        case logLevels
        /// See `AfterQueue`.
        case afterQueue
        /// An id, a URL, an index in the queue or words of a title.
        case what
        /// A list of at most `maximumCount` values.
        case list
        case object
    }

    /// Limit for texts without their own maximum.
    public static let maximumTextBytes = 4096
    /// Limit for lists.
    public static let maximumCount = 1000

    public var syntax: Syntax
    /// Words to choose from; of a number or a time, the words that can stand instead of it.
    public var choices: [String] = []
    /// The lowest value; nil for no limit. Times are in seconds, sizes in bytes.
    public var minimum: Double?
    public var maximum: Double?
    /// The usual distance between two values.
    public var step: Double?
    public var unit: String?
    /// Maximum length of a text in UTF-8; nil for `maximumTextBytes`.
    public var maximumBytes: Int?
    /// Whether a text is one line, and not empty.
    public var isLine = false
    /// The kind of a list's elements, as the only element; empty for other kinds.
    public var elements: [ValueKind] = []
    /// Names that only the running program knows: completions call `PROGRAM complete NAMES WORD BEFORE`, where BEFORE is
    /// the preceding word. The call prints a name per line, optionally followed by a tab and a description.
    public var names: String?

    public init(
        _ syntax: Syntax, choices: [String] = [], _ range: ClosedRange<Double>? = nil, step: Double? = nil,
        unit: String? = nil, maximumBytes: Int? = nil
    ) {
        self.syntax = syntax
        self.choices = choices
        self.maximumBytes = maximumBytes
        minimum = range?.lowerBound
        maximum = range?.upperBound
        self.step = step
        self.unit = unit
    }

    public static let string = ValueKind(.string)
    public static let text = ValueKind(.text)
    public static func text(maximumBytes: Int) -> ValueKind { ValueKind(.text, maximumBytes: maximumBytes) }
    public static func line(maximumBytes: Int = 200) -> ValueKind {
        var kind = text(maximumBytes: maximumBytes)
        kind.isLine = true
        return kind
    }
    public static let secret = ValueKind(.secret)
    public static func choice(_ words: [String]) -> ValueKind { ValueKind(.choice, choices: words) }
    public static let flag = ValueKind(.flag)

    /// A whole number. Bounds beyond 2^53 do not limit the value.
    public static func integer<Number: BinaryInteger>(
        _ range: ClosedRange<Number>, step: Double? = nil, unit: String? = nil
    ) -> ValueKind {
        var kind = ValueKind(.integer, step: step, unit: unit)
        kind.minimum = Double(exactly: range.lowerBound)
        kind.maximum = Double(exactly: range.upperBound)
        if range.lowerBound == Int64.min { kind.minimum = nil }
        return kind
    }

    public static func number(_ range: ClosedRange<Double>) -> ValueKind { ValueKind(.number, range) }
    public static let percent = ValueKind(.percent, 1...200, step: 5, unit: "%")
    public static let speed = ValueKind(.speed, 0.5...4, step: 0.05, unit: "x")
    public static var loudness: ValueKind {
        let range = PlaybackParameters.loudnesses
        return ValueKind(
            .loudness, choices: ["off"], Double(range.lowerBound)...Double(range.upperBound), step: 1, unit: "LUFS")
    }
    public static let time = ValueKind(.time)
    /// - Parameter range: in seconds.
    public static func duration(_ range: ClosedRange<Int>, step: Double = 1) -> ValueKind {
        ValueKind(.duration, Double(range.lowerBound)...Double(range.upperBound), step: step, unit: "s")
    }
    public static var interval: ValueKind {
        let range = RefreshInterval.range
        return ValueKind(
            .interval, choices: ["off"], Double(range.lowerBound)...Double(range.upperBound), step: 3600)
    }
    /// - Parameter range: in bytes.
    public static func size(_ range: ClosedRange<Int64>) -> ValueKind {
        ValueKind(.size, Double(range.lowerBound)...Double(range.upperBound), step: 268_435_456)
    }
    public static let limit = ValueKind(.limit, choices: ["all"])
    public static let file = ValueKind(.file)
    public static let folder = ValueKind(.folder)
    public static let path = ValueKind(.path)
    public static let afterQueue = ValueKind(.afterQueue, choices: ["stop"] + PlayContext.Order.words)
    public static let what = ValueKind(.what)
    public static func list(_ element: ValueKind) -> ValueKind {
        var kind = ValueKind(.list)
        kind.elements = [element]
        return kind
    }
    public static let object = ValueKind(.object)
    /// The words that completions offer.
    public var words: [String] { syntax == .flag ? ["yes", "no"] : choices }

    public func contains(_ number: Double) -> Bool {
        number.isFinite && number >= minimum ?? number && number <= maximum ?? number
    }

    /// A valid value in the form in which it is stored and shown: `7200` for the duration `2h`, `2G` for the size `2048M`,
    /// `1.35` for the speed `1.33`. Nil for an invalid value.
    public func canonical(_ value: String) -> String? {
        if words.contains(value) { return value }
        switch syntax {
        case .string, .text, .what: return value.utf8.count <= maximumBytes ?? Self.maximumTextBytes ? value : nil
        case .secret, .file, .folder, .url, .tags, .hosts, .logLevels, .list, .object: return value
        case .choice, .flag: return nil
        case .path: return value.isEmpty || value.hasPrefix("/") ? value : nil
        case .afterQueue: return AfterQueue(parsing: value) == nil ? nil : value
        case .time: return TimeArgument(parsing: value) == nil ? nil : value
        case .limit: return Int64(value).flatMap { $0 > 0 ? value : nil }
        case .integer, .number, .percent, .speed, .loudness, .duration, .interval, .size:
            guard let number = number(value), contains(number) else { return nil }
            return syntax == .number ? value : text(number)
        }
    }

    /// The number that a value stands for: seconds of a time, bytes of a size. Nil for other text.
    public func number(_ value: String) -> Double? {
        switch syntax {
        case .integer, .loudness: Int64(value).map { Double($0) }
        case .number: Double(value)
        case .percent: Self.percentage(value).map { Double($0) }
        case .speed: PlaybackSpeed(parsing: value).flatMap { Double($0.description) }
        case .duration: SettingTime.seconds(parsing: value).map { Double($0) }
        case .interval:
            if case .seconds(let seconds)? = RefreshInterval(parsing: value) { Double(seconds) } else { nil }
        case .size: ByteSize.bytes(value).map { Double($0) }
        case .string, .text, .secret, .choice, .flag, .time, .limit, .file, .folder, .path, .url, .tags, .hosts,
            .logLevels, .afterQueue, .what, .list, .object:
            nil
        }
    }

    /// A number as it is stored and shown.
    public func text(_ number: Double) -> String {
        guard let whole = Int64(exactly: number) else { return "\(number)" }
        return switch syntax {
        case .interval: RefreshInterval.seconds(whole).description
        case .size: ByteSize.setting(whole)
        default: String(whole)
        }
    }

    /// `80` or `80%`; nil for other text, such as `+10`.
    private static func percentage(_ value: String) -> Int? {
        let digits = value.hasSuffix("%") ? value.dropLast() : value[...]
        return digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
    }

    /// The valid values, for use after "must be": `a whole number from 1 to 64`.
    public var form: String {
        switch syntax {
        case .string, .text, .secret:
            (isLine ? "one line of text" : "text") + (maximumBytes.map { " of at most \($0) bytes" } ?? "")
        case .choice: "one of \(choices.joinedText(", "))"
        case .flag: "yes or no"
        case .integer: "a whole number\(bounds)"
        case .number, .speed: "a number\(bounds)"
        case .percent: "a percentage\(bounds), without a sign"
        case .loudness: "off, or a whole number\(bounds)"
        case .time: "a time such as 90, 1:30, 1h2m3s, +30 or -15"
        case .duration: SettingTime.form(in: Int(minimum ?? 0)...Int(maximum ?? 0))
        case .interval: "off, or a time\(bounds), such as 30m, 6h or 2d"
        case .size: "a size\(bounds), such as 500M or 2G"
        case .limit: "a whole number from 1, or all"
        case .file: "a file"
        case .folder: "a folder"
        case .path: "an absolute path"
        case .url: "an http or https URL"
        case .tags: "tags, separated by commas"
        case .hosts: "names of hosts, separated by spaces"
        case .logLevels: "one of \(choices.joinedText(", ")), and like playback=debug for one section"
        case .afterQueue: "\(choices.joinedText(", ")) or playlist:NAME"
        case .what: "what"
        case .list: "list of: \(elements.first?.form ?? "")"
        case .object: "object"
        }
    }

    private var bounds: String {
        switch (minimum.map(text), maximum.map(text)) {
        case (let lower?, let upper?): " from \(lower) to \(upper)"
        case (let lower?, nil): " of at least \(lower)"
        case (nil, let upper?): " of at most \(upper)"
        case (nil, nil): ""
        }
    }
}
