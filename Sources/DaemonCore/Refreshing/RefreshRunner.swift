internal import ChildProcess
internal import Configuration
internal import ControlProtocol
internal import Diagnostics
internal import Glibc
internal import JSON
internal import Synchronization
internal import SystemCalls

/// Starts podcast-refresh, the one program that reads feeds, and waits for its answer.
///
/// The child reports activities and changes over the control socket like any client; only its result comes back here.
/// Runs wait on a thread of their own, one after another: the library has one refresher at a time anyway.
final class RefreshRunner: Sendable {
    /// How a run ended.
    struct Outcome: Sendable {
        /// What it printed on standard output, parsed; null when it printed nothing.
        var document: JSONValue
        /// Its last words on standard error, one line.
        var complaint: String
        /// Its exit status; nil when a signal ended it.
        var status: Int32?
    }

    private static let longestOutput = 16 << 20
    private static let inheritedVariables = [
        "CREDENTIALS_DIRECTORY", "HOME", "LANG", "PATH", "TMPDIR", "XDG_CONFIG_HOME", "http_proxy", "https_proxy",
        "no_proxy",
    ]
    private let executable: String
    private let places: Places
    private let logger: Logger
    private let worker: WorkerThread
    /// Rung, and never cleared, when no run is to go on.
    private let interruption: EventDescriptor
    private let isInterrupted = Atomic<Bool>(false)

    /// A runner of the program that lies beside this one.
    ///
    /// - Parameter worker: where it waits; runs of one runner wait for each other.
    /// - Throws: `SystemError` when the process has no descriptors left.
    init(
        executable: String, places: Places, logger: Logger, worker: WorkerThread = WorkerThread(name: "refresh")
    ) throws(SystemError) {
        self.worker = worker
        interruption = try EventDescriptor()
        self.executable = executable
        self.places = places
        self.logger = logger
    }

    /// Runs it.
    ///
    /// - Parameters:
    ///   - command: the command's word, if it has one, and options; nothing that a client said.
    ///   - operands: what clients named; never read as options.
    ///   - document: for standard input, whose file position is at its beginning.
    /// - Throws: `ControlError` when it cannot be run at all, or printed what is no JSON.
    func run(
        _ command: [String], on operands: [String] = [], document: UnlinkedDocument? = nil
    ) async throws -> Outcome {
        try await worker.run { [self] in try runBlocking(command, on: operands, document: document) }
    }

    /// Runs it with its output going into a document.
    func run(_ command: [String], into document: UnlinkedDocument) async throws -> Outcome {
        let collected = try await worker.run { [self] in
            try collect(command, on: [], document: nil, output: document)
        }
        return Outcome(document: .null, complaint: Self.complaint(collected), status: collected.status.code)
    }

    private func runBlocking(
        _ command: [String], on operands: [String], document: UnlinkedDocument?
    ) throws -> Outcome {
        let collected = try collect(command + ["--json"], on: operands, document: document)
        let complaint = Self.complaint(collected)
        guard !collected.output.isEmpty else {
            return Outcome(document: .null, complaint: complaint, status: collected.status.code)
        }
        do throws(JSONError) {
            let parsed: Result<JSONValue, JSONError> = collected.output.withUnsafeBytes { bytes in
                Result { () throws(JSONError) in try JSONValue(parsing: bytes) }
            }
            return Outcome(document: try parsed.get(), complaint: complaint, status: collected.status.code)
        } catch {
            throw ControlError(.internalError, "podcast-refresh answered what is no JSON: \(complaint)")
        }
    }

    private func collect(
        _ command: [String], on operands: [String], document: UnlinkedDocument?, output: UnlinkedDocument? = nil
    ) throws -> CollectedOutput {
        if isInterrupted.load(ordering: .acquiring) { throw CancellationError() }
        // It reads the settings by itself, from the same files; only where they are has to be told.
        let files = ["--data-dir", places.data.path] + (places.configFile.map { ["--config", $0] } ?? [])
        var launch = Launch(
            executable, command + files + ["--"] + operands,
            environment: Launch.inherited(Self.inheritedVariables) + ["PODCASTD_SOCKET=\(places.socket)"])
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
            logger.log(.error, .refresh, "podcast-refresh cannot be run: \(error)")
            throw ControlError(
                .unavailable, "podcast-refresh cannot be run: \(error)", hint: "is it installed beside podcastd?")
        }
    }

    private static func complaint(_ collected: CollectedOutput) -> String {
        // The last words are a failure and, on a line of its own, what to do.
        let lines = String(decoding: collected.errors, as: UTF8.self).split(separator: "\n").suffix(2)
        let prefix = "podcast-refresh: "
        let words = lines.map { $0.hasPrefix(prefix) ? $0.dropFirst(prefix.count) : $0 }
        let visible = words.joined(separator: "; ").unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String.UnicodeScalarView(visible.prefix(500)))
    }

    /// Asks a run in progress to end, soon; those that wait for it are not begun. What it committed stays, and the next
    /// refresh does the rest.
    func interrupt() {
        isInterrupted.store(true, ordering: .releasing)
        interruption.signal()
    }

    /// Waits for a run in progress and ends the thread.
    func close() { worker.finish() }
}

extension TerminationStatus {
    /// The number with which a process ended by itself.
    fileprivate var code: Int32? {
        switch self {
        case .exited(let code): code
        case .signaled: nil
        }
    }
}
