internal import Configuration
internal import Glibc

/// Where the daemon keeps its things.
///
/// Command line and config come first, then systemd's `*_DIRECTORY` variables, then XDG's; see file-hierarchy(7) and
/// the XDG Base Directory Specification.
struct Places: Equatable, Sendable {
    /// Folder of the library and of the settings that clients made.
    var data: String
    /// Folder of the episode cache.
    var cache: String
    /// Path of the control socket.
    var socket: String

    /// The library's file.
    var library: String { data + "/library.db" }
    /// What clients set.
    var clientSettings: String { data + "/settings" }

    /// Finds the places of a process.
    ///
    /// - Parameters:
    ///   - settings: with the command line's words in it.
    ///   - socket: the command line's word; nil for the usual place.
    ///   - environment: looks a variable up.
    ///   - isRoot: whether this is the system's service.
    init(settings: Settings, socket: String?, environment: (String) -> String?, isRoot: Bool) {
        let home = environment("HOME") ?? "/"
        func first(_ variable: String) -> String? {
            environment(variable)?.split(separator: ":").first.map(String.init)
        }
        func xdg(_ variable: String, _ fallback: String) -> String {
            let base = environment(variable).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(fallback)"
            return base + "/podcastd"
        }
        data =
            settings.text("daemon.data_dir") ?? first("STATE_DIRECTORY")
            ?? (isRoot ? "/var/lib/podcastd" : xdg("XDG_DATA_HOME", ".local/share"))
        cache =
            settings.text("daemon.cache_dir") ?? first("CACHE_DIRECTORY")
            ?? (isRoot ? "/var/cache/podcastd" : xdg("XDG_CACHE_HOME", ".cache"))
        if let socket {
            self.socket = socket
        } else if let runtime = first("RUNTIME_DIRECTORY") {
            self.socket = runtime + "/control"
        } else if !isRoot, let runtime = environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") {
            self.socket = runtime + "/podcastd/control"
        } else {
            self.socket = "/run/podcastd/control"
        }
    }

    /// Looks a variable of this process up; an empty one counts as missing.
    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
