internal import ControlProtocol
internal import Reporting
internal import Synchronization

/// Sums up what podcast-refresh reports at the end of each run. From any thread.
final class RefreshTally: Sendable {
    /// Counts of all runs.
    struct Totals: Equatable, Sendable {
        var runs: Int64 = 0
        var changed: Int64 = 0
        /// Feeds without changes.
        var unchanged: Int64 = 0
        var failed: Int64 = 0
        var newEpisodes: Int64 = 0
    }

    private let state = Mutex(Totals())
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    var totals: Totals { state.withLock { $0 } }

    /// Adds the counts of a run. They come from a client, so sums wrap around instead of trapping.
    func add(_ run: ReportRefresh) {
        state.withLock { totals in
            totals.runs &+= 1
            totals.changed &+= run.changed
            totals.unchanged &+= run.unchanged
            totals.failed &+= run.failed
            totals.newEpisodes &+= run.newEpisodes
        }
        logger.log(
            .info, .refresh,
            "\(run.changed &+ run.unchanged &+ run.failed) feeds: \(run.changed) changed, \(run.failed) failed, "
                + "\(run.newEpisodes) new episodes")
    }
}
