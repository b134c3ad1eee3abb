@testable import AudioOutput
import Glibc
import MediaPorts
import PodcastModel
import Synchronization
import SystemCalls
import TestSupport
import Testing

/// Rooms that are heard at different times after their sound is written, as a desktop's device and a snapserver's rooms are.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct RoomsTests {
    private static let device = SimulatedSink.Traits(
        buffer: 3, canPause: true, latencies: .milliseconds(200) ... .milliseconds(1_300),
        learningTime: .milliseconds(200))
    private static let snapserver = SimulatedSink.Traits(
        buffer: 0.3, delay: 1, canTakeBack: false, latencies: .seconds(1) ... .milliseconds(1_150))

    /// Whether all frames from the first one that was heard are heard once and in order, with silence between.
    private func isWhole(_ heard: [Int32]) -> Bool {
        let sound = heard.filter { $0 != 0 }
        guard let first = sound.first else { return false }
        return areSame(sound, Array(first..<(first + Int32(sound.count))))
    }

    @Test(arguments: [[device, snapserver], [snapserver, device]])
    func allRoomsWaitAtAResumeForTheSlowestWhichJoinedFirstOrLast(_ traits: [SimulatedSink.Traits]) throws {
        let bench = try GroupBench(traits, enabled: 1)
        bench.play(1..<400_000)
        bench.clock.advance(seconds: 3)
        try bench.enable(1, true)
        bench.clock.advance(seconds: 5)
        #expect(bench.isInStep(1), "\((0...1).map(bench.place))")
        for round in 1...3 {
            bench.renderer.setPaused(true)
            bench.clock.awaitRest()
            bench.clock.advance(seconds: 2)
            bench.renderer.setPaused(false)
            bench.clock.awaitRest()
            bench.clock.advance(seconds: 4)
            #expect(bench.isInStep(1), "round \(round): \((0...1).map(bench.place))")
            #expect(isWhole(bench.heard(0)) && isWhole(bench.heard(1)), "round \(round)")
        }
    }

    @Test func noRoomMissesTheBeginningOfAnEpisodeOrOfASeek() throws {
        let bench = try GroupBench([Self.device, Self.snapserver])
        bench.play(1..<100_000)
        bench.clock.advance(seconds: 3)
        expectEqual((0...1).map { bench.heard($0).first }, [1, 1])
        bench.source.clear()
        bench.source.put(500_000..<600_000, generation: 2)
        bench.renderer.switchGeneration(2)
        bench.clock.awaitRest()
        bench.clock.advance(seconds: 4)
        let second = (0...1).map { bench.heard($0).first { $0 >= 500_000 } }
        expectEqual(second, [500_000, 500_000])
        #expect(bench.isInStep(1), "\((0...1).map(bench.place))")
    }

    @Test func aRoomThatCannotBeReachedKeepsNobodyWaiting() throws {
        let bench = try GroupBench([Self.device, Self.snapserver])
        let error = SinkError("unreachable", isTemporary: true)
        bench.sinks[1].failOpening(with: Array(repeating: error, count: 50))
        bench.play(1..<100_000)
        bench.clock.advance(seconds: 2)
        bench.renderer.setPaused(true)
        bench.clock.awaitRest()
        bench.clock.advance(seconds: 1)
        let place = bench.place(0)
        bench.renderer.setPaused(false)
        bench.clock.awaitRest()
        bench.clock.advance(seconds: 1)
        expectEqual(bench.place(0), place + 8_000)
    }

    @Test(arguments: [0, 1], [60, 300, -60]) func aDelayMovesOnlyTheRoomThatHasIt(_ index: Int, delay: Int) throws {
        let bench = try GroupBench([
            .init(latencies: .zero ... .seconds(1)), .init(delay: 0.1, latencies: .zero ... .seconds(1)),
        ])
        bench.play(1..<200_000)
        bench.clock.advance(seconds: 3)
        let writes = bench.sinks[1 - index].writeCount
        try bench.edit(index) { $0.delay = delay }
        bench.clock.awaitRest()
        expectEqual(bench.sinks[1 - index].writeCount, writes, "the other room's sound was written again")
        bench.clock.advance(seconds: 8)
        let other = bench.heard(1 - index)
        #expect(areSame(other, (0..<Int32(other.count)).map { other[0] + $0 }), "the other room is not gapless")
        let late = bench.place(1 - index) - bench.place(index)
        #expect(abs(late - 8 * delay) <= 48, "\(late) frames instead of \(8 * delay)")
    }

    @Test func anOutputWhoseThreadWaitsForAHostKeepsNobodyWaiting() throws {
        let lane = OutputLane(try SimulatedSink(clock: VirtualClock()), reported: {})
        let answer = try EventDescriptor()
        try lane.follow { waitForDescriptors(readable: answer.raw, until: .now + .seconds(60)) }
        #expect(!lane.hasEnded())
        answer.signal()
        let deadline = Instant.now + .seconds(60)
        while !lane.hasEnded() { try #require(.now < deadline) }
    }

    private struct MadeSink {
        weak var sink: SimulatedSink?
    }

    @Test func theDeviceOfAnOutputThatIsRemovedAfterAStopIsFree() throws {
        let clock = try VirtualClock()
        let source = try ScriptedSource()
        let renderer = try Renderer(sink: nil, clock: clock)
        let made = Mutex(MadeSink())
        let outputs = try OutputSet(
            [OutputSetup("web", "null")], renderer: renderer,
            makeSink: { (_) throws(SinkError) in
                do {
                    let sink = try SimulatedSink(clock: clock)
                    made.withLock { $0.sink = sink }
                    return sink
                } catch { throw SinkError("\(error)") }
            }, changed: {})
        defer {
            renderer.shutDown()
            outputs.close()
        }
        renderer.setCloseDelay(.zero)
        clock.setThreads(1)
        source.put(1..<80_000, rate: 8_000)
        renderer.play(source, generation: 1, prebuffer: .seconds(0.2), rebuffer: .seconds(0.5))
        clock.awaitRest()
        clock.advance(seconds: 1)
        #expect(made.withLock { $0.sink?.openFormat } != nil)
        renderer.stop()
        while renderer.hasThread { sched_yield() }
        try outputs.replace(with: [])
        let deadline = Instant.now + .seconds(60)
        while made.withLock({ $0.sink != nil }), .now < deadline { sched_yield() }
        #expect(made.withLock { $0.sink == nil })
    }
}
