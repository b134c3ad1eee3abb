import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import Playback

/// The sleep timer by itself: what happens, and what it asks of the player.
struct SleepTimerTests {
    /// A timer and the player that it watches, without a clock.
    private struct Night {
        var timer = SleepTimer(fadeLength: .seconds(10))
        var moment = SleepMoment(
            now: Instant(nanoseconds: 0), state: .playing, generation: 1, position: seconds(100), pace: 1)

        /// Time passes, and the position with it if there is sound.
        mutating func pass(_ time: Double) -> [SleepAction] {
            moment.now += .seconds(time)
            moment.time = moment.time?.adding(milliseconds: Int64(time * 1000))
            if moment.state == .playing { moment.position = moment.position + seconds(time * moment.pace) }
            return timer.moved(to: moment)
        }

        mutating func change(_ edit: (inout SleepMoment) -> Void) -> [SleepAction] {
            edit(&moment)
            return timer.moved(to: moment)
        }

        mutating func ask(_ request: SleepRequest) -> [SleepAction] { timer.request(request, at: moment) }

        var left: Double? { timer.status?.left(at: moment.now)?.inSeconds }
        var deadline: Double? { timer.deadline(at: moment)?.inSeconds }
    }

    private var night = Night()

    @Test mutating func aTimeEndsWithAFadeAndReturnsToWhereTheFadeBegan() {
        expectEqual(night.ask(.after(.seconds(60))), [])
        #expect(night.left == 60 && night.deadline == 50)
        expectEqual(night.pass(49), [])
        expectEqual(night.timer.status?.isFading, false)
        expectEqual(night.pass(1), [.fade(1)])
        #expect(night.timer.status?.isFading == true && night.left == 10 && night.deadline == 0.1)
        expectEqual(night.pass(5), [.fade(0.5)])
        expectEqual(night.pass(5), [.fade(0), .fallAsleep(at: seconds(150))])
        #expect(night.timer.status == nil && night.timer.isAsleep && night.deadline == nil)
    }

    @Test mutating func aTimeOfDayComesWhetherOrNotThereIsSound() {
        night.moment.time = Timestamp(seconds: 1000)
        expectEqual(night.ask(.until(Timestamp(seconds: 1060))), [])
        #expect(night.left == 60 && night.deadline == 50)
        expectEqual(night.timer.status?.until, Timestamp(seconds: 1060))
        expectEqual(night.change { $0.state = .paused }, [])
        expectEqual(night.deadline, 60)
        expectEqual(night.pass(30), [])
        expectEqual(night.left, 30)
        let paused = night
        expectEqual(night.change { $0.state = .playing }, [])
        expectEqual(night.pass(20), [.fade(1)])
        expectEqual(night.pass(10), [.fade(0), .fallAsleep(at: seconds(120))])
        night = paused
        expectEqual(night.pass(30), [])
        #expect(night.timer.status == nil && !night.timer.isAsleep)
        night = paused
        _ = night.change { $0.state = .buffering }
        expectEqual(night.pass(30), [.fallAsleep(at: seconds(100))])
    }

    @Test mutating func aTimeOfDayFollowsTheClockThatIsSet() {
        night.moment.time = Timestamp(seconds: 1000)
        expectEqual(night.ask(.until(Timestamp(seconds: 5000))), [])
        #expect(night.left == 4000 && night.deadline == 60)
        expectEqual(night.change { $0.time = Timestamp(seconds: 400) }, [])
        expectEqual(night.left, 4600)
        expectEqual(night.change { $0.time = Timestamp(seconds: 4995) }, [.fade(1)])
        expectEqual(night.pass(5), [.fade(0), .fallAsleep(at: seconds(100))])
    }

    @Test mutating func aPlayingTimeIgnoresTheClock() {
        night.moment.time = Timestamp(seconds: 1000)
        _ = night.ask(.after(.seconds(600)))
        expectEqual(night.change { $0.time = Timestamp(seconds: 9000) }, [])
        expectEqual(night.left, 600)
    }

    @Test func shorteningIsRefusedIfSoMuchIsNotLeft() async throws {
        let stage = Stage()
        await #expect(throws: PlayerError.nothingToShorten(left: .zero)) {
            try await stage.player.sleep(.change(.seconds(-300)))
        }
        try await stage.player.sleep(.after(.seconds(600)))
        await #expect(throws: PlayerError.nothingToShorten(left: .seconds(600))) {
            try await stage.player.sleep(.change(.seconds(-1200)))
        }
        try await stage.player.sleep(.change(.seconds(-300)))
        expectEqual(stage.player.status.sleep?.left(at: stage.player.status.instant), .seconds(300))
    }

    @Test mutating func theVolumeReturnsOnlyWhenThePlayerContinues() {
        _ = night.ask(.after(.seconds(5)))
        expectEqual(night.pass(5), [.fade(0), .fallAsleep(at: seconds(100))])
        expectEqual(night.change { $0.state = .paused }, [])
        expectEqual(night.pass(3600), [])
        expectEqual(night.change { $0.state = .buffering }, [.fade(1)])
        #expect(!night.timer.isAsleep)
        expectEqual(night.change { $0.state = .playing }, [])
    }

    @Test(arguments: [PlayerState.paused, .buffering])
    mutating func onlyTimeThatSoundsCounts(state: PlayerState) {
        _ = night.ask(.after(.seconds(60)))
        _ = night.pass(20)
        _ = night.change { $0.state = state }
        expectEqual(night.deadline, nil)
        _ = night.pass(1000)
        expectEqual(night.left, 40)
        _ = night.change { $0.state = .playing }
        #expect(night.left == 40 && night.deadline == 30)
    }

    @Test mutating func addingTimeDuringTheFadeRestoresTheVolume() {
        _ = night.ask(.after(.seconds(60)))
        _ = night.pass(54)
        expectEqual(night.pass(1), [.fade(5.0 / 6)])
        expectEqual(night.ask(.change(.seconds(600))), [.fade(1)])
        #expect(night.left == 605 && night.timer.status?.isFading == false)
        expectEqual(night.pass(1), [])
    }

    @Test mutating func offDuringTheFadeRestoresTheVolumeAndContinues() {
        _ = night.ask(.after(.seconds(60)))
        _ = night.pass(55)
        expectEqual(night.ask(.off), [.fade(1)])
        expectEqual(night.timer.status, nil)
        expectEqual(night.pass(100), [])
    }

    @Test mutating func aChangeWithoutATimerStartsOneAndTooMuchTakenAwayFadesAtOnce() {
        expectEqual(night.ask(.change(.seconds(60))), [])
        expectEqual(night.left, 60)
        expectEqual(night.ask(.change(.seconds(-90))), [.fade(0), .fallAsleep(at: seconds(100))])
    }

    @Test mutating func aPauseDuringTheFadeEndsTheTimer() {
        _ = night.ask(.after(.seconds(60)))
        _ = night.pass(55)
        expectEqual(night.change { $0.state = .paused }, [])
        expectEqual(night.timer.status, nil)
        expectEqual(night.change { $0.state = .playing }, [.fade(1)])
    }

    @Test mutating func aSeekDuringTheFadeIsThePlaceToReturnTo() {
        _ = night.ask(.after(.seconds(60)))
        _ = night.pass(50)
        _ = night.change { ($0.generation, $0.position, $0.state) = (2, seconds(900), .buffering) }
        _ = night.change { $0.state = .playing }
        expectEqual(night.pass(10).last, .fallAsleep(at: seconds(900)))
    }

    @Test mutating func stopEndsTheTimerButATimerMayBeSetWhileStopped() {
        _ = night.ask(.after(.seconds(60)))
        _ = night.change { ($0.state, $0.generation) = (.stopped, nil) }
        expectEqual(night.timer.status, nil)
        _ = night.ask(.after(.seconds(60)))
        _ = night.pass(100)
        expectEqual(night.left, 60)
        _ = night.change { ($0.state, $0.generation) = (.buffering, 2) }
        _ = night.change { $0.state = .playing }
        #expect(night.left == 60 && night.deadline == 50)
    }

    @Test mutating func stoppingDuringTheFadeRestoresTheVolume() {
        _ = night.ask(.after(.seconds(60)))
        _ = night.pass(55)
        expectEqual(night.change { ($0.state, $0.generation) = (.stopped, nil) }, [.fade(1)])
    }

    @Test mutating func aMessageIsNotFadedAndPlaybackPausesAfterIt() {
        _ = night.ask(.after(.seconds(60)))
        _ = night.pass(45)
        expectEqual(night.change { ($0.isAnnouncing, $0.generation, $0.position) = (true, 2, .zero) }, [])
        expectEqual(night.deadline, 15)
        expectEqual(night.pass(14), [])
        #expect(night.timer.status?.isFading == false && night.deadline == 1)
        expectEqual(night.pass(1).count, 1)
        #expect(night.timer.isAsleep && night.deadline == nil && night.pass(100).isEmpty)
        expectEqual(night.change { ($0.isAnnouncing, $0.state, $0.generation) = (false, .paused, 3) }, [])
        #expect(night.timer.isAsleep)
    }

    @Test mutating func afterAMessageInTheFadeTheRestIsFaded() {
        _ = night.ask(.after(.seconds(60)))
        _ = night.pass(54)
        expectEqual(night.timer.fadePlace, seconds(154))
        expectEqual(night.change { ($0.isAnnouncing, $0.generation, $0.position) = (true, 2, .zero) }, [])
        expectEqual(night.pass(2), [])
        let back: [SleepAction] = night.change {
            ($0.isAnnouncing, $0.generation, $0.position) = (false, 3, seconds(150))
        }
        #expect(back == [.fade(1)] && night.left == 4)
        expectEqual(night.pass(4), [.fade(0), .fallAsleep(at: seconds(150))])
    }

    @Test(arguments: [SleepRequest.endOfChapter, .endOfEpisode(1)])
    mutating func theEndOfAMessageIsNotTheEndOfAChapterOrEpisode(request: SleepRequest) {
        night.moment.chapterEnd = seconds(130)
        _ = night.ask(request)
        let during = night.change { ($0.isAnnouncing, $0.generation, $0.chapterEnd) = (true, 2, seconds(100)) }
        #expect(during.isEmpty && night.deadline == nil)
    }

    // MARK: episodes

    @Test mutating func episodesAreCountedAndTheLastOneHoldsTheNext() {
        _ = night.ask(.endOfEpisode(2))
        #expect(night.timer.status?.end == .episode(2) && night.deadline == nil && night.pass(5000) == [])
        expectEqual(night.timer.episodeEnded(), .none)
        expectEqual(night.timer.status?.end, .episode(1))
        expectEqual(night.timer.episodeEnded(), .beforeNext)
        expectEqual(night.timer.status, nil)
        expectEqual(night.timer.episodeEnded(), .none)
    }

    @Test mutating func anEpisodeThatEndsDuringTheFadeIsNotHeardToItsEnd() {
        _ = night.ask(.after(.seconds(60)))
        _ = night.pass(50)
        expectEqual(night.timer.episodeEnded(), .back(to: seconds(150)))
        #expect(night.timer.isAsleep)
        expectEqual(night.change { ($0.state, $0.generation) = (.paused, 2) }, [])
        expectEqual(night.change { $0.state = .playing }, [.fade(1)])
    }

    @Test mutating func aTimeContinuesInTheNextEpisode() {
        _ = night.ask(.after(.seconds(60)))
        _ = night.pass(20)
        expectEqual(night.timer.episodeEnded(), .none)
        _ = night.change { ($0.state, $0.generation, $0.position) = (.buffering, 2, .zero) }
        _ = night.change { $0.state = .playing }
        expectEqual(night.left, 40)
    }

    // MARK: chapters

    @Test mutating func theChapterIsHeardWholeAndPlaybackResumesWithTheNext() {
        night.moment.chapterEnd = seconds(130)
        _ = night.ask(.endOfChapter)
        #expect(night.timer.status?.end == .chapter && night.deadline == 30)
        expectEqual(night.pass(29), [])
        expectEqual(night.pass(1), [.fade(1)])
        // The position is in the next chapter now.
        night.moment.chapterEnd = seconds(500)
        expectEqual(night.pass(10), [.fade(0), .fallAsleep(at: seconds(130))])
    }

    @Test mutating func atDoubleSpeedAChapterEndsInHalfTheTime() {
        (night.moment.chapterEnd, night.moment.pace) = (seconds(130), 2)
        _ = night.ask(.endOfChapter)
        expectEqual(night.deadline, 15)
        expectEqual(night.pass(15), [.fade(1)])
    }

    @Test mutating func aSeekMakesItTheEndOfTheChapterThatIsHeardThen() {
        night.moment.chapterEnd = seconds(130)
        _ = night.ask(.endOfChapter)
        _ = night.change { ($0.generation, $0.position, $0.chapterEnd) = (2, seconds(200), seconds(500)) }
        expectEqual(night.deadline, 300)
    }

    @Test mutating func theLastChapterEndsWithTheEpisode() {
        _ = night.ask(.endOfChapter)
        #expect(night.deadline == nil && night.pass(1000) == [])
        expectEqual(night.timer.episodeEnded(), .beforeNext)
        expectEqual(night.timer.status, nil)
    }

    @Test mutating func withoutAFadeTheSoundEndsAtOnce() {
        night.timer.fadeLength = .zero
        _ = night.ask(.after(.seconds(60)))
        expectEqual(night.deadline, 60)
        expectEqual(night.pass(60), [.fade(0), .fallAsleep(at: seconds(160))])
    }
}

/// The sleep timer in the player.
@Suite(.timeLimit(.minutes(5)))
struct PlayerSleepTests {
    let stage = Stage()

    /// Lets time pass in steps, as timers fall due.
    private func pass(_ seconds: Int) async throws {
        for _ in 0..<(seconds * 10) {
            stage.clock.advance(by: 0.1)
            // The player takes the timer's report first, because that came first.
            await stage.player.queueChanged()
        }
    }

    @Test func theSoundFadesAndTheNextPlayStartsWhereTheFadeBegan() async throws {
        try await stage.playFirst()
        try await stage.player.sleep(.after(.seconds(20)))
        expectEqual(stage.player.status.sleep?.end, .time)
        try await pass(9)
        #expect(!stage.journal.lines.contains { $0.hasPrefix("gain 0.") })
        try await pass(12)
        await stage.shows(.paused)
        expectContains(stage.journal.lines, "gain 0.0")
        #expect(stage.player.status.volume == 100 && stage.player.status.sleep == nil)
        expectEqual(stage.player.status.reason, "the sleep timer has ended")
        #expect(abs((stage.player.status.position - seconds(110)).seconds) < 0.2)
        await stage.journal.reaches("saved 11 1:50")
        stage.journal.forget()
        try await stage.player.resume()
        expectEqual(stage.journal.lines, ["go on", "gain 1.0"])
    }

    @Test func theNextEpisodeIsLoadedAndPausedAtTheEndOfTheEpisode() async throws {
        try await stage.playFirst()
        try await stage.player.sleep(.endOfEpisode(1))
        stage.renderer.tell(.ended(generation: 1))
        await stage.shows { $0.state == .paused && $0.title == secondMedia.title }
        #expect(stage.player.status.entry == second && stage.player.status.sleep == nil)
        await stage.journal.reaches("played 11")
    }

    @Test(arguments: [1, 2]) func anEndThatASeekReachesCounts(episodes: Int) async throws {
        try await stage.playFirst(decodedUntil: "decoder start 0:00 #2")
        try await stage.player.sleep(.endOfEpisode(episodes))
        try await stage.player.seek(.relative(seconds(5000)))
        await stage.shows { $0.title == secondMedia.title }
        await stage.journal.reaches("played 11 after 1:40")
        let status = stage.player.status
        #expect((status.state == .paused) == (episodes == 1))
        expectEqual(status.sleep?.end, episodes == 1 ? nil : .episode(1))
    }

    @Test func aSeekPastTheEndInTheFadeGoesOnToTheNextEpisode() async throws {
        try await stage.playFirst(decodedUntil: "decoder start 0:00 #2")
        try await stage.player.sleep(.after(.seconds(5)))
        try await stage.player.seek(.relative(seconds(5000)))
        await stage.shows { $0.title == secondMedia.title && $0.state != .paused }
    }

    @Test func stoppingAgainEndsATimerThatWasSetWhileStopped() async throws {
        try await stage.player.sleep(.after(.seconds(20)))
        #expect(stage.player.status.sleep != nil)
        try await stage.player.stop()
        expectEqual(stage.player.status.sleep, nil)
    }

    @Test func skippingToTheNextEpisodeKeepsTheTimer() async throws {
        try await stage.playFirst()
        try await stage.player.sleep(.endOfEpisode(1))
        try await stage.player.next()
        await stage.shows { $0.title == secondMedia.title }
        #expect(stage.player.status.state != .paused && stage.player.status.sleep?.end == .episode(1))
    }

    @Test func anEpisodeThatEndsInTheFadeStaysUnplayedAtWhereTheFadeBegan() async throws {
        try await stage.playFirst()
        try await stage.player.sleep(.after(.seconds(5)))
        expectEqual(stage.player.status.sleep?.isFading, true)
        stage.renderer.tell(.ended(generation: 1))
        await stage.shows(.paused)
        await stage.journal.reaches("saved 11 1:40")
        #expect(!stage.journal.lines.contains("played 11"))
        expectEqual(stage.player.status.position, seconds(100))
    }

    @Test func aMessageThatOutlastsTheTimerIsHeardAtFullVolumeAndTheEpisodeIsPausedAfterIt() async throws {
        try await stage.playFirst()
        try await stage.player.sleep(.after(.seconds(5)))
        try await pass(2)
        expectEqual(stage.player.status.sleep?.isFading, true)
        stage.journal.forget()
        try await stage.player.announce(url: "file:///bell.mp3", title: "bell", volume: nil)
        await stage.journal.reaches("render #2 0.2/3.0")
        stage.renderer.tell(.started(generation: 2))
        await stage.shows { $0.announcement == "bell" && $0.state == .playing }
        try await pass(5)
        #expect(stage.player.status.announcement == "bell" && stage.player.status.sleep == nil)
        expectEqual(stage.journal.lines.last { $0.hasPrefix("gain") }, "gain 1.0")
        stage.renderer.tell(.ended(generation: 2))
        await stage.shows { $0.title == firstMedia.title && $0.state == .paused }
        #expect(abs((stage.player.status.position - seconds(100)).seconds) < 0.2)
        expectEqual(stage.player.status.reason, "the sleep timer has ended")
    }

    @Test func anEpisodeWithoutChaptersHasNoEndOfAChapter() async throws {
        try await stage.playFirst()
        await #expect(throws: PlayerError.noChapters) { try await stage.player.sleep(.endOfChapter) }
        expectEqual(stage.player.status.sleep, nil)
    }

    @Test func theVolumeCanBeChangedDuringTheFade() async throws {
        try await stage.playFirst()
        try await stage.player.sleep(.after(.seconds(10)))
        try await pass(5)
        stage.journal.forget()
        await stage.player.setVolume(50)
        expectEqual(stage.journal.lines.first?.hasPrefix("gain 0.0"), true)
        expectEqual(stage.player.status.volume, 50)
        try await stage.player.sleep(.off)
        expectEqual(stage.journal.lines.last, "gain 0.125")
    }
}
