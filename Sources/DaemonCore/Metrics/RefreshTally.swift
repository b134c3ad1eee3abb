internal import ControlProtocol
internal import Diagnostics
internal import Synchronization

/// What refreshes came to, as their processes report it at their end.
final class RefreshTally: Sendable {
    /// What was counted.
    struct Totals: Equatable {
        var runs: Int64 = 0
        var changed: Int64 = 0
        var unchanged: Int64 = 0
        var failed: Int64 = 0
        var newEpisodes: Int64 = 0
    }

    private let state = Mutex(Totals())
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// The counts so far.
    var totals: Totals { state.withLock { $0 } }

    /// Adds a refresh to the totals.
    func note(_ report: ReportRefresh) {
        let (changed, unchanged, failed) = (report.changed, report.unchanged, report.failed)
        let newEpisodes = report.newEpisodes
        state.withLock { totals in
            totals.runs += 1
            totals.changed &+= changed
            totals.unchanged &+= unchanged
            totals.failed &+= failed
            totals.newEpisodes &+= newEpisodes
        }
        logger.log(
            .info, .refresh,
            "\(changed + unchanged + failed) feeds: \(changed) changed, \(failed) failed, \(newEpisodes) new episodes")
    }
}
