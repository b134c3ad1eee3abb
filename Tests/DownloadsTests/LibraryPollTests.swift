import Testing
import TestSupport

@testable import DaemonCore

struct LibraryPollTests {
    /// The answers to events, in order.
    private func story(_ poll: inout LibraryPoll, _ events: [Event]) -> [Bool] {
        events.compactMap { event in
            switch event {
            case .ask: return poll.ask()
            case .begin:
                _ = poll.begin()
                return nil
            case .end: return poll.ended()
            }
        }
    }

    private enum Event { case ask, begin, end }

    @Test func aChangeDuringAReadingCausesAnotherOne() {
        var poll = LibraryPoll()
        expectEqual(
            story(&poll, [.ask, .begin, .ask, .ask, .end, .begin, .end, .ask]), [true, false, false, true, false, true])
    }

    @Test func aChangeBeforeTheReadingBeginsIsPartOfIt() {
        var poll = LibraryPoll()
        expectEqual(story(&poll, [.ask, .ask, .begin, .end]), [true, false, false])
    }

    @Test func aReadingFromBeforeARequestEndedIsStale() {
        var poll = LibraryPoll()
        _ = poll.ask()
        let stale = poll.begin()
        #expect(poll.isCurrent(stale))
        poll.requestEnded()
        #expect(!poll.isCurrent(stale))
        expectEqual(story(&poll, [.ask, .end]), [false, true])
        let fresh = poll.begin()
        #expect(poll.isCurrent(fresh))
    }

    @Test func aFailedReadingIsRetriedAfterTwiceTheDelayAndLoggedOnce() {
        var poll = LibraryPoll()
        var failures: [(delay: Duration, isFirst: Bool)] = []
        for _ in 1...12 {
            expectEqual(story(&poll, [.ask, .begin]), [true])
            failures.append(poll.failed())
        }
        expectEqual(failures.map(\.delay.components.seconds), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
        expectEqual(failures.map(\.isFirst), [true] + Array(repeating: false, count: 11))
        expectEqual(story(&poll, [.ask, .begin, .end, .ask, .begin]), [true, false, true])
        let next = poll.failed()
        #expect(next.delay == .seconds(1) && next.isFirst)
    }
}
