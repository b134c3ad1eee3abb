@testable import DaemonCore
import PodcastModel
import TestSupport
import Testing

struct BackupIntervalTests {
    private let start = Timestamp(year: 2026, month: 1, day: 1)

    @Test func aBackupIsDueAnIntervalAfterTheLastOneOrTheFirstSubscription() {
        let week = start.adding(seconds: 7 * 86_400)
        expectEqual(BackupInterval.weekly.due(after: start, subscribed: nil), week)
        expectEqual(BackupInterval.weekly.due(after: nil, subscribed: start), week)
        expectEqual(BackupInterval.daily.due(after: week, subscribed: start), week.adding(seconds: 86_400))
        expectEqual(BackupInterval.weekly.due(after: nil, subscribed: nil), nil, "an empty library needs none")
        expectEqual(BackupInterval.off.due(after: start, subscribed: start), nil)
    }
}
