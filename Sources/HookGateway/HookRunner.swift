internal import ControlClient
internal import GatewayKit
internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// Runs the programs of the daemon's events, some at a time. One thread.
final class HookRunner: GatewayService {
    private typealias Job = (hook: Hook, input: [UInt8])

    /// How long programs may still run when podcast-hooks ends.
    private static let shutdownLimit = Duration.seconds(3)

    let connection: ControlConnection
    private lazy var source = HookSource(connection: connection) { [unowned self] in run($0) }
    private let settings: HookSettings
    private let environment: [String]
    private let log: (String) -> Void
    /// Jobs that wait for a running program to end, the oldest first.
    private var waiting: [Job] = []
    private var runs: [HookRun] = []

    /// - Parameter environment: what all programs get.
    init(
        connection: ControlConnection, settings: HookSettings, environment: [String], log: @escaping (String) -> Void
    ) {
        self.connection = connection
        self.settings = settings
        self.environment = environment
        self.log = log
    }

    var waits: [PollEntry] { runs.flatMap(\.descriptors).map { PollEntry($0) } }
    var deadline: Instant? { runs.map(\.deadline).min() }
    var isReady: Bool { source.isSettled }

    private func run(_ document: HookDocument) {
        for hook in settings.hooks where hook.event == document.event {
            waiting.append((hook, document.bytes))
            startWaiting()
            if waiting.count <= settings.waiting { continue }
            let dropped = waiting.removeFirst().hook
            log("\(dropped.event.rawValue): \(dropped.program) is not run, because too many programs wait")
        }
    }

    func process() {
        source.process()
        let now = Instant.now
        let ended = runs.filter { $0.step(at: now) }
        runs.removeAll { run in ended.contains { $0 === run } }
        startWaiting()
    }

    func stop() {
        for run in runs { run.terminate() }
        let deadline = Instant.now + Self.shutdownLimit
        for run in runs { run.wait(until: deadline) }
        runs = []
    }

    private func startWaiting() {
        while runs.count < settings.programs, !waiting.isEmpty { start(waiting.removeFirst()) }
    }

    private func start(_ job: Job) {
        do throws(SystemError) {
            runs.append(
                try HookRun(
                    job.hook, input: job.input,
                    environment: environment + ["PODCASTD_EVENT=\(job.hook.event.rawValue)"],
                    timeLimit: settings.timeLimit, log: log))
        } catch {
            log("\(job.hook.event.rawValue): \(SafeText.line(error.description))")
        }
    }
}

/// A program that runs because of an event.
final class HookRun {
    /// Between SIGTERM and SIGKILL.
    private static let grace = Duration.seconds(5)
    /// Bytes of a line; longer ones are logged in pieces.
    private static let longestLine = 1000
    /// Lines that are logged.
    private static let mostLines = 200

    let hook: Hook
    private let process: ChildProcess
    private var output: FileDescriptor?
    private var line: [UInt8] = []
    private var lines = 0
    private(set) var deadline: Instant
    private var isTerminated = false
    private let log: (String) -> Void

    /// Starts the program with this environment and nothing else. `log` takes lines without control characters.
    init(
        _ hook: Hook, input: [UInt8], environment: [String], timeLimit: Duration, log: @escaping (String) -> Void
    ) throws(SystemError) {
        // A file in memory, because a program that does not read would block a pipe.
        let file = try MemoryFile(name: "event")
        try input.withUnsafeBytes { bytes in Result { () throws(SystemError) in try file.write(bytes, at: 0) } }.get()
        let reading = try file.openForReading()
        let pipe = try Pipe()
        process = try ChildProcess(
            Launch(
                hook.program, hook.arguments, environment: environment,
                descriptors: [
                    DescriptorMapping(reading.raw, to: 0), DescriptorMapping(pipe.writing.raw, to: 1),
                    DescriptorMapping(pipe.writing.raw, to: 2),
                ]))
        output = pipe.closingWriting()
        deadline = .now + timeLimit
        self.hook = hook
        self.log = log
    }

    /// Readable when `step` has something to do.
    var descriptors: [Int32] { [process.descriptor, output?.raw ?? -1] }

    /// Logs the program's output, and ends the program after its time limit. Returns whether the program has ended.
    func step(at now: Instant) -> Bool {
        read()
        guard waitForDescriptors(readable: process.descriptor, until: .now) else {
            if now >= deadline { end() }
            return false
        }
        // Processes that the program leaves behind end with the program. The program's id stays valid as the id of their
        // process group until the program's status is read, so the signal comes first.
        process.signalGroup(SIGTERM)
        let status = process.wait()
        // A background process may keep the pipe open; its later output is discarded.
        read()
        finishLine()
        output = nil
        if status != .exited(0) { log("\(name) ended with \(status)\(isTerminated ? " after its time limit" : "")") }
        return true
    }

    /// Sends SIGTERM to the program and its children, the next time SIGKILL.
    private func end() {
        process.signalGroup(isTerminated ? SIGKILL : SIGTERM)
        if !isTerminated { log("\(name) has reached its time limit and is ended") }
        isTerminated = true
        deadline = .now + Self.grace
    }

    /// Sends SIGTERM because podcast-hooks ends.
    func terminate() { process.signalGroup(SIGTERM) }

    /// Waits until the program has ended, and kills the program at the deadline.
    func wait(until deadline: Instant) {
        if process.wait(until: deadline) == nil { process.signalGroup(SIGKILL) }
        _ = process.wait()
    }

    private var name: String { "\(hook.event.rawValue): \(SafeText.line(hook.program, atMost: 200))" }

    // MARK: output

    private func read() {
        // A program that writes without end must not keep the thread from its other work.
        for _ in 0..<16 {
            guard let output = output?.raw, waitForDescriptors(readable: output, until: .now) else { return }
            let bytes = (try? self.output?.readSome(upTo: 16 << 10)) ?? []
            if bytes.isEmpty {
                finishLine()
                self.output = nil
                return
            }
            for byte in bytes {
                if byte == 0x0A { finishLine() } else { line.append(byte) }
                if line.count >= Self.longestLine { finishLine() }
            }
        }
    }

    private func finishLine() {
        let text = SafeText.line(String(utf8: line))
        line = []
        if text.isEmpty || lines > Self.mostLines { return }
        lines += 1
        log("\(name): \(lines > Self.mostLines ? "further output is not logged" : text)")
    }
}
