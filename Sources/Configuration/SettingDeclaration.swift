internal import Reporting
public import PodcastModel

/// A setting, declared once.
public struct SettingDeclaration: Equatable, Sendable {
    /// Set by the table's section.
    public internal(set) var section = ""
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

    static func client(
        _ name: String, _ kind: ValueKind, default defaultValue: String, needsRestart: Bool = false, _ help: String...
    ) -> SettingDeclaration {
        SettingDeclaration(
            name: name, kind: kind, defaultValue: defaultValue, needsRestart: needsRestart, isClientSettable: true,
            help: help)
    }

    static func fileOnly(
        _ name: String, _ kind: ValueKind, default defaultValue: String, needsRestart: Bool = false, _ help: String...
    ) -> SettingDeclaration {
        SettingDeclaration(
            name: name, kind: kind, defaultValue: defaultValue, needsRestart: needsRestart, isClientSettable: false,
            help: help)
    }

    /// The name for people: `Played before end`.
    public var label: String { SettingName.label(name) }

    /// `section.name`, the name for clients.
    public var key: String { "\(section).\(name)" }

    /// Why a value is invalid; nil if it is valid.
    public func objection(to value: String) -> String? {
        // A settings file stores each value on one line and does not keep surrounding spaces.
        if !SafeText.isOneLine(value) { return "must be one line" }
        if value.first == " " || value.last == " " { return "must not begin or end with a space" }
        let room = INIFile.longestContent - "\(name) = ".utf8.count
        if value.utf8.count > room { return "must be at most \(room) bytes long" }
        if kind.syntax == .logLevels { return LogLevels(parsing: value) == nil ? "must be \(LogLevels.form)" : nil }
        return kind.canonical(value) == nil ? "must be \(kind.form)" : nil
    }
}
