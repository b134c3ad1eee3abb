internal import Reporting
internal import SystemCalls

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
