internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// Runs podcastctl for the command lines that are typed in the full-screen mode, one after another. podcastctl runs as a separate
/// process, so it can neither block the keys nor ask on the terminal. One thread.
final class CommandProcesses: CommandLineRunner {
    /// Maximum number of bytes of an answer; the rest is not shown.
    private static let longestAnswer = 4 << 20
    /// The variables that podcastctl reads.
    private static let variables = [
        "HOME", "PATH", "TZ", "LANG", "LC_ALL", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "TMPDIR",
    ]

    private typealias Job = (words: [String], handler: (CommandLineOutcome) -> Void)
    private typealias Running = (job: Job, process: ChildProcess, output: MemoryFile)

    private let socket: String
    private let program: String?
    private var waiting: [Job] = []
    private var running: Running?

    /// - Parameter program: the path of podcastctl; nil for the program in the folder of this one.
    init(socket: String, program: String? = nil) {
        self.socket = socket
        self.program = program
    }

    /// When it is readable, `finish` has something to do; -1 for none.
    var descriptor: Int32 { running?.process.descriptor ?? -1 }

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
        let options = ["--socket", socket, "--columns", "\(max(1, columns))"]
        waiting.append((options + words, handler))
        startNext()
    }

    func complete(_ text: String) -> TypedCompletion { NameCompletion.of(text, socket: socket) }

    private func startNext() {
        while running == nil, !waiting.isEmpty {
            let job = waiting.removeFirst()
            do throws(SystemError) {
                running = try start(job)
            } catch {
                job.handler(CommandLineOutcome(lines: ["podcastctl cannot be run: \(error.reason)"], hasFailed: true))
            }
        }
    }

    private func start(_ job: Job) throws(SystemError) -> Running {
        let path = if let program { program } else { try Launch.sibling("podcastctl") }
        let output = try MemoryFile(name: "answer")
        let writing = try output.openForWriting()
        let process = try ChildProcess(
            Launch(
                path, job.words, environment: Launch.inherited(Self.variables),
                descriptors: [.init(writing.raw, to: 1), .init(writing.raw, to: 2)], signalWhenParentEnds: SIGTERM))
        return (job, process, output)
    }

    /// Calls the handler of a process that has ended, and starts the next process.
    func finish() {
        guard let done = running, let status = done.process.exitStatus() else { return }
        running = nil
        let bytes = (try? done.output.read(at: 0, count: Self.longestAnswer)) ?? []
        var lines = String(utf8: bytes).fields(separatedBy: "\n")
        if lines.last?.isEmpty == true { lines.removeLast() }
        done.job.handler(
            CommandLineOutcome(lines: lines.map { SafeText.line(String($0)) }, hasFailed: status != .exited(0)))
        startNext()
    }
}
