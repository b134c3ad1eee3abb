public import CommandLineTool
internal import PodcastModel

/// The folder of the library and of the settings made by clients.
public struct DataFolder: Equatable, Sendable {
    public let path: String

    /// Returns the first one given by: the settings, systemd's `STATE_DIRECTORY`, `XDG_DATA_HOME/podcastd`, the system service's
    /// folder (root only), `~/.local/share/podcastd`; see file-hierarchy(7).
    ///
    /// - Parameters:
    ///   - settings: the settings from command line and config file.
    ///   - variable: returns the value of an environment variable; nil if it is unset or empty.
    ///   - isRoot: whether to use the system's library by default.
    /// - Throws: `configuration` if none of them is given.
    public init(settings: Settings, variable: (String) -> String?, isRoot: Bool) throws(ToolFailure) {
        if let chosen = settings.text("daemon.data_dir") {
            path = chosen
        } else if let state = variable("STATE_DIRECTORY")?.split(separator: ":").first {
            // A unit may have several folders; the first belongs to the service (systemd.exec(5)).
            path = String(state)
        } else if let data = StandardFolders(variable, usesHome: !isRoot).data {
            path = data
        } else if isRoot {
            path = StandardFolders.systemData
        } else {
            throw ToolFailure(
                .configuration, "no data folder: HOME is not set", hint: "set HOME, or use --data-dir")
        }
    }

    /// Path of the library file.
    public var library: String { path + "/library.db" }
    /// Path of the settings made by clients.
    public var clientSettings: String { path + "/settings" }
    /// Path of what the next start restores of the player.
    public var session: String { path + "/session" }
    /// Folder of the library's backups.
    public var backups: String { path + "/backups" }

    /// Whether a file of that name in the folder is the program's. A folder that was chosen with `--data-dir` may hold other
    /// files of the user.
    public static func isOurs(_ name: String) -> Bool {
        ["library.db", "settings", "session", "credentials"].contains { name.hasPrefix($0) }
            || ["library.lock", "refresh.lock"].contains(name)
    }

    /// Whether a file of that name in the folder of backups is the program's.
    public static func isBackup(_ name: String) -> Bool { name.hasPrefix("library-") }
}
