import ControlTool
import PodcastModel
import SystemCalls

/// A machine that a test describes; by default a desktop without any problem.
struct OtherMachine: Machine {
    var variables = ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/1000"]
    var programFolder = "/usr/local/bin/"
    var user: UInt32 = 1000
    var now = Timestamp(year: 2026, month: 11, day: 21)
    var offset = 0
    var isClockKept: Bool? = true
    var landlockVersion = 4
    var closed: Set<String> = []
    var open: Set<String> = [
        "/run/systemd/system", "/run/user/1000/podcastd/control", "/home/ann/.local/share/podcastd/library.db",
        "/dev/snd/pcmC0D0p", "/var/lib/systemd/linger/ann",
    ]
    var sockets = ["/run/user/1000/pipewire-0": SocketState.serving, "/run/user/1000/pulse/native": .serving]
    var folders = ["/dev/snd": ["controlC0", "pcmC0D0p", "pcmC0D0c"]]
    var files = [
        "/etc/passwd":
            "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\npodcastd:x:990:990::/:/bin/false\n",
        "/etc/group": "audio:x:29:pulse\npodcastd:x:990:\n",
        "/proc/sys/kernel/seccomp/actions_avail": "kill_process kill_thread trap errno allow\n",
    ]
    var free: Int64? = 50 << 30
    /// What `systemctl show` says of a unit's states; nil when systemctl does not answer.
    var units: [String: (load: String, file: String, active: String)]? = [
        "podcastd.socket": ("loaded", "enabled", "active"), "podcastd.service": ("loaded", "disabled", "active"),
        "podcast-refresh.timer": ("loaded", "enabled", "active"),
    ]

    func zoneOffset(at instant: Timestamp) -> Int { offset }
    var runtimeFolder: String? { nil }
    func variable(_ name: String) -> String? { variables[name] }
    func state(of path: String) -> PathState {
        open.contains(path) ? .open : closed.contains(path) ? .closed : .missing
    }
    func socket(at path: String) -> SocketState { sockets[path] ?? .missing }
    func names(in folder: String) -> [String] { folders[folder] ?? [] }
    func text(of path: String) -> String? { files[path] }
    func room(at path: String) -> DiskRoom? { free.map { DiskRoom(free: $0) } }

    func output(of program: String, _ arguments: [String]) -> String? {
        guard program == "systemctl", let units else { return nil }
        let asked = arguments.filter { $0.hasPrefix("podcast") }
        return asked.map { name in
            let state = units[name] ?? ("not-found", "", "inactive")
            return "Id=\(name)\nLoadState=\(state.load)\nActiveState=\(state.active)\nUnitFileState=\(state.file)\n"
        }.joined(separator: "\n")
    }
}
