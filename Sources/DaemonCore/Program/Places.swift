internal import CommandLineTool
internal import Configuration
internal import PodcastModel
internal import SystemCalls

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
    ///   - socket: from the command line; nil for `PODCASTD_SOCKET`, else the default.
    ///   - variable: the value of an environment variable.
    ///   - isRoot: whether the system's folders are the default.
    ///   - runtime: a folder for `XDG_RUNTIME_DIR`, if that is not set.
    /// - Throws: `configuration` if there is no folder for the library.
    init(
        settings: Settings, configFile: String?, socket: String?, variable: (String) -> String?, isRoot: Bool,
        runtime: String? = nil
    ) throws(ToolFailure) {
        func first(_ name: String) -> String? { variable(name)?.split(separator: ":").first.map(String.init) }
        self.configFile = configFile
        data = try DataFolder(settings: settings, variable: variable, isRoot: isRoot)
        let folders = StandardFolders(variable, usesHome: !isRoot, runtime: runtime)
        cache =
            settings.text("daemon.cache_dir") ?? first("CACHE_DIRECTORY") ?? folders.cache
            ?? StandardFolders.systemCache
        if let socket = socket ?? variable("PODCASTD_SOCKET").map(CurrentProcess.absolutePath) {
            self.socket = socket
        } else if let runtime = first("RUNTIME_DIRECTORY") {
            self.socket = runtime + "/control"
        } else {
            self.socket = folders.socket ?? StandardFolders.systemSocket
        }
    }
}
