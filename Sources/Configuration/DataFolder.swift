public import CommandLineTool
internal import PodcastModel

/// The directory of the library and of the clients' settings.
public struct DataFolder: Equatable, Sendable {
    public let path: String

    /// The first of: the settings, systemd's `STATE_DIRECTORY`, `XDG_DATA_HOME/podcastd`, the system service's
    /// directory (root only), `~/.local/share/podcastd`; see file-hierarchy(7).
    /// - Parameter variable: returns the value of an environment variable; nil if it is unset or empty.
    /// - Throws: `configuration` if there is none.
    public init(settings: Settings, variable: (String) -> String?, isRoot: Bool) throws(ToolFailure) {
        // A unit may have several directories; the first belongs to the service (systemd.exec(5)).
        let state = variable("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
        let chosen =
            settings.text("daemon.data_dir") ?? state ?? StandardFolders(variable, usesHome: !isRoot).data
            ?? (isRoot ? StandardFolders.systemData : nil)
        guard let chosen else {
            throw ToolFailure(.configuration, "no data folder: HOME is not set", hint: "set HOME, or use --data-dir")
        }
        path = chosen
    }

    public var library: String { path + "/library.db" }
    public var clientSettings: String { path + "/settings" }
    /// The player's state, restored at the next start.
    public var session: String { path + "/session" }
    public var backups: String { path + "/backups" }

    /// True if a file with this name belongs to podcastd: the user's folder after `--data-dir` may contain other files.
    public static func isOurs(_ name: String) -> Bool {
        ["library.db", "settings", "session", "credentials", "snapserver-volumes-"].contains {
            name.hasPrefix($0)
        }
            || ["library.lock", "refresh.lock"].contains(name)
    }

    /// True if a file with this name in the backup directory belongs to podcastd.
    public static func isBackup(_ name: String) -> Bool { name.hasPrefix("library-") }
}
