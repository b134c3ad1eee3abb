internal import INIFile
public import PodcastModel
internal import Reporting

/// A setting, declared once.
public struct SettingDeclaration: Equatable, Sendable {
    public var section: String
    public var name: String
    public var kind: ValueKind
    /// In the syntax of the config file.
    public var defaultValue: String
    /// True if a change takes effect only at the next start.
    public var needsRestart: Bool
    /// True if clients may change the setting. Settings that start programs or name files are for the config file only.
    public var isClientSettable: Bool
    /// Explanation for users, in lines.
    public var help: [String]

    init(
        _ section: String, _ name: String, _ kind: ValueKind, default defaultValue: String, needsRestart: Bool = false,
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

    /// The name for people: `Played before end`.
    public var label: String { SettingName.label(name) }

    /// `section.name`, the name for clients.
    public var key: String { "\(section).\(name)" }

    /// Why a value is invalid; nil if it is valid.
    public func objection(to value: String) -> String? {
        if let objection = objectionToWriting(value) { return objection }
        if kind.syntax == .logLevels { return LogLevels(parsing: value) == nil ? "must be \(LogLevels.form)" : nil }
        return kind.canonical(value) == nil ? "must be \(kind.form)" : nil
    }

    /// A settings file stores each value on one line and does not keep surrounding spaces.
    private func objectionToWriting(_ value: String) -> String? {
        if !SafeText.isOneLine(value) { return "must be one line" }
        if value.first == " " || value.last == " " { return "must not begin or end with a space" }
        let room = INIFile.longestContent - "\(name) = ".utf8.count
        return value.utf8.count > room ? "must be at most \(room) bytes long" : nil
    }
}
