internal import Glibc
internal import JSON
internal import PodcastModel
internal import Reporting
internal import Synchronization
internal import SystemCalls

/// The result of a run of podcast-refresh.
struct RefreshOutcome: Sendable {
    /// Parsed standard output; null if empty.
    var document: JSONValue
    /// The last lines of standard error, as one line.
    var complaint: String
    /// Exit status; nil if a signal ended the process.
    var status: Int32?
}

/// Where podcast-refresh finds the library, the settings and the daemon.
struct RefreshLocation: Sendable {
    var dataFolder: String
    var configFile: String?
    var socket: String
}

/// Runs podcast-refresh and waits for the result. Runs of one runner execute one after another on its thread.
///
/// The child reports activities and changes over the control socket like any client.
final class RefreshRunner: Sendable {
    /// Maximum bytes of standard output.
    private static let longestOutput = 16 << 20
    private static let inheritedVariables = [
        "CREDENTIALS_DIRECTORY", "HOME", "LANG", "PATH", "TMPDIR", "XDG_CONFIG_HOME", "http_proxy", "https_proxy",
        "no_proxy",
    ]
    private let executable: String
    let location: RefreshLocation
    private let logger: Logger
    private let worker: WorkerThread
    private struct State {
        var isInterrupted = false
        var lastRun: UInt64 = 0
        var pending = 0
        var current: UInt64?
        /// Runs whose callers were cancelled.
        var cancelled: Set<UInt64> = []
    }

    /// Signalled to end the current run.
    private let interruption: EventDescriptor
    private let state = Mutex(State())

    /// - Parameter worker: the thread of all runs.
    /// - Throws: `SystemError` if the process has no descriptors left.
    init(
        executable: String, location: RefreshLocation, logger: Logger,
        worker: WorkerThread = WorkerThread(name: .refresh)
    ) throws(SystemError) {
        self.worker = worker
        interruption = try EventDescriptor()
        self.executable = executable
        self.location = location
        self.logger = logger
    }

    /// Runs the program.
    /// - Parameters:
    ///   - command: the subcommand, if any, and options; never text from a client.
    ///   - operands: names from clients; never parsed as options.
    ///   - document: standard input; its file position must be at the beginning.
    ///   - output: receives standard output; nil for a run whose output is JSON.
    /// - Throws: `RefreshFailure`, `CancellationError` after `interrupt` and after the task was cancelled, or
    ///   `SystemError` if the thread cannot start.
    func run(
        _ command: [String], on operands: [String] = [], document: UnlinkedDocument? = nil,
        into output: UnlinkedDocument? = nil
    ) async throws -> RefreshOutcome {
        let command = output == nil ? command + ["--json"] : command
        let collected = try await cancellable { [self] run in
            try collect(run, command, on: operands, document: document, output: output)
        }
        let complaint = Self.complaint(collected)
        var outcome = RefreshOutcome(document: .null, complaint: complaint, status: collected.status.code)
        if collected.output.isEmpty { return outcome }
        guard let parsed = collected.output.withUnsafeBytes({ try? JSONValue(parsing: $0) }) else {
            throw RefreshFailure.invalidOutput(complaint)
        }
        outcome.document = parsed
        return outcome
    }

    var pendingRuns: Int { state.withLock { $0.pending } }

    /// Runs `work` on the worker until the caller's task is cancelled.
    private func cancellable<Result: Sendable>(
        _ work: @escaping @Sendable (UInt64) throws -> Result
    ) async throws -> Result {
        let run = state.withLock { state in
            state.lastRun += 1
            state.pending += 1
            return state.lastRun
        }
        defer {
            state.withLock { state in
                state.cancelled.remove(run)
                state.pending -= 1
            }
        }
        return try await withTaskCancellationHandler {
            let result = try await worker.run { try work(run) }
            try Task.checkCancellation()
            return result
        } onCancel: {
            state.withLock { state in
                state.cancelled.insert(run)
                if state.current == run { interruption.signal() }
            }
        }
    }

    private func collect(
        _ run: UInt64, _ command: [String], on operands: [String], document: UnlinkedDocument?,
        output: UnlinkedDocument?
    ) throws -> CollectedOutput {
        try begin(run)
        defer { end() }
        // The child reads the settings itself, so pass only their location.
        let files = ["--data-dir", location.dataFolder] + (location.configFile.map { ["--config", $0] } ?? [])
        var launch = Launch(
            executable, command + files + ["--"] + operands,
            environment: Launch.inherited(Self.inheritedVariables) + ["PODCASTD_SOCKET=\(location.socket)"])
        launch.ownGroup = true
        if let document { launch.descriptors.append(DescriptorMapping(document.descriptor.raw, to: STDIN_FILENO)) }
        defer { withExtendedLifetime((document, output)) {} }
        do throws(SystemError) {
            let collected = try CollectedOutput.of(
                launch, limit: Self.longestOutput, interruption: interruption.raw,
                outputTo: output?.descriptor.raw ?? -1)
            logger.log(.info, .refresh, "podcast-refresh \(command.joined(separator: " ")): \(collected.status)")
            return collected
        } catch {
            let failure = RefreshFailure.cannotRun("\(error)")
            logger.log(.error, .refresh, failure.description)
            throw failure
        }
    }

    private func begin(_ run: UInt64) throws {
        try state.withLock { state in
            if state.isInterrupted || state.cancelled.contains(run) { throw CancellationError() }
            state.current = run
        }
    }

    private func end() {
        state.withLock { state in
            state.current = nil
            // After `interrupt` no run begins any more.
            if !state.isInterrupted { interruption.clear() }
        }
    }

    private static func complaint(_ collected: CollectedOutput) -> String {
        // The last two lines are the error message and the hint, or the last line contains both as JSON.
        let lines = String(decoding: collected.errors, as: UTF8.self).split(separator: "\n").suffix(2)
        if let last = lines.last, last.hasPrefix("{"), let error = (try? JSONValue(parsing: String(last)))?["error"],
            let what = error["what"]?.stringValue
        {
            let hint = error["hint"]?.stringValue.map { "; \($0)" } ?? ""
            return SafeText.line(what + hint, atMost: 500)
        }
        let prefix = "podcast-refresh: "
        let words = lines.map { $0.hasPrefix(prefix) ? $0.dropFirst(prefix.count) : $0 }
        return SafeText.line(words.joined(separator: "; "), atMost: 500)
    }

    /// Asks the current run to end soon; waiting runs do not start. The next refresh does the rest.
    func interrupt() {
        state.withLock { $0.isInterrupted = true }
        interruption.signal()
    }

    /// Waits for the current run and ends the thread.
    func close() { worker.finish() }
}

extension TerminationStatus {
    /// The exit status; nil after a signal.
    fileprivate var code: Int32? {
        switch self {
        case .exited(let code): code
        case .signaled: nil
        }
    }
}

/// Why podcast-refresh gave no result.
enum RefreshFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The program could not be started or waited for: the system's error message.
    case cannotRun(String)
    /// The output is not JSON: the last lines of standard error.
    case invalidOutput(String)

    var description: String {
        switch self {
        case .cannotRun(let cause): "cannot run podcast-refresh: \(cause)"
        case .invalidOutput(let complaint): "invalid output of podcast-refresh: \(complaint)"
        }
    }
}

/// A pool of runners, so that a slow server does not delay other runs. Further runs wait for a free runner.
final class RefreshRunners: Sendable {
    /// Each runner has a thread and a process from its first use on.
    private static let count = 4

    private let runners: [RefreshRunner]

    /// - Throws: if the process has no descriptors left.
    init(executable: String, location: RefreshLocation, logger: Logger) throws(SystemError) {
        var runners: [RefreshRunner] = []
        for _ in 0..<Self.count {
            runners.append(try RefreshRunner(executable: executable, location: location, logger: logger))
        }
        self.runners = runners
    }

    /// Runs the program on the least busy runner; see `RefreshRunner`.
    func run(
        _ command: [String], on operands: [String] = [], document: UnlinkedDocument? = nil,
        into output: UnlinkedDocument? = nil
    ) async throws -> RefreshOutcome {
        try await idle.run(command, on: operands, document: document, into: output)
    }

    /// The first runner with the fewest runs, so that threads start only when needed.
    private var idle: RefreshRunner {
        var best = runners[0]
        for runner in runners.dropFirst() where runner.pendingRuns < best.pendingRuns { best = runner }
        return best
    }

    func interrupt() { for runner in runners { runner.interrupt() } }

    /// Waits for the current runs and ends the threads.
    func close() { for runner in runners { runner.close() } }
}
