@testable import AudioOutput
import MediaPorts
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// The parts of an output that follows: its machine, its alignment and its feed.
@Suite struct FollowingTests {
    private let busy = SinkError("busy", isTemporary: true)

    private func machine(after events: FollowMachine.Event...) -> FollowMachine {
        var machine = FollowMachine()
        for event in events { _ = machine.handle(event) }
        return machine
    }

    @Test func anOutputOpensComesIntoStepAndPlays() {
        expectEqual(machine().activity, .rest)
        expectEqual(machine(after: .feed).activity, .open)
        expectEqual(machine(after: .feed, .opened).activity, .start)
        expectEqual(machine(after: .feed, .opened, .aligned).activity, .play)
        expectEqual(machine(after: .feed, .opened, .aligned, .noFeed).activity, .rest)
        expectEqual(machine(after: .feed, .opened, .aligned, .feed).activity, .open)
    }

    @Test func aPauseDiscardsWhatTheSinkHasAndTheSoundComesIntoStepAgain() {
        var playing = machine(after: .feed, .opened, .aligned)
        expectEqual(playing.handle(.pause), .drop)
        expectEqual(playing.activity, .rest)
        expectEqual(playing.handle(.resume), .none)
        expectEqual(playing.activity, .start)
        var opening = machine(after: .feed)
        expectEqual(opening.handle(.pause), .none)
        expectEqual(opening.activity, .open)
    }

    @Test func aFailureIsRetriedMoreAndMoreSeldomUnlessThatMakesNoSense() {
        var playing = machine(after: .feed, .opened, .aligned)
        expectEqual(playing.handle(.failed(busy)), .close)
        expectEqual(playing.activity, .retry(attempt: 1))
        for event in [.retry, .failed(busy)] as [FollowMachine.Event] { _ = playing.handle(event) }
        expectEqual(playing.activity, .retry(attempt: 2))
        for event in [.retry, .opened, .aligned, .steady, .failed(busy)] as [FollowMachine.Event] {
            _ = playing.handle(event)
        }
        expectEqual(playing.activity, .retry(attempt: 1))
        expectEqual(machine(after: .feed, .failed(SinkError("missing"))).activity, .rest)
        expectEqual(machine(after: .feed, .failed(SinkError("missing")), .feed).activity, .open)
    }

    @Test func oneLateReportChangesNothingAndSeveralCorrectTheSound() {
        var alignment = LaneAlignment()
        for late in [0, 30, 0, 1, 2, 60] { expectEqual(alignment.isLate(by: .milliseconds(late)), .none) }
        alignment.begin()
        for _ in 1...4 { expectEqual(alignment.isLate(by: .milliseconds(7)), .none) }
        expectEqual(alignment.isLate(by: .milliseconds(7)), .correct(.milliseconds(5)))
        for _ in 1...4 { expectEqual(alignment.isLate(by: .milliseconds(-9)), .none) }
        expectEqual(alignment.isLate(by: .milliseconds(-9)), .correct(.milliseconds(-5)))
        for _ in 1...4 { expectEqual(alignment.isLate(by: .milliseconds(24)), .none) }
        expectEqual(alignment.isLate(by: .milliseconds(24)), .correct(.milliseconds(20)))
        for _ in 1...4 { expectEqual(alignment.isLate(by: .seconds(1)), .none) }
        expectEqual(alignment.isLate(by: .seconds(1)), .restart)
    }

    private func feed(capacity: Int = 100) throws -> LaneFeed {
        LaneFeed(
            PCMFormat(rate: 1_000, channels: 1, type: .int32), from: 10, capacity: capacity,
            wakeUp: try EventDescriptor())
    }

    private func put(_ frames: Range<Int32>, from number: Int64? = nil, in feed: LaneFeed) {
        Array(frames).withUnsafeBytes { feed.put($0, from: number ?? Int64(frames.lowerBound)) }
    }

    /// Takes all frames that are there.
    private func taken(from feed: LaneFeed) -> [Int32] {
        var all: [Int32] = []
        _ = feed.update()
        while feed.hasFrames {
            let frames = feed.frames(limit: 7)
            all += frames.bindMemory(to: Int32.self)
            feed.advance(frames.count / 4)
        }
        return all
    }

    @Test func framesComeInOrderAroundTheEndOfTheMemory() throws {
        let feed = try feed(capacity: 16)
        for start in stride(from: Int32(10), to: 100, by: 10) {
            put(start..<(start + 10), in: feed)
            expectEqual(taken(from: feed), Array(start..<(start + 10)))
            feed.keep(unheard: 0)
        }
    }

    @Test func framesThatWereRemovedAreNotTakenAndThoseTakenAreCounted() throws {
        let feed = try feed()
        put(10..<40, in: feed)
        feed.advance(25)
        // Frames from 30 on are replaced; 5 of them were taken.
        put(130..<150, from: 30, in: feed)
        expectEqual(feed.update(), .removed(5))
        expectEqual(feed.position, 30)
        expectEqual(taken(from: feed), Array(130..<150))
        put(150..<160, from: 50, in: feed)
        put(160..<170, from: 55, in: feed)
        expectEqual(feed.update(), .none)
        expectEqual(taken(from: feed), Array(150..<155) + Array(160..<170))
    }

    @Test func afterADropTheFramesOfAfterwardsFollowThoseThatWereHeardElsewhere() throws {
        let feed = try feed()
        put(10..<40, in: feed)
        feed.advance(5)
        feed.drop(to: 20)
        put(500..<510, from: 20, in: feed)
        expectEqual(feed.update(), .dropped)
        expectEqual(taken(from: feed), Array(15..<20) + Array(500..<510))
    }

    @Test func whatWasNotHeardIsTakenAgainAndWhatHasNoRoomIsSkipped() throws {
        let feed = try feed(capacity: 20)
        put(10..<30, in: feed)
        feed.advance(15)
        feed.keep(unheard: 5)
        feed.rewind()
        expectEqual(feed.position, 20)
        put(30..<50, in: feed)
        expectEqual(taken(from: feed), Array(20..<40))
        put(50..<55, in: feed)
        feed.keep(unheard: 0)
        put(55..<60, in: feed)
        _ = feed.update()
        expectEqual(taken(from: feed), Array(55..<60))
        expectEqual(feed.position, 60)
    }
}
