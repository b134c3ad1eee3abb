import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import EpisodeCache

struct IndexStateTests {
    @Test func anIndexIsDueAfterSomeBytesAndOnceMoreWhenAllIsStored() {
        var index = IndexState()
        #expect(index.isCurrent && !index.isDue(after: 0))
        index.stored(60)
        #expect(!index.isCurrent && !index.isDue(after: 100))
        index.stored(40)
        let isDue = index.isDue(after: 100)
        #expect(isDue && !index.isDue(after: 100))
        // That index may not survive a power cut.
        #expect(!index.isCurrent)
        let mustWrite = index.isDurableDue()
        #expect(mustWrite && index.isCurrent && !index.isDurableDue())
    }
}

struct ChangeReportsTests {
    private func snapshot(_ end: Int64, _ phase: ByteSourcePhase = .receiving) -> ByteSourceSnapshot {
        ByteSourceSnapshot(length: 1000, available: [0..<end], phase: phase)
    }

    /// Reports of which the first was at `start`.
    private func reports() -> ChangeReports {
        var reports = ChangeReports()
        _ = reports.isDue(snapshot(10), wanted: [], isUrgent: true, now: start)
        return reports
    }

    @Test func awaitedBytesAreReportedAtOnceAndOthersLater() {
        var reports = reports()
        let awaited = reports.isDue(snapshot(20), wanted: [15], isUrgent: false, now: start + .milliseconds(1_000))
        #expect(awaited)
        let others = reports.isDue(snapshot(30), wanted: [500], isUrgent: false, now: start + .milliseconds(1_020))
        #expect(!others)
        let delay = reports.nextTimer(now: start + .milliseconds(1_020))
        expectEqual(delay, .milliseconds(80))
        // One timer is enough for all that follows.
        let more = reports.isDue(snapshot(40), wanted: [500], isUrgent: false, now: start + .milliseconds(1_050))
        let second = reports.nextTimer(now: start + .milliseconds(1_050))
        #expect(!more && second == nil)
    }

    @Test func aTimerThatIsNoLongerNeededStartsNoOther() {
        var reports = reports()
        _ = reports.isDue(snapshot(20), wanted: [], isUrgent: false, now: start + .milliseconds(50))
        let delay = reports.nextTimer(now: start + .milliseconds(50))
        expectEqual(delay, .milliseconds(50))
        let isDue = reports.isDue(snapshot(20, .complete), wanted: [], isUrgent: false, now: start + .milliseconds(60))
        #expect(isDue)
        reports.timerFired()
        let again = reports.isDue(snapshot(20, .complete), wanted: [], isUrgent: true, now: start + .milliseconds(100))
        let next = reports.nextTimer(now: start + .milliseconds(100))
        #expect(!again && next == nil)
    }

    @Test func aHeldBackChangeIsReportedWhenTheTimerFires() {
        var reports = reports()
        _ = reports.isDue(snapshot(20), wanted: [], isUrgent: false, now: start + .milliseconds(50))
        _ = reports.nextTimer(now: start + .milliseconds(50))
        reports.timerFired()
        let isDue = reports.isDue(snapshot(20), wanted: [], isUrgent: true, now: start + .milliseconds(100))
        let next = reports.nextTimer(now: start + .milliseconds(100))
        #expect(isDue && next == nil)
    }

    @Test func bytesAreUnreportedUntilTheirReport() {
        var reports = reports()
        var have = ByteRanges()
        have.insert(0..<20)
        #expect(reports.hasUnreported(at: 15, have))
        _ = reports.isDue(snapshot(20), wanted: [15], isUrgent: false, now: start)
        #expect(!reports.hasUnreported(at: 15, have))
    }
}
