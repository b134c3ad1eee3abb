public import CommandLineTool

/// The folder of the library and of the settings that clients made.
public struct DataFolder: Equatable, Sendable {
    /// Its path.
    public let path: String

    /// The first of: the settings, systemd's `STATE_DIRECTORY`, for root the system service's folder,
    /// `XDG_DATA_HOME/podcastd`, `~/.local/share/podcastd`; see file-hierarchy(7).
    ///
    /// - Parameters:
    ///   - settings: with the command line's words and the config file's in it.
    ///   - variable: looks an environment variable up; nil when it is unset or empty.
    ///   - isRoot: whether the system's library is meant where nothing else says so.
    /// - Throws: `configuration` when none of them is known.
    public init(settings: Settings, variable: (String) -> String?, isRoot: Bool) throws(ToolFailure) {
        if let chosen = settings.text("daemon.data_dir") {
            path = chosen
        } else if let state = variable("STATE_DIRECTORY")?.split(separator: ":").first {
            // A unit may have several folders; the first one is the service's own: systemd.exec(5).
            path = String(state)
        } else if isRoot {
            path = "/var/lib/podcastd"
        } else if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") {
            // A relative path is to be ignored: XDG Base Directory Specification.
            path = data + "/podcastd"
        } else if let home = variable("HOME") {
            path = home + "/.local/share/podcastd"
        } else {
            throw ToolFailure(
                .configuration, "no folder for the library is known", hint: "set HOME, or use --data-dir")
        }
    }

    /// The library's file.
    public var library: String { path + "/library.db" }
    /// What clients set.
    public var clientSettings: String { path + "/settings" }
}
