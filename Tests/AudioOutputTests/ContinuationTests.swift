import AudioOutput
import MediaPorts
import PodcastModel
import Testing
import TestSupport

/// Another generation continues what is heard: a change of speed.
@Suite(.timeLimit(.minutes(10))) struct ContinuationTests {
    /// The numbers of `ScriptedSource` are media frames at speed 1, so what is heard says where it belongs.
    @Test(arguments: [true, false]) func theNextGenerationIsHeardAtThePositionOfTheOldOneWithoutAGap(canTakeBack: Bool)
        throws
    {
        let bench = try Bench.playing(0..<80_000, on: SimulatedSink.Traits(canTakeBack: canTakeBack))
        bench.clock.advance(seconds: 1.5)
        let before = bench.heard.count
        bench.source.clear()
        bench.renderer.continueWithGeneration(2)
        bench.settle()
        // What is queued plays on while nothing is decoded.
        bench.clock.advance(seconds: 0.05)
        bench.source.put(12_000..<80_000, generation: 2)
        bench.clock.advance(seconds: 0.3)
        expectEqual(bench.events.next(), .started(generation: 2))
        expectEqual(bench.renderer.playhead.generation, 2)
        expectEqual(bench.heard.count, before + 2_800)
        #expect(areSame(bench.heard, Array(0..<Int32(before + 2_800))))
        expectEqual(bench.position, Int64(bench.heard.count))
    }

    @Test func aChangeIsHeardWithinThreeTenthsOfASecond() throws {
        let bench = try Bench.playing(0..<80_000)
        bench.clock.advance(seconds: 2)
        bench.source.clear()
        // Twice as fast: each frame stands for two of the file.
        bench.source.put(16_000..<60_000, generation: 2, speed: 2)
        bench.renderer.continueWithGeneration(2)
        bench.settle()
        bench.clock.advance(seconds: 0.3)
        expectEqual(bench.renderer.playhead.generation, 2)
        bench.clock.advance(seconds: 1)
        expectEqual(bench.renderer.playhead.speed, 2)
        let position = bench.position
        bench.clock.advance(seconds: 1)
        #expect(abs(bench.position - position - 16_000) <= 2)
    }

    @Test func whatIsLeftOutIsCountedAsFarAsItIsHeard() throws {
        let bench = try Bench()
        bench.source.put(0..<8_000)
        bench.source.put(8_000..<24_000, mediaStart: 12_000)
        bench.source.put(24_000..<80_000, mediaStart: 36_000)
        bench.play()
        _ = bench.events.next()
        func omitted() -> Double { bench.renderer.playhead.omitted(at: bench.clock.now).seconds }
        bench.clock.advance(seconds: 0.5)
        expectEqual(omitted(), 0)
        bench.clock.advance(seconds: 1.5)
        expectEqual(omitted(), 0.5)
        bench.clock.advance(seconds: 2)
        expectEqual(omitted(), 1.5)
    }

    @Test func aGenerationThatComesTooLateIsBufferedLikeASeek() throws {
        let bench = try Bench.playing(0..<8_000)
        bench.source.clear()
        bench.renderer.continueWithGeneration(2)
        bench.settle()
        bench.clock.advance(seconds: 3)
        bench.source.put(8_000..<20_000, generation: 2)
        bench.clock.advance(seconds: 0.5)
        expectEqual(bench.events.next(), .started(generation: 2))
    }

    @Test func aPauseWhileItIsAwaitedIsKept() throws {
        let bench = try Bench.playing(0..<80_000)
        bench.clock.advance(seconds: 1)
        bench.source.clear()
        bench.renderer.continueWithGeneration(2)
        bench.setPaused(true)
        bench.source.put(8_000..<80_000, generation: 2)
        bench.clock.advance(seconds: 1)
        let heard = bench.heard.count
        bench.setPaused(false)
        bench.clock.advance(seconds: 1)
        expectEqual(bench.renderer.playhead.generation, 2)
        #expect(bench.heard.count > heard)
    }

    /// Jumps and other speeds within what is queued: the thread sleeps meanwhile, and the position still follows.
    @Test func thePlayheadFollowsJumpsAndSpeedsWhileTheSinkThreadSleeps() throws {
        let bench = try Bench()
        // Each part stands for media that is elsewhere, or longer: its first frame, its media time and its speed.
        let parts: [(start: Int64, media: Int64, speed: Int64)] = [
            (0, 0, 1), (3_000, 3_000, 2), (5_000, 60_000, 1), (6_000, 70_000, 3), (9_000, 79_000, 1),
        ]
        for (index, part) in parts.enumerated() {
            let end = index + 1 < parts.count ? parts[index + 1].start : 40_000
            bench.source.put(part.start..<end, mediaStart: part.media, speed: part.speed)
        }
        bench.play()
        _ = bench.events.next()
        for _ in 0..<150 {
            bench.clock.advance(seconds: 0.01)
            let heard = Int64(bench.heard.count)
            guard let part = parts.last(where: { $0.start <= heard }) else { continue }
            // 3 ms of media, and the rounding of each part's pace.
            #expect(abs(bench.position - (part.media + (heard - part.start) * part.speed)) <= 26)
        }
    }
}
