internal import Reporting
internal import SystemCalls

/// Whether daemon and refresh begin by themselves: units, timer, lingering.
struct ServiceChecks {
    private static let names = ["podcastd.socket", "podcastd.service", "podcast-refresh.timer"]
    /// For crontab(5), whose PATH may lack the program's folder: prints only errors.
    private var cronLine: String { "*/30 * * * * \(machine.programFolder)podcast-refresh --quiet" }
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

    /// Whether the daemon's units are there and enabled.
    var units: Finding {
        if instance == .named { return .notApplicable("not the socket of the units") }
        guard isBooted else { return .notApplicable("no systemd") }
        guard let states else {
            return .notice("systemd does not answer", fix: "see why: \(instance.systemctl) status")
        }
        let (socket, service) = (states["podcastd.socket"], states["podcastd.service"])
        guard socket.isLoaded || service.isLoaded else {
            let isFound = instance.unitFolders(on: machine).contains {
                machine.state(of: "\($0)/podcastd.service") != .missing
            }
            return .notice(
                isFound ? "installed, but not loaded by systemd yet" : "podcastd.service is not installed",
                fix: isFound
                    ? "\(instance.systemctl) daemon-reload"
                    : "install the package podcastd, or run 'make install' in its source")
        }
        if service.hasFailed || socket.hasFailed {
            return .problem(
                "podcastd failed repeatedly; systemd no longer restarts it",
                fix: "see why: \(instance.journalctl) -u podcastd -e")
        }
        guard socket.isEnabled || service.isEnabled else {
            return .notice(
                "podcastd does not start automatically",
                fix: "\(instance.systemctl) enable --now podcastd.socket")
        }
        return .ok(
            (service.isEnabled ? "podcastd.service" : "podcastd.socket") + " is enabled"
                + (service.isActive ? " and running" : ""))
    }

    /// Whether something refreshes the feeds.
    var timer: Finding {
        if instance == .named { return .notApplicable("not the socket of the units") }
        if let timer = states?["podcast-refresh.timer"], timer.isActive {
            guard timer.isEnabled else {
                return .notice(
                    "podcast-refresh.timer runs, but is not enabled for the next boot",
                    fix: "\(instance.systemctl) enable podcast-refresh.timer")
            }
            return .ok("podcast-refresh.timer is active")
        }
        let tables = Self.crontabs.flatMap { folder in machine.names(in: folder).map { "\(folder)/\($0)" } }
        if let table = tables.first(where: { machine.text(of: $0)?.contains("podcast-refresh") == true }) {
            return .ok("cron refreshes the feeds: \(table)")
        }
        let finding = "no timer or cron job for refreshing found"
        guard let states, states["podcast-refresh.timer"].isLoaded else {
            return .notice(finding, fix: "crontab -e, and add the line: \(cronLine)")
        }
        return .problem(finding, fix: "\(instance.systemctl) enable --now podcast-refresh.timer")
    }

    /// Whether a user's daemon outlives the log-in.
    var lingering: Finding {
        guard instance == .user, isBooted else { return .notApplicable("not a user service") }
        return machine.state(of: "/var/lib/systemd/linger/\(userName)") == .missing
            ? .notice("podcastd stops when \(userName) logs out", fix: "loginctl enable-linger")
            : .ok("podcastd keeps running when \(userName) logs out")
    }
}
