public import CommandLineTool
internal import Glibc

/// Reads the settings' sources: the command line once, the files as often as asked.
///
/// One reader for every program, so that all of them understand the same files in the same way.
public struct SettingsReader: Sendable {
    private static let longestFile = 1 << 20

    /// `--config`, an option of every program that reads settings.
    public static let configOption = OptionDeclaration(
        "config", nil, "FILE", .file,
        help: "Config file; $XDG_CONFIG_HOME/podcastd/podcastd.conf or /etc/podcastd.conf unless given.")

    /// The config file's absolute path; nil when none was named and there is none at the usual places.
    public let configFile: String?
    private let commandLine: [(key: String, value: String)]

    /// A reader for a command line.
    ///
    /// - Parameters:
    ///   - arguments: the command line.
    ///   - options: what each of its options sets.
    ///   - variable: looks an environment variable up; nil when it is unset or empty.
    public init(
        arguments: ParsedArguments, options: [(option: OptionDeclaration, key: String)],
        variable: (String) -> String?
    ) {
        configFile = arguments.text(Self.configOption).map(Self.absolute) ?? Self.usualFile(variable)
        commandLine = options.compactMap { option, key in
            guard let value = arguments.text(option) else { return nil }
            return (key, SettingTable.declaration(key)?.kind == .path ? Self.absolute(value) : value)
        }
    }

    /// The settings of command line and config file.
    ///
    /// - Throws: `configuration` with every problem in the config file, each with its line: a program with half its
    ///   config is a surprise later. `usage` for a value of the command line that does not fit.
    public func read() throws(ToolFailure) -> Settings {
        var settings = Settings()
        if let configFile { try Self.read(configFile, into: &settings) }
        for (key, value) in commandLine {
            do throws(SettingProblem) {
                try settings.set(key, to: value, from: .commandLine)
            } catch {
                throw ToolFailure(.usage, error.message)
            }
        }
        return settings
    }

    /// Adds what clients set; a line that does not fit is told and passed over, since no person wrote it.
    public func addClientSettings(
        to settings: Settings, from folder: DataFolder, tell: (SettingProblem) -> Void
    ) -> Settings {
        var settings = settings
        guard let text = Self.contents(of: folder.clientSettings) else { return settings }
        settings.read(text, file: folder.clientSettings, as: .client).forEach(tell)
        return settings
    }

    private static func read(_ configFile: String, into settings: inout Settings) throws(ToolFailure) {
        guard let text = contents(of: configFile) else {
            throw ToolFailure(.configuration, "the config file \(configFile) cannot be read")
        }
        let problems = settings.read(text, file: configFile, as: .configFile)
        guard problems.isEmpty else {
            throw ToolFailure(
                .configuration, problems.map(\.description).joined(separator: "; "),
                hint: "mend the file, or name another with --config")
        }
    }

    private static func usualFile(_ variable: (String) -> String?) -> String? {
        let home = variable("HOME") ?? "/"
        let user = (variable("XDG_CONFIG_HOME") ?? "\(home)/.config") + "/podcastd/podcastd.conf"
        return [user, "/etc/podcastd.conf"].first { access($0, R_OK) == 0 }
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// A small text file, or nil when it is missing, too long or unreadable.
    private static func contents(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            if count == 0 { break }
            bytes += piece[..<count]
            if bytes.count > longestFile { return nil }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
