@testable import DaemonCore
import Playback
import PodcastModel
import TestSupport
import Testing

@Suite struct RebufferLogTests {
    private var log = RebufferLog()

    private func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    private func totals(_ cause: RebufferLog.Cause, at now: Instant = Instant(nanoseconds: 0)) -> RebufferLog.Totals {
        log.totals(of: cause, at: now)
    }

    @Test mutating func aWaitCountsOnceWithItsWholeDuration() {
        log.note(.playing, nil, at: at(0))
        log.note(.buffering, .waitingForData, at: at(100))
        expectEqual(totals(.network, at: at(130)), .init(count: 1, duration: .nanoseconds(30)))
        log.note(.buffering, .reconnecting(attempt: 1, delay: 1, reason: "x"), at: at(150))
        log.note(.playing, nil, at: at(200))
        expectEqual(totals(.network, at: at(900)), .init(count: 1, duration: .nanoseconds(100)))
        expectEqual(totals(.decoder), .init())
    }

    @Test mutating func waitingTimeIsCountedForItsCause() {
        log.note(.playing, nil, at: at(0))
        log.note(.buffering, .waitingForData, at: at(10))
        log.note(.buffering, .decoding, at: at(30))
        log.note(.playing, nil, at: at(35))
        expectEqual(totals(.network), .init(count: 1, duration: .nanoseconds(20)))
        expectEqual(totals(.decoder), .init(count: 0, duration: .nanoseconds(5)))
        log.note(.buffering, .sink("unplugged"), at: at(40))
        log.note(.stopped, nil, at: at(60))
        expectEqual(totals(.output, at: at(99)), .init(count: 1, duration: .nanoseconds(20)))
    }

    @Test mutating func startsAndSeeksAreNotRebuffering() {
        log.note(.loading, .connecting(host: "host.example"), at: at(0))
        log.note(.buffering, .waitingForData, at: at(5))
        log.note(.playing, nil, at: at(10))
        log.note(.buffering, .seeking, at: at(20))
        log.note(.buffering, .waitingForData, at: at(30))
        log.note(.playing, nil, at: at(90))
        for cause in RebufferLog.Cause.allCases { expectEqual(totals(cause, at: at(99)), .init()) }
    }

    @Test mutating func aPauseEndsTheWait() {
        log.note(.playing, nil, at: at(0))
        log.note(.buffering, .decoding, at: at(10))
        log.note(.paused, nil, at: at(15))
        log.note(.buffering, .decoding, at: at(50))
        log.note(.playing, nil, at: at(60))
        expectEqual(totals(.decoder, at: at(99)), .init(count: 1, duration: .nanoseconds(5)))
    }
}
