internal import PodcastModel

/// Origin of a setting's value; later cases take precedence. The raw values are those of the protocol.
public enum SettingOrigin: String, CaseIterable, Sendable {
    case `default`
    case configFile = "config file"
    /// `DATA/settings`, written by the daemon for a client.
    case client
    case commandLine = "command line"
}

/// A problem in a settings file.
public struct SettingProblem: Error, Equatable, CustomStringConvertible {
    /// Empty until the problem is reported.
    var file: String
    /// From 1; nil if the problem concerns the whole file.
    public var line: Int?
    public var message: String
    /// True for a setting unknown to this version. podcastd starts, because another version may know the setting.
    public var isUnknown: Bool

    /// `file` may also name another source of settings.
    public init(file: String = "", line: Int?, message: String, isUnknown: Bool = false) {
        self.file = file
        self.line = line
        self.message = message
        self.isUnknown = isUnknown
    }

    /// For the order of problems.
    var place: Int { line ?? 0 }

    /// `FILE:LINE: message`.
    public var description: String { line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)" }
}

/// The values of all settings, with their origins.
public struct Settings: Equatable, Sendable {
    private var values: [SettingOrigin: [String: String]] = [:]
    /// Lines of files that have no effect, because this version does not know the setting.
    public private(set) var ignored: [SettingProblem] = []
    /// The lines of the section `outputs`, in their order.
    public private(set) var outputs: [NamedOutput] = []

    public struct NamedOutput: Equatable, Sendable {
        public var name: String
        public var specification: String
    }

    private static let outputSection = "outputs"

    public init() {}

    /// The effective value as written.
    public subscript(key: String) -> String {
        value(of: key, from: origin(of: key)) ?? SettingTable.declaration(key)?.defaultValue ?? ""
    }

    public func origin(of key: String) -> SettingOrigin {
        SettingOrigin.allCases.last { values[$0]?[key] != nil } ?? .default
    }

    /// The value from one origin, effective or not; nil if that origin does not set it.
    public func value(of key: String, from origin: SettingOrigin) -> String? { values[origin]?[key] }

    /// For a setting that is declared as a whole number.
    public func integer(_ key: String) -> Int { Int(self[key]) ?? 0 }
    public func seconds(_ key: String) -> Int { SettingTime.seconds(parsing: self[key]) ?? 0 }
    public func bytes(_ key: String) -> Int64 { ByteSize.bytes(self[key]) ?? 0 }
    /// Nil if empty.
    public func text(_ key: String) -> String? { self[key].nonEmpty }

    /// Sets the value from one origin; nil removes it. Throws `SettingProblem` for an unknown key or an invalid value.
    public mutating func set(_ key: String, to value: String?, from origin: SettingOrigin) throws(SettingProblem) {
        guard let declaration = SettingTable.declaration(key) else {
            throw SettingProblem(file: origin.rawValue, line: nil, message: Self.unknown(key))
        }
        if let value, let objection = declaration.objection(to: value) {
            throw SettingProblem(file: origin.rawValue, line: nil, message: "\(key) \(objection)")
        }
        values[origin, default: [:]][key] = value.map { declaration.kind.canonical($0) ?? $0 }
    }

    /// Applies a file's valid lines. Returns the problems of all other lines, in order.
    public mutating func read(_ text: String, file: String, as origin: SettingOrigin) -> [SettingProblem] {
        let parsed = INIFile(parsing: text)
        var problems = parsed.badLines.map { SettingProblem(file: file, line: $0, message: "cannot parse this line") }
        if origin == .configFile {
            for entry in parsed.entries where entry.section == Self.outputSection {
                outputs.removeAll { $0.name == entry.name }
                outputs.append(NamedOutput(name: entry.name, specification: entry.value))
            }
        }
        for entry in parsed.entries where entry.section != Self.outputSection {
            let key = "\(entry.section).\(entry.name)"
            do throws(SettingProblem) {
                try set(key, to: entry.value, from: origin)
            } catch {
                let isUnknown = SettingTable.declaration(key) == nil
                problems.append(
                    SettingProblem(
                        file: file, line: entry.line, message: isUnknown ? hint(for: entry) : error.message,
                        isUnknown: isUnknown && !entry.section.isEmpty
                            && !SettingTable.all.contains { $0.name == entry.name }))
            }
        }
        ignored += problems.filter(\.isUnknown)
        return problems.sorted { $0.place < $1.place }
    }

    /// The values from an origin as the text of a file, for `DATA/settings`.
    public func text(of origin: SettingOrigin) -> String {
        var lines: [String] = []
        for section in SettingTable.sections {
            let mine = section.settings.compactMap { declaration in
                value(of: declaration.key, from: origin).map { "\(declaration.name) = \($0)" }
            }
            if !mine.isEmpty { lines += ["[\(section.name)]"] + mine + [""] }
        }
        return lines.joinedText("\n")
    }

    private func hint(for entry: INIEntry) -> String {
        if entry.section.isEmpty { return "setting before the first [section]" }
        let elsewhere = SettingTable.all.filter { $0.name == entry.name }.map { "[\($0.section)]" }
        if !elsewhere.isEmpty { return "\(entry.name) belongs under \(elsewhere.joinedText(" or "))" }
        guard SettingTable.sections.contains(where: { $0.name == entry.section }) else {
            return "unknown section [\(entry.section)]"
        }
        let closest = SettingTable.closest(to: "\(entry.section).\(entry.name)")
        return "unknown setting \(entry.name) in [\(entry.section)]" + (closest.map { "; did you mean \($0)?" } ?? "")
    }

    public static func unknown(_ key: String) -> String {
        "unknown setting \(key)" + (SettingTable.closest(to: key).map { "; did you mean \($0)?" } ?? "")
    }
}
