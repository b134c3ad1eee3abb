internal import ControlTool
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// Runs podcastctl for the command lines that are typed in the full-screen mode, one after another, and for their completion, which
/// does not wait for a running command. podcastctl runs as a separate process, so it can neither block the keys nor ask on the
/// terminal. One thread.
final class CommandProcesses: CommandLineRunner {
    private let socket: String
    private let commands: ProcessQueue
    private let completions: ProcessQueue

    /// - Parameter program: the path of podcastctl; nil for the program in the folder of this one.
    init(socket: String, program: String? = nil) {
        self.socket = socket
        (commands, completions) = (ProcessQueue(program), ProcessQueue(program))
    }

    /// When one of these is readable, `finish` has something to do; -1 for none.
    var descriptors: [Int32] { [commands.descriptor, completions.descriptor] }

    /// Calls the handlers of processes that have ended.
    func finish() {
        commands.finish()
        completions.finish()
    }

    func run(_ line: String, columns: Int, handler: @escaping (CommandLineOutcome) -> Void) {
        func refuse(_ text: String) { handler(CommandLineOutcome(lines: [text], hasFailed: true)) }
        guard let words = TypedLines.words(line) else { return refuse("a quotation mark is missing") }
        guard let first = words.first else { return }
        if ["shell", "tui"].contains(first) { return refuse("this is podcast-tui already") }
        // A command that does not end would hold up the commands after it.
        let short = ["status": "-f", "play": "-w", "download": "-w"][first]
        if words.contains(where: { ["--follow", "--wait", short].contains($0) }) {
            return refuse("podcast-tui shows progress by itself; type the command without --follow or --wait")
        }
        let options = ["--socket", socket, "--no-pager", "--columns", "\(max(1, columns))"]
        commands.run(options + words) { lines, hasFailed in
            handler(CommandLineOutcome(lines: lines.map { SafeText.line($0) }, hasFailed: hasFailed))
        }
    }

    func complete(_ text: String, handler: @escaping (TypedCompletion) -> Void) {
        let line = NameCompletion(text)
        completions.run(["--complete", "--socket", socket] + line.line) { lines, hasFailed in
            // A candidate, and after a tab its description.
            let names = hasFailed ? [] : lines.compactMap { $0.split(separator: "\t").first }
            handler(line.completion(names.map { SafeText.line(String($0)) }))
        }
    }
}

/// Processes of podcastctl that run one after another.
private final class ProcessQueue {
    /// Maximum number of bytes of an answer; the rest is not shown.
    private static let longestAnswer = 4 << 20
    /// The variables that podcastctl reads.
    private static let variables = [
        "HOME", "PATH", "TZ", "LANG", "LC_ALL", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "TMPDIR",
    ]

    private struct Job {
        var words: [String]
        /// Gets the lines that the command printed.
        var handler: (_ lines: [String], _ hasFailed: Bool) -> Void
    }

    private struct Running {
        let job: Job
        let process: Int32
        let output: MemoryFile
        /// Readable when the process has ended.
        let end: OpenFile
    }

    private let program: String?
    private var waiting: [Job] = []
    private var running: Running?

    init(_ program: String?) { self.program = program }

    var descriptor: Int32 { running?.end.raw ?? -1 }

    func run(_ words: [String], handler: @escaping (_ lines: [String], _ hasFailed: Bool) -> Void) {
        waiting.append(Job(words: words, handler: handler))
        startNext()
    }

    private func startNext() {
        while running == nil, !waiting.isEmpty {
            let job = waiting.removeFirst()
            do throws(SystemError) {
                running = try start(job)
            } catch {
                job.handler(["podcastctl cannot be run: \(error.reason)"], true)
            }
        }
    }

    private func start(_ job: Job) throws(SystemError) -> Running {
        let path = if let program { program } else { StoredFile.folder(of: try ownExecutablePath()) + "/podcastctl" }
        let output = try MemoryFile(name: "answer")
        let writing = try output.openForWriting()
        let input = try FileDescriptor.open("/dev/null", O_RDONLY)
        let process = try startProcess(
            path, arguments: ["podcastctl"] + job.words,
            environment: Self.variables.compactMap { name in CurrentProcess.variable(name).map { "\(name)=\($0)" } },
            descriptors: [.init(input.raw, to: 0), .init(writing.raw, to: 1), .init(writing.raw, to: 2)],
            ownGroup: true, parentDeathSignal: SIGTERM)
        let end = OpenFile(try openProcessDescriptor(process))
        return Running(job: job, process: process, output: output, end: end)
    }

    /// Calls the handler of a process that has ended, and starts the next process.
    func finish() {
        guard let done = running, let status = try? waitForProcess(done.process, waiting: false) else { return }
        running = nil
        let bytes = (try? done.output.read(at: 0, count: Self.longestAnswer)) ?? []
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        done.job.handler(lines.map(String.init), status != .exited(0))
        startNext()
    }
}
