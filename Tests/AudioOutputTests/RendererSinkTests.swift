import AudioOutput
import MediaPorts
import PodcastModel
import Synchronization
import Testing
import TestSupport

/// Sinks that fail, are replaced, or are turned up and down while something plays.
@Suite(.timeLimit(.minutes(10))) struct RendererSinkTests {
    @Test func aSinkThatFailsTemporarilyContinuesWhereItStopped() throws {
        let bench = try Bench.playing(0..<40_000, andEnd: true)
        let unplugged = SinkError("unplugged", isTemporary: true)
        bench.sink.failWriting(afterFrames: 6_000, with: unplugged)
        bench.sink.failOpening(with: [unplugged, unplugged])
        bench.clock.advance(seconds: 2)
        expectEqual(bench.events.next(), .sinkFailed(unplugged))
        expectEqual(bench.renderer.playhead.speed, 0)
        bench.clock.advance(seconds: 10)
        expectEqual(bench.events.next(), .sinkRecovered)
        expectEqual(bench.events.next(), .ended(generation: 1))
        #expect(areSame(bench.heard, Array(0..<40_000)))
    }

    @Test func aSinkThatFailsPermanentlyWaitsForAnother() throws {
        let bench = try Bench()
        let missing = SinkError("no such device")
        bench.sink.failOpening(with: [missing])
        bench.source.put(0..<8_000)
        bench.source.putEnd()
        bench.renderer.play(bench.source, generation: 1, prebuffer: .seconds(0.1), rebuffer: .seconds(0.5))
        expectEqual(bench.events.next(), .sinkFailed(missing))
        let other = try SimulatedSink(clock: bench.clock)
        bench.renderer.setSink(other)
        expectEqual(bench.events.next(), .sinkRecovered)
        expectEqual(bench.events.next(), .started(generation: 1))
        bench.clock.advance(seconds: 1.5)
        expectEqual(bench.events.next(), .ended(generation: 1))
        #expect(areSame(numbers(other.heard), Array(0..<8_000)))
    }

    @Test func anotherSinkContinuesWhereTheFirstStopped() throws {
        let bench = try Bench.playing(0..<24_000, andEnd: true)
        bench.clock.advance(seconds: 0.6)
        let other = try SimulatedSink(clock: bench.clock)
        bench.renderer.setSink(other)
        bench.settle()
        bench.clock.advance(seconds: 4)
        expectEqual(bench.events.next(), .ended(generation: 1))
        #expect(areSame(bench.heard + numbers(other.heard), Array(0..<24_000)))
        expectEqual(bench.sink.openFormat, nil)
    }

    @Test func aSinkThatStartedLateIsDetectedBeforeItIsRefilled() throws {
        let bench = try Bench()
        bench.renderer.setSink(LateSink(bench.sink, clock: bench.clock))
        bench.source.put(0..<40_000)
        bench.play()
        expectEqual(bench.events.next(), .started(generation: 1))
        let began = bench.clock.now
        bench.clock.advance(seconds: 0.15)
        // The delay until the sound is heard is unknown.
        expectEqual(bench.position, 0)
        bench.clock.advance(seconds: 0.1)
        // The renderer does not know the delay yet.
        expectEqual(bench.position, 2000)
        bench.clock.advance(seconds: 0.2)
        expectEqual(bench.renderer.playhead.instant - began, .milliseconds(400))
        expectEqual(bench.position, 3600 - LateSink.lateness)
    }

    @Test func aThreadSuspendedDuringAQueryReportsNoWrongPosition() throws {
        let bench = try Bench()
        bench.renderer.setSink(SlowlyAskedSink(bench.sink, clock: bench.clock))
        bench.source.put(0..<40_000)
        bench.play()
        expectEqual(bench.events.next(), .started(generation: 1))
        for _ in 0..<40 {
            bench.clock.advance(seconds: 0.1)
            #expect(abs(bench.position - Int64(bench.heardCount)) <= 1)
        }
    }

    @Test func withoutASinkPlaybackWaitsAndReportsIt() throws {
        let bench = try Bench.playing(0..<8_000, andEnd: true)
        bench.clock.advance(seconds: 0.5)
        bench.renderer.setSink(nil)
        guard case .sinkFailed(let error) = bench.events.next() else {
            Issue.record("no failure was told")
            return
        }
        #expect(!error.isTemporary)
        bench.renderer.setSink(bench.sink)
        expectEqual(bench.events.next(), .sinkRecovered)
        bench.clock.advance(seconds: 2)
        #expect(areSame(bench.heard, Array(0..<8_000)))
    }

    @Test(arguments: [true, false]) func aNewGainIsHeardSoonWithoutAStep(canTakeBack: Bool) throws {
        let bench = try Bench(SimulatedSink.Traits(canTakeBack: canTakeBack))
        let level: Int32 = 1 << 24
        bench.source.put(level: level, frames: 24_000, generation: 1)
        bench.source.putEnd()
        bench.play()
        _ = bench.events.next()
        bench.clock.advance(seconds: 1)
        bench.renderer.setGain(0.5)
        bench.settle()
        bench.clock.advance(seconds: 3)
        let heard = bench.heard
        expectEqual(heard.count, 24_000)
        let first = try #require(heard.firstIndex { $0 != level })
        // A tenth of a second from where the ear was, or all that the device held.
        #expect(canTakeBack ? first == 8_800 : first > 8_800 && first <= 16_000)
        let ramp = heard[first..<(first + 160)]
        #expect(zip(ramp, ramp.dropFirst()).allSatisfy { $0 > $1 && $0 - $1 < level / 100 })
        #expect(heard[(first + 160)...].allSatisfy { $0 == level / 2 })
        expectEqual(bench.position, 24_000)
    }

    @Test(arguments: [true, false], [true, false])
    func aNewSourceHasItsGainFromTheFirstFrame(canTakeBack: Bool, stops: Bool) throws {
        let bench = try Bench(SimulatedSink.Traits(canTakeBack: canTakeBack))
        let (before, after): (Int32, Int32) = (1 << 24, 1 << 20)
        bench.source.put(level: before, frames: 24_000, generation: 1)
        bench.play()
        bench.clock.advance(seconds: 1)
        if stops {
            bench.renderer.stop()
            bench.settle()
        }
        bench.source.clear()
        bench.source.put(level: after, frames: 8_000, generation: 2)
        bench.source.putEnd(generation: 2)
        bench.renderer.setGain(0.5)
        bench.play(generation: 2)
        bench.clock.advance(seconds: 3)
        let heard = bench.heard.drop { $0 == before }
        #expect(heard.count == 8_000 && heard.allSatisfy { $0 == after / 2 })
    }
}

/// A sink that hands everything on to a device.
private protocol SinkOnDevice: Sink {
    var device: SimulatedSink { get }
}

extension SinkOnDevice {
    var name: String { device.name }
    var isPaced: Bool { true }
    func open(_ wanted: PCMFormat) throws(SinkError) -> PCMFormat { try device.open(wanted) }
    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int { try device.write(frames) }
    func drain() throws(SinkError) { try device.drain() }
    func drop() { device.drop() }
    func pause() -> Bool { device.pause() }
    func resume() throws(SinkError) { try device.resume() }
    func close() { device.close() }
    func interrupt() { device.interrupt() }
}

/// A device after whose every third answer the thread that asked stands for 50 ms.
private final class SlowlyAskedSink: SinkOnDevice {
    let device: SimulatedSink
    private let clock: VirtualClock
    private let questions = Atomic(0)

    init(_ device: SimulatedSink, clock: VirtualClock) {
        self.device = device
        self.clock = clock
    }

    var latency: Int {
        let latency = device.latency
        if questions.wrappingAdd(1, ordering: .relaxed).newValue % 3 == 0 { clock.jump(seconds: 0.05) }
        return latency
    }
}

/// A device behind a server that says only after three tenths of a second how much later than asked it began.
private final class LateSink: SinkOnDevice {
    /// Frames, of 8000 a second.
    static let lateness: Int64 = 1600
    let device: SimulatedSink
    private let clock: VirtualClock
    private let made: Instant

    init(_ device: SimulatedSink, clock: VirtualClock) {
        self.device = device
        self.clock = clock
        made = clock.now
    }

    var learningTime: Duration { .seconds(1) }
    var latency: Int { device.latency + (clock.now - made > .milliseconds(300) ? Int(Self.lateness) : 0) }
}
