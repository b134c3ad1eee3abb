internal import PodcastModel
internal import Reporting
internal import SystemCalls

/// Whether daemon and refresh begin by themselves: units, timer, lingering.
struct ServiceChecks {
    private static let names = ["podcastd.socket", "podcastd.service", "podcast-refresh.timer"]
    /// For crontab(5), whose PATH may lack the program's folder: prints only errors.
    private var cronLine: String { "*/30 * * * * \(machine.programFolder())podcast-refresh --quiet" }
    private static let crontabs = ["/etc/cron.d", "/etc/cron.hourly", "/etc/cron.daily"]

    private let machine: Machine
    private let instance: Instance
    private let units: [String: Unit]?
    private let isBooted: Bool

    init(_ machine: Machine, _ instance: Instance) {
        self.machine = machine
        self.instance = instance
        isBooted = machine.isBootedBySystemd
        units = isBooted && instance != .named ? Unit.all(Self.names, of: instance, on: machine) : nil
    }

    var daemon: Finding {
        if instance == .named { return .notApplicable("not the socket of the units") }
        guard isBooted else { return .notApplicable("no systemd") }
        guard let units else { return .notice("systemd does not answer", fix: "see why: \(instance.systemctl) status") }
        let socket = units["podcastd.socket"] ?? .missing
        let service = units["podcastd.service"] ?? .missing
        guard socket.isLoaded || service.isLoaded else {
            return .notice(
                "podcastd.service is not installed",
                fix: "install the package podcastd, or run 'make install' in its source")
        }
        if service.hasFailed || socket.hasFailed {
            return .problem(
                "podcastd failed repeatedly; systemd no longer restarts it",
                fix: "see why: \(instance.journalctl) -u podcastd -e")
        }
        guard socket.isEnabled || service.isEnabled else {
            return .notice(
                "podcastd does not start automatically", fix: "\(instance.systemctl) enable --now podcastd.socket")
        }
        return .ok(
            (service.isEnabled ? "podcastd.service" : "podcastd.socket") + " is enabled"
                + (service.isActive ? " and running" : ""))
    }

    var timer: Finding {
        if instance == .named { return .notApplicable("not the socket of the units") }
        let unit = units?["podcast-refresh.timer"] ?? .missing
        if unit.isActive {
            guard unit.isEnabled else {
                return .notice(
                    "podcast-refresh.timer runs, but is not enabled for the next boot",
                    fix: "\(instance.systemctl) enable podcast-refresh.timer")
            }
            return .ok("podcast-refresh.timer is active")
        }
        if instance == .user, let own = machine.output("crontab", ["-l"]), own.contains("podcast-refresh") {
            return .ok("cron refreshes the feeds: crontab -l")
        }
        let tables = Self.crontabs.flatMap { folder in machine.names(folder).map { "\(folder)/\($0)" } }
        if let table = tables.first(where: refreshes) { return .ok("cron refreshes the feeds: \(table)") }
        let finding = "no timer or cron job for refreshing found"
        guard unit.isLoaded else { return .notice(finding, fix: "crontab -e, and add the line: \(cronLine)") }
        return .problem(finding, fix: "\(instance.systemctl) enable --now podcast-refresh.timer")
    }

    /// Whether a table of cron refreshes the feeds of this daemon.
    private func refreshes(_ table: String) -> Bool {
        let lines = (machine.text(table) ?? "").split(separator: "\n").filter { $0.contains("podcast-refresh") }
        // Only lines of /etc/cron.d name the user.
        guard table.hasPrefix("/etc/cron.d/") else { return instance == .system && !lines.isEmpty }
        let user = instance == .system ? "podcastd" : machine.userName()
        return lines.contains { $0.split(separator: " ").contains { $0 == user } }
    }

    /// Whether a user's daemon outlives the log-in.
    var lingering: Finding {
        guard instance == .user, isBooted else { return .notApplicable("not a user service") }
        let userName = machine.userName()
        return machine.state("/var/lib/systemd/linger/\(userName)") == .missing
            ? .notice("podcastd stops when \(userName) logs out", fix: "loginctl enable-linger")
            : .ok("podcastd keeps running when \(userName) logs out")
    }
}

private struct Unit {
    let properties: [Substring: Substring]

    static let missing = Unit(properties: [:])

    var isLoaded: Bool { properties["LoadState"] == "loaded" }
    var isEnabled: Bool { properties["UnitFileState"]?.hasPrefix("enabled") == true }
    /// Whether the unit works or waits for its next start.
    var isActive: Bool { ["active", "activating", "reloading"].contains(properties["ActiveState"]) }
    /// Whether systemd no longer restarts the unit.
    var hasFailed: Bool { properties["ActiveState"] == "failed" }

    /// Units by name, from `systemctl show`; nil if the service manager does not answer.
    static func all(_ names: [String], of instance: Instance, on machine: Machine) -> [String: Unit]? {
        let scope = instance == .system ? [] : ["--user"]
        let properties = "--property=Id,LoadState,UnitFileState,ActiveState"
        guard let text = machine.output("systemctl", scope + ["show", properties] + names) else { return nil }
        var units: [String: Unit] = [:]
        for block in text.split(separator: "\n\n") {
            let pairs = block.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
            let unit = Unit(
                properties: Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { _, last in last })
            if let id = unit.properties["Id"] { units[String(id)] = unit }
        }
        return units
    }
}
