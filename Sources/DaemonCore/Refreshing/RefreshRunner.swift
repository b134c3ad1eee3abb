internal import ControlLanguage
internal import Glibc
internal import JSON
internal import PodcastModel
internal import Reporting
internal import SerialThreads
internal import SystemCalls

struct RefreshOutcome {
    /// Parsed standard output; null if empty.
    var document: JSONValue
    /// The last lines of standard error, as one line.
    var complaint: String
    /// Exit status; nil if a signal ended the process.
    var status: Int32?
}

/// Where podcast-refresh finds the library, the settings and the daemon.
struct RefreshLocation {
    var dataFolder: String
    var configFile: String?
    var socket: String
}

/// Runs podcast-refresh and waits for the result. The runs of each thread execute one after another.
///
/// The child reports activities and changes over the control socket like any client.
struct RefreshRunner {
    /// Maximum bytes of standard output.
    private static let longestOutput = 16 << 20
    private static let inheritedVariables = [
        "CREDENTIALS_DIRECTORY", "HOME", "LANG", "PATH", "TMPDIR", "TZ", "XDG_CONFIG_HOME", "http_proxy",
        "https_proxy", "no_proxy",
    ]

    private struct State {
        var isInterrupted = false
        /// The number of runs of each lane that have not ended.
        var pending: [Int: Int] = [:]
        /// Each one ends a run when it is signalled.
        var interruptions: [EventDescriptor] = []
    }

    let executable: String
    let location: RefreshLocation
    let logger: Logger
    /// Threads, which start with their first runs. With several, a slow server does not delay other runs. Further runs wait.
    var lanes = [WorkerThread(name: .refresh)]
    private let state = Locked(State())

    /// Runs the program on the least busy lane.
    /// - Parameters:
    ///   - command: the subcommand, if any, and options; never text from a client.
    ///   - operands: names from clients; never parsed as options.
    ///   - document: standard input; its file position must be at the beginning.
    ///   - output: receives standard output; nil for a run whose output is JSON.
    /// - Throws: `ControlError` without a result; `CancellationError` also after `interrupt`; `SystemError` without a thread or descriptor.
    func run(
        _ command: [String], on operands: [String] = [], document: UnlinkedDocument? = nil,
        into output: UnlinkedDocument? = nil
    ) async throws -> RefreshOutcome {
        let command = output == nil ? command + ["--json"] : command
        // The child reads the settings itself, so pass only their location.
        let files = ["--data-dir", location.dataFolder] + (location.configFile.map { ["--config", $0] } ?? [])
        var launch = Launch(
            executable, command + files + ["--"] + operands,
            environment: Launch.inherited(Self.inheritedVariables) + ["PODCASTD_SOCKET=\(location.socket)"])
        if let document { launch.descriptors.append(DescriptorMapping(document.descriptor.raw, to: STDIN_FILENO)) }
        defer { withExtendedLifetime((document, output)) {} }
        let collected = try await collect(launch, command, outputTo: output?.descriptor.raw ?? -1)
        let complaint = Self.complaint(collected)
        let status: Int32? = if case .exited(let code) = collected.status { code } else { nil }
        if collected.output.isEmpty { return RefreshOutcome(document: .null, complaint: complaint, status: status) }
        guard let parsed = collected.output.withUnsafeBytes({ try? JSONValue(parsing: $0) }) else {
            throw ControlError(.internalError, "invalid output of podcast-refresh: \(complaint)")
        }
        return RefreshOutcome(document: parsed, complaint: complaint, status: status)
    }

    /// Runs the child until it ends or the caller's task is cancelled.
    private func collect(
        _ launch: Launch, _ command: [String], outputTo output: Int32
    ) async throws -> CollectedOutput {
        let interruption = try EventDescriptor()
        let lane = state.withLock { state in
            if state.isInterrupted { interruption.signal() }
            state.interruptions.append(interruption)
            // The first lane with the fewest runs, so that threads start only when needed.
            let lane = lanes.indices.min { state.pending[$0, default: 0] < state.pending[$1, default: 0] } ?? 0
            state.pending[lane, default: 0] += 1
            return lane
        }
        defer {
            state.withLock { state in
                state.interruptions.removeAll { $0 === interruption }
                state.pending[lane, default: 0] -= 1
            }
        }
        return try await withTaskCancellationHandler {
            let result = try await lanes[lane].run {
                if interruption.clear() { throw CancellationError() }
                return try collect(launch, command, outputTo: output, interruption: interruption.raw)
            }
            try Task.checkCancellation()
            return result
        } onCancel: {
            interruption.signal()
        }
    }

    private func collect(
        _ launch: Launch, _ command: [String], outputTo output: Int32, interruption: Int32
    ) throws(ControlError) -> CollectedOutput {
        do throws(SystemError) {
            let collected = try CollectedOutput.of(
                launch, limit: Self.longestOutput, interruption: interruption, outputTo: output)
            logger.log(.info, .refresh, "podcast-refresh \(command.joinedText(" ")): \(collected.status)")
            return collected
        } catch {
            let failure = ControlError(
                .unavailable, "cannot run podcast-refresh: \(error)",
                hint: "is it installed in the directory of podcastd?")
            logger.log(.error, .refresh, failure.what)
            throw failure
        }
    }

    private static func complaint(_ collected: CollectedOutput) -> String {
        // The last two lines are the error message and the hint, or the last line contains both as JSON.
        let lines = String(utf8: collected.errors).split(separator: "\n").suffix(2)
        if let last = lines.last, last.hasPrefix("{"), let error = (try? JSONValue(parsing: String(last)))?["error"],
            let what = error["what"]?.stringValue
        {
            let hint = error["hint"]?.stringValue.map { "; \($0)" } ?? ""
            return SafeText.line(what + hint, atMost: 500)
        }
        let prefix = "podcast-refresh: "
        let words = lines.map { $0.hasPrefix(prefix) ? $0.dropFirst(prefix.count) : $0 }
        return SafeText.line(words.joined(separator: "; "), atMost: 500).nonEmpty
            ?? "podcast-refresh ended with \(collected.status)"
    }

    /// Asks the current runs to end soon; waiting runs do not start. The next refresh does the rest.
    func interrupt() {
        state.withLock { state in
            state.isInterrupted = true
            for interruption in state.interruptions { interruption.signal() }
        }
    }

    /// Waits for the current runs and ends the threads.
    func close() { for lane in lanes { lane.finish() } }
}
