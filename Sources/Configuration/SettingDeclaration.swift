internal import Diagnostics
internal import INIFile
internal import PodcastModel

/// A setting, declared once.
public struct SettingDeclaration: Equatable, Sendable {
    /// Type of a value.
    public enum Kind: Equatable, Sendable {
        /// Any text of one line.
        case text
        /// An absolute path, or empty.
        case path
        /// One of these words.
        case choice([String])
        /// A whole number in a range.
        case integer(ClosedRange<Int>)
        /// `yes` or `no`.
        case flag
        /// Seconds as a whole number in a range, or with a unit: `90`, `10m`, `2h`, `1d`.
        case duration(ClosedRange<Int>)
        /// Bytes as a whole number in a range, or with a unit: `500M`, `2G`.
        case size(ClosedRange<Int64>)
        /// What plays after the queue: `stop`, `oldest-first`, `newest-first` or `playlist:NAME`.
        case afterQueue
        /// A log level, optionally with levels for some sections: `notice,playback=debug`.
        case logLevels
        /// A playback speed, such as 1.5.
        case speed
        /// `off`, or a whole number of LUFS.
        case loudness
    }

    /// Section of the config file.
    public var section: String
    /// Name within the section.
    public var name: String
    /// Type of its value.
    public var kind: Kind
    /// The default, as it would be written in the file.
    public var defaultValue: String
    /// Whether a change takes effect only at the next start.
    public var needsRestart: Bool
    /// Whether clients may change it. Settings that start programs or name files can only be set in the config file.
    public var isClientSettable: Bool
    /// Explanation for users, in lines.
    public var help: [String]

    init(
        _ section: String, _ name: String, _ kind: Kind, default defaultValue: String, needsRestart: Bool = false,
        isClientSettable: Bool = false, help: [String]
    ) {
        self.section = section
        self.name = name
        self.kind = kind
        self.defaultValue = defaultValue
        self.needsRestart = needsRestart
        self.isClientSettable = isClientSettable
        self.help = help
    }

    /// `section.name`, as clients use it.
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
            Self.seconds(value).map(range.contains) == true
                ? nil
                : "must be a time from \(range.lowerBound) to \(range.upperBound) seconds, like 90, 10m or 2h"
        case .size(let range):
            Self.bytes(value).map(range.contains) == true
                ? nil
                : "must be a size from \(Self.size(range.lowerBound)) to \(Self.size(range.upperBound)), like 500M or 2G"
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

    /// Converts `90`, `10m`, `2h`, `1d` to seconds.
    static func seconds(_ text: String) -> Int? {
        scaled(text, ["s": 1, "m": 60, "h": 3600, "d": 86_400]).flatMap(Int.init(exactly:))
    }

    /// Converts `500M`, `2G` to bytes.
    static func bytes(_ text: String) -> Int64? {
        scaled(text, ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40])
    }

    /// Writes bytes with the largest suffix that divides them.
    private static func size(_ bytes: Int64) -> String {
        let suffixes: [(Int64, String)] = [(1 << 40, "T"), (1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")]
        return suffixes.first { bytes % $0.0 == 0 && bytes > 0 }.map { "\(bytes / $0.0)\($0.1)" } ?? String(bytes)
    }

    private static func scaled(_ text: String, _ units: [Character: Int64]) -> Int64? {
        guard let last = text.last else { return nil }
        let factor = units[last]
        let digits = factor == nil ? text[...] : text.dropLast()
        guard let number = Int64(digits), number >= 0 else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor ?? 1)
        return overflow ? nil : product
    }
}
