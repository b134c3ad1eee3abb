public import CommandLineTool
internal import PodcastModel
internal import SystemCalls

/// Reads settings for all programs from the same sources: the command line once, the files on each call.
public struct SettingsReader: Sendable {
    private static let longestFile = 1 << 20

    public static let configOption = OptionDeclaration(
        "config", nil, "FILE", .file,
        help: "Config file (default: $XDG_CONFIG_HOME/podcastd/podcastd.conf, else /etc/podcastd.conf).")

    /// Absolute path of the config file; nil if none was given and none exists in the default places.
    public let configFile: String?
    /// The config file that the user can change or create. Users cannot change the system's, which serves them until they have their own.
    /// Root can change it, and has another one only if `XDG_CONFIG_HOME` is set.
    public let changeableFile: String
    private let commandLine: [(key: String, value: String)]

    /// - Parameter variable: returns the value of an environment variable; nil if it is unset or empty.
    public init(
        arguments: ParsedArguments, options: [(option: OptionDeclaration, key: String)],
        variable: (String) -> String?, isRoot: Bool? = nil
    ) {
        let explicit = arguments.text(Self.configOption).map(CurrentProcess.absolutePath)
        configFile = explicit ?? Self.usualFile(variable)
        let isRoot = isRoot ?? (CurrentProcess.effectiveUser == 0)
        let own = isRoot && variable("XDG_CONFIG_HOME") == nil ? nil : StandardFolders(variable).configFile
        changeableFile =
            explicit ?? configFile.flatMap { $0 == StandardFolders.systemConfigFile ? nil : $0 } ?? own
            ?? StandardFolders.systemConfigFile
        commandLine = options.compactMap { option, key in
            guard let value = arguments.text(option) else { return nil }
            return (key, SettingTable.declaration(key)?.kind == .path ? CurrentProcess.absolutePath(value) : value)
        }
    }

    /// The settings from command line and config file.
    /// - Parameter report: receives unknown settings of the config file, which are ignored.
    /// - Throws: `configuration` with all other problems in the config file and their lines, because a partly applied
    ///   config would surprise the user later; `usage` for an invalid value on the command line.
    public func read(report: (SettingProblem) -> Void) throws(ToolFailure) -> Settings {
        var settings = Settings()
        if let configFile { try Self.read(configFile, into: &settings, report) }
        for (key, value) in commandLine {
            try mapError(of: settings.set(key, to: value, from: .commandLine)) { (error: SettingProblem) in
                ToolFailure(.usage, error.message)
            }
        }
        return settings
    }

    /// Adds the clients' settings. Invalid lines are reported and ignored, because users do not write this file.
    public func addClientSettings(
        to settings: Settings, from folder: DataFolder, report: (SettingProblem) -> Void
    ) -> Settings {
        var settings = settings
        guard let text = Self.contents(of: folder.clientSettings) else { return settings }
        settings.read(text, file: folder.clientSettings, as: .client).forEach(report)
        return settings
    }

    private static func read(
        _ configFile: String, into settings: inout Settings, _ report: (SettingProblem) -> Void
    ) throws(ToolFailure) {
        guard let text = contents(of: configFile) else {
            let reason: String
            do throws(SystemError) {
                try FileAccess.read.check(configFile)
                reason = "it is not a file of at most \(longestFile >> 20) MiB"
            } catch { reason = error.reason }
            throw ToolFailure(
                .configuration, "cannot read the config file \(configFile): \(reason)",
                hint: FileAccess().isAllowed(configFile)
                    ? "fix its permissions, remove it, or use another one with --config"
                    : "create it, or use another one with --config")
        }
        let found = settings.read(text, file: configFile, as: .configFile)
        if found.allSatisfy(\.isUnknown) {
            found.forEach(report)
        } else {
            throw ToolFailure(
                .configuration, found.map(\.description).joinedText("; "),
                hint: "fix the file, or use another one with --config")
        }
    }

    /// The first existing file, so that an unreadable file is an error and not ignored.
    private static func usualFile(_ variable: (String) -> String?) -> String? {
        [StandardFolders(variable).configFile, StandardFolders.systemConfigFile].compactMap(\.self)
            .first { FileAccess().isAllowed($0) }
    }

    /// Content of a small text file; nil if it is missing, not a regular file, too long or unreadable.
    private static func contents(of path: String) -> String? {
        // Opening a named pipe would wait for a writer.
        guard (try? FileStatus(path: path))?.isRegular == true,
            let bytes = try? StoredFile.contents(of: path, limit: longestFile)
        else { return nil }
        return String(utf8: bytes)
    }
}
