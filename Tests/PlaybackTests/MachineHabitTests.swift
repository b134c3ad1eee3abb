import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import Playback

/// Rewinding after a pause, episodes that are nearly over, and seeks to a share of the duration.
struct MachineHabitTests {
    private func sounding(rewind: MediaTime = .zero, playedBeforeEnd: MediaTime = .zero) -> PlayerStateMachine {
        var settings = PlaybackSettings()
        (settings.rewind, settings.playedBeforeEnd) = (rewind, playedBeforeEnd)
        var machine = PlayerStateMachine(settings: settings)
        machine.take(
            .play(first, at: nil), .resolved(session: 1, firstMedia), .decoder(session: 1, .opened(mp3)),
            .renderer(.started(generation: 1)))
        return machine
    }

    private func moment(_ position: Double, at time: Int64) -> PlayerMoment {
        PlayerMoment(heard: seconds(position), time: Timestamp(seconds: time))
    }

    @Test(arguments: [(30, 0.0), (60, 4.0), (3599, 4.0), (3600, 12.0), (86_400, 24.0), (-500, 0)] as [(Int64, Double)])
    func afterALongerPausePlaybackContinuesEarlier(_ pause: Int64, _ rewind: Double) {
        var machine = sounding(rewind: seconds(24))
        _ = machine.handle(.pause, at: moment(500, at: 1_000_000))
        let actions = machine.handle(.resume, at: moment(500, at: 1_000_000 + pause))
        if rewind == 0 {
            expectEqual(actions, [.setPaused(false)])
        } else {
            expectEqual(
                actions,
                [
                    .seek(to: seconds(500 - rewind), generation: 2),
                    .savePosition(seconds(500 - rewind), first.episode, isHeard: false), .setPaused(false),
                ])
            expectEqual(machine.wait?.kind, .seeking)
        }
    }

    @Test func withoutTheSettingNothingIsHeardTwice() {
        var machine = sounding()
        _ = machine.handle(.pause, at: moment(500, at: 1_000_000))
        expectEqual(machine.handle(.resume, at: moment(500, at: 9_000_000)), [.setPaused(false)])
    }

    @Test func aSeekDuringAPauseIsNotRewound() {
        var machine = sounding(rewind: seconds(24))
        _ = machine.handle(.pause, at: moment(500, at: 1_000_000))
        _ = machine.handle(.seek(.absolute(seconds(700))), at: moment(500, at: 1_500_000))
        expectEqual(machine.handle(.resume, at: moment(700, at: 2_000_000)), [.setPaused(false)])
    }

    private func nearlyOver(_ position: Double, isMeasured: Bool = true) -> (PlayerStateMachine, PlayerMoment) {
        var machine = sounding(playedBeforeEnd: seconds(60))
        if isMeasured {
            _ = machine.handle(.decoder(session: 1, .reachedEnd(generation: 1, duration: seconds(1000))))
        }
        return (machine, PlayerMoment(heard: seconds(position)))
    }

    @Test func anEpisodeThatIsLeftNearItsEndCountsAsPlayed() {
        for event in [PlayerEvent.stop, .play(second, at: nil)] {
            var (machine, moment) = nearlyOver(945)
            let actions = machine.handle(event, at: moment)
            expectContains(actions, .finish(first, heard: seconds(945)))
            #expect(!actions.contains { if case .savePosition = $0 { true } else { false } })
        }
    }

    @Test func earlierOrWithoutAMeasuredEndItKeepsItsPosition() {
        for (position, isMeasured) in [(939.0, true), (3599, false)] {
            var (machine, moment) = nearlyOver(position, isMeasured: isMeasured)
            expectEqual(machine.handle(.stop, at: moment), [.silence, .savePosition(seconds(position), first.episode)])
        }
    }

    @Test func theEndOfTheProgramLeavesThePosition() {
        var (machine, moment) = nearlyOver(990)
        expectEqual(machine.handle(.shutdown, at: moment), [.silence, .savePosition(seconds(990), first.episode)])
    }

    @Test func aShareIsOfTheBestKnownDuration() {
        var announced = sounding()
        expectEqual(announced.handle(.seek(.share(0.5))).first, .seek(to: seconds(1800), generation: 2))
        expectEqual(announced.handle(.seek(.relativeShare(-0.25))).first, .seek(to: seconds(900), generation: 3))
        var measured = nearlyOver(10).0
        expectEqual(measured.handle(.seek(.share(0.5))).first, .seek(to: seconds(500), generation: 2))
        var unknown = PlayerStateMachine()
        unknown.take(.play(second, at: nil), .resolved(session: 1, secondMedia))
        expectEqual(unknown.handle(.seek(.relativeShare(0.5))), [.refuse(.durationUnknown)])
        expectEqual(unknown.handle(.seek(.share(0.5))), [.refuse(.durationUnknown)])
    }
}
