internal import Diagnostics
internal import INIFile

/// A setting, declared once.
public struct SettingDeclaration: Equatable, Sendable {
    /// What a value must be like.
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
        /// Whole seconds in a range, or with a unit: `90`, `10m`, `2h`, `1d`.
        case duration(ClosedRange<Int>)
        /// Bytes in a range, or with a unit: `500M`, `2G`.
        case size(ClosedRange<Int64>)
        /// A level of messages, and others for some parts: `notice,playback=debug`.
        case logLevels
    }

    /// Section of the config file.
    public var section: String
    /// Name within its section.
    public var name: String
    /// What a value must be like.
    public var kind: Kind
    /// What holds when nobody sets it, as it would be written.
    public var defaultValue: String
    /// Whether a change waits for the next start.
    public var needsRestart: Bool
    /// Whether clients may change it; what starts programs or names files is for the config file alone.
    public var isClientSettable: Bool
    /// Lines for people.
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

    /// `section.name`, as clients write it.
    public var key: String { "\(section).\(name)" }

    /// Why a value does not fit; nil when it does.
    public func objection(to value: String) -> String? { objectionToWriting(value) ?? objectionToKind(of: value) }

    /// A file of settings holds a value on one line, without the blanks around it.
    private func objectionToWriting(_ value: String) -> String? {
        if value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "must be one line" }
        if value.first == " " || value.last == " " { return "must not begin or end with a blank" }
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
                ? nil : "must be a size from \(range.lowerBound) to \(range.upperBound) bytes, like 500M or 2G"
        case .logLevels: LogLevels(parsing: value) == nil ? "must be \(LogLevels.form)" : nil
        }
    }

    /// `90`, `10m`, `2h`, `1d` in seconds.
    static func seconds(_ text: String) -> Int? {
        scaled(text, ["s": 1, "m": 60, "h": 3600, "d": 86_400]).flatMap(Int.init(exactly:))
    }

    /// `500M`, `2G` in bytes.
    static func bytes(_ text: String) -> Int64? {
        scaled(text, ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40])
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
