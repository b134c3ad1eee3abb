import DaemonState
import Reporting
import TestSupport
import Testing

@Suite struct RefreshTallyTests {
    @Test func refreshesAreSummedUpAndCannotOverflow() {
        let tally = RefreshTally(
            logger: Logger(levels: LogLevels(.error), to: .ofProcess(identifier: "test", variable: { _ in nil })))
        tally.add(.init(changed: 2, unchanged: 5, failed: 1, newEpisodes: 9))
        tally.add(.init(changed: 1, unchanged: 0, failed: 0, newEpisodes: 1))
        expectEqual(tally.totals, .init(runs: 2, changed: 3, unchanged: 5, failed: 1, newEpisodes: 10))
        tally.add(.init(changed: .max, unchanged: .max, failed: .max, newEpisodes: .max))
        expectEqual(tally.totals.runs, 3)
    }
}
