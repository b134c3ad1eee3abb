/// Whose daemon is checked: its units, folders and users.
enum Instance: Equatable {
    /// The daemon of the user who runs the program.
    case user
    /// The daemon of the system.
    case system
    /// A daemon at another socket, which was named.
    case named

    static let systemSocket = "/run/podcastd/control"

    /// The socket of the user's daemon; nil without a session.
    static func userSocket(on machine: any Machine) -> String? {
        machine.variable("XDG_RUNTIME_DIR").map { "\($0)/podcastd/control" }
    }

    init(socket path: String, on machine: any Machine) {
        switch path {
        case Self.systemSocket: self = .system
        case Self.userSocket(on: machine): self = .user
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
        let own = (machine.variable("XDG_CONFIG_HOME") ?? machine.variable("HOME").map { "\($0)/.config" })
            .map { "\($0)/systemd/user" }
        return (self == .user ? [own].compactMap { $0 } : [])
            + ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { "\($0)/systemd/\(kind)" }
    }

    /// The default folders of library and cache; nil if they cannot be known.
    func folders(on machine: any Machine) -> (data: String, cache: String)? {
        switch self {
        case .system: return ("/var/lib/podcastd", "/var/cache/podcastd")
        case .named: return nil
        case .user:
            let home = machine.variable("HOME")
            guard let data = machine.variable("XDG_DATA_HOME") ?? home.map({ "\($0)/.local/share" }),
                let cache = machine.variable("XDG_CACHE_HOME") ?? home.map({ "\($0)/.cache" })
            else { return nil }
            return ("\(data)/podcastd", "\(cache)/podcastd")
        }
    }
}
