import ControlLanguage
import PodcastModel
import Testing

@testable import ControlSocket

// The schedule is a value inside the server; through the socket its times could only be waited for.
@Suite struct EventScheduleTests {
    private let player = StatusParts(.player)

    private func at(_ milliseconds: Int) -> Instant { Instant(nanoseconds: 0) + .milliseconds(milliseconds) }

    @Test func theFirstChangeIsSentAtOnceAndTheNextLater() {
        var schedule = EventSchedule(interval: .milliseconds(100))
        #expect(schedule.deadline([], at: at(0)) == nil)
        #expect(schedule.due(player, at: at(1000)) == player)
        #expect(schedule.due(player, at: at(1050)) == [])
        #expect(schedule.deadline(player, at: at(1050)) == at(1100))
        #expect(schedule.due(player, at: at(1100)) == player)
    }

    @Test func partsDoNotDelayEachOther() {
        var schedule = EventSchedule(interval: .milliseconds(100))
        _ = schedule.due(player, at: at(1000))
        let both = player.union(StatusParts(.queue))
        #expect(schedule.due(both, at: at(1010)) == StatusParts(.queue))
        #expect(schedule.deadline(both, at: at(1020)) == at(1100))
    }

    @Test func afterAnIntervalWithoutChangesTheNextIsSentAtOnce() {
        var schedule = EventSchedule(interval: .milliseconds(100))
        _ = schedule.due(player, at: at(0))
        #expect(schedule.due(player, at: at(5000)) == player)
    }
}
