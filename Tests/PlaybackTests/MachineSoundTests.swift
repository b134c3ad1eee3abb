import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import Playback

/// How the player changes what is done to the sound.
struct MachineSoundTests {
    private var fast: SoundSettings {
        var sound = SoundSettings()
        sound.speed = PlaybackSpeed(hundredths: 150)
        return sound
    }

    @Test func aChangeWhileAnEpisodePlaysContinuesAtItsPosition() {
        var machine = Situation.sounding.machine
        let actions = machine.handle(.soundChanged(fast), at: PlayerMoment(heard: seconds(130)))
        let parameters = fast.parameters(chapters: [], duration: nil)
        expectEqual(actions, [.change(from: seconds(130), generation: 2, parameters)])
        expectEqual(machine.state.kind, .playing)
        // The same again changes nothing.
        expectEqual(machine.handle(.soundChanged(fast)), [])
    }

    @Test func aChangeWhileItIsPausedOrBufferingSeeks() {
        for situation in [Situation.held, .filling, .starved, .seeking] {
            var machine = situation.machine
            let kind = machine.state.kind
            let actions = machine.handle(.soundChanged(fast))
            guard case .seek(_, _, let parameters)? = actions.first, actions.count == 1 else {
                Issue.record("\(situation): \(actions)")
                continue
            }
            expectEqual(parameters.speed, fast.speed)
            expectEqual(machine.state.kind, kind)
        }
    }

    @Test func theNextEpisodeStartsWithTheSettings() {
        var machine = PlayerStateMachine()
        machine.take(.soundChanged(fast), .play(first, at: nil))
        let actions = machine.handle(.resolved(session: 1, firstMedia))
        guard case .start(_, _, _, _, _, _, let parameters)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        expectEqual(parameters.speed, fast.speed)
    }

    @Test func aFeedsOwnSettingsCountForMore() {
        var machine = Situation.sounding.machine
        _ = machine.handle(.soundChanged(fast))
        var own = FeedSound()
        own.speed = PlaybackSpeed(hundredths: 80)
        let actions = machine.handle(.feedSoundChanged(FeedID(1), own, isMusic: false))
        guard case .change(_, _, let parameters)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        expectEqual(parameters.speed.hundredths, 80)
        expectEqual(machine.handle(.feedSoundChanged(FeedID(2), FeedSound(), isMusic: false)), [])
    }

    @Test func partsThatAreMarkedWhileTheEpisodePlaysAreSkipped() {
        var machine = Situation.sounding.machine
        let part = seconds(200)..<seconds(300)
        let actions = machine.handle(.skipsChanged([part], first.episode), at: PlayerMoment(heard: seconds(130)))
        guard case .change(_, _, let parameters)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        expectEqual(parameters.skips, [part])
        expectEqual(machine.handle(.skipsChanged([part], first.episode)), [])
        expectEqual(machine.handle(.skipsChanged([], second.episode)), [])
    }

    @Test func aChangeWhereAKnownSkipBeginsDoesNotPlayTheSkippedPart() {
        var machine = Situation.sounding.machine
        let part = seconds(200)..<MediaTime.distantFuture
        _ = machine.handle(.skipsChanged([part], first.episode), at: PlayerMoment(heard: seconds(130)))
        let actions = machine.handle(.soundChanged(fast), at: PlayerMoment(heard: part.lowerBound))
        guard case .change(_, _, let parameters)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        expectEqual(parameters.skips, [part])
    }

    @Test func theMeasuredLoudnessIsUsedOnlyIfLoudnessIsChanged() {
        let plain = SoundSettings().parameters(chapters: [], duration: nil, measured: -2_300)
        expectEqual(plain, .neutral)
        var loud = SoundSettings()
        loud.loudness = -16
        expectEqual(loud.parameters(chapters: [], duration: nil, measured: -2_300).measuredLoudness, -2_300)
    }

    @Test func musicIsPlayedUnchanged() {
        var everything = fast
        (everything.shortensSilence, everything.loudness, everything.hasVoiceBoost) = (true, -16, true)
        (everything.isMono, everything.skippedStart) = (true, seconds(30))
        let none = everything.applied(to: FeedSound(), isMusic: true).parameters(chapters: [], duration: nil)
        expectEqual(none, .neutral)
        var own = FeedSound()
        own.loudness = .target(-20)
        expectEqual(everything.applied(to: own, isMusic: true).loudness, -20)
    }

    @Test func theLoudnessOfAFileThatWasReplacedIsNotThatOfTheNewOne() {
        var settings = PlaybackSettings()
        settings.sound.loudness = -16
        var machine = PlayerStateMachine(settings: settings)
        var media = firstMedia
        (media.loudness, media.isDurationMeasured) = (-2_300, true)
        machine.take(.play(first, at: nil), .resolved(session: 1, media))
        expectEqual(machine.listening?.parameters.measuredLoudness, -2_300)
        let actions = machine.handle(.source(session: 1, .failed(replaced)))
        expectEqual(actions.first, .forgetMeasurements(first.episode))
        expectEqual(machine.listening?.parameters.measuredLoudness, nil)
        expectEqual(machine.listening?.parameters.loudness, -16)
    }

    @Test func anImageDoesNotEndAChapterThatIsLeftOut() {
        var sound = SoundSettings()
        sound.skippedChapters = ["ads"]
        let chapters = [
            Chapter(start: .zero, title: "Ads"), Chapter(start: seconds(10), isListed: false),
            Chapter(start: seconds(20), title: "Talk"), Chapter(start: seconds(30), title: "Ads", isListed: false),
            Chapter(start: seconds(40), isListed: false), Chapter(start: seconds(50), title: "End"),
        ]
        let skips = sound.parameters(chapters: chapters, duration: nil).skips
        expectEqual(skips, [.zero..<seconds(20), seconds(30)..<seconds(40)])
    }

    @Test func chaptersAreLeftOutByTheirTitles() {
        var sound = SoundSettings()
        sound.skippedChapters = ["werbung*", "*sponsor*", "Intro"]
        let titles = ["Intro", "Topic", "Werbung: A", "Word from our Sponsors", "Introduction", "End"]
        let chapters = titles.enumerated().map { Chapter(start: seconds(Double($0.offset) * 100), title: $0.element) }
        expectEqual(
            sound.parameters(chapters: chapters, duration: seconds(600)).skips,
            [.zero..<seconds(100), seconds(200)..<seconds(400)])
    }

    @Test func beginningAndEndAreLeftOut() {
        var sound = SoundSettings()
        (sound.skippedStart, sound.skippedEnd) = (seconds(30), seconds(20))
        expectEqual(
            sound.parameters(chapters: [], duration: seconds(600)).skips,
            [.zero..<seconds(30), seconds(580)..<MediaTime.distantFuture])
        expectEqual(sound.parameters(chapters: [], duration: nil).skips, [.zero..<seconds(30)])
    }

    @Test func settingsThatLeaveNothingOfAnEpisodeDoNotApplyToIt() {
        var start = SoundSettings()
        start.skippedStart = seconds(30)
        expectEqual(start.parameters(chapters: [], duration: seconds(10)).skips, [])
        var titles = SoundSettings()
        titles.skippedChapters = ["*"]
        let chapters = [Chapter(start: .zero, title: "One"), Chapter(start: seconds(5), title: "Two")]
        expectEqual(titles.parameters(chapters: chapters, duration: nil).skips, [])
        let marked = [seconds(2)..<seconds(4)]
        expectEqual(titles.parameters(chapters: chapters, duration: seconds(10), marked: marked).skips, marked)
    }

    @Test func previousAndTheEndOfSleepLeaveOutWhatIsSkipped() {
        var sound = SoundSettings()
        sound.skippedStart = seconds(30)
        sound.skippedChapters = ["ads"]
        var restarted = Situation.sounding.machine
        _ = restarted.handle(.soundChanged(sound))
        guard case .seek(let start, _, _)? = restarted.handle(.step(.previous)).first else {
            Issue.record("no seek")
            return
        }
        expectEqual(start, seconds(30))
        var asleep = Situation.sounding.machine
        _ = asleep.handle(.soundChanged(sound))
        let chapters = [
            Chapter(start: .zero, title: "One"), Chapter(start: seconds(200), title: "Ads"),
            Chapter(start: seconds(300), title: "Two"),
        ]
        _ = asleep.handle(.chaptersArrived(chapters, first.episode))
        let actions = asleep.handle(.fellAsleep(at: seconds(200)))
        expectContains(actions, .savePosition(seconds(300), first.episode, isHeard: false))
    }

    private var leavingOut: PlaybackSettings {
        var settings = PlaybackSettings()
        (settings.sound.skippedStart, settings.sound.skippedEnd) = (seconds(20), seconds(60))
        return settings
    }

    private let tail = seconds(540)..<MediaTime.distantFuture

    /// An episode of ten minutes, whose end is left out.
    private func tenMinutes(from position: MediaTime) -> PlaybackMedia {
        var media = firstMedia
        (media.resumePosition, media.duration, media.isDurationMeasured) = (position, seconds(600), true)
        return media
    }

    @Test func aPlaceThatTheUserNamesIsPlayedAlsoInAPartThatIsLeftOut() {
        var machine = PlayerStateMachine(settings: leavingOut)
        machine.take(.play(first, at: seconds(570)))
        guard
            case .start(_, _, _, _, seconds(570), _, let parameters)? =
                machine.handle(.resolved(session: 1, tenMinutes(from: seconds(100)))).first
        else {
            Issue.record("not started at 9:30")
            return
        }
        expectEqual(parameters.skips, [.zero..<seconds(20)])
        machine.take(.decoder(session: 1, .opened(mp3)), .renderer(.started(generation: 1)))
        // A seek elsewhere leaves the end out again, and one into the beginning plays that.
        guard case .seek(_, _, let sought)? = machine.handle(.seek(.absolute(seconds(10)))).first else {
            Issue.record("no seek")
            return
        }
        expectEqual(sought.skips, [tail])
    }

    @Test func aSavedPlaceInAnEndThatIsLeftOutIsHeardAndKeepsItsPosition() {
        var machine = PlayerStateMachine(settings: leavingOut)
        machine.take(.play(first, at: nil), .resolved(session: 1, tenMinutes(from: seconds(570))))
        expectEqual(machine.listening?.parameters.skips, [.zero..<seconds(20), tail])
        machine.take(.decoder(session: 1, .opened(mp3)))
        expectEqual(
            machine.handle(.renderer(.ended(generation: 1))),
            [.silence, .finish(first, heard: nil), .choose(request: 1, .step(.next, from: first.id))])
    }

    @Test func theBeginningIsLeftOutAlsoIfTheEndIsKnownOnlyFromTheFile() {
        var machine = PlayerStateMachine(settings: leavingOut)
        var media = firstMedia
        (media.resumePosition, media.duration) = (.zero, nil)
        machine.take(.play(first, at: nil), .resolved(session: 1, media))
        var info = mp3
        (info.duration, info.isExact) = (seconds(600), true)
        let actions = machine.handle(.decoder(session: 1, .opened(info)))
        guard case .seek(.zero, _, let parameters)? = actions.last else {
            Issue.record("\(actions)")
            return
        }
        expectEqual(parameters.skips, [.zero..<seconds(20), tail])
    }

    @Test func whatIsHeardGoesOnInAPartThatIsLeftOutFromNowOn() {
        var machine = Situation.decoded.machine
        var sound = SoundSettings()
        sound.skippedEnd = seconds(200)
        expectEqual(machine.handle(.soundChanged(sound), at: PlayerMoment(heard: seconds(150))), [])
        expectEqual(machine.state.kind, .playing)
    }

    @Test func theEndIsNotSkippedByTheEstimateOfTheFirstFrames() {
        var settings = PlaybackSettings()
        settings.sound.skippedEnd = seconds(5)
        var machine = PlayerStateMachine(settings: settings)
        var media = secondMedia
        media.duration = seconds(10)
        machine.take(.play(second, at: nil), .resolved(session: 1, media))
        var info = mp3
        info.duration = seconds(14)
        _ = machine.handle(.decoder(session: 1, .opened(info)))
        expectEqual(machine.listening?.parameters.skips, [])
        expectEqual(machine.handle(.seek(.absolute(seconds(30)))).first, .seek(to: seconds(30), generation: 3))
        // Measured, or stated by the container.
        (info.duration, info.isExact) = (seconds(80), true)
        _ = machine.handle(.decoder(session: 1, .opened(info)))
        expectEqual(machine.listening?.parameters.skips, [seconds(75)..<MediaTime.distantFuture])
        expectEqual(machine.handle(.seek(.absolute(seconds(81)))), [.refuse(.beyondEnd(duration: seconds(80)))])
    }
}
