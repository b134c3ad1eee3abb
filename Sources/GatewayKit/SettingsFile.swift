public import CommandLineTool
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// A gateway's settings file, beside the daemon's own.
public enum SettingsFile {
    private static let maximumBytes = 1 << 20

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - name: of the file in the folder of the daemon's configuration, such as `~/.config/podcastd`.
    ///   - explicit: the path that the user gave; such a file must exist.
    ///   - isRequired: whether the file must exist in any case.
    ///   - check: finds what else is wrong with the settings.
    /// - Throws: all that is wrong with the file, one problem a line.
    public static func read<Settings: GatewaySettings>(
        _ name: String, explicit: String?, isRequired: Bool = false, variable: (String) -> String?,
        check: (Settings) -> [SettingsProblem] = { _ in [] }
    ) throws(ToolFailure) -> Settings {
        guard let path = explicit ?? standardPath(name, variable) else {
            if !isRequired { return Settings() }
            throw ToolFailure(.configuration, "HOME is not set", hint: "name the file with --config")
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try StoredFile.contents(of: path, limit: maximumBytes)
        } catch {
            if explicit == nil && !isRequired && error.code == ENOENT { return Settings() }
            throw ToolFailure(
                .configuration, "\(path): \(error.reason)",
                hint: error.code == ENOENT ? "the manual page has an example" : nil)
        }
        var (settings, problems) = Settings.read(String(decoding: bytes, as: UTF8.self))
        problems += check(settings)
        if problems.isEmpty { return settings }
        problems.sort { $0.line < $1.line }
        let messages = problems.map { "\(path), \($0)" }
        var failure = ToolFailure(.configuration, messages[0])
        failure.further = Array(messages.dropFirst())
        throw failure
    }

    private static func standardPath(_ name: String, _ variable: (String) -> String?) -> String? {
        StandardFolders(variable).configFile.map { StoredFile.folder(of: $0) + "/" + name }
    }
}
