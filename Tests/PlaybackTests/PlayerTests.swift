import MediaPorts
import Playback
import PodcastModel
import Reporting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PlayerTests {
    let stage = Stage()

    @Test func playingAsksTheHostBeforeItStartsTheDecoder() async throws {
        try await stage.player.play(first)
        await stage.journal.reaches("render #1 0.2/3.0")
        let url = firstMedia.url
        let media = stage.journal.lines.filter { !$0.hasPrefix("current") && !$0.hasPrefix("gain") }
        expectEqual(
            media, ["media 11", "open \(url)", "want \(url) 0", "decoder start 1:40 #1", "go on", "render #1 0.2/3.0"])
    }

    @Test func theStatusFollowsThePlayheadWithoutBeingTold() async throws {
        try await stage.playFirst()
        stage.clock.advance(by: 0.5)
        expectEqual(stage.player.status.position, seconds(100.5))
        expectEqual(stage.player.status.instant, Instant(nanoseconds: 500_000_000))
        expectEqual(stage.player.status.pace, 1)
        expectEqual([stage.player.status.title, stage.player.status.feedTitle], ["One", "Show"])
        expectEqual(stage.player.status.duration, seconds(3600))
        expectEqual(stage.player.status.entry, first)
    }

    @Test func aNewSpeedIsShownBeforeTheRendererContinuesWithIt() async throws {
        try await stage.playFirst()
        var settings = PlaybackSettings()
        settings.sound.speed = PlaybackSpeed(hundredths: 150)
        await stage.player.use(settings)
        expectEqual(stage.player.status.pace, 1.5)
    }

    @Test func thePositionBeforeTheFirstSoundIsWhereItWillBegin() async throws {
        // The renderer still tells of what was heard before.
        stage.renderer.hear(seconds(7), generation: 0)
        try await stage.player.play(first)
        await stage.shows { $0.title == "One" }
        expectEqual(stage.player.status.position, seconds(100))
        expectEqual(stage.player.status.pace, 0)
    }

    @Test func aPlaceThatIsChosenBeforeTheMediaIsKnownIsShownAtOnce() async throws {
        stage.library.lookUps.close()
        try await stage.player.play(first)
        try await stage.player.seek(.absolute(seconds(300)))
        expectEqual(stage.player.status.position, seconds(300))
        stage.library.lookUps.open()
    }

    @Test func thePositionNeverRunsPastTheDuration() async throws {
        try await stage.playFirst()
        var measured = mp3
        (measured.duration, measured.isExact) = (seconds(3600), true)
        stage.decoders.last.tell(.opened(measured))
        await stage.shows { $0.info?.isExact == true }
        stage.clock.advance(by: 100_000)
        expectEqual(stage.player.status.position, seconds(3600))
    }

    @Test func anAnnouncedDurationThatIsPassedIsNotShown() async throws {
        try await stage.playFirst()
        stage.clock.advance(by: 10_000)
        expectEqual(stage.player.status.duration, nil)
        #expect(stage.player.status.position > seconds(9_000))
    }

    @Test func theChapterIsTheOneThatSounds() async throws {
        try await stage.playFirst()
        var info = mp3
        info.chapters = [
            Chapter(start: .zero, title: "Hello"), Chapter(start: seconds(101), title: "News"),
        ]
        stage.decoders.last.tell(.opened(info))
        await stage.shows { $0.chapter?.title == "Hello" }
        stage.clock.advance(by: 1)
        expectEqual(stage.player.status.chapter?.title, "News")
    }

    @Test func theBufferIsReadWhenItIsAskedFor() async throws {
        try await stage.playFirst()
        stage.decoders.last.frames.seconds.withLock { $0 = 1.5 }
        stage.opener.last.tell(.receiving, rate: 16_000)
        expectEqual(stage.player.status.bufferSeconds, 1.5)
        expectEqual([stage.player.status.bufferFill, stage.player.status.bufferRate], [1, 16_000])
        stage.renderer.tell(.underrun(generation: 1))
        await stage.shows(.buffering)
        expectEqual(stage.player.status.bufferFill, 0.5)
        expectEqual(stage.player.status.reason, "waiting for data")
    }

    @Test func nothingWakesUpWhileItIsStoppedAndOneTimerEndsALongPause() async throws {
        expectEqual(stage.clock.pending, 0)
        try await stage.playFirst()
        expectEqual(stage.clock.pending, 0)
        try await stage.player.pause()
        expectEqual(stage.clock.pending, 1)
        stage.clock.advance(by: 30)
        await stage.journal.reaches("suspend \(firstMedia.url)")
        await stage.player.queueChanged()
        expectEqual(stage.clock.pending, 0)
        try await stage.player.resume()
        expectEqual(stage.clock.pending, 0)
        try await stage.player.stop()
        expectEqual(stage.clock.pending, 0)
    }

    @Test func stoppingLetsEverythingGo() async throws {
        try await stage.playFirst()
        stage.journal.forget()
        try await stage.player.stop()
        expectEqual(
            stage.journal.lines,
            ["follow nothing", "silence", "decoder stop", "close \(firstMedia.url)", "saving 11 1:40", "saved 11 1:40"])
        expectEqual(stage.player.status.state, .stopped)
        expectEqual(stage.player.status.entry, nil)
        expectEqual(stage.player.status.position, .zero)
    }

    @Test func theNextEntryFollowsByItself() async throws {
        try await stage.playFirst()
        stage.renderer.tell(.ended(generation: 1))
        await stage.journal.reaches("render #2 0.2/3.0")
        await stage.journal.reaches("played 11")
        await stage.journal.reaches("current 2")
        await stage.shows { $0.entry == second }
    }

    @Test func whatAnOldDecoderOrSourceTellsIsPassedOver() async throws {
        try await stage.playFirst()
        let (decoder, source) = (stage.decoders.last, stage.opener.last)
        try await stage.player.play(second)
        await stage.journal.reaches("render #2 0.2/3.0")
        decoder.tell(.failed(broken))
        source.tell(.failed(gone))
        stage.renderer.tell(.ended(generation: 1))
        stage.renderer.tell(.started(generation: 2))
        await stage.shows(.playing)
        expectEqual(stage.player.status.entry, second)
        expectEqual(stage.player.status.error, nil)
    }

    @Test func theNextEntrysHostIsAskedWhenTheLastFrameIsDecoded() async throws {
        try await stage.playFirst(decodedUntil: "want \(secondMedia.url) 0")
        await stage.journal.reaches("measured 11 59:50")
        stage.renderer.tell(.ended(generation: 1))
        await stage.journal.reaches("render #2 0.2/3.0")
        expectEqual(stage.journal.lines.count { $0 == "open \(secondMedia.url)" }, 1)
        // The entry is read again in its turn, because the sound of its feed may have changed meanwhile.
        expectEqual(stage.journal.lines.count { $0 == "media 22" }, 2)
    }

    @Test func theNextEntrysDecoderIsStartedAheadAndWhatItHasDecodedIsPlayed() async throws {
        try await stage.playFirst(decodedUntil: "decoder start 0:00 #2")
        stage.decoders.last.tell(.opened(mp3))
        stage.renderer.tell(.ended(generation: 1))
        await stage.journal.reaches("render #2 0.2/3.0")
        #expect(!stage.journal.lines.contains { $0.hasPrefix("decoder seek") })
        expectEqual(stage.journal.lines.count { $0.hasPrefix("decoder start") }, 2)
        await stage.shows { $0.entry == second && $0.info != nil }
        stage.decoders.last.tell(.failed(broken))
        await stage.shows { $0.error == failure(broken, of: "Two") }
    }

    @Test func anOldFailureLeavesTheStatusWhileSomethingPlays() async throws {
        try await stage.playFirst()
        stage.decoders.last.tell(.restarted(reason: "it crashed"))
        await stage.shows { $0.error != nil }
        stage.clock.advance(by: 59)
        expectEqual(stage.player.status.error?.message, "it crashed")
        stage.clock.advance(by: 1)
        await stage.shows { $0.error == nil && $0.state == .playing }
    }

    @Test func theFailureThatStoppedThePlayerStays() async throws {
        try await stage.player.play(second)
        await stage.journal.reaches("render #1 0.2/3.0")
        stage.decoders.last.tell(.failed(broken))
        await stage.shows(.stopped)
        stage.clock.advance(by: 100)
        try await stage.player.stop()
        expectEqual(stage.player.status.stopReason, .asked)
    }

    @Test func thePreparedDecoderSeeksIfTheSoundWasChangedBeforeItsTurn() async throws {
        try await stage.playFirst(decodedUntil: "decoder start 0:00 #2")
        var settings = PlaybackSettings()
        settings.sound.speed = PlaybackSpeed(hundredths: 150)
        await stage.player.use(settings)
        stage.renderer.tell(.ended(generation: 2))
        await stage.journal.reaches("decoder seek 0:00 #3")
        expectEqual(stage.journal.lines.count { $0.hasPrefix("decoder start") }, 2)
    }

    @Test func aPreparedDecoderIsNotUsedForAnotherPlace() async throws {
        try await stage.playFirst(decodedUntil: "decoder start 0:00 #2")
        try await stage.player.play(second, at: seconds(40))
        await stage.journal.reaches("decoder start 0:40 #2")
        #expect(!stage.journal.lines.contains { $0.hasPrefix("decoder seek") })
    }

    @Test func aDecoderThatFailedBeforeItsTurnIsStartedAgain() async throws {
        try await stage.playFirst(decodedUntil: "decoder start 0:00 #2")
        stage.decoders.last.tell(.failed(broken))
        stage.renderer.tell(.ended(generation: 1))
        await stage.journal.reaches("render #2 0.2/3.0")
        expectEqual(stage.journal.lines.count { $0 == "decoder start 0:00 #2" }, 2)
        expectEqual(stage.player.status.error, nil)
    }

    @Test func aFaultOfThePreparedSourceCountsOnceItsTurnComes() async throws {
        try await stage.playFirst(decodedUntil: "want \(secondMedia.url) 0")
        stage.opener.last.tell(.failed(gone))
        expectEqual(stage.player.status.error, nil)
        stage.renderer.tell(.ended(generation: 1))
        await stage.shows(.stopped)
        expectEqual(stage.player.status.error, failure(gone, of: "Two"))
    }

    @Test func whatWasPreparedIsClosedWhenSomethingElseFollows() async throws {
        try await stage.playFirst(decodedUntil: "want \(secondMedia.url) 0")
        stage.library.entries.withLock { $0 = [first] }
        await stage.player.queueChanged()
        await stage.journal.reaches("close \(secondMedia.url)")
    }

    @Test func whatWasPreparedIsClosedByStop() async throws {
        try await stage.playFirst(decodedUntil: "want \(secondMedia.url) 0")
        await stage.player.queueChanged()
        try await stage.player.stop()
        expectContains(stage.journal.lines, "close \(secondMedia.url)")
    }

    @Test func aDecoderThatCannotStartLeavesNoSourceOpen() async throws {
        stage.decoders.refusal.withLock { $0 = MediaFailure(.internal, "no process") }
        try await stage.player.play(first)
        await stage.shows { $0.reason == "no process" }
        expectEqual(stage.player.status.state, .stopped)
        expectContains(stage.journal.lines, "close \(firstMedia.url)")
    }

    @Test func anEntryThatCannotBeOpenedIsSkipped() async throws {
        stage.opener.refusal.withLock { $0 = gone }
        try await stage.player.resume()
        await stage.journal.reaches("open \(secondMedia.url)")
        await stage.shows { $0.state == .stopped }
        expectEqual(stage.player.status.error, failure(gone, of: "Two"))
    }

    @Test func stepsAreRefusedAtTheEndsOfTheQueue() async throws {
        try await stage.playFirst()
        stage.renderer.hear(seconds(3), generation: 1, at: stage.clock.now)
        await #expect(throws: PlayerError.noPreviousEntry) { try await stage.player.previous() }
        try await stage.player.next()
        await stage.journal.reaches("render #2 0.2/3.0")
        await #expect(throws: PlayerError.noNextEntry) { try await stage.player.next() }
        expectEqual(stage.player.status.entry, second)
    }

    @Test func anEmptyQueueCannotBePlayed() async throws {
        stage.library.entries.withLock { $0 = [] }
        await #expect(throws: PlayerError.queueIsEmpty) { try await stage.player.resume() }
        expectEqual(stage.player.status.state, .stopped)
    }

    @Test func aSeekMovesRendererAndDecoderTogether() async throws {
        try await stage.playFirst()
        stage.journal.forget()
        try await stage.player.seek(.relative(seconds(30)))
        expectEqual(
            stage.journal.lines,
            ["follow nothing", "render switch #2", "decoder seek 2:10 #2", "saving 11 2:10", "saved 11 2:10"])
        expectEqual(stage.player.status.position, seconds(130))
    }

    @Test func loudnessIsAPerceivedScale() async throws {
        await stage.player.setVolume(50)
        expectEqual(stage.player.status.volume, 50)
        expectEqual(stage.journal.lines.last, "gain 0.125")
        await stage.player.setVolume(400)
        expectEqual(stage.player.status.volume, 100)
        await stage.player.setVolume(-1)
        expectEqual(stage.journal.lines.last, "gain 0.0")
    }

    @Test func watchersAreToldOfChangesAndNotOfTime() async throws {
        try await stage.playFirst()
        let told = Mutex(0)
        stage.player.observe { told.withLock { $0 += 1 } }
        stage.clock.advance(by: 1)
        await stage.player.queueChanged()
        expectEqual(told.withLock { $0 }, 0)
        try await stage.player.seek(.absolute(seconds(5)))
        expectEqual(told.withLock { $0 }, 1)
    }
}
