internal import Glibc

/// Which daemon a client talks to.
public struct SocketDiscovery: Equatable, Sendable {
    /// The socket's path.
    public var path: String
    /// What the user should know: that there are two daemons. One line.
    public var note: String?

    /// Looks at what was asked for, then the environment, then which of the user's and the system's daemon has a
    /// library; the user's wins.
    ///
    /// - Parameters:
    ///   - explicit: `--socket`.
    ///   - variable: the environment.
    ///   - exists: whether there is something at a path, or nil when that may not be known.
    public init(
        explicit: String?, variable: (String) -> String?, exists: (String) -> Bool? = SocketDiscovery.exists
    ) {
        if let path = explicit ?? variable("PODCASTD_SOCKET") {
            self.init(path: path)
            return
        }
        let system = "/run/podcastd/control"
        guard let runtime = variable("XDG_RUNTIME_DIR") else {
            self.init(path: system)
            return
        }
        let user = "\(runtime)/podcastd/control"
        let data = variable("XDG_DATA_HOME") ?? variable("HOME").map { "\($0)/.local/share" }
        let userHasLibrary = data.map { exists("\($0)/podcastd/library.db") ?? false } ?? false
        // The system's folder may be closed to this user; that there is one says enough.
        let systemHasLibrary = exists("/var/lib/podcastd/library.db") ?? true
        if userHasLibrary && systemHasLibrary && exists(system) == true {
            self.init(path: user, note: "using your own daemon; the system's is at --socket \(system)")
        } else if userHasLibrary {
            self.init(path: user)
        } else if systemHasLibrary || (exists(user) != true && exists(system) == true) {
            self.init(path: system)
        } else {
            self.init(path: user)
        }
    }

    private init(path: String, note: String? = nil) {
        self.path = path
        self.note = note
    }

    /// Whether there is something at a path: access(2). Nil when a folder on the way may not be searched.
    public static func exists(_ path: String) -> Bool? {
        if access(path, F_OK) == 0 { return true }
        return errno == EACCES ? nil : false
    }
}
