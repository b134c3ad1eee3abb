import ControlLanguage
import PodcastModel
import Testing
import TestSupport

@testable import ControlSocket

// The schedule is a value inside the server; through the socket its times could only be waited for.
@Suite struct EventScheduleTests {
    private let player = StatusParts(.player)

    private func at(_ milliseconds: Int) -> Instant { Instant(nanoseconds: 0) + .milliseconds(milliseconds) }

    @Test func theFirstChangeIsSentAtOnceAndTheNextLater() {
        var schedule = EventSchedule(interval: .milliseconds(100))
        expectEqual(schedule.deadline([], at: at(0)), nil)
        expectEqual(schedule.due(player, at: at(1000)), player)
        expectEqual(schedule.due(player, at: at(1050)), [])
        expectEqual(schedule.deadline(player, at: at(1050)), at(1100))
        expectEqual(schedule.due(player, at: at(1100)), player)
    }

    @Test func partsDoNotDelayEachOther() {
        var schedule = EventSchedule(interval: .milliseconds(100))
        _ = schedule.due(player, at: at(1000))
        let both = player.union(StatusParts(.queue))
        expectEqual(schedule.due(both, at: at(1010)), StatusParts(.queue))
        expectEqual(schedule.deadline(both, at: at(1020)), at(1100))
    }

    @Test func afterAnIntervalWithoutChangesTheNextIsSentAtOnce() {
        var schedule = EventSchedule(interval: .milliseconds(100))
        _ = schedule.due(player, at: at(0))
        expectEqual(schedule.due(player, at: at(5000)), player)
    }
}
