import AudioOutput
import MediaPorts
import Testing

/// Sinks that fail, are replaced, or are turned up and down while something plays.
@Suite(.timeLimit(.minutes(2))) struct RendererSinkTests {
    @Test func aSinkThatFailsForAWhileGoesOnWhereItWasHeard() throws {
        let bench = try Bench()
        bench.source.put(0..<40_000)
        bench.source.putEnd()
        bench.play()
        _ = bench.events.next()
        let unplugged = SinkError("unplugged", isTemporary: true)
        bench.sink.failWriting(afterFrames: 6_000, with: unplugged)
        bench.sink.failOpening(with: [unplugged, unplugged])
        bench.clock.advance(seconds: 2)
        #expect(bench.events.next() == .sinkFailed(unplugged))
        #expect(bench.renderer.playhead.speed == 0)
        bench.clock.advance(seconds: 10)
        #expect(bench.events.next() == .sinkRecovered)
        #expect(bench.events.next() == .ended(generation: 1))
        #expect(areSame(bench.heard, Array(0..<40_000)))
    }

    @Test func aSinkThatFailsForGoodHoldsUntilThereIsAnother() throws {
        let bench = try Bench()
        let missing = SinkError("no such device")
        bench.sink.failOpening(with: [missing])
        bench.source.put(0..<8_000)
        bench.source.putEnd()
        bench.renderer.play(bench.source, generation: 1, prebuffer: 0.1, rebuffer: 0.5)
        #expect(bench.events.next() == .sinkFailed(missing))
        let other = try SimulatedSink(clock: bench.clock)
        bench.renderer.setSink(other)
        #expect(bench.events.next() == .sinkRecovered)
        #expect(bench.events.next() == .started(generation: 1))
        bench.clock.advance(seconds: 1.5)
        #expect(bench.events.next() == .ended(generation: 1))
        #expect(areSame(numbers(other.heard), Array(0..<8_000)))
    }

    @Test func anotherSinkGoesOnWhereTheFirstWasHeard() throws {
        let bench = try Bench()
        bench.source.put(0..<24_000)
        bench.source.putEnd()
        bench.play()
        _ = bench.events.next()
        bench.clock.advance(seconds: 0.6)
        let other = try SimulatedSink(clock: bench.clock)
        bench.renderer.setSink(other)
        bench.settle()
        bench.clock.advance(seconds: 4)
        #expect(bench.events.next() == .ended(generation: 1))
        #expect(areSame(bench.heard + numbers(other.heard), Array(0..<24_000)))
        #expect(bench.sink.openFormat == nil)
    }

    @Test func withoutASinkTheSoundHoldsAndSaysSo() throws {
        let bench = try Bench()
        bench.source.put(0..<8_000)
        bench.source.putEnd()
        bench.play()
        _ = bench.events.next()
        bench.clock.advance(seconds: 0.5)
        bench.renderer.setSink(nil)
        guard case .sinkFailed(let error) = bench.events.next() else {
            Issue.record("no failure was told")
            return
        }
        #expect(!error.isTemporary)
        bench.renderer.setSink(bench.sink)
        #expect(bench.events.next() == .sinkRecovered)
        bench.clock.advance(seconds: 2)
        #expect(areSame(bench.heard, Array(0..<8_000)))
    }

    @Test(arguments: [true, false]) func aNewGainIsHeardSoonWithoutAStep(canTakeBack: Bool) throws {
        let bench = try Bench(SimulatedSink.Traits(canTakeBack: canTakeBack))
        let format = PCMFormat(rate: 8000, channels: 1, type: .int32)
        let level: Int32 = 1 << 24
        let bytes = (0..<24_000).flatMap { _ in withUnsafeBytes(of: level) { Array($0) } }
        bench.source.put(
            PCMChunk(
                kind: .frames, generation: 1, format: format, mediaStart: 0, mediaEnd: 24_000, byteCount: bytes.count),
            bytes: bytes)
        bench.source.putEnd()
        bench.play()
        _ = bench.events.next()
        bench.clock.advance(seconds: 1)
        bench.renderer.setGain(0.5)
        bench.settle()
        bench.clock.advance(seconds: 3)
        let heard = bench.heard
        #expect(heard.count == 24_000)
        let first = try #require(heard.firstIndex { $0 != level })
        // A tenth of a second from where the ear was, or all that the device held.
        #expect(canTakeBack ? first == 8_800 : first > 8_800 && first <= 16_000)
        let ramp = heard[first..<(first + 160)]
        #expect(zip(ramp, ramp.dropFirst()).allSatisfy { $0 > $1 && $0 - $1 < level / 100 })
        #expect(heard[(first + 160)...].allSatisfy { $0 == level / 2 })
        #expect(bench.position == 24_000)
    }
}
