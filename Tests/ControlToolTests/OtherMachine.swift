@testable import ControlTool
import PodcastModel
import SystemCalls

/// A machine that a test describes; by default a desktop without any problem.
struct OtherMachine: Sendable {
    var variables = ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/1000"]
    var now = Timestamp(year: 2026, month: 11, day: 21)
    var offset = 0
    var isClockKept: Bool? = true
    var closed: Set<String> = []
    var open: Set<String> = [
        "/run/systemd/system", "/run/user/1000/podcastd/control", "/home/ann/.local/share/podcastd/library.db",
        "/var/lib/systemd/linger/ann",
    ]
    var sockets = ["/run/user/1000/pipewire-0": SocketState.serving, "/run/user/1000/pulse/native": .serving]
    var folders: [String: [String]] = [:]
    var files: [String: String] = [:]
    var free: Int64? = 50 << 30
    /// The user's own table of cron.
    var crontab: String?
    /// What `systemctl show` says of a unit's states; nil when systemctl does not answer.
    var units: [String: (load: String, file: String, active: String)]? = [
        "podcastd.socket": ("loaded", "enabled", "active"), "podcastd.service": ("loaded", "disabled", "active"),
        "podcast-refresh.timer": ("loaded", "enabled", "active"),
    ]

    var machine: Machine {
        var machine = Machine()
        machine.variable = { variables[$0] }
        machine.programFolder = { "/usr/local/bin/" }
        machine.runtimeFolder = { nil }
        machine.userName = { "ann" }
        machine.now = { now }
        machine.zoneOffset = { _ in offset }
        machine.isClockKept = { isClockKept }
        machine.state = { open.contains($0) ? .open : closed.contains($0) ? .closed : .missing }
        machine.socket = { sockets[$0] ?? .missing }
        machine.names = { folders[$0] ?? [] }
        machine.text = { files[$0] }
        machine.free = { _ in free }
        machine.output = output
        return machine
    }

    @Sendable private func output(of program: String, _ arguments: [String]) -> String? {
        if program == "crontab" { return crontab }
        guard program == "systemctl", let units else { return nil }
        let asked = arguments.filter { $0.hasPrefix("podcast") }
        return asked.map { name in
            let state = units[name] ?? ("not-found", "", "inactive")
            return "Id=\(name)\nLoadState=\(state.load)\nActiveState=\(state.active)\nUnitFileState=\(state.file)\n"
        }.joined(separator: "\n")
    }
}
