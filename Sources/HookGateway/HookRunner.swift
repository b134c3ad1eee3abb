internal import PodcastModel
internal import SystemCalls

/// Runs the programs of events, some at a time. One thread.
final class HookRunner {
    private struct Job {
        var hook: Hook
        var input: [UInt8]
    }

    /// How long programs may still run when podcast-hooks ends.
    private static let farewell = Duration.seconds(3)

    private let settings: HookSettings
    private let environment: [String]
    private let log: (String) -> Void
    private var queue: HookQueue<Job>
    private var runs: [HookRun] = []

    /// - Parameter environment: what all programs get.
    init(settings: HookSettings, environment: [String], log: @escaping (String) -> Void) {
        (self.settings, self.environment, self.log) = (settings, environment, log)
        queue = HookQueue(running: settings.programs, waiting: settings.waiting)
    }

    /// Readable when `process` has something to do.
    var descriptors: [Int32] { runs.flatMap(\.descriptors) }
    /// When `process` must be called in any case; nil for never.
    var deadline: Instant? { runs.map(\.deadline).min() }

    func run(_ document: HookDocument) {
        for hook in settings.hooks where hook.event == document.event {
            let decision = queue.add(Job(hook: hook, input: document.bytes))
            if let dropped = decision.dropped {
                log(
                    "\(dropped.hook.event.rawValue): \(dropped.hook.program) is not run, because too many programs wait"
                )
            }
            if let job = decision.starting { start(job) }
        }
    }

    /// Continues with programs that wrote or ended.
    func process() {
        let now = Instant.now
        let ended = runs.filter { $0.step(at: now) }
        runs.removeAll { run in ended.contains { $0 === run } }
        for _ in ended { startNext() }
    }

    func stop() {
        for run in runs { run.terminate() }
        let deadline = Instant.now + Self.farewell
        for run in runs { run.wait(until: deadline) }
        runs = []
    }

    private func startNext() { if let job = queue.finish() { start(job) } }

    private func start(_ job: Job) {
        do throws(SystemError) {
            runs.append(
                try HookRun(
                    job.hook, input: job.input,
                    environment: environment + ["PODCASTD_EVENT=\(job.hook.event.rawValue)"],
                    timeLimit: settings.timeLimit, log: log))
        } catch {
            log("\(job.hook.event.rawValue): \(SafeText.line(error.description))")
            startNext()
        }
    }
}
