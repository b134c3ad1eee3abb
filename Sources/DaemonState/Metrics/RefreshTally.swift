public import Reporting
internal import Synchronization

/// Sums up what podcast-refresh reports at the end of each run. From any thread.
public final class RefreshTally: Sendable {
    /// Counts of one run, or of all.
    public struct Totals: Equatable, Sendable {
        public var runs: Int64 = 0
        public var changed: Int64 = 0
        /// Feeds without changes.
        public var unchanged: Int64 = 0
        public var failed: Int64 = 0
        public var newEpisodes: Int64 = 0

        /// The counts of one run.
        public init(runs: Int64 = 1, changed: Int64, unchanged: Int64, failed: Int64, newEpisodes: Int64) {
            (self.runs, self.changed, self.unchanged) = (runs, changed, unchanged)
            (self.failed, self.newEpisodes) = (failed, newEpisodes)
        }
    }

    private let state = Mutex(Totals(runs: 0, changed: 0, unchanged: 0, failed: 0, newEpisodes: 0))
    private let logger: Logger

    /// No run yet.
    public init(logger: Logger) { self.logger = logger }

    /// The sums so far.
    public var totals: Totals { state.withLock { $0 } }

    /// Adds the counts of a run. They come from a client, so sums wrap around instead of trapping.
    public func add(_ run: Totals) {
        state.withLock { totals in
            totals.runs &+= run.runs
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
