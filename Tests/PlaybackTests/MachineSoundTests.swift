import MediaPorts
import PodcastModel
import Testing

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
        #expect(actions == [.change(from: seconds(130), generation: 2, parameters)])
        #expect(machine.state.kind == .playing)
        // The same again changes nothing.
        #expect(machine.handle(.soundChanged(fast)) == [])
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
            #expect(parameters.speed == fast.speed)
            #expect(machine.state.kind == kind)
        }
    }

    @Test func theNextEpisodeStartsWithTheSettings() {
        var machine = PlayerStateMachine()
        _ = machine.handle(.soundChanged(fast))
        _ = machine.handle(.play(first, at: nil))
        let actions = machine.handle(.resolved(session: 1, firstMedia))
        guard case .start(_, _, _, _, _, _, let parameters)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(parameters.speed == fast.speed)
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
        #expect(parameters.speed.hundredths == 80)
        #expect(machine.handle(.feedSoundChanged(FeedID(2), FeedSound(), isMusic: false)) == [])
    }

    @Test func partsThatAreMarkedWhileTheEpisodePlaysAreSkipped() {
        var machine = Situation.sounding.machine
        let part = seconds(200)..<seconds(300)
        let actions = machine.handle(.skipsChanged([part], first.episode), at: PlayerMoment(heard: seconds(130)))
        guard case .change(_, _, let parameters)? = actions.first else {
            Issue.record("\(actions)")
            return
        }
        #expect(parameters.skips == [part])
        #expect(machine.handle(.skipsChanged([part], first.episode)) == [])
        #expect(machine.handle(.skipsChanged([], second.episode)) == [])
    }

    @Test func theMeasuredLoudnessIsUsedOnlyIfLoudnessIsChanged() {
        let plain = SoundSettings().parameters(chapters: [], duration: nil, measured: -2_300)
        #expect(plain == .neutral)
        var loud = SoundSettings()
        loud.loudness = -16
        #expect(loud.parameters(chapters: [], duration: nil, measured: -2_300).measuredLoudness == -2_300)
    }

    @Test func musicIsPlayedUnchanged() {
        var everything = fast
        (everything.shortensSilence, everything.loudness, everything.hasVoiceBoost) = (true, -16, true)
        (everything.isMono, everything.skippedStart) = (true, seconds(30))
        let none = everything.applied(to: FeedSound(), isMusic: true).parameters(chapters: [], duration: nil)
        #expect(none == .neutral)
        var own = FeedSound()
        own.loudness = .target(-20)
        #expect(everything.applied(to: own, isMusic: true).loudness == -20)
    }

    @Test func chaptersAreLeftOutByTheirTitles() {
        var sound = SoundSettings()
        sound.skippedChapters = ["werbung*", "*sponsor*", "Intro"]
        let titles = ["Intro", "Topic", "Werbung: A", "Word from our Sponsors", "Introduction", "End"]
        let chapters = titles.enumerated().map { Chapter(start: seconds(Double($0.offset) * 100), title: $0.element) }
        #expect(
            sound.parameters(chapters: chapters, duration: seconds(600)).skips
                == [.zero..<seconds(100), seconds(200)..<seconds(400)])
    }

    @Test func beginningAndEndAreLeftOut() {
        var sound = SoundSettings()
        (sound.skippedStart, sound.skippedEnd) = (seconds(30), seconds(20))
        #expect(
            sound.parameters(chapters: [], duration: seconds(600)).skips
                == [.zero..<seconds(30), seconds(580)..<MediaTime.distantFuture])
        #expect(sound.parameters(chapters: [], duration: nil).skips == [.zero..<seconds(30)])
        // Nothing of a short episode would be left.
        #expect(sound.parameters(chapters: [], duration: seconds(10)).skips == [.zero..<MediaTime.distantFuture])
    }
}
