internal import CommandLineTool
internal import Configuration

/// The daemon's paths: from command line and config, else systemd's `*_DIRECTORY` variables, else XDG's; see file-hierarchy(7) and
/// the XDG Base Directory Specification.
struct Places: Equatable, Sendable {
    /// Nil if there is none.
    var configFile: String?
    /// Folder of the library and of the settings that clients made.
    var data: DataFolder
    /// Folder of the episode cache.
    var cache: String
    var socket: String

    /// - Parameters:
    ///   - socket: from the command line; nil for the default.
    ///   - variable: the value of an environment variable.
    ///   - isRoot: whether this is the system's service.
    /// - Throws: `configuration` if there is no folder for the library.
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
