internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// Which daemon a client talks to.
public struct SocketDiscovery: Equatable, Sendable {
    public var path: String
    /// What the user should know: that there are two daemons. One line.
    public var note: String?

    /// Chooses the first of: what was asked for; `PODCASTD_SOCKET`; the user's socket, if the user has a library or a daemon
    /// answers there; the system's, if it is there or the system has a library; the user's.
    ///
    /// - Parameters:
    ///   - explicit: `--socket`.
    ///   - variable: the environment.
    ///   - runtime: a folder for `XDG_RUNTIME_DIR`, if that is not set, as in a cron job.
    ///   - exists: whether a file exists; nil if unknown, because the system's library is in a folder that normal
    ///     users may not search.
    ///   - answers: whether a connection to a socket succeeds. Called only for a user without a library, because
    ///     connecting starts a daemon that waits for its first client.
    public init(
        explicit: String?, variable: (String) -> String?, runtime: String? = SocketDiscovery.runtimeFolder,
        exists: (String) -> Bool? = SocketDiscovery.exists, answers: (String) -> Bool = SocketDiscovery.answers
    ) {
        if let path = explicit ?? variable("PODCASTD_SOCKET") {
            self.path = path
            return
        }
        let folders = StandardFolders(variable, runtime: runtime)
        let system = StandardFolders.systemSocket
        guard let user = folders.socket else {
            path = system
            return
        }
        let systemLibrary = StandardFolders.systemData + "/library.db"
        if folders.data.flatMap({ exists("\($0)/library.db") }) == true {
            let isSystemServed = exists(system) == true && exists(systemLibrary) != false
            path = user
            note = isSystemServed ? "using your own daemon; the system's is at --socket \(system)" : nil
        } else if !answers(user), exists(system) == true || exists(systemLibrary) == true {
            path = system
        } else {
            path = user
        }
    }

    public static var runtimeFolder: String? { CurrentProcess.runtimeFolder }

    /// Whether there is something at a path: access(2). Nil when a folder on the way may not be searched.
    public static func exists(_ path: String) -> Bool? {
        do throws(SystemError) {
            try FileAccess().check(path)
            return true
        } catch {
            return error.code == EACCES ? nil : false
        }
    }

    /// Whether a connection to a socket succeeds: connect(2).
    public static func answers(_ path: String) -> Bool { SocketState(of: path) == .serving }
}
