import Testing

@testable import DaemonCore

struct DownloadLooksTests {
    /// What each event answers, in order, as people would say it.
    private func story(_ looks: inout DownloadLooks, _ events: [Event]) -> [Bool] {
        events.compactMap { event in
            switch event {
            case .ask: return looks.ask()
            case .begin:
                _ = looks.begin()
                return nil
            case .end: return looks.ended()
            }
        }
    }

    private enum Event { case ask, begin, end }

    @Test func oneReadingAtATimeAndWhatChangesMeanwhileBringsAnother() {
        var looks = DownloadLooks()
        #expect(
            story(&looks, [.ask, .begin, .ask, .ask, .end, .begin, .end, .ask])
                == [true, false, false, true, false, true])
    }

    @Test func whatChangesBeforeTheReadingBeginsIsInIt() {
        var looks = DownloadLooks()
        #expect(story(&looks, [.ask, .ask, .begin, .end]) == [true, false, false])
    }

    @Test func aReadingFromBeforeAWishEndedDoesNotCount() {
        var looks = DownloadLooks()
        _ = looks.ask()
        let stale = looks.begin()
        #expect(looks.counts(stale))
        looks.wishEnded()
        #expect(!looks.counts(stale))
        #expect(story(&looks, [.ask, .end]) == [false, true])
        let fresh = looks.begin()
        #expect(looks.counts(fresh))
    }

    @Test func aReadingThatFailedIsTriedAgainEachTimeAfterTwiceTheWaitAndToldOnce() {
        var looks = DownloadLooks()
        var failures: [DownloadLooks.Failure] = []
        for _ in 1...12 {
            #expect(story(&looks, [.ask, .begin]) == [true])
            failures.append(looks.failed())
        }
        #expect(failures.map(\.delay) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
        #expect(failures.map(\.isFirst) == [true] + Array(repeating: false, count: 11))
        #expect(story(&looks, [.ask, .begin, .end, .ask, .begin]) == [true, false, true])
        let next = looks.failed()
        #expect(next == DownloadLooks.Failure(delay: 1, isFirst: true))
    }
}
