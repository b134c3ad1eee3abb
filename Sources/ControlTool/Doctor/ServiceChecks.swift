internal import Health
internal import SystemCalls

/// Whether daemon and refresh begin by themselves: units, timer, lingering.
struct ServiceChecks {
    private static let names = ["podcastd.socket", "podcastd.service", "podcast-refresh.timer"]
    private static let crontabs = ["/etc/cron.d", "/etc/cron.hourly", "/etc/cron.daily"]

    private let machine: any Machine
    private let instance: Instance
    private let userName: String
    private let states: UnitStates?
    private let isBooted: Bool

    init(_ machine: any Machine, _ instance: Instance, userName: String) {
        self.machine = machine
        self.instance = instance
        self.userName = userName
        isBooted = machine.isBootedBySystemd
        states = isBooted && instance != .named ? UnitStates(Self.names, of: instance, on: machine) : nil
    }

    /// All of them.
    var all: [Finding] { [units, timer, lingering] }

    /// Whether the daemon's units are there and enabled.
    var units: Finding {
        let name = "units"
        if instance == .named { return .ok(name, "of no concern: this socket is not that of the units") }
        guard isBooted else { return .ok(name, "of no concern: systemd does not run here") }
        guard let states else {
            return .notice(
                name, "the service manager does not answer", fix: "see why: \(instance.systemctl) status")
        }
        let (socket, service) = (states["podcastd.socket"], states["podcastd.service"])
        guard socket.isLoaded || service.isLoaded else {
            let isFound = instance.unitFolders(on: machine).contains {
                machine.state(of: "\($0)/podcastd.service") != .missing
            }
            return .notice(
                name, isFound ? "installed, but not read by systemd yet" : "podcastd.service is not installed",
                fix: isFound ? "\(instance.systemctl) daemon-reload" : "install podcastd with its units: make install")
        }
        if service.hasFailed || socket.hasFailed {
            return .problem(
                name, "podcastd has failed and was given up", fix: "see why: \(instance.journalctl) -u podcastd -e")
        }
        guard socket.isEnabled || service.isEnabled else {
            return .notice(
                name, "podcastd does not start by itself",
                fix: "\(instance.systemctl) enable --now podcastd.socket")
        }
        return .ok(
            name,
            (service.isEnabled ? "podcastd.service" : "podcastd.socket") + " is enabled"
                + (service.isActive ? ", the service runs" : ""))
    }

    /// Whether something refreshes the feeds.
    var timer: Finding {
        let name = "timer"
        if instance == .named { return .ok(name, "of no concern: this socket is not that of the units") }
        if let timer = states?["podcast-refresh.timer"], timer.isActive {
            guard timer.isEnabled else {
                return .notice(
                    name, "podcast-refresh.timer runs, but not after the next start",
                    fix: "\(instance.systemctl) enable podcast-refresh.timer")
            }
            return .ok(name, "podcast-refresh.timer runs")
        }
        let tables = Self.crontabs.flatMap { folder in machine.names(in: folder).map { "\(folder)/\($0)" } }
        if let table = tables.first(where: { machine.text(of: $0)?.contains("podcast-refresh") == true }) {
            return .ok(name, "cron refreshes the feeds: \(table)")
        }
        let finding = "nothing is seen to refresh the feeds by itself"
        guard let states, states["podcast-refresh.timer"].isLoaded else {
            return .notice(
                name, finding, fix: "let cron run podcast-refresh: crontab -e, like etc/cron.d/podcastd-refresh")
        }
        return .problem(name, finding, fix: "\(instance.systemctl) enable --now podcast-refresh.timer")
    }

    /// Whether a user's daemon outlives the log-in.
    var lingering: Finding {
        let name = "linger"
        guard instance == .user, isBooted else { return .ok(name, "of no concern: no user's service manager") }
        return machine.state(of: "/var/lib/systemd/linger/\(userName)") == .missing
            ? .notice(name, "podcastd ends when \(userName) logs out", fix: "loginctl enable-linger")
            : .ok(name, "podcastd goes on when \(userName) logs out")
    }
}
