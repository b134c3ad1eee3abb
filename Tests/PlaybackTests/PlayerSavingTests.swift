import MediaPorts
import Playback
import PodcastModel
import Synchronization
import Testing
import TestSupport

/// Which positions the player saves, and when it acknowledges them.
@Suite(.timeLimit(.minutes(5)))
struct PlayerSavingTests {
    let stage = Stage()

    @Test func aPauseIsAcknowledgedWhenThePositionIsOnDisk() async throws {
        try await stage.playFirst()
        stage.library.gate.close()
        let isAcknowledged = Mutex(false)
        let stage = self.stage
        async let pause: Void = {
            try await stage.player.pause()
            isAcknowledged.withLock { $0 = true }
        }()
        await stage.journal.reaches("saving 11 1:40")
        await stage.shows(.paused)
        #expect(!isAcknowledged.withLock { $0 })
        stage.library.gate.open()
        try await pause
        expectEqual(stage.journal.lines.last, "saved 11 1:40")
    }

    @Test func aPositionThatCannotBeSavedFailsThePauseAndStillHolds() async throws {
        try await stage.playFirst()
        stage.library.isBroken.withLock { $0 = true }
        let error = await #expect(throws: PositionNotSaved.self) { try await stage.player.pause() }
        #expect(error?.cause is FakeLibrary.Fault)
        expectEqual(stage.player.status.state, .paused)
    }

    @Test func theStoreFollowsWhatSoundsAndReadsItWhenItWants() async throws {
        try await stage.playFirst()
        await stage.journal.reaches("follow 11 every 0.95")
        let sounding = try #require(stage.library.followed.withLock { $0 })
        stage.clock.advance(by: 1)
        expectEqual(sounding.place()?.position, seconds(101))
        stage.clock.advance(by: 1)
        expectEqual(sounding.place()?.position, seconds(102))
    }

    @Test func nothingIsFollowedBeforeTheFirstSoundNorInAPause() async throws {
        try await stage.player.play(first)
        for line in ["current 1", "render #1 0.2/3.0"] { await stage.journal.reaches(line) }
        #expect(stage.library.followed.withLock { $0 } == nil)
        stage.journal.forget()
        stage.renderer.hear(seconds(100), generation: 1, at: stage.clock.now)
        stage.decoders.last.tell(.opened(mp3))
        stage.renderer.tell(.started(generation: 1))
        await stage.shows(.playing)
        stage.renderer.tell(.underrun(generation: 1))
        await stage.journal.reaches("follow nothing")
        stage.renderer.tell(.resumed(generation: 1))
        await stage.journal.reaches("follow 11 every 0.95", count: 2)
        try await stage.player.pause()
        expectEqual(stage.journal.lines.suffix(4), ["follow nothing", "hold", "saving 11 1:40", "saved 11 1:40"])
    }

    @Test func aPauseShowsWhatItSavedHoweverLateTheSoundStops() async throws {
        try await stage.playFirst()
        stage.clock.advance(by: 2)
        try await stage.player.pause()
        expectEqual(stage.journal.lines.last, "saved 11 1:42")
        stage.clock.advance(by: 1)
        expectEqual(stage.player.status.position, seconds(102))
        stage.opener.last.tell(.complete)
        await stage.player.queueChanged()
        expectEqual(stage.player.status.position, seconds(102))
        try await stage.player.resume()
        expectEqual(stage.player.status.position, seconds(103))
    }

    @Test func noOldPositionIsRecordedAfterASeek() async throws {
        try await stage.playFirst()
        let before = try #require(stage.library.followed.withLock { $0 })
        stage.journal.forget()
        try await stage.player.seek(.absolute(seconds(5)))
        // The record is called off before the seek is saved; what would be read later is of another generation.
        expectEqual(
            stage.journal.lines,
            ["follow nothing", "render switch #2", "decoder seek 0:05 #2", "saving 11 0:05", "saved 11 0:05"])
        stage.renderer.hear(seconds(5), generation: 2, at: stage.clock.now)
        expectEqual(before.place()?.position, nil)
    }

    @Test func aRecordThatFailsIsShown() async throws {
        try await stage.playFirst()
        try #require(stage.library.followed.withLock { $0 }).recordFailed(FakeLibrary.Fault())
        await stage.shows { $0.error?.kind == .storage }
        expectEqual(stage.player.status.error?.message, "the library cannot be written: disk full")
        expectEqual(stage.player.status.state, .playing)
    }

    @Test func aWordAboutWhereToBeginIsSavedBeforeItIsAcknowledged() async throws {
        try await stage.player.play(first, at: seconds(7))
        expectContains(stage.journal.lines, "saved 11 0:07")
    }

    @Test func aSeekBeforeTheEpisodeIsFoundIsSavedBeforeItIsAcknowledged() async throws {
        stage.library.lookUps.close()
        try await stage.player.play(first)
        try await stage.player.seek(.absolute(seconds(9)))
        // The look-up may begin only now.
        expectContains(stage.journal.lines, "saved 11 0:09")
        stage.library.lookUps.open()
        await stage.journal.reaches("decoder start 0:09 #1")
    }

    @Test func aSeekWhileTheEpisodeIsOpenedDecidesWhereItBegins() async throws {
        stage.opener.gate.close()
        try await stage.player.play(first)
        await stage.journal.reaches("open \(firstMedia.url)")
        try await stage.player.seek(.absolute(seconds(9)))
        try await stage.player.pause()
        stage.opener.gate.open()
        await stage.journal.reaches("decoder start 0:09 #2")
        await stage.journal.reaches("render #2 0.2/3.0")
        expectEqual(stage.journal.lines.last { $0 == "hold" || $0 == "go on" }, "hold")
    }

    @Test func anEpisodeThatIsOpenOnlyAfterAStopIsClosed() async throws {
        stage.opener.gate.close()
        try await stage.player.play(first)
        await stage.journal.reaches("open \(firstMedia.url)")
        try await stage.player.stop()
        stage.opener.gate.open()
        await stage.journal.reaches("close \(firstMedia.url)")
        #expect(!stage.journal.lines.contains { $0.hasPrefix("decoder start") })
    }

    @Test func aFailedStartSavesNothing() async throws {
        stage.opener.refusal.withLock { $0 = offline }
        try await stage.player.play(first)
        await stage.shows(.stopped)
        await stage.player.shutdown()
        #expect(!stage.journal.lines.contains { $0.hasPrefix("saved") })
    }

    @Test func shutdownRecordsThePositionAndRefusesWhatComesAfter() async throws {
        try await stage.playFirst()
        await stage.player.shutdown()
        expectEqual(stage.journal.lines.last, "saved 11 1:40")
        await #expect(throws: PlayerError.shuttingDown) { try await stage.player.play(second) }
        await #expect(throws: PlayerError.shuttingDown) { try await stage.player.resume() }
        expectEqual(stage.clock.pending, 0)
    }

    @Test func shutdownWaitsNoLongerThanItsLimitForTheDisk() async throws {
        try await stage.playFirst()
        stage.library.gate.close()
        let stage = self.stage
        async let down: Void = stage.player.shutdown()
        await stage.journal.reaches("saving 11 1:40")
        while stage.clock.pending == 0 { await Task.yield() }
        stage.clock.advance(by: 2)
        await down
        #expect(!stage.journal.lines.contains("saved 11 1:40"))
        stage.library.gate.open()
    }

    @Test func shutdownWaitsForWhatWasWrittenBefore() async throws {
        try await stage.playFirst()
        stage.library.entries.withLock { $0 = [first] }
        stage.library.gate.close()
        let stage = self.stage
        async let seek: Void = stage.player.seek(.absolute(seconds(101)))
        await stage.journal.reaches("saving 11 1:41")
        stage.renderer.tell(.ended(generation: 2))
        await stage.shows(.stopped)
        async let down: Void = stage.player.shutdown()
        stage.library.gate.open()
        await down
        try await seek
        expectEqual(stage.journal.lines.last, "played 11 after 1:40")
    }

    @Test func aShutdownPlayerThatPlaysNothingReturnsAtOnce() async {
        await stage.player.shutdown()
        expectEqual(stage.player.status.state, .stopped)
    }
}
