/// What systemd says of some units: `systemctl show`.
struct UnitStates {
    struct Unit {
        /// Whether there is such a unit.
        var isLoaded = false
        /// Whether it begins by itself.
        var isEnabled = false
        /// Whether it is at work, or waits for its turn.
        var isActive = false
        /// Whether it gave up.
        var hasFailed = false
    }

    private let units: [String: Unit]

    /// Asks; nil when the service manager does not answer.
    init?(_ names: [String], of instance: Instance, on machine: any Machine) {
        let scope = instance == .system ? [] : ["--user"]
        let properties = "--property=Id,LoadState,UnitFileState,ActiveState"
        guard let text = machine.output(of: "systemctl", scope + ["show", properties] + names) else { return nil }
        var units: [String: Unit] = [:]
        var (id, unit) = ("", Unit())
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let parts = line.split(separator: "=", maxSplits: 1)
            // An empty line ends a unit.
            guard parts.count == 2 else {
                if line.isEmpty { (id, unit) = ("", Unit()) }
                continue
            }
            switch parts[0] {
            case "Id": id = String(parts[1])
            case "LoadState": unit.isLoaded = parts[1] == "loaded"
            case "UnitFileState": unit.isEnabled = parts[1].hasPrefix("enabled")
            case "ActiveState":
                unit.isActive = parts[1] == "active" || parts[1] == "activating" || parts[1] == "reloading"
                unit.hasFailed = parts[1] == "failed"
            default: break
            }
            if !id.isEmpty { units[id] = unit }
        }
        self.units = units
    }

    subscript(name: String) -> Unit { units[name] ?? Unit() }
}
