internal import ControlTool
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// Runs podcastctl for the command lines that are typed in the full-screen mode, one after another. As a process of its own, it can
/// neither block the keys nor ask on the terminal. One thread.
final class CommandProcesses: CommandLineRunner {
    /// Of an answer, more bytes than these are not shown.
    private static let longestAnswer = 4 << 20
    /// The variables that podcastctl reads.
    private static let variables = [
        "HOME", "PATH", "TZ", "LANG", "LC_ALL", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "TMPDIR",
    ]

    private struct Job {
        var words: [String]
        /// Gets what the command printed.
        var handler: (_ text: String, _ hasFailed: Bool) -> Void
    }

    private final class Running {
        let job: Job
        let process: Int32
        let output: MemoryFile
        /// Readable when the process has ended.
        let end: FileDescriptor

        init(_ job: Job, _ process: Int32, _ output: MemoryFile) throws(SystemError) {
            (self.job, self.process, self.output) = (job, process, output)
            end = try openProcessDescriptor(process)
        }
    }

    private let socket: String
    private var waiting: [Job] = []
    private var running: Running?

    init(socket: String) { self.socket = socket }

    /// Readable when `finish` has something to do; -1 for nothing.
    var descriptor: Int32 { running?.end.raw ?? -1 }

    func run(_ line: String, columns: Int, handler: @escaping (CommandLineOutcome) -> Void) {
        guard let words = TypedLines.words(line) else {
            return handler(CommandLineOutcome(lines: ["a quotation mark is missing"], hasFailed: true))
        }
        guard let first = words.first else { return }
        if ["shell", "tui"].contains(first) {
            return handler(CommandLineOutcome(lines: ["this is podcast-tui already"], hasFailed: true))
        }
        // A command that does not end would hold up the commands after it.
        let short = ["status": "-f", "play": "-w", "download": "-w"][first]
        if words.contains(where: { ["--follow", "--wait", short].contains($0) }) {
            let text = "podcast-tui shows what goes on by itself; type the command without --follow or --wait"
            return handler(CommandLineOutcome(lines: [text], hasFailed: true))
        }
        let options = ["--socket", socket, "--no-pager", "--columns", "\(max(1, columns))"]
        waiting.append(
            Job(words: options + words) { text, hasFailed in
                handler(CommandLineOutcome(lines: Self.lines(of: text).map { SafeText.line($0) }, hasFailed: hasFailed))
            })
        startNext()
    }

    func complete(_ text: String, handler: @escaping (TypedCompletion) -> Void) {
        let line = NameCompletion(text)
        let wanted = line.wanted
        guard let kind = wanted.names else { return handler(line.completion(wanted.words)) }
        let words = ["--socket", socket, "complete", kind, "--", line.beginning, line.before]
        waiting.append(
            Job(words: words) { text, hasFailed in
                // A name, and after a tab what it is.
                let names = Self.lines(of: hasFailed ? "" : text).compactMap { $0.split(separator: "\t").first }
                handler(line.completion(wanted.words + names.map { SafeText.line(String($0)) }))
            })
        startNext()
    }

    private func startNext() {
        while running == nil, !waiting.isEmpty {
            let job = waiting.removeFirst()
            do throws(SystemError) {
                running = try start(job)
            } catch {
                job.handler("podcastctl cannot be run: \(error.reason)", true)
            }
        }
    }

    private func start(_ job: Job) throws(SystemError) -> Running {
        let own = try ownExecutablePath()
        let path = (own.lastIndex(of: "/").map { own[...$0] } ?? "") + "podcastctl"
        let output = try MemoryFile(name: "answer", capacity: 1 << 30)
        let writing = try output.openForWriting()
        let input = try FileDescriptor.open("/dev/null", O_RDONLY)
        let process = try startProcess(
            String(path), arguments: ["podcastctl"] + job.words,
            environment: Self.variables.compactMap { name in CurrentProcess.variable(name).map { "\(name)=\($0)" } },
            descriptors: [.init(input.raw, to: 0), .init(writing.raw, to: 1), .init(writing.raw, to: 2)],
            ownGroup: true, parentDeathSignal: SIGTERM)
        return try Running(job, process, output)
    }

    /// Takes the answer of a command that has ended.
    func finish() {
        guard let done = running, let status = try? waitForProcess(done.process, waiting: false) else { return }
        running = nil
        let bytes = (try? done.output.read(at: 0, count: Self.longestAnswer)) ?? []
        done.job.handler(String(decoding: bytes, as: UTF8.self), status != .exited(0))
        startNext()
    }

    private static func lines(of text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
