internal import ControlLanguage
internal import ControlProtocol
internal import Reporting
internal import Synchronization

/// Sums up what podcast-refresh reports at the end of each run. From any thread.
final class RefreshTally: Sendable {
    private let state = Mutex((runs: Int64(0), totals: ReportRefresh()))
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    var runs: Int64 { state.withLock { $0.runs } }
    /// The counts of all runs.
    var totals: ReportRefresh { state.withLock { $0.totals } }

    /// Adds the counts of a run. They come from a client, so sums wrap around instead of trapping.
    func add(_ run: ReportRefresh) {
        state.withLock { state in
            state.runs &+= 1
            state.totals.changed &+= run.changed
            state.totals.unchanged &+= run.unchanged
            state.totals.failed &+= run.failed
            state.totals.newEpisodes &+= run.newEpisodes
        }
        logger.log(
            .info, .refresh,
            "\(run.changed &+ run.unchanged &+ run.failed) feeds: \(run.changed) changed, \(run.failed) failed, "
                + "\(run.newEpisodes) new episodes")
    }
}
