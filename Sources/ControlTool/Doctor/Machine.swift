internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// Reads the state of the machine on which podcastctl runs, mostly for `doctor`; changes nothing.
public struct Machine: Sendable {
    public init() {}

    /// A variable of the environment that is set and not empty.
    var variable: @Sendable (_ name: String) -> String? = CurrentProcess.variable
    /// The folder of the running program, with a slash at its end; empty if the folder is unknown.
    var programFolder: @Sendable () -> String = {
        let path = (try? ownExecutablePath()) ?? ""
        return path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
    /// A folder to use if `XDG_RUNTIME_DIR` is not set.
    var runtimeFolder: @Sendable () -> String? = { CurrentProcess.runtimeFolder }
    /// The user's name, or number if the name is not in passwd(5).
    var userName: @Sendable () -> String = {
        UserDatabase.localName(of: CurrentProcess.user) ?? "\(CurrentProcess.user)"
    }
    var now: @Sendable () -> Timestamp = { .now }
    /// Seconds by which the user's clock is ahead of UTC at a time.
    var zoneOffset: @Sendable (Timestamp) -> Int = { LocalZone.offset(atSeconds: $0.seconds) }
    /// Whether something keeps that clock right; nil when the kernel does not report it.
    var isClockKept: @Sendable () -> Bool? = SystemCalls.isClockKept
    var state: @Sendable (_ path: String) -> PathState = PathState.init(of:)
    /// What answers at a socket's path; connects for a moment.
    var socket: @Sendable (_ path: String) -> SocketState = SocketState.init(of:)
    /// The names in a folder; none if the folder cannot be read.
    var names: @Sendable (_ folder: String) -> [String] = { (try? StoredFile.names(in: $0)) ?? [] }
    /// A file's first 256 KiB; nil if the file cannot be read.
    var text: @Sendable (_ path: String) -> String? = { path in
        guard let file = try? FileDescriptor.open(path, O_RDONLY | O_NONBLOCK),
            let bytes = try? StoredFile.read(file.raw, at: 0, count: 256 << 10)
        else { return nil }
        return String(utf8: bytes)
    }
    /// Free bytes where a path is or will be; nil when that cannot be known.
    var free: @Sendable (_ path: String) -> Int64? = freeDiskBytes(at:)
    /// Output of a program in `/usr/bin` or `/bin`; nil if the program fails or takes longer than a few seconds.
    var output: @Sendable (_ program: String, _ arguments: [String]) -> String? = { program, arguments in
        for folder in ["/usr/bin/", "/bin/"] where FileAccess.execute.isAllowed(folder + program) {
            let kept = ["DBUS_SESSION_BUS_ADDRESS", "HOME", "XDG_RUNTIME_DIR"]
            let launch = Launch(folder + program, arguments, environment: Launch.inherited(kept) + ["LC_ALL=C"])
            guard let collected = try? CollectedOutput.of(launch, limit: 64 << 10, timeout: .seconds(3)),
                collected.status == .exited(0)
            else { return nil }
            return String(utf8: collected.output)
        }
        return nil
    }

    /// Whether systemd is this machine's service manager: sd_booted(3).
    var isBootedBySystemd: Bool { state("/run/systemd/system") != .missing }
}
