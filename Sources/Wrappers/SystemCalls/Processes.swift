internal import CLinux
internal import Glibc
internal import PodcastModel

/// A descriptor of a new process: `target` there is a copy of `source` here.
public struct DescriptorMapping: Sendable {
    /// An open descriptor of the caller.
    var source: Int32
    /// Number in the new process.
    var target: Int32
    public init(_ source: Int32, to target: Int32) {
        self.source = source
        self.target = target
    }
}

/// How a process ended.
public enum TerminationStatus: Equatable, Sendable, CustomStringConvertible {
    /// From 0 to 255.
    case exited(Int32)
    case signaled(Int32)

    /// `status 3` or `signal 31`.
    public var description: String {
        switch self {
        case .exited(let status): "status \(status)"
        case .signaled(let signal): "signal \(signal)"
        }
    }
}

/// vfork(2) and execve(2), with default signal handlers. A `ChildProcess` also ends and reaps the process.
/// - Returns: the process id; the caller has to wait for it.
/// - Throws: `SystemError`, also for failures in the new process before it ran the program.
public func startProcess(_ launch: Launch) throws(SystemError) -> Int32 {
    var mapped = launch.descriptors
    let null = try FileDescriptor.open("/dev/null", O_RDWR)
    for standard in Int32(0)...2 where !mapped.contains(where: { $0.target == standard }) {
        mapped.append(DescriptorMapping(null.raw, to: standard))
    }
    guard mapped.count <= 16 else { throw SystemError(code: EINVAL, call: "start \(launch.executable)") }
    mapped.sort { $0.target < $1.target }
    let arguments = unsafe ([launch.executable] + launch.arguments).map { unsafe strdup($0) } + [nil]
    let environment = unsafe launch.environment.map { unsafe strdup($0) } + [nil]
    defer {
        unsafe arguments.forEach { unsafe free($0) }
        unsafe environment.forEach { unsafe free($0) }
    }
    let child = unsafe shim_spawn(
        launch.executable, arguments, environment, mapped.map(\.source), mapped.map(\.target), Int32(mapped.count),
        launch.signalWhenParentEnds ?? 0, FileCreationMask.original.map(Int32.init) ?? -1,
        DescriptorLimit.forNewProcesses)
    if child < 0 { throw SystemError.last("start \(launch.executable)", program: launch.executable) }
    return child
}

/// A descriptor of a process that was not waited for yet: pidfd_open(2). Readable when the process has ended.
/// - Throws: `SystemError`; `ENOSYS` under tools that do not know the call, such as valgrind.
public func openProcessDescriptor(_ process: Int32) throws(SystemError) -> FileDescriptor {
    FileDescriptor(owning: try retrying("pidfd_open") { shim_pidfd_open(process, 0) })
}

/// Reaps a child: waitid(2).
/// - Parameter process: a child that was not waited for yet, so that the number cannot be another process's.
/// - Returns: nil if the child still runs and `waiting` is false.
public func waitForProcess(_ process: Int32, waiting: Bool) throws(SystemError) -> TerminationStatus? {
    var code: Int32 = 0
    var status: Int32 = 0
    try retrying("waitid") { unsafe shim_wait_process(process, waiting ? 0 : 1, &code, &status) }
    switch code {
    case 0: return nil
    case Int32(CLD_EXITED): return .exited(status)
    default: return .signaled(status)
    }
}

/// The path of the running program's own file: readlink(2) of `/proc/self/exe`.
public func ownExecutablePath() throws(SystemError) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let length = try retrying("readlink /proc/self/exe") {
        unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe shim_own_executable(bytes.baseAddress, bytes.count)
        }
    }
    return String(utf8: buffer[..<length])
}

/// Replaces this process with a program in `PATH`: execvp(3). Returns only on failure, with the error. The program's
/// name is the first argument; text after a NUL in the others is lost.
public func replaceProcess(_ program: String, _ arguments: [String]) -> SystemError {
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    unsafe execvp(program, &words)
    return SystemError.last("run \(program)", program: program)
}
