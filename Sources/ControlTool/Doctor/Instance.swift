internal import PodcastModel
internal import SystemCalls

/// Whose daemon is checked: its units, folders and users.
enum Instance: Equatable {
    /// The daemon of the user who runs the program.
    case user
    /// The daemon of the system.
    case system
    /// A daemon at another socket, which was named.
    case named

    init(socket path: String, on machine: any Machine) {
        switch path {
        case StandardFolders.systemSocket: self = .system
        case StandardFolders(machine.variable, runtime: machine.runtimeFolder).socket: self = .user
        default: self = .named
        }
    }

    /// The command for its service manager.
    var systemctl: String { self == .system ? "sudo systemctl" : "systemctl --user" }

    /// The command for its journal.
    var journalctl: String { self == .system ? "journalctl" : "journalctl --user" }

    /// Where its unit files may be.
    func unitFolders(on machine: any Machine) -> [String] {
        let kind = self == .system ? "system" : "user"
        let folders = StandardFolders(machine.variable)
        let own = [
            folders.configFile.map { StoredFile.folder(of: StoredFile.folder(of: $0)) },
            folders.data.map(StoredFile.folder),
        ]
        return (self == .user ? own.compactMap { $0.map { "\($0)/systemd/user" } } : [])
            + ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { "\($0)/systemd/\(kind)" }
    }

    /// The default folders of library and cache; nil if they cannot be known.
    func folders(on machine: any Machine) -> (data: String, cache: String)? {
        switch self {
        case .system: return (StandardFolders.systemData, StandardFolders.systemCache)
        case .named: return nil
        case .user:
            let folders = StandardFolders(machine.variable)
            guard let data = folders.data, let cache = folders.cache else { return nil }
            return (data, cache)
        }
    }
}
