@testable import AudioOutput
import Foundation
import Glibc
import MediaPorts
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Several outputs on simulated devices and a clock that the test moves. Each frame's sample is its number.
final class GroupBench {
    let clock: VirtualClock
    let renderer: Renderer
    let source: ScriptedSource
    let outputs: OutputSet
    let sinks: [SimulatedSink]
    let events = EventLog()

    /// - Parameter clocks: of the devices, whose sound may be faster or slower than the test's time; nil for the test's own.
    init(
        _ traits: [SimulatedSink.Traits], clocks: [(VirtualClock) -> any OutputClock]? = nil, enabled: Int? = nil
    ) throws {
        clock = try VirtualClock()
        source = try ScriptedSource()
        renderer = try Renderer(sink: nil, clock: clock)
        let clock = clock
        let sinks = try traits.indices.map {
            try SimulatedSink(traits[$0], clock: clocks?[$0](clock) ?? clock)
        }
        self.sinks = sinks
        let setups = traits.indices.map { index in
            OutputSetup("\(index)", "raw:\(index)", isEnabled: index < enabled ?? traits.count)
        }
        outputs = try OutputSet(
            setups, renderer: renderer,
            makeSink: { (specification) throws(SinkError) in sinks[Int(specification.name.dropFirst(4)) ?? 0] },
            changed: {})
        let events = events
        renderer.observe { events.add($0) }
        setThreads()
    }

    deinit {
        renderer.shutDown()
        outputs.close()
    }

    /// The sink thread and one for each output that follows.
    func setThreads() { clock.setThreads(max(1, outputs.states.count(where: \.isEnabled))) }

    func play(_ frames: Range<Int64>, rate: Int = 8_000) {
        source.put(frames, rate: rate)
        renderer.play(source, generation: 1, prebuffer: .seconds(0.2), rebuffer: .seconds(0.5))
        clock.awaitRest()
    }

    func edit(_ index: Int, _ edit: (inout OutputSetup) -> Void) throws {
        var setups = outputs.setups
        edit(&setups[index])
        try outputs.replace(with: setups)
    }

    func enable(_ index: Int, _ isEnabled: Bool) throws {
        try edit(index) { $0.isEnabled = isEnabled }
        setThreads()
        clock.awaitRest()
        while !isEnabled, sinks[index].openFormat != nil { sched_yield() }
    }

    /// The number of the frame that was heard last on a device; 0 for silence.
    func place(_ index: Int) -> Int { Int(numbers(sinks[index].heard).last ?? 0) }

    /// What a device was heard to play, without the silence before.
    func heard(_ index: Int) -> [Int32] { Array(numbers(sinks[index].heard).drop { $0 == 0 }) }

    /// Whether a device plays what the first one plays, within a time.
    func isInStep(_ index: Int, milliseconds: Int = 2) -> Bool {
        abs(place(index) - place(0)) <= 8 * milliseconds
    }
}

@Suite(.ownThread, .timeLimit(.minutes(5))) struct GroupTests {
    private func isGapless(_ numbers: [Int32]) -> Bool {
        guard let first = numbers.first else { return false }
        return areSame(numbers, (0..<Int32(numbers.count)).map { first + $0 })
    }

    @Test func allOutputsPlayTheSameAtTheSameTime() throws {
        let bench = try GroupBench([.init(), .init(delay: 0.25), .init(buffer: 0.4, canTakeBack: false)])
        bench.play(1..<80_000)
        bench.clock.advance(seconds: 3)
        #expect(isGapless(bench.heard(0)) && isGapless(bench.heard(1)) && isGapless(bench.heard(2)))
        #expect(bench.isInStep(1) && bench.isInStep(2), "\((0...2).map(bench.place))")
        expectEqual(bench.outputs.states.map(\.phase), [.ready, .ready, .ready])
        expectEqual(bench.place(0), 24_000)
    }

    @Test func anOutputThatIsEnabledJoinsAtOnceAndTheOthersGoOn() throws {
        let bench = try GroupBench([.init(), .init(delay: 0.1)], enabled: 1)
        bench.play(1..<80_000)
        bench.clock.advance(seconds: 1.3)
        try bench.enable(1, true)
        bench.clock.advance(seconds: 0.5)
        #expect(bench.isInStep(1), "\((0...1).map(bench.place))")
        try bench.enable(1, false)
        bench.clock.advance(seconds: 1)
        #expect(isGapless(bench.heard(0)) && isGapless(bench.heard(1)))
        expectEqual(bench.outputs.states.map(\.phase), [.ready, .idle])
        expectEqual(bench.sinks[1].openFormat, nil)
    }

    @Test func whenTheLeadingOutputFailsTheOthersGoOnAndItComesBack() throws {
        let bench = try GroupBench([.init(), .init(delay: 0.1), .init()])
        bench.play(1..<200_000)
        bench.clock.advance(seconds: 2)
        let error = SinkError("unplugged", isTemporary: true)
        bench.sinks[0].failWriting(afterFrames: 0, with: error)
        bench.sinks[0].failOpening(with: [error, error])
        bench.clock.advance(seconds: 1.5)
        expectEqual(bench.outputs.states[0].phase, .failed)
        expectEqual(bench.outputs.states[0].reason, "unplugged")
        bench.clock.advance(seconds: 4)
        #expect(isGapless(bench.heard(1)) && isGapless(bench.heard(2)))
        expectEqual(bench.outputs.states.map(\.phase), [.ready, .ready, .ready])
        #expect(bench.isInStep(1) && bench.isInStep(2), "\((0...2).map(bench.place))")
        // The player was not interrupted.
        expectEqual(bench.events.next(), .started(generation: 1))
        #expect(bench.events.isEmpty)
    }

    @Test func anOutputOfAnotherRateJoinsInStepAlthoughItsConversionHoldsFramesBack() throws {
        let bench = try GroupBench([.init(), .init(delay: 0.6, rate: 48_000)], enabled: 1)
        bench.play(1..<200_000)
        bench.clock.advance(seconds: 1.3)
        try bench.enable(1, true)
        bench.clock.advance(seconds: 2)
        expectEqual(bench.outputs.states.map(\.phase), [.ready, .ready])
        #expect(bench.isInStep(1, milliseconds: 5), "\((0...1).map(bench.place))")
        #expect(!bench.sinks[1].calls.contains(.drop), "it began more than once")
    }

    @Test func theLastOutputsFailureIsReportedAndRetried() throws {
        let bench = try GroupBench([.init(), .init()])
        bench.play(1..<200_000)
        bench.clock.advance(seconds: 2)
        for sink in bench.sinks { sink.failWriting(afterFrames: 0, with: SinkError("unplugged", isTemporary: true)) }
        bench.clock.advance(seconds: 5)
        expectEqual(bench.events.next(), .started(generation: 1))
        expectEqual(bench.events.next(), .sinkFailed(SinkError("unplugged", isTemporary: true)))
        expectEqual(bench.events.next(), .sinkRecovered)
        #expect(bench.isInStep(1), "\((0...1).map(bench.place))")
    }

    @Test(arguments: [true, false]) func aPauseStopsAllAndLosesNothing(canPause: Bool) throws {
        let bench = try GroupBench([.init(canPause: canPause), .init(delay: 0.2)])
        bench.play(1..<200_000)
        bench.clock.advance(seconds: 2)
        bench.renderer.setPaused(true)
        bench.clock.awaitRest()
        let places = (0...1).map(bench.place)
        bench.clock.advance(seconds: 3)
        expectEqual((0...1).map(bench.place), places)
        bench.renderer.setPaused(false)
        bench.clock.awaitRest()
        bench.clock.advance(seconds: 2)
        #expect(isGapless(bench.heard(0)))
        #expect(bench.isInStep(1), "\((0...1).map(bench.place))")
    }

    @Test func aSeekIsHeardOnAllAtOnce() throws {
        let bench = try GroupBench([.init(), .init(delay: 0.2)])
        bench.play(1..<200_000)
        bench.clock.advance(seconds: 2)
        bench.source.clear()
        bench.source.put(500_000..<600_000, generation: 2)
        bench.renderer.switchGeneration(2)
        bench.clock.awaitRest()
        bench.clock.advance(seconds: 1)
        #expect(bench.place(0) > 500_000 && bench.isInStep(1), "\((0...1).map(bench.place))")
        #expect(!bench.heard(1).contains { (17_000..<500_000).contains($0) })
    }

    @Test func aSeekInAPauseIsHeardOnAllAfterThePause() throws {
        let bench = try GroupBench([.init(canPause: true), .init(canPause: true)])
        bench.play(1..<200_000)
        bench.clock.advance(seconds: 2)
        bench.renderer.setPaused(true)
        bench.clock.awaitRest()
        bench.source.clear()
        bench.source.put(500_000..<600_000, generation: 2)
        bench.renderer.switchGeneration(2)
        bench.clock.awaitRest()
        bench.renderer.setPaused(false)
        bench.clock.awaitRest()
        bench.clock.advance(seconds: 1)
        #expect(bench.place(0) > 500_000 && bench.isInStep(1), "\((0...1).map(bench.place))")
    }

    @Test func anOutputWithASmallerBufferTakesTheLeadWithoutRepeatingAnything() throws {
        let bench = try GroupBench([.init(buffer: 1.8), .init(buffer: 0.3, canTakeBack: false)])
        bench.play(1..<200_000)
        bench.clock.advance(seconds: 2.3)
        try bench.enable(0, false)
        bench.clock.advance(seconds: 2)
        #expect(isGapless(bench.heard(1)))
        expectEqual(bench.place(1), 8 * 4_300)
    }

    @Test func whenFramesWereMissingAllBeginInStepAgain() throws {
        let bench = try GroupBench([.init(), .init(delay: 0.25)])
        bench.play(1..<16_000)
        bench.clock.advance(seconds: 4)
        expectEqual((0...1).map(bench.place), [15_999, 15_999])
        bench.source.put(16_000..<80_000)
        bench.clock.advance(seconds: 2)
        #expect(bench.isInStep(1), "\((0...1).map(bench.place))")
        #expect(isGapless(bench.heard(0)))
    }

    @Test func anOutputThatIsHeardLaterPlaysToTheEnd() throws {
        let bench = try GroupBench([.init(), .init()])
        try bench.edit(1) { $0.delay = 800 }
        bench.source.put(1..<24_000)
        bench.source.putEnd()
        bench.play(24_000..<24_001)
        bench.clock.advance(seconds: 6)
        expectEqual((0...1).map { bench.heard($0).count }, [23_999, 23_999])
    }

    @Test func anOutputThatIsHeardLaterPlaysToTheEndAlsoIfDevicesAreClosedAtOnce() throws {
        let bench = try GroupBench([.init(), .init()])
        try bench.edit(1) { $0.delay = 800 }
        bench.renderer.setCloseDelay(.seconds(0.2))
        bench.source.put(1..<24_000)
        bench.source.putEnd()
        bench.play(24_000..<24_001)
        bench.clock.advance(seconds: 3.1)
        // The sink thread ends when it has closed the outputs.
        bench.clock.setThreads(1)
        bench.clock.advance(seconds: 3)
        expectEqual((0...1).map { bench.heard($0).count }, [23_999, 23_999])
        expectEqual(bench.sinks.map { $0.openFormat == nil }, [true, true])
    }

    @Test func anOutputThatCannotBeReachedKeepsTheOthersWaitingOnlyOnce() throws {
        let bench = try GroupBench([.init(opening: 3), .init(), .init()])
        let error = SinkError("unreachable", isTemporary: true)
        bench.sinks[0].failOpening(with: Array(repeating: error, count: 20))
        bench.clock.setThreads(1)
        bench.play(1..<200_000)
        bench.clock.advance(seconds: 3)
        bench.setThreads()
        bench.clock.advance(seconds: 2)
        expectEqual(bench.outputs.states[1...].map(\.phase), [.ready, .ready])
        bench.renderer.setCloseDelay(.zero)
        bench.renderer.setPaused(true)
        bench.clock.setThreads(2)
        bench.clock.advance(seconds: 1)
        let place = bench.place(1)
        bench.renderer.setPaused(false)
        bench.setThreads()
        bench.clock.advance(seconds: 1)
        #expect(bench.place(1) > place + 6_000, "\(place) \(bench.place(1))")
        // The output's thread ends when the attempt to open the output has ended.
        try bench.edit(0) { $0.isEnabled = false }
        bench.clock.setThreads(2)
        bench.clock.advance(seconds: 4)
    }

    @Test func aDeviceThatReportsADelayOfMinutesIsNamedAndTheOthersGoOn() throws {
        let bench = try GroupBench([.init(), .init(delay: 300)])
        bench.play(1..<200_000)
        bench.clock.advance(seconds: 12)
        #expect(isGapless(bench.heard(0)))
        expectEqual(bench.outputs.states.map(\.phase), [.ready, .failed])
        expectContains(bench.outputs.states[1].reason ?? "", "its sound comes later than that of the others")
    }

    @Test func anOutputThatShallBeHeardEarlierLeads() throws {
        let bench = try GroupBench([.init(), .init()])
        bench.play(1..<200_000)
        bench.clock.advance(seconds: 2)
        try bench.edit(1) { $0.delay = -200 }
        bench.clock.advance(seconds: 3)
        #expect(abs(bench.place(1) - bench.place(0) - 1_600) <= 8, "\((0...1).map(bench.place))")
    }

    @Test func manyChangesOfTheVolumeLeaveAllInStep() throws {
        let bench = try GroupBench([.init(buffer: 1.8), .init(buffer: 0.3, canTakeBack: false)])
        bench.play(1..<400_000)
        bench.clock.advance(seconds: 2)
        for step in 1...12 {
            bench.renderer.setGain(step % 2 == 0 ? 1 : 0.999)
            bench.clock.awaitRest()
            bench.clock.advance(seconds: 0.05)
        }
        bench.clock.advance(seconds: 12)
        #expect(bench.isInStep(1, milliseconds: 6), "\((0...1).map(bench.place))")
    }

    @Test func aDelayAndAVolumeAreHeard() throws {
        let bench = try GroupBench([.init(), .init()])
        try bench.edit(1) { $0.delay = 80 }
        bench.play(1..<200_000)
        bench.clock.advance(seconds: 3)
        #expect(abs(bench.place(0) - bench.place(1) - 640) <= 8, "\((0...1).map(bench.place))")
        try bench.edit(1) { $0.volume = 50 }
        bench.clock.awaitRest()
        bench.clock.advance(seconds: 0.5)
        #expect(abs(bench.place(0) - 8 * bench.place(1) - 640) <= 40, "\((0...1).map(bench.place))")
        #expect(isGapless(bench.heard(0)))
    }

    /// The first one leads until it is disabled or fails, then the next one.
    @Test(arguments: 0...2) func oneOfThreeComesAndGoesAtRandomAndTheOthersAreGapless(_ victim: Int) throws {
        let bench = try GroupBench([.init(), .init(delay: 0.1), .init(buffer: 0.6)])
        bench.play(1..<40_000)
        var random = SeededNumbers(state: 26)
        var end: Int64 = 40_000
        var isOn = true
        let others = (0...2).filter { $0 != victim }
        var heard: [[Int32]] = [[], []]
        for round in 0..<(isSanitized ? 20 : 334) {
            if round % 2 == 0 || Bool.random(using: &random) {
                isOn.toggle()
                try bench.enable(victim, isOn)
            } else if isOn {
                bench.sinks[victim].failWriting(afterFrames: 0, with: SinkError("unplugged", isTemporary: true))
            }
            let time = Double.random(in: 0...1.5, using: &random)
            bench.source.put(end..<(end + Int64(time * 8_000)))
            end += Int64(time * 8_000)
            bench.clock.advance(seconds: time)
            for (index, other) in others.enumerated() {
                heard[index] += numbers(bench.sinks[other].takeHeard()).drop { heard[index].isEmpty && $0 == 0 }
            }
        }
        #expect(isGapless(heard[0]) && isGapless(heard[1]), "\(heard.map(\.count))")
    }

    /// An hour; the six of the issue are heard by `HOURS=6`.
    @Test func twoDevicesWhoseClocksDifferStayInStepForHours() throws {
        let bench = try GroupBench([.init(), .init()], clocks: [{ $0 }, { SkewedClock($0, ppm: 200) }])
        let hours = Int64(ProcessInfo.processInfo.environment["HOURS"] ?? "") ?? 1
        // Half of the numbers are negative, so that a Float, in which corrections are calculated, can hold them all.
        var end = -1_800_000 * hours
        bench.play(end..<(end + 10_000), rate: 1_000)
        end += 10_000
        bench.clock.advance(seconds: 2)
        var (farthest, steps, last) = (0, 0, Int32(0))
        for _ in 0..<(isSanitized ? 4 : 60 * hours) {
            bench.source.put(end..<(end + 60_000), rate: 1_000)
            end += 60_000
            for _ in 0..<6 {
                bench.clock.advance(seconds: 10)
                let (lead, follower) = (numbers(bench.sinks[0].takeHeard()), numbers(bench.sinks[1].takeHeard()))
                farthest = max(farthest, abs(Int(lead.last ?? 0) - Int(follower.last ?? 0)))
                for number in follower where number != 0 {
                    if last != 0, number != last + 1 { steps += 1 }
                    last = number
                }
            }
        }
        #expect(farthest <= 20, "\(farthest) ms apart")
        // 200 ppm of an hour are 720 ms, in corrections of 5 ms whose frames are a mix of two places.
        #expect(steps <= 144 * 6 * Int(hours), "\(steps)")
    }
}

/// A clock that is faster than another one by a constant factor.
private final class SkewedClock: OutputClock {
    private let base: VirtualClock
    private let factor: Double

    init(_ base: VirtualClock, ppm: Double) { (self.base, factor) = (base, 1 + ppm / 1e6) }

    var now: Instant { Instant(nanoseconds: Int64(Double(base.now.nanoseconds) * factor)) }

    func wait(readable first: Int32, _ second: Int32, writable: Int32, until deadline: Instant) {
        let isNever = deadline == .distantFuture
        base.wait(
            readable: first, second, writable: writable,
            until: isNever
                ? deadline : Instant(nanoseconds: Int64((Double(deadline.nanoseconds) / factor).rounded(.up))))
    }
}
