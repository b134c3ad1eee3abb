internal import CommandLineTool
internal import Configuration
internal import PodcastModel
internal import Presentation
internal import Reporting
internal import SystemCalls

/// Checks of a daemon and its machine that need no answer of the daemon.
struct OutsideChecks {
    let machine: Machine
    let instance: Instance

    init(_ machine: Machine, socket: String) {
        self.machine = machine
        instance = Instance(socket: socket, on: machine)
    }

    /// All checks in the order in which they are shown.
    var all: [HealthCheck] {
        [
            HealthCheck(["units", "timer", "linger"]) {
                let services = services
                return [services.daemon, services.timer, services.lingering]
            },
            HealthCheck("sound server") { soundServer },
            HealthCheck("clock") { clock },
        ]
    }

    private var services: ServiceChecks { ServiceChecks(machine, instance) }
    var timer: Finding { services.timer }

    var soundServer: Finding {
        guard instance != .system else { return .notApplicable("a system service uses ALSA, a FIFO or a pipe") }
        let runtime = machine.variable("XDG_RUNTIME_DIR")
        let named = machine.variable("PULSE_SERVER").flatMap { server in
            server.hasPrefix("unix:") ? String(server.dropFirst(5)) : server.hasPrefix("/") ? server : nil
        }
        let pulse = named ?? runtime.map { "\($0)/pulse/native" }
        let servers = [
            ("PipeWire", runtime.map { "\($0)/pipewire-0" }, "systemctl --user restart pipewire"),
            ("PulseAudio", pulse, "systemctl --user restart pipewire-pulse, or pulseaudio --start"),
        ]
        var answering: [String] = []
        for (server, path, fix) in servers {
            guard let path else { continue }
            switch machine.socket(path) {
            case .serving: answering.append(server)
            case .dead: return .problem("\(server) does not answer at \(path)", fix: fix)
            case .forbidden:
                return .problem(
                    "\(server) at \(path) belongs to another user", fix: "run podcastd as the user who is logged in")
            case .missing: break
            }
        }
        return .ok(answering.isEmpty ? "none found; ALSA is used directly" : "found: " + answering.joinedText(" and "))
    }

    var clock: Finding {
        let fix = "sudo timedatectl set-ntp true, or install chrony"
        let now = ShownTime(offset: machine.zoneOffset, isComplete: true).time(machine.now())
        // Before the program was written, or past what certificates last.
        guard (2025..<2100).contains(machine.now().civilDate.year) else {
            return .problem("\(now) is wrong: https does not work", fix: fix)
        }
        return machine.isClockKept() == false
            ? .notice("\(now); no time synchronisation found", fix: fix)
            : .ok("\(now)" + (machine.isClockKept() == true ? ", synchronised" : ""))
    }

    /// The checks that apply only while no daemon answers, because a daemon makes them itself.
    var withoutDaemon: [HealthCheck] {
        let settings = HealthCheck("settings") { self.settings }
        guard let folders = instance.folders(on: machine) else { return [settings] }
        return [settings]
            + [("library space", folders.data), ("cache space", folders.cache)].map { name, folder in
                HealthCheck(name) { .space(in: folder, free: machine.free(folder)) }
            }
    }

    /// Whether a daemon would start with its config file.
    var settings: Finding {
        let own = instance == .system ? nil : StandardFolders(machine.variable).configFile
        let files = [own, StandardFolders.systemConfigFile].compactMap { $0 }
        guard let file = files.first(where: { machine.state($0) != .missing }) else {
            return .ok("no config file; the defaults apply")
        }
        guard let content = machine.text(file) else {
            return .problem("\(file) cannot be read", fix: "sudo chown \(machine.userName()) \(file), or remove it")
        }
        var settings = Settings()
        let problems = settings.read(content, file: file, as: .configFile)
        guard !problems.isEmpty else { return .ok(file) }
        let text = problems.map(\.description).joinedText("; ")
        let fix = problems.count == 1 ? "correct or remove this line" : "correct or remove these lines"
        return problems.allSatisfy(\.isUnknown)
            ? .notice(text, fix: fix) : .problem("podcastd does not start: \(text)", fix: fix)
    }
}

/// Whose daemon is checked: its units, folders and users.
enum Instance {
    /// The daemon of the user who runs the program.
    case user
    case system
    /// A daemon at another socket, which was named.
    case named

    init(socket path: String, on machine: Machine) {
        switch path {
        case StandardFolders.systemSocket: self = .system
        case StandardFolders(machine.variable, runtime: machine.runtimeFolder()).socket: self = .user
        default: self = .named
        }
    }

    var systemctl: String { self == .system ? "sudo systemctl" : "systemctl --user" }

    var journalctl: String { self == .system ? "journalctl" : "journalctl --user" }

    /// The default folders of library and cache; nil if the folders are unknown.
    func folders(on machine: Machine) -> (data: String, cache: String)? {
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
