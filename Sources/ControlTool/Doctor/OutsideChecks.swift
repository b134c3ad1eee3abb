internal import CommandLineTool
internal import Configuration
internal import PodcastModel
internal import Presentation
internal import Reporting
internal import SystemCalls

/// Checks of a daemon and its machine that need no answer of the daemon.
struct OutsideChecks {
    let machine: any Machine
    /// The socket at which the daemon is, or should be.
    let socket: String
    let instance: Instance
    private let users: UserTables

    init(_ machine: any Machine, socket: String) {
        self.machine = machine
        self.socket = socket
        instance = Instance(socket: socket, on: machine)
        users = UserTables(machine)
    }

    /// All checks in the order in which they are shown.
    var all: [HealthCheck] {
        [
            HealthCheck("instances") { instances },
            HealthCheck(["units", "timer", "linger"]) {
                let services = services
                return [services.daemon, services.timer, services.lingering]
            },
            HealthCheck("sound server") { soundServer },
            HealthCheck("sound rights") { soundRights },
            HealthCheck("clock") { clock },
            HealthCheck("landlock") { landlock },
            HealthCheck("seccomp") { systemCallFilter },
        ]
    }

    private var services: ServiceChecks { ServiceChecks(machine, instance, userName: userName) }
    var timer: Finding { services.timer }
    private var userName: String { users.name(of: machine.user) ?? "\(machine.user)" }

    /// Whether a user's daemon and the system's stand side by side.
    var instances: Finding {
        let places = [
            (StandardFolders(machine.variable, runtime: machine.runtimeFolder).socket, Instance.user),
            (StandardFolders.systemSocket, .system),
        ]
        // Files are checked, because a connection could start the other daemon.
        let found = places.filter { path, instance in
            let library = instance.folders(on: machine).map { machine.state(of: $0.data + "/library.db") } ?? .missing
            return path.map { machine.state(of: $0) != .missing } == true && library != .missing
        }.compactMap(\.0)
        guard found.count == 2, instance != .named else { return .ok("no second daemon") }
        return .notice(
            "your own daemon and the system's each have a library; using \(socket)",
            fix: "select the other with --socket \(found.first { $0 != socket } ?? "PATH")")
    }

    /// Whether a sound server is there, and answers.
    var soundServer: Finding {
        guard instance != .system else {
            return .notApplicable("a system service uses ALSA, a FIFO or a pipe")
        }
        let runtime = machine.variable("XDG_RUNTIME_DIR")
        let named = machine.variable("PULSE_SERVER").flatMap { server in
            server.hasPrefix("unix:") ? String(server.dropFirst(5)) : server.hasPrefix("/") ? server : nil
        }
        let servers = [
            ("PipeWire", runtime.map { "\($0)/pipewire-0" }, "systemctl --user restart pipewire"),
            (
                "PulseAudio", named ?? runtime.map { "\($0)/pulse/native" },
                "systemctl --user restart pipewire-pulse, or pulseaudio --start"
            ),
        ]
        var answering: [String] = []
        for (server, path, fix) in servers {
            guard let path else { continue }
            switch machine.socket(at: path) {
            case .serving: answering.append(server)
            case .dead:
                return .problem("\(server) does not answer at \(path)", fix: fix)
            case .forbidden:
                return .problem(
                    "\(server) at \(path) belongs to another user",
                    fix: "run podcastd as the user who is logged in")
            case .missing: break
            }
        }
        return .ok(answering.isEmpty ? "none found; ALSA is used directly" : "found: " + answering.joinedText(" and "))
    }

    /// Whether the daemon's user may open the sound cards.
    var soundRights: Finding {
        let devices = machine.names(in: "/dev/snd").filter { $0.hasPrefix("pcm") && $0.hasSuffix("p") }
        guard !devices.isEmpty else { return .notApplicable("no sound card") }
        if instance == .system {
            guard users.hasUser("podcastd") else {
                return .problem(
                    "user podcastd does not exist", fix: "sudo systemd-sysusers && sudo systemd-tmpfiles --create"
                )
            }
            if machine.isBootedBySystemd { return .ok("the unit gives podcastd the group audio") }
            return users.isMember("podcastd", of: "audio")
                ? .ok("podcastd is in the group audio")
                : .problem("podcastd is not in the group audio", fix: "sudo adduser podcastd audio")
        }
        if devices.contains(where: { machine.state(of: "/dev/snd/\($0)") == .open }) {
            return .ok("\(userName) may open the sound card")
        }
        return users.isMember(userName, of: "audio")
            ? .problem("\(userName) was added to the group audio after this login", fix: "log in again")
            : .problem(
                "\(userName) may not open the sound card",
                fix: "sudo adduser \(userName) audio, then log in again")
    }

    /// Whether the clock can be right.
    var clock: Finding {
        let fix = "sudo timedatectl set-ntp true, or install chrony"
        let now = ShownTime(offset: machine.zoneOffset, isComplete: true).time(machine.now)
        // Before the program was written, or past what certificates last.
        guard (2025..<2100).contains(machine.now.civilDate.year) else {
            return .problem("\(now) is wrong: https does not work", fix: fix)
        }
        return machine.isClockKept == false
            ? .notice("\(now); no time synchronisation found", fix: fix)
            : .ok("\(now)" + (machine.isClockKept == true ? ", synchronised" : ""))
    }

    /// Whether the kernel can take the file system from the decoder.
    var landlock: Finding {
        let version = machine.landlockVersion
        return version > 0
            ? .ok("supported by the kernel, version \(version)")
            : .notice(
                "not supported by the kernel; the decoder is confined by its system call filter only",
                fix: "use Linux 5.13 or later with landlock in lsm=")
    }

    /// Whether the kernel can filter the decoder's system calls.
    var systemCallFilter: Finding {
        guard let actions = machine.text(of: "/proc/sys/kernel/seccomp/actions_avail") else {
            return .notice(
                "cannot tell whether the kernel filters system calls",
                fix: "run doctor while the daemon runs, which tries it")
        }
        return actions.split(whereSeparator: { $0 == " " || $0 == "\n" }).contains("kill_process")
            ? .ok("the kernel filters system calls")
            : .problem(
                "the kernel does not support system call filters; the decoder will not start",
                fix: "use Linux 4.14 or later with CONFIG_SECCOMP_FILTER")
    }

    /// The checks that apply only while no daemon answers, because a daemon makes them itself.
    var withoutDaemon: [HealthCheck] {
        let settings = HealthCheck("settings") { self.settings }
        guard let folders = instance.folders(on: machine) else { return [settings] }
        return [settings, space("library space", folders.data), space("cache space", folders.cache)]
    }

    /// Whether a daemon would start with its config file.
    var settings: Finding {
        let own = instance == .system ? nil : StandardFolders(machine.variable).configFile
        let files = [own, StandardFolders.systemConfigFile].compactMap { $0 }
        guard let file = files.first(where: { machine.state(of: $0) != .missing }) else {
            return .ok("no config file; the defaults apply")
        }
        guard let content = machine.text(of: file) else {
            return .problem("\(file) cannot be read", fix: "sudo chown \(userName) \(file), or remove it")
        }
        var settings = Settings()
        let problems = settings.read(content, file: file, as: .configFile)
        guard !problems.isEmpty else { return .ok(file) }
        let text = problems.map(\.description).joined(separator: "; ")
        let fix = problems.count == 1 ? "correct or remove this line" : "correct or remove these lines"
        return problems.allSatisfy(\.isUnknown)
            ? .notice(text, fix: fix) : .problem("podcastd does not start: \(text)", fix: fix)
    }

    private func space(_ name: String, _ folder: String) -> HealthCheck {
        HealthCheck(name) { .space(in: folder, free: machine.room(at: folder)?.free) }
    }
}

extension Machine {
    /// Whether systemd is this machine's service manager: sd_booted(3).
    var isBootedBySystemd: Bool { state(of: "/run/systemd/system") != .missing }
}

/// Whose daemon is checked: its units, folders and users.
enum Instance: Equatable {
    /// The daemon of the user who runs the program.
    case user
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

    var systemctl: String { self == .system ? "sudo systemctl" : "systemctl --user" }

    var journalctl: String { self == .system ? "journalctl" : "journalctl --user" }

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

    /// The default folders of library and cache; nil if the folders are unknown.
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

/// The system's users and groups by their files: passwd(5), group(5). Names from elsewhere, such as LDAP, are not known to
/// a static program.
struct UserTables {
    private let users: [[Substring]]
    private let groups: [[Substring]]

    init(_ machine: any Machine) {
        users = Self.lines(of: machine.text(of: "/etc/passwd"))
        groups = Self.lines(of: machine.text(of: "/etc/group"))
    }

    private static func lines(of text: String?) -> [[Substring]] {
        (text ?? "").split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
            .filter { $0.count >= 4 }
    }

    func name(of user: UInt32) -> String? { users.first { UInt32($0[2]) == user }.map { String($0[0]) } }

    /// Whether there is a user of that name.
    func hasUser(_ name: String) -> Bool { users.contains { $0[0] == name } }

    /// Whether a user is in a group: as a member, or by the user's own first group.
    func isMember(_ user: String, of group: String) -> Bool {
        guard let group = groups.first(where: { $0[0] == group }) else { return false }
        return group[3].split(separator: ",").contains { $0 == user }
            || users.contains { $0[0] == user && $0[3] == group[2] }
    }
}
