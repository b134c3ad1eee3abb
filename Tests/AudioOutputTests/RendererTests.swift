import AudioOutput
import MediaPorts
import PodcastModel
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(10))) struct RendererTests {
    @Test func framesArePlayedInOrderAndTheEndIsReported() throws {
        let bench = try Bench.playing(0..<20_000, andEnd: true)
        bench.clock.advance(seconds: 3)
        expectEqual(bench.events.next(), .ended(generation: 1))
        #expect(areSame(bench.heard, Array(0..<20_000)))
        expectEqual(bench.position, 20_000)
        expectEqual(bench.renderer.playhead.speed, 0)
    }

    @Test func playbackBeginsWhenThePrebufferIsFull() throws {
        let bench = try Bench()
        bench.source.put(0..<1_000)
        bench.play(prebuffer: .seconds(0.25))
        expectEqual(bench.sink.writeCount, 0)
        bench.source.put(1_000..<2_000)
        expectEqual(bench.events.next(), .started(generation: 1))
    }

    @Test func playbackBeginsAtOnceIfTheEndIsDecoded() throws {
        let bench = try Bench()
        bench.source.put(0..<100)
        bench.source.putEnd()
        bench.play(prebuffer: .seconds(5))
        expectEqual(bench.events.next(), .started(generation: 1))
        bench.clock.advance(seconds: 0.1)
        expectEqual(bench.events.next(), .ended(generation: 1))
        #expect(areSame(bench.heard, Array(0..<100)))
    }

    @Test func aPrebufferLongerThanAPeriodIsWaitedForInTheSource() throws {
        let bench = try Bench()
        bench.source.put(0..<8_000)
        bench.play(prebuffer: .seconds(2))
        bench.clock.advance(seconds: 1)
        expectEqual(bench.sink.writeCount, 0)
        bench.source.put(8_000..<16_000)
        bench.clock.advance(seconds: 0.1)
        expectEqual(bench.events.next(), .started(generation: 1))
    }

    @Test(arguments: [0.0, 0.1, 0.35]) func thePlayheadIsWhatIsAudibleNow(delay: Double) throws {
        let bench = try Bench.playing(0..<80_000, on: SimulatedSink.Traits(delay: delay))
        for _ in 0..<100 {
            expectEqual(bench.renderer.playhead.generation, 1)
            expectEqual(bench.renderer.playhead.speed, 1)
            // Also while the first frame is on its way to the ear.
            expectEqual(bench.position, Int64(bench.heardCount))
            bench.clock.advance(seconds: 0.05)
        }
    }

    @Test(arguments: [true, false]) func thePlayheadWaitsForTheEarAlsoAfterAPause(canPause: Bool) throws {
        let bench = try Bench.playing(0..<80_000, on: SimulatedSink.Traits(delay: 0.25, canPause: canPause))
        bench.clock.advance(seconds: 1)
        bench.setPaused(true)
        let heard = Int64(bench.heardCount)
        expectEqual(bench.position, heard)
        bench.clock.advance(seconds: 1)
        bench.setPaused(false)
        for _ in 0..<40 {
            expectEqual(bench.position, Int64(bench.heardCount))
            bench.clock.advance(seconds: 0.05)
        }
        #expect(bench.position > heard)
    }

    @Test func thePlayheadCountsMediaTimeAtAnotherSpeed() throws {
        let bench = try Bench()
        bench.source.put(0..<24_000, mediaStart: 100_000, speed: 2)
        bench.play()
        _ = bench.events.next()
        bench.clock.advance(seconds: 1.5)
        let playhead = bench.renderer.playhead
        expectEqual(playhead.speed, 2)
        let since = (bench.clock.now - playhead.instant).inSeconds
        expectEqual(playhead.position.frames(rate: 8000) + Int64(since * 16_000), 100_000 + 24_000)
    }

    @Test(arguments: [true, false]) func aPauseLosesAndRepeatsNoFrame(canPause: Bool) throws {
        let bench = try Bench.playing(
            0..<40_000, andEnd: true, on: SimulatedSink.Traits(delay: 0.05, canPause: canPause))
        for _ in 0..<3 {
            bench.clock.advance(seconds: 0.7)
            bench.setPaused(true)
            let paused = bench.renderer.playhead
            expectEqual(paused.speed, 0)
            expectEqual(bench.position, Int64(bench.heardCount))
            bench.clock.advance(seconds: 4)
            expectEqual(bench.renderer.playhead.position, paused.position)
            expectEqual(bench.heard.count, Int(bench.position))
            bench.setPaused(false)
            expectEqual(bench.renderer.playhead.speed, 1)
        }
        bench.clock.advance(seconds: 6)
        #expect(areSame(bench.heard, Array(0..<40_000)))
        expectEqual(bench.events.next(), .ended(generation: 1))
        expectEqual(bench.sink.calls.contains(.pause), canPause)
    }

    @Test(arguments: [true, false]) func aLongPauseFreesTheDeviceAndLosesNothing(canPause: Bool) throws {
        let bench = try Bench.playing(
            0..<30_000, andEnd: true, on: SimulatedSink.Traits(canPause: canPause), closeDelay: .seconds(2))
        bench.clock.advance(seconds: 0.9)
        bench.setPaused(true)
        bench.clock.advance(seconds: 1.9)
        #expect(bench.sink.openFormat != nil)
        let position = bench.position
        bench.clock.jump(seconds: 0.2)
        bench.awaitIdle()
        expectEqual(bench.sink.openFormat, nil)
        expectEqual(bench.renderer.playhead.position.frames(rate: 8000), position)
        bench.setPaused(false)
        bench.clock.advance(seconds: 4)
        #expect(areSame(bench.heard, Array(0..<30_000)))
        expectEqual(bench.events.next(), .ended(generation: 1))
    }

    @Test func anotherCloseDelayTakesEffectWhileResting() throws {
        let bench = try Bench.playing(0..<30_000, closeDelay: .seconds(1000))
        bench.setPaused(true)
        bench.clock.advance(seconds: 5)
        #expect(bench.sink.openFormat != nil)
        bench.renderer.setCloseDelay(.seconds(4))
        bench.awaitIdle()
        expectEqual(bench.sink.openFormat, nil)
    }

    @Test func aSeekDropsEverythingOfTheOldGeneration() throws {
        let bench = try Bench.playing(0..<16_000)
        bench.clock.advance(seconds: 0.3)
        let before = bench.heard.count
        bench.source.clear()
        // The decoder may be ahead of the command, and stale chunks may still come out.
        bench.source.put(90_000..<91_000, generation: 1)
        bench.source.put(500_000..<504_000, generation: 2)
        bench.source.putEnd(generation: 2)
        bench.renderer.switchGeneration(2)
        bench.settle()
        expectEqual(bench.events.next(), .started(generation: 2))
        bench.clock.advance(seconds: 1)
        expectEqual(bench.events.next(), .ended(generation: 2))
        #expect(areSame(Array(bench.heard.dropFirst(before)), Array(500_000..<504_000)))
        expectEqual(bench.renderer.playhead.generation, 2)
        expectEqual(bench.position, 504_000)
    }

    @Test func framesOfALaterGenerationWaitForItsCommand() throws {
        let bench = try Bench.playing(0..<4_000)
        bench.source.put(70_000..<78_000, generation: 2)
        bench.clock.advance(seconds: 0.6)
        expectEqual(bench.events.next(), .underrun(generation: 1))
        bench.renderer.switchGeneration(2)
        bench.settle()
        expectEqual(bench.events.next(), .started(generation: 2))
        bench.clock.advance(seconds: 1)
        #expect(areSame(bench.heard, Array(0..<4_000) + Array(70_000..<78_000)))
    }

    @Test func aSeekWhilePausedIsPlayedAfterThePause() throws {
        let bench = try Bench.playing(0..<16_000, on: SimulatedSink.Traits(canPause: true))
        bench.clock.advance(seconds: 0.25)
        bench.setPaused(true)
        bench.source.clear()
        bench.source.put(400..<800, generation: 2)
        bench.source.putEnd(generation: 2)
        bench.renderer.switchGeneration(2)
        bench.settle()
        bench.clock.advance(seconds: 1)
        #expect(areSame(bench.heard, Array(0..<2_000)))
        bench.setPaused(false)
        bench.clock.advance(seconds: 1)
        #expect(areSame(bench.heard, Array(0..<2_000) + Array(400..<800)))
    }

    /// A bench whose source has run dry after half a second of sound.
    private func starved(rebuffer: Duration) throws -> Bench {
        let bench = try Bench()
        bench.source.put(0..<4_000)
        bench.play(rebuffer: rebuffer)
        expectEqual(bench.events.next(), .started(generation: 1))
        bench.clock.advance(seconds: 2)
        expectEqual(bench.events.next(), .underrun(generation: 1))
        return bench
    }

    @Test func anUnderrunEndsWhenNoMoreFitsIntoTheRing() throws {
        let bench = try starved(rebuffer: .seconds(30))
        bench.source.put(4_000..<20_000)
        bench.source.fill()
        bench.clock.advance(seconds: 1)
        expectEqual(bench.events.next(), .resumed(generation: 1))
    }

    @Test func anUnderrunLastsUntilTheRebufferIsFull() throws {
        let bench = try starved(rebuffer: .seconds(0.5))
        expectEqual(bench.position, 4_000)
        expectEqual(bench.renderer.playhead.speed, 0)
        bench.source.put(4_000..<5_000)
        bench.clock.advance(seconds: 1)
        expectEqual(bench.heard.count, 4_000)
        bench.source.put(5_000..<9_000)
        expectEqual(bench.events.next(), .resumed(generation: 1))
        bench.source.putEnd()
        bench.clock.advance(seconds: 1)
        expectEqual(bench.events.next(), .ended(generation: 1))
        #expect(areSame(bench.heard, Array(0..<9_000)))
    }

    @Test func framesThatArriveInTimeCauseNoUnderrun() throws {
        let bench = try Bench.playing(0..<4_000)
        for start in stride(from: Int64(4_000), to: 40_000, by: 2_000) {
            bench.clock.advance(seconds: 0.25)
            bench.source.put(start..<(start + 2_000))
        }
        bench.source.putEnd()
        bench.clock.advance(seconds: 2)
        expectEqual(bench.events.next(), .ended(generation: 1))
        #expect(areSame(bench.heard, Array(0..<40_000)))
    }

    @Test func aChangeOfRateInsideAFileIsPlayedOutAndReopens() throws {
        let bench = try Bench()
        bench.source.put(0..<6_000)
        bench.source.put(12_000..<24_000, rate: 16_000)
        bench.source.putEnd()
        bench.play()
        _ = bench.events.next()
        bench.clock.advance(seconds: 0.9)
        #expect(bench.renderer.playhead.position >= MediaTime(milliseconds: 750))
        bench.clock.advance(seconds: 2)
        expectEqual(bench.events.next(), .ended(generation: 1))
        #expect(areSame(bench.heard, Array(0..<6_000) + Array(12_000..<24_000)))
        expectEqual(bench.renderer.playhead.position, MediaTime(milliseconds: 1500))
        let opened = bench.sink.calls.filter { if case .open = $0 { true } else { false } }
        expectEqual(
            opened,
            [
                .open(PCMFormat(rate: 8000, channels: 1, type: .int32)),
                .open(PCMFormat(rate: 16_000, channels: 1, type: .int32)),
            ])
    }

    @Test func stopSilencesAndLaterReleasesTheDeviceAndTheThread() throws {
        let bench = try Bench.playing(0..<16_000, closeDelay: .seconds(1))
        bench.clock.advance(seconds: 0.25)
        bench.renderer.stop()
        bench.settle()
        #expect(areSame(bench.heard, Array(0..<2_000)))
        #expect(bench.sink.openFormat != nil)
        bench.clock.jump(seconds: 1)
        bench.awaitIdle()
        expectEqual(bench.sink.openFormat, nil)
        #expect(bench.events.isEmpty)
    }

    @Test func aNewSourceIsPlayedAtOnce() throws {
        let bench = try Bench.playing(0..<16_000)
        bench.clock.advance(seconds: 0.5)
        let next = try ScriptedSource()
        next.put(1_000_000..<1_004_000, generation: 7)
        next.putEnd(generation: 7)
        bench.renderer.play(next, generation: 7, prebuffer: .seconds(0.1), rebuffer: .seconds(0.5))
        bench.settle()
        expectEqual(bench.events.next(), .started(generation: 7))
        bench.clock.advance(seconds: 1)
        #expect(areSame(bench.heard, Array(0..<4_000) + Array(1_000_000..<1_004_000)))
    }

    @Test func aRendererPausedBeforePlaybackMakesNoSound() throws {
        let bench = try Bench()
        bench.source.put(0..<8_000)
        bench.renderer.setPaused(true)
        bench.renderer.play(bench.source, generation: 1, prebuffer: .seconds(0.1), rebuffer: .seconds(0.5))
        bench.awaitIdle()
        #expect(bench.sink.calls.isEmpty)
        bench.renderer.setPaused(false)
        expectEqual(bench.events.next(), .started(generation: 1))
    }

    @Test func manyCommandsLeaveTheSinkThreadAtRest() throws {
        let bench = try Bench.playing(0..<80_000)
        for round in 0..<2_000 { bench.renderer.setPaused(round % 2 == 0) }
        bench.renderer.setPaused(true)
        // Hangs when a doorbell that rang late keeps the thread awake.
        bench.settle()
        expectEqual(bench.renderer.playhead.speed, 0)
    }

    @Test func theSinkThreadWakesTwiceASecond() throws {
        let bench = try Bench.playing(0..<480_000)
        let before = bench.sink.writeCount
        bench.clock.advance(seconds: 30)
        #expect(bench.sink.writeCount - before <= 76)
    }

    @Test func theDeviceIsNotOpenedBeforeTheFormatIsKnown() throws {
        let bench = try Bench()
        bench.play()
        #expect(bench.sink.calls.isEmpty)
        bench.renderer.stop()
        bench.awaitIdle()
        #expect(bench.sink.calls.isEmpty)
    }
}
