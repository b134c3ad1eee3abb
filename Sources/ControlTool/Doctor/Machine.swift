internal import CommandLineTool
internal import Glibc
public import PodcastModel
public import SystemCalls

/// What podcastctl reads of its machine, mostly for `doctor`. Tests replace the machine. No method changes anything.
public protocol Machine: Sendable {
    /// A variable of the environment that is set and not empty.
    func variable(_ name: String) -> String?
    /// The folder of the running program, with a slash at its end; empty if the folder is unknown.
    var programFolder: String { get }
    /// A folder to use if `XDG_RUNTIME_DIR` is not set.
    var runtimeFolder: String? { get }
    var user: UInt32 { get }
    var now: Timestamp { get }
    /// Seconds by which the user's clock is ahead of UTC at a time.
    func zoneOffset(at instant: Timestamp) -> Int
    /// Whether something keeps that clock right; nil when the kernel does not tell.
    var isClockKept: Bool? { get }
    /// The kernel's version of Landlock; 0 for none.
    var landlockVersion: Int { get }
    func state(of path: String) -> PathState
    /// What answers at a socket's path; connects for a moment.
    func socket(at path: String) -> SocketState
    /// The names in a folder; none if the folder cannot be read.
    func names(in folder: String) -> [String]
    /// A small text file; nil if the file cannot be read.
    func text(of path: String) -> String?
    /// Room where a path is or will be; nil when that cannot be known.
    func room(at path: String) -> DiskRoom?
    /// What a program prints that ends well within a few seconds; else nil.
    func output(of program: String, _ arguments: [String]) -> String?
}

/// The machine on which the program runs.
public struct LocalMachine: Machine {
    public init() {}

    public func variable(_ name: String) -> String? { CurrentProcess.variable(name) }
    public var programFolder: String {
        let path = (try? ownExecutablePath()) ?? ""
        return path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }
    public var runtimeFolder: String? { CurrentProcess.runtimeFolder }
    public var user: UInt32 { CurrentProcess.user }
    public var now: Timestamp { .now }
    public func zoneOffset(at instant: Timestamp) -> Int { LocalZone.offset(atSeconds: instant.seconds) }
    public var isClockKept: Bool? { SystemCalls.isClockKept() }
    public var landlockVersion: Int { SystemCalls.landlockVersion() }
    public func state(of path: String) -> PathState { PathState(of: path) }
    public func socket(at path: String) -> SocketState { SocketState(of: path) }
    public func names(in folder: String) -> [String] { (try? StoredFile.names(in: folder)) ?? [] }

    /// A file's first 256 KiB.
    public func text(of path: String) -> String? {
        // Files of the kernel say that they are empty, so they are read up to a bound instead of by their size.
        guard let file = try? FileDescriptor.open(path, O_RDONLY | O_NONBLOCK),
            let bytes = try? StoredFile.read(file.raw, at: 0, count: 256 << 10)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    public func room(at path: String) -> DiskRoom? { try? DiskRoom(at: path) }

    /// The standard output of a program in `/usr/bin` or `/bin`.
    public func output(of program: String, _ arguments: [String]) -> String? {
        for folder in ["/usr/bin/", "/bin/"] where FileAccess.execute.isAllowed(folder + program) {
            let kept = ["DBUS_SESSION_BUS_ADDRESS", "HOME", "XDG_RUNTIME_DIR"]
            let launch = Launch(folder + program, arguments, environment: Launch.inherited(kept) + ["LC_ALL=C"])
            guard let collected = try? CollectedOutput.of(launch, limit: 64 << 10, timeout: .seconds(3)),
                collected.status == .exited(0)
            else { return nil }
            return String(decoding: collected.output, as: UTF8.self)
        }
        return nil
    }
}
