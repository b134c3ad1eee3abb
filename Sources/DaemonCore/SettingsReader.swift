internal import CommandLineTool
internal import Configuration
internal import Diagnostics
internal import Glibc

/// Reads the settings' sources: the command line once, the files at the start and at each reload.
struct SettingsReader {
    private static let longestFile = 1 << 20
    private let arguments: ParsedArguments
    private let configFile: String?

    /// A reader for a command line.
    init(arguments: ParsedArguments) {
        self.arguments = arguments
        configFile = arguments.text(DaemonOptions.config) ?? Self.usualFile()
    }

    /// The settings of command line and config file.
    /// - Throws: with every problem in the config file: a daemon with half its config is a surprise later.
    func readAtStart() throws(ToolFailure) -> Settings {
        let (settings, problems) = try read()
        guard problems.isEmpty else {
            throw ToolFailure(
                .configuration, problems.map(\.description).joined(separator: "; "),
                hint: "mend the file, or name another with --config")
        }
        return settings
    }

    /// Adds what clients set; a line that does not fit is told and passed over, since no person wrote it.
    func addClientSettings(to settings: Settings, from path: String, logger: Logger) -> Settings {
        var settings = settings
        guard let text = Self.contents(of: path) else { return settings }
        for problem in settings.read(text, file: path, as: .client) {
            logger.log(.warning, "settings", problem.description)
        }
        return settings
    }

    /// The settings for a reload; nil, with the problems logged, when the config file is wrong now.
    func readAgain(_ clientSettings: String, logger: Logger) -> Settings? {
        do throws(ToolFailure) {
            return addClientSettings(to: try readAtStart(), from: clientSettings, logger: logger)
        } catch {
            logger.log(.error, "config", "\(error.message); the settings from before stay")
            return nil
        }
    }

    private func read() throws(ToolFailure) -> (Settings, [SettingProblem]) {
        var settings = Settings()
        var problems: [SettingProblem] = []
        if let configFile {
            guard let text = Self.contents(of: configFile) else {
                throw ToolFailure(.configuration, "the config file \(configFile) cannot be read")
            }
            problems = settings.read(text, file: configFile, as: .configFile)
        }
        for (option, key) in DaemonOptions.settings {
            guard let value = arguments.text(option) else { continue }
            let isPath = key.hasSuffix("_dir")
            do throws(SettingProblem) {
                try settings.set(key, to: isPath ? Self.absolute(value) : value, from: .commandLine)
            } catch {
                throw ToolFailure(.usage, error.message)
            }
        }
        return (settings, problems)
    }

    private static func usualFile() -> String? {
        let home = Places.environment("HOME") ?? "/"
        let user = (Places.environment("XDG_CONFIG_HOME") ?? "\(home)/.config") + "/podcastd/podcastd.conf"
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
