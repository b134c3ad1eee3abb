internal import INIFile
internal import PodcastModel
internal import Reporting

/// A setting, declared once.
public struct SettingDeclaration: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// One line of any text.
        case text
        /// An absolute path, or empty.
        case path
        case choice([String])
        case integer(ClosedRange<Int>)
        case flag
        /// Seconds as a whole number in a range, or in another spelling of `SettingTime`.
        case duration(ClosedRange<Int>)
        /// Bytes as a whole number in a range, or with a unit: `500M`, `2G`.
        case size(ClosedRange<Int64>)
        /// `stop`, `oldest-first`, `newest-first` or `playlist:NAME`.
        case afterQueue
        /// A log level, optionally with levels for some sections: `notice,playback=debug`.
        case logLevels
        /// A playback speed, such as 1.5.
        case speed
        /// `off`, or a whole number of LUFS.
        case loudness

        public var words: [String] {
            switch self {
            case .choice(let words): words
            case .flag: ["yes", "no"]
            case .loudness: ["off"]
            case .afterQueue: ["stop", "oldest-first", "newest-first"]
            case .logLevels: LogLevel.allCases.map(\.name)
            case .text, .path, .integer, .duration, .size, .speed: []
            }
        }
    }

    public struct Unit: Equatable, Sendable {
        public var name: String
        public var step: Int64

        static let decibels = Unit(name: "dB", step: 1)
        static let milliseconds = Unit(name: "ms", step: 10)
    }

    public var section: String
    var name: String
    public var kind: Kind
    /// In the syntax of the config file.
    public var defaultValue: String
    /// True if a change takes effect only at the next start.
    public var needsRestart: Bool
    /// True if clients may change the setting. Settings that start programs or name files are for the config file only.
    public var isClientSettable: Bool
    /// Explanation for users, in lines.
    public var help: [String]
    /// The unit of a whole number, and the usual step; nil for plain numbers.
    public var unit: Unit?

    init(
        _ section: String, _ name: String, _ kind: Kind, default defaultValue: String, needsRestart: Bool = false,
        isClientSettable: Bool = false, unit: Unit? = nil, help: [String]
    ) {
        self.section = section
        self.name = name
        self.kind = kind
        self.defaultValue = defaultValue
        self.needsRestart = needsRestart
        self.isClientSettable = isClientSettable
        self.help = help
        self.unit = unit
    }

    /// The name for people: `Played before end`.
    public var label: String { SettingName.label(name) }

    /// `section.name`, the name for clients.
    public var key: String { "\(section).\(name)" }

    /// Why a value is invalid; nil if it is valid.
    public func objection(to value: String) -> String? { objectionToWriting(value) ?? objectionToKind(of: value) }

    /// A settings file stores each value on one line and does not keep surrounding spaces.
    private func objectionToWriting(_ value: String) -> String? {
        if !SafeText.isOneLine(value) { return "must be one line" }
        if value.first == " " || value.last == " " { return "must not begin or end with a space" }
        let room = INIFile.longestContent - "\(name) = ".utf8.count
        return value.utf8.count > room ? "must be at most \(room) bytes long" : nil
    }

    private func objectionToKind(of value: String) -> String? {
        switch kind {
        case .text: nil
        case .path: value.isEmpty || value.hasPrefix("/") ? nil : "must be an absolute path"
        case .choice(let words): words.contains(value) ? nil : "must be one of \(words.joined(separator: ", "))"
        case .flag: value == "yes" || value == "no" ? nil : "must be yes or no"
        case .integer(let range):
            Int(value).map(range.contains) == true
                ? nil : "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration(let range):
            SettingTime.seconds(parsing: value).map(range.contains) == true
                ? nil : "must be \(SettingTime.form(in: range))"
        case .size(let range):
            Self.bytes(value).map(range.contains) == true
                ? nil
                : "must be a size from \(Self.size(range.lowerBound)) to \(Self.size(range.upperBound)), such as 500M or 2G"
        case .afterQueue:
            AfterQueue(parsing: value) == nil ? "must be stop, oldest-first, newest-first or playlist:NAME" : nil
        case .logLevels: LogLevels(parsing: value) == nil ? "must be \(LogLevels.form)" : nil
        case .speed: PlaybackSpeed(parsing: value) == nil ? "must be a number from 0.5 to 4" : nil
        case .loudness:
            FeedSound.Loudness(parsing: value) == nil
                ? "must be off, or a whole number from \(PlaybackParameters.loudnesses.lowerBound) to \(PlaybackParameters.loudnesses.upperBound)"
                : nil
        }
    }

    /// A valid value in the form in which it is stored and shown: `7200` for `2h`, `2G` for `2048M`, `1.35` for `1.33`.
    func canonical(_ value: String) -> String {
        switch kind {
        case .text, .path, .choice, .flag, .afterQueue, .logLevels: value
        case .integer: Int(value).map(String.init) ?? value
        case .duration: SettingTime.seconds(parsing: value).map(String.init) ?? value
        case .size: Self.bytes(value).map(Self.size) ?? value
        case .speed: PlaybackSpeed(parsing: value)?.description ?? value
        case .loudness: FeedSound.Loudness(parsing: value)?.description ?? value
        }
    }

    /// Converts `500M`, `2G` to bytes.
    static func bytes(_ text: String) -> Int64? {
        guard let last = text.last else { return nil }
        let factor = suffixes.first { $0.letter == last }?.bytes
        let digits = factor == nil ? text[...] : text.dropLast()
        guard let number = Int64(digits), number >= 0 else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor ?? 1)
        return overflow ? nil : product
    }

    /// Bytes with the largest suffix that divides them.
    private static func size(_ bytes: Int64) -> String {
        let suffix = suffixes.first { bytes % $0.bytes == 0 && bytes > 0 }
        return suffix.map { "\(bytes / $0.bytes)\($0.letter)" } ?? String(bytes)
    }

    private static let suffixes: [(letter: Character, bytes: Int64)] = [
        ("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10),
    ]
}
