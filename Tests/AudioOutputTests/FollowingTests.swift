@testable import AudioOutput
import MediaPorts
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// The parts of an output that follows: its machine, its alignment and its ring.
@Suite struct FollowingTests {
    private let busy = SinkError("busy", isTemporary: true)
    private let start = Instant(nanoseconds: 0)

    private func view(
        _ milliseconds: Int = 0, hasFrames: Bool = true, latency: Int = 100, lateness: Int? = 0
    ) -> FollowMachine.View {
        FollowMachine.View(
            now: start + .milliseconds(milliseconds), hasFrames: hasFrames, latency: latency,
            learningTime: .milliseconds(200), lateness: lateness.map { .milliseconds($0) })
    }

    private func machine(after events: FollowMachine.Event...) -> FollowMachine {
        var machine = FollowMachine(retryDelay: { .seconds($0) })
        for event in events { _ = machine.handle(event, at: start) }
        return machine
    }

    private func playing() -> FollowMachine {
        var machine = machine(after: .ring, .opened)
        expectEqual(machine.next(view()), .silence(.milliseconds(220)))
        expectEqual(machine.next(view(1_000)), .play)
        return machine
    }

    @Test func anOutputOpensComesIntoStepAndPlays() {
        var machine = machine()
        expectEqual(machine.next(view(hasFrames: false)), .rest)
        expectEqual(machine.handle(.ring, at: start), .none)
        expectEqual(machine.next(view(hasFrames: false)), .open)
        expectEqual(machine.handle(.opened, at: start), .none)
        expectEqual(machine.next(view(hasFrames: false)), .rest)
        // The time in which the sink learns its latency, and a piece more.
        expectEqual(machine.next(view()), .silence(.milliseconds(220)))
        expectEqual(machine.next(view(100)), .wait(until: start + .milliseconds(200)))
        expectEqual(machine.next(view(200, lateness: -500)), .silence(.milliseconds(500)))
        expectEqual(machine.next(view(200, lateness: 300)), .skip(.milliseconds(300)))
        #expect(!machine.isInStep)
        expectEqual(machine.next(view(200)), .play)
        #expect(machine.isInStep)
        expectEqual(machine.handle(.closed(isHeardToTheEnd: false), at: start), .close)
        expectEqual(machine.next(view()), .rest)
    }

    @Test func silenceHasNoGapUntilTheLeadingOutputKnowsWhichFrameIsHeard() {
        var machine = machine(after: .ring, .opened)
        expectEqual(machine.next(view(lateness: nil)), .silence(.milliseconds(450)))
        expectEqual(machine.next(view(200, lateness: nil)), .wait(until: start + .milliseconds(220)))
        for time in [400, 420, 440] {
            expectEqual(machine.next(view(time, lateness: nil)), .silence(.milliseconds(20)))
            expectEqual(machine.next(view(time, lateness: nil)), .wait(until: start + .milliseconds(time + 20)))
        }
        expectEqual(machine.next(view(460)), .play)
    }

    @Test func aSinkThatReportsNoLatencyGetsAtMostOneMoreSecondOfSilence() {
        var machine = machine(after: .ring, .opened)
        expectEqual(machine.next(view(latency: 0)), .silence(.milliseconds(220)))
        for _ in 1...50 { expectEqual(machine.next(view(1_000, latency: 0)), .silence(.milliseconds(20))) }
        expectEqual(machine.next(view(1_000, latency: 0)), .play)
    }

    @Test func onlyFramesThatComeTooLateForFiveSecondsAreReported() {
        var machine = machine(after: .ring, .opened)
        for time in [0, 2_000, 4_000] {
            expectEqual(machine.next(view(time, hasFrames: false)), .rest)
            expectEqual(machine.next(view(time)), .silence(.milliseconds(220)))
            expectEqual(machine.next(view(time + 1_000, lateness: 300_000)), .skip(.seconds(300)))
        }
        expectEqual(machine.next(view(5_500, hasFrames: false)), .reportLate)
        // The sink is primed again, and that is not reported.
        expectEqual(machine.next(view(6_000)), .silence(.milliseconds(220)))
        expectEqual(machine.next(view(7_000, hasFrames: false)), .rest)
    }

    @Test func aPauseDiscardsTheSinksFramesAndTheSoundComesIntoStepAgain() {
        var machine = playing()
        expectEqual(machine.handle(.pause, at: start), .drop)
        expectEqual(machine.next(view()), .rest)
        expectEqual(machine.handle(.resume, at: start), .none)
        expectEqual(machine.next(view()), .silence(.milliseconds(220)))
        var opening = self.machine(after: .ring)
        expectEqual(opening.handle(.pause, at: start), .none)
        expectEqual(opening.next(view()), .open)
    }

    @Test func aSinkThatHasRunDryComesIntoStepAgain() {
        var machine = playing()
        expectEqual(machine.next(view(hasFrames: false)), .rest)
        expectEqual(machine.next(view()), .play)
        expectEqual(machine.next(view(hasFrames: false, latency: 0)), .rest)
        expectEqual(machine.next(view()), .drop)
        expectEqual(machine.next(view()), .silence(.milliseconds(220)))
    }

    @Test func soundThatIsLateIsCorrectedAndSoundThatIsFarOffBeginsAgain() {
        var machine = playing()
        for _ in 1...5 { expectEqual(machine.handle(.wrote(lateness: .milliseconds(7)), at: start), .none) }
        expectEqual(machine.next(view()), .correct(.milliseconds(5)))
        // Until there are enough frames for the correction the sound goes on.
        expectEqual(machine.handle(.wrote(lateness: .milliseconds(7)), at: start), .none)
        expectEqual(machine.next(view()), .correct(.milliseconds(5)))
        _ = machine.handle(.corrected, at: start)
        expectEqual(machine.next(view()), .play)
        for _ in 1...4 { expectEqual(machine.handle(.wrote(lateness: .seconds(1)), at: start), .none) }
        expectEqual(machine.handle(.wrote(lateness: .seconds(1)), at: start), .drop)
        #expect(!machine.isInStep)
    }

    @Test func theRestOfARingIsHeardBeforeAnotherFormatAndBeforeTheEnd() {
        var machine = playing()
        expectEqual(machine.handle(.ring, at: start), .none)
        expectEqual(machine.next(view()), .finish)
        expectEqual(machine.handle(.finished, at: start), .drop)
        expectEqual(machine.next(view()), .open)
        machine = playing()
        expectEqual(machine.handle(.closed(isHeardToTheEnd: true), at: start), .none)
        expectEqual(machine.next(view()), .finish)
        #expect(!machine.isInStep)
        expectEqual(machine.handle(.finished, at: start), .close)
        expectEqual(machine.next(view()), .rest)
        machine = playing()
        _ = machine.handle(.closed(isHeardToTheEnd: true), at: start)
        expectEqual(machine.handle(.lost, at: start), .close)
    }

    @Test func aFailureIsRetriedMoreAndMoreSeldomUnlessThatMakesNoSense() {
        var machine = playing()
        expectEqual(machine.handle(.failed(busy), at: start), .close)
        expectEqual(machine.next(view()), .wait(until: start + .seconds(1)))
        expectEqual(machine.next(view(1_000)), .open)
        expectEqual(machine.handle(.failed(busy), at: start), .close)
        expectEqual(machine.next(view()), .wait(until: start + .seconds(2)))
        expectEqual(machine.next(view(2_000)), .open)
        _ = machine.handle(.opened, at: start)
        for time in [9_000, 10_000] { _ = machine.next(view(time)) }
        for _ in 1...20 { _ = machine.handle(.wrote(lateness: nil), at: start) }
        _ = machine.handle(.failed(busy), at: start)
        expectEqual(machine.next(view()), .wait(until: start + .seconds(1)))
        var broken = self.machine(after: .ring, .failed(SinkError("missing")))
        expectEqual(broken.next(view()), .rest)
        _ = broken.handle(.ring, at: start)
        expectEqual(broken.next(view()), .open)
    }

    @Test func oneLateReportChangesNothingAndSeveralCorrectTheSound() {
        var alignment = LaneAlignment()
        for late in [0, 30, 0, 1, 2, 60] { expectEqual(alignment.record(lateness: .milliseconds(late)), .none) }
        alignment = LaneAlignment()
        for _ in 1...4 { expectEqual(alignment.record(lateness: .milliseconds(7)), .none) }
        expectEqual(alignment.record(lateness: .milliseconds(7)), .correct(.milliseconds(5)))
        for _ in 1...4 { expectEqual(alignment.record(lateness: .milliseconds(-9)), .none) }
        expectEqual(alignment.record(lateness: .milliseconds(-9)), .correct(.milliseconds(-5)))
        for _ in 1...4 { expectEqual(alignment.record(lateness: .milliseconds(24)), .none) }
        expectEqual(alignment.record(lateness: .milliseconds(24)), .correct(.milliseconds(20)))
        for _ in 1...4 { expectEqual(alignment.record(lateness: .seconds(1)), .none) }
        expectEqual(alignment.record(lateness: .seconds(1)), .restart)
    }

    private func ring(capacity: Int = 100) throws -> LaneRing {
        LaneRing(
            PCMFormat(rate: 1_000, channels: 1, type: .int32), from: 10, capacity: capacity,
            wakeUp: try EventDescriptor())
    }

    private func put(_ frames: Range<Int32>, from number: Int64? = nil, in ring: LaneRing) {
        Array(frames).withUnsafeBytes { ring.put($0, from: number ?? Int64(frames.lowerBound)) }
    }

    /// Takes all frames that are there.
    private func taken(from ring: LaneRing) -> [Int32] {
        var all: [Int32] = []
        _ = ring.update()
        while ring.hasFrames {
            let frames = ring.frames(limit: 7)
            all += frames.bindMemory(to: Int32.self)
            ring.advance(frames.count / 4)
        }
        return all
    }

    @Test func framesComeInOrderAroundTheEndOfTheMemory() throws {
        let ring = try ring(capacity: 16)
        for start in stride(from: Int32(10), to: 100, by: 10) {
            put(start..<(start + 10), in: ring)
            expectEqual(taken(from: ring), Array(start..<(start + 10)))
            ring.keep(unheard: 0)
        }
    }

    @Test func framesThatWereRemovedAreNotTakenAndThoseTakenAreCounted() throws {
        let ring = try ring()
        put(10..<40, in: ring)
        ring.advance(25)
        // Frames from 30 on are replaced; 5 of them were taken.
        put(130..<150, from: 30, in: ring)
        expectEqual(ring.update(), .removed(5))
        expectEqual(ring.position, 30)
        expectEqual(taken(from: ring), Array(130..<150))
        put(150..<160, from: 50, in: ring)
        put(160..<170, from: 55, in: ring)
        expectEqual(ring.update(), .none)
        expectEqual(taken(from: ring), Array(150..<155) + Array(160..<170))
    }

    @Test func afterADropTheFramesOfAfterwardsFollowThoseThatWereHeardElsewhere() throws {
        let ring = try ring()
        put(10..<40, in: ring)
        ring.advance(5)
        ring.drop(to: 20)
        put(500..<510, from: 20, in: ring)
        expectEqual(ring.update(), .dropped)
        expectEqual(taken(from: ring), Array(15..<20) + Array(500..<510))
    }

    @Test func whatWasNotHeardIsTakenAgainAndWhatHasNoRoomIsSkipped() throws {
        let ring = try ring(capacity: 20)
        put(10..<30, in: ring)
        ring.advance(15)
        ring.keep(unheard: 5)
        ring.rewind()
        expectEqual(ring.position, 20)
        put(30..<50, in: ring)
        expectEqual(taken(from: ring), Array(20..<40))
        put(50..<55, in: ring)
        ring.keep(unheard: 0)
        put(55..<60, in: ring)
        _ = ring.update()
        expectEqual(taken(from: ring), Array(55..<60))
        expectEqual(ring.position, 60)
    }
}
