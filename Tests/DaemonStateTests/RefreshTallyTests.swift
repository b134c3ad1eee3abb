@testable import DaemonCore
import ControlLanguage
import ControlProtocol
import Reporting
import TestSupport
import Testing

@Suite struct RefreshTallyTests {
    @Test func refreshesAreSummedUpAndCannotOverflow() {
        let tally = RefreshTally(
            logger: Logger(levels: LogLevels(.error), to: .ofProcess(identifier: "test", variable: { _ in nil })))
        func add(_ changed: Int64, _ unchanged: Int64, _ failed: Int64, _ newEpisodes: Int64) {
            tally.add(
                ReportRefresh {
                    ($0.changed, $0.unchanged, $0.failed, $0.newEpisodes) = (changed, unchanged, failed, newEpisodes)
                })
        }
        add(2, 5, 1, 9)
        add(1, 0, 0, 1)
        let totals = tally.totals
        #expect(totals.changed == 3 && totals.unchanged == 5 && totals.failed == 1 && totals.newEpisodes == 10)
        add(.max, .max, .max, .max)
        expectEqual(tally.runs, 3)
    }
}
