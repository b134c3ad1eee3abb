internal import Glibc
internal import PodcastModel
public import CommandLineTool
public import SystemCalls

extension INIEntry {
    public var words: [String] { value.split(separator: " ").map(String.init) }

    public func problem(_ what: String) -> SettingProblem { SettingProblem(line: line, message: what) }
}

/// A setting of a file beside podcastd.conf.
public struct SettingRow<Settings> {
    let section: String
    /// Nil for every name of the section.
    let name: String?
    /// The value in the manual: the default, or a form.
    let form: String
    let help: String
    let read: (inout Settings, INIEntry) throws(SettingProblem) -> Void

    public init(
        _ section: String, _ name: String?, _ form: String, help: String = "",
        read: @escaping (inout Settings, INIEntry) throws(SettingProblem) -> Void
    ) {
        self.section = section
        self.name = name
        self.form = form
        self.help = help
        self.read = read
    }

    /// A whole number; the value in `Settings` is also the default.
    public static func number(
        _ section: String, _ name: String, _ range: ClosedRange<Int>, default value: Int,
        _ path: WritableKeyPath<Settings, Int>, help: String
    ) -> SettingRow {
        SettingRow(section, name, "\(value)", help: help) { settings, entry throws(SettingProblem) in
            let kind = ValueKind.integer(range)
            guard kind.canonical(entry.value) != nil, let number = Int(entry.value) else {
                throw entry.problem("\(name) must be \(kind.form)")
            }
            settings[keyPath: path] = number
        }
    }

    var line: String { "'" + (name.map { "\($0) = " } ?? "") + form + "'" + (help.isEmpty ? "" : " (\(help))") }
}

/// A settings file beside podcastd.conf: its name, its manual page, and what its lines set.
public struct SettingsFile<Settings> {
    private let name: String
    private let manual: String
    private let isSecret: (Settings) -> Bool
    private let defaults: Settings
    private let rows: [SettingRow<Settings>]

    /// - Parameters:
    ///   - name: of the file in the folder of the daemon's configuration, such as `~/.config/podcastd`.
    ///   - manual: the page that lists the settings.
    ///   - isSecret: whether a file with these settings is refused if every user can read it.
    ///   - rows: of two rows for a name, the first one counts.
    public init(
        _ name: String, manual: String, isSecret: @escaping (Settings) -> Bool = { _ in false }, _ defaults: Settings,
        _ rows: [SettingRow<Settings>]
    ) {
        self.name = name
        self.manual = manual
        self.isSecret = isSecret
        self.defaults = defaults
        self.rows = rows
    }

    /// The option that names another file.
    /// - Parameter contents: what the file holds, as in "Addresses and passwords".
    public func option(_ contents: String) -> OptionDeclaration {
        OptionDeclaration("config", nil, "FILE", .file, help: "\(contents) (default: ~/.config/podcastd/\(name)).")
    }

    public var note: ManualNotes.Item {
        var sections: [(name: String, lines: [String])] = []
        for row in rows {
            if sections.last?.name != row.section { sections.append((row.section, [])) }
            sections[sections.count - 1].lines.append(row.line)
        }
        let texts = sections.map { "[\($0.name)] \($0.lines.joinedText(", "))" }
        return ("~/.config/podcastd/\(name)", "Below " + texts.joinedText("; below ") + ".")
    }

    /// Reads a file's text and reports all that is wrong with it, in the order of the lines.
    public func read(_ text: String) -> (settings: Settings, problems: [SettingProblem]) {
        let file = INIFile(parsing: text)
        var settings = defaults
        var problems = file.badLines.map {
            SettingProblem(line: $0, message: "this line is neither a section nor 'name = value'")
        }
        for entry in file.entries {
            do throws(SettingProblem) {
                let row = rows.first { $0.section == entry.section && $0.name ?? entry.name == entry.name }
                guard let row else {
                    let name = SafeText.line(entry.name)
                    let section = SafeText.line(entry.section)
                    throw entry.problem("unknown setting '\(name)' in section [\(section)]; see \(manual)")
                }
                try row.read(&settings, entry)
            } catch { problems.append(error) }
        }
        return (settings, problems.sorted { $0.place < $1.place })
    }

    /// - Parameters:
    ///   - explicit: the path that the user gave; such a file must exist.
    ///   - isRequired: whether the file must exist in any case.
    ///   - check: finds what else is wrong with the settings.
    /// - Throws: all that is wrong with the file, one problem a line.
    public func read(
        explicit: String?, isRequired: Bool = false, variable: (String) -> String? = CurrentProcess.variable,
        check: (Settings) -> [SettingProblem] = { _ in [] }
    ) throws(ToolFailure) -> Settings {
        guard
            let path = explicit ?? StandardFolders(variable).configFile.map({ StoredFile.folder(of: $0) + "/" + name })
        else {
            if !isRequired { return defaults }
            throw ToolFailure(.configuration, "HOME is not set", hint: "name the file with --config")
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try StoredFile.contents(of: path, limit: 1 << 20)
        } catch {
            if explicit == nil && !isRequired && error.code == ENOENT { return defaults }
            throw ToolFailure(
                .configuration, "\(path): \(error.reason)",
                hint: error.code == ENOENT ? "the manual page has an example" : nil)
        }
        var (settings, problems) = read(String(utf8: bytes))
        if isSecret(settings), let status = try? FileStatus(path: path), status.permissions & 0o006 != 0 {
            throw ToolFailure(.configuration, "\(path) is open to every user", hint: "chmod o-rw \(path)")
        }
        problems += check(settings)
        if problems.isEmpty { return settings }
        let messages = problems.sorted { $0.place < $1.place }.map { "\(path)\($0)" }
        var failure = ToolFailure(.configuration, messages[0])
        failure.further = Array(messages.dropFirst())
        throw failure
    }
}
