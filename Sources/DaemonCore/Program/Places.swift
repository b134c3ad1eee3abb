internal import CommandLineTool
internal import Configuration

/// Where the daemon keeps its things.
///
/// Command line and config come first, then systemd's `*_DIRECTORY` variables, then XDG's; see file-hierarchy(7) and
/// the XDG Base Directory Specification.
struct Places: Equatable, Sendable {
    /// The config file; nil when there is none.
    var configFile: String?
    /// Folder of the library and of the settings that clients made.
    var data: DataFolder
    /// Folder of the episode cache.
    var cache: String
    /// Path of the control socket.
    var socket: String

    /// Finds the places of a process.
    ///
    /// - Parameters:
    ///   - settings: with the command line's words in it.
    ///   - configFile: where some of them are from.
    ///   - socket: the command line's word; nil for the usual place.
    ///   - variable: looks an environment variable up.
    ///   - isRoot: whether this is the system's service.
    /// - Throws: `configuration` when no folder for the library is known.
    init(
        settings: Settings, configFile: String?, socket: String?, variable: (String) -> String?, isRoot: Bool
    ) throws(ToolFailure) {
        func first(_ name: String) -> String? { variable(name)?.split(separator: ":").first.map(String.init) }
        self.configFile = configFile
        data = try DataFolder(settings: settings, variable: variable, isRoot: isRoot)
        let userCache = variable("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        cache =
            settings.text("daemon.cache_dir") ?? first("CACHE_DIRECTORY")
            ?? (isRoot ? "/var/cache" : userCache ?? "\(variable("HOME") ?? "")/.cache") + "/podcastd"
        if let socket {
            self.socket = socket
        } else if let runtime = first("RUNTIME_DIRECTORY") {
            self.socket = runtime + "/control"
        } else if !isRoot, let runtime = variable("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
            self.socket = runtime + "/podcastd/control"
        } else {
            self.socket = "/run/podcastd/control"
        }
    }
}
