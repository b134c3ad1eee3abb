internal import Glibc
public import PodcastModel
internal import Synchronization

/// A program to start. Its process leads a group, so that a terminal's interrupt does not reach the process.
public struct Launch: Sendable {
    /// The program's file; no search path is used.
    public var executable: String
    /// Without the program's name.
    public var arguments: [String]
    /// `NAME=value`; the complete environment. Default: empty.
    public var environment: [String]
    /// The process's descriptors, at most 16, each target once; 0 to 2 are /dev/null unless mapped, all others are closed.
    public var descriptors: [DescriptorMapping]
    /// Signal to the process when the *thread* that started it ends; nil if the process may outlive the thread.
    var signalWhenParentEnds: Int32?

    public init(
        _ executable: String, _ arguments: [String] = [], environment: [String] = [],
        descriptors: [DescriptorMapping] = [], signalWhenParentEnds: Int32? = nil
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.descriptors = descriptors
        self.signalWhenParentEnds = signalWhenParentEnds
    }

    /// `/bin/sh -c command`, for a user's command, with `PATH`, `HOME`, `LANG` and the session's variables only.
    public static func shell(_ command: String, descriptors: [DescriptorMapping] = []) -> Launch {
        let kept = ["HOME", "LANG", "LC_ALL", "PATH", "PULSE_SERVER", "TMPDIR", "USER", "XDG_RUNTIME_DIR"]
        return Launch("/bin/sh", ["-c", command], environment: Launch.inherited(kept), descriptors: descriptors)
    }

    /// The named environment variables that are set here, as `NAME=value`.
    public static func inherited(_ names: [String]) -> [String] {
        names.compactMap { name in CurrentProcess.variable(name).map { "\(name)=\($0)" } }
    }

    /// The path of a program of this project, in the running program's directory.
    public static func sibling(_ name: String) throws(SystemError) -> String {
        let own = try ownExecutablePath()
        guard let slash = own.lastIndex(of: "/") else { return name }
        return String(own[...slash]) + name
    }
}

/// A running program that this process started. Methods may be called from any thread.
///
/// `descriptor` becomes readable when the program ends. A running process is killed and reaped with the last reference.
public final class ChildProcess: Sendable {
    /// Valid until the process was reaped; send signals with `signal`.
    public let processID: Int32
    /// Readable when the process has ended: a pidfd. Valid as long as this object.
    public var descriptor: Int32 { handle.raw }

    private let handle: FileDescriptor
    // The process is reaped and gets signals under this lock only: until it is reaped, no other process has its number.
    private let ended = Mutex<TerminationStatus?>(nil)

    /// Starts a program: vfork(2) and execve(2), so the caller's size does not matter.
    /// - Throws: `SystemError`, also if the file cannot be run.
    public init(_ launch: Launch) throws(SystemError) {
        // Without pidfds (under valgrind), the end is detected by a pipe that the process inherits and keeps open.
        if !Self.hasProcessDescriptors {
            let pipe = try Pipe()
            var launch = launch
            let last = max(2, launch.descriptors.map(\.target).max() ?? 2)
            launch.descriptors.append(DescriptorMapping(pipe.writing.raw, to: last + 1))
            processID = try startProcess(launch)
            handle = pipe.closingWriting()
            return
        }
        processID = try startProcess(launch)
        do throws(SystemError) {
            handle = try openProcessDescriptor(processID)
        } catch {
            // The process cannot be watched, so it must not run. It was not reaped, so its number is still valid.
            CurrentProcess.send(SIGKILL, to: processID)
            _ = try? waitForProcess(processID, waiting: true)
            throw error
        }
    }

    private static let hasProcessDescriptors: Bool = (try? openProcessDescriptor(CurrentProcess.number)) != nil

    deinit {
        guard ended.withLock({ $0 }) == nil else { return }
        CurrentProcess.send(SIGKILL, to: processID)
        _ = try? waitForProcess(processID, waiting: true)
    }

    /// Nil while the process runs. Does not wait. Reaps the process.
    public func exitStatus() -> TerminationStatus? { reap(waiting: false) }

    /// How long the main thread ran, and how long the main thread waited for a processor, without a wait that still lasts: from
    /// `/proc/PID/schedstat`. `isReady`: whether the main thread runs or waits for a processor now. Zero if `/proc` hides the files.
    public var processorUse: (ran: Duration, waited: Duration, isReady: Bool) {
        let times = StoredFile.text(of: "/proc/\(processID)/schedstat", upTo: 100)?.split(separator: " ") ?? []
        let state = StoredFile.text(of: "/proc/\(processID)/stat", upTo: 100)?.split(separator: ")").last
        let numbers = times.prefix(2).map { Duration.nanoseconds(Int64($0) ?? 0) }
        return numbers.count < 2 ? (.zero, .zero, false) : (numbers[0], numbers[1], state?.hasPrefix(" R") == true)
    }

    public func wait() -> TerminationStatus {
        while true {
            if let status = wait(until: .distantFuture) { return status }
        }
    }

    /// Waits until a time on CLOCK_MONOTONIC; nil if the process still runs.
    public func wait(until deadline: Instant) -> TerminationStatus? {
        if let status = exitStatus() { return status }
        // When the descriptor is readable, the process has ended or is about to end.
        return reap(waiting: waitForDescriptors(readable: descriptor, until: deadline))
    }

    /// Sends a signal to the process; a process that has ended is not an error.
    public func signal(_ signal: Int32) { send(signal, to: processID) }

    public func signalGroup(_ signal: Int32) { send(signal, to: -processID) }

    private func send(_ signal: Int32, to target: Int32) {
        ended.withLock { if $0 == nil { CurrentProcess.send(signal, to: target) } }
    }

    /// Asks the process to end with SIGTERM, and after `grace` kills it and its children.
    public func terminate(grace: Duration) -> TerminationStatus {
        signalGroup(SIGTERM)
        signalGroup(SIGCONT)
        if let status = wait(until: .now + grace) { return status }
        signalGroup(SIGKILL)
        return wait()
    }

    /// Reaps the process as soon as it ends: for a program whose end nobody waits for. Until then it keeps this object, so that only a
    /// signal ends a running process.
    public func reapAtEnd() {
        // Without a thread, the next call that asks for the end reaps the process.
        try? DedicatedThread(name: .programs) { [self] in _ = wait() }.detach()
    }

    private func reap(waiting: Bool) -> TerminationStatus? {
        ended.withLock { ended in
            if ended != nil { return ended }
            do throws(SystemError) {
                ended = try waitForProcess(processID, waiting: waiting)
            } catch {
                // The status was discarded because SIGCHLD is ignored; the process has ended.
                ended = .exited(127)
            }
            return ended
        }
    }
}
