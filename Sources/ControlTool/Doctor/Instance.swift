/// Whose daemon is looked at: what its units, places and users are called.
enum Instance: Equatable {
    /// The asking user's own.
    case user
    /// The machine's.
    case system
    /// One at a socket that was named and belongs to neither.
    case named

    static let systemSocket = "/run/podcastd/control"

    /// The user's own socket; nil without a session.
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

    /// How its service manager is spoken to.
    var systemctl: String { self == .system ? "sudo systemctl" : "systemctl --user" }

    /// How its journal is read.
    var journalctl: String { self == .system ? "journalctl" : "journalctl --user" }

    /// Where its unit files may be.
    func unitFolders(on machine: any Machine) -> [String] {
        let kind = self == .system ? "system" : "user"
        let own = (machine.variable("XDG_CONFIG_HOME") ?? machine.variable("HOME").map { "\($0)/.config" })
            .map { "\($0)/systemd/user" }
        return (self == .user ? [own].compactMap { $0 } : [])
            + ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { "\($0)/systemd/\(kind)" }
    }

    /// The folders of library and cache, unless the daemon was told others; nil where nobody can know.
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
