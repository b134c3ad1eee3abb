@testable import DaemonCore
import PodcastModel
import TestSupport
import Testing

struct AddressRenewalTests {
    private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    @Test func anEpisodeIsRenewedOnceAnHour() {
        var limit = RenewalLimit()
        let answers = [0, 3599, 3600, 3601].map { limit.permits(EpisodeID(1), at: at($0)) }
        expectEqual(answers, [true, false, true, false])
    }

    @Test func aDeadHostCausesFewRefreshes() {
        var limit = RenewalLimit()
        expectEqual((1...100).count { limit.permits(EpisodeID($0), at: at(0)) }, 30)
        expectEqual(limit.permits(EpisodeID(200), at: at(3600)), true)
    }
}
