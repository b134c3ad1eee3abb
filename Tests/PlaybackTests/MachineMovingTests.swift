import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import Playback

/// Seeks, starts and steps between entries, as events and actions of the state machine.
struct MachineMovingTests {
    @Test func whatIsHeldWhileItLoadsStartsHeldAndSoundsWhenItGoesOn() {
        var machine = PlayerStateMachine()
        _ = machine.handle(.play(first, at: nil))
        expectEqual(machine.handle(.pause), [])
        expectEqual(
            machine.handle(.resolved(session: 1, firstMedia)),
            [.start(session: 1, generation: 1, first, firstMedia, at: seconds(100), isHeld: true)])
        _ = machine.handle(.decoder(session: 1, .opened(mp3)))
        expectEqual(machine.state.kind, .paused)
        expectEqual(machine.handle(.resume), [.setPaused(false)])
        expectEqual(machine.state.kind, .buffering)
    }

    @Test func aStartThatFailsLeavesTheSavedPositionAlone() {
        for event in [
            PlayerEvent.startFailed(session: 1, MediaFailure(.internal, "no process")),
            .decoder(session: 1, .failed(broken)), .source(session: 1, .failed(gone)), .stop, .play(second, at: nil),
        ] {
            var machine = PlayerStateMachine()
            machine.take(.play(first, at: .zero), .resolved(session: 1, firstMedia))
            for action in machine.handle(event) {
                if case .savePosition = action { Issue.record("\(event): \(action)") }
            }
        }
    }

    @Test(arguments: [(true, MediaTime.zero), (false, MediaTime(seconds: 3700))])
    func aSavedPositionPastTheMeasuredEndBeginsAnewAndPastAnAnnouncedOneGoesOn(isMeasured: Bool, start: MediaTime) {
        var machine = PlayerStateMachine()
        var media = firstMedia
        media.resumePosition = seconds(3700)
        media.isDurationMeasured = isMeasured
        _ = machine.handle(.play(first, at: nil))
        expectEqual(
            machine.handle(.resolved(session: 1, media)),
            [.start(session: 1, generation: 1, first, media, at: start, isHeld: false)])
    }

    @Test func aSeekBeginsAGenerationAndIsRecordedAtOnce() {
        var machine = Situation.sounding.machine
        expectEqual(
            machine.handle(.seek(.relative(seconds(30))), at: PlayerMoment(heard: seconds(110))),
            [.seek(to: seconds(140), generation: 2), .savePosition(seconds(140), first.episode, isHeard: false)])
        expectEqual(machine.wait, PlayerWait(kind: .seeking, subject: "One"))
        expectEqual(machine.reason, "seeking")
        // What was on its way from before the seek counts no more.
        expectEqual(machine.handle(.renderer(.underrun(generation: 1))), [])
        expectEqual(machine.handle(.renderer(.ended(generation: 1))), [])
        _ = machine.handle(.decoder(session: 1, .positioned(generation: 2, at: seconds(139.9))))
        expectEqual(machine.wait, PlayerWait(kind: .buffering(goal: .seconds(0.2)), subject: "One"))
        expectEqual(machine.listening?.position, seconds(139.9))
        _ = machine.handle(.renderer(.started(generation: 2)))
        expectEqual(machine.state.kind, .playing)
    }

    @Test func anAbsoluteSeekBeyondTheEndIsRefusedWithTheDuration() {
        var announced = Situation.sounding.machine
        expectEqual(announced.handle(.seek(.absolute(seconds(9_000)))), [.refuse(.beyondEnd(duration: seconds(3_600)))])
        expectEqual(announced.handle(.play(first, at: seconds(9_000))), [.refuse(.beyondEnd(duration: seconds(3_600)))])
        expectEqual(announced.handle(.seek(.absolute(seconds(3_600)))).first, .seek(to: seconds(3_600), generation: 2))
        var measured = Situation.decoded.machine
        expectEqual(measured.handle(.seek(.absolute(seconds(301)))), [.refuse(.beyondEnd(duration: seconds(300)))])
        #expect(measured.state.kind == .playing && measured.listening?.position == seconds(100))
        expectEqual(measured.handle(.seek(.relative(seconds(-9_000)))).first, .seek(to: .zero, generation: 2))
    }

    @Test func aSeekIsNotRefusedByAnEstimateNorByAnAnnouncementThatIsShorter() {
        var machine = Situation.sounding.machine
        var longer = mp3
        longer.duration = seconds(5_000)
        _ = machine.handle(.decoder(session: 1, .opened(longer)))
        expectEqual(machine.handle(.seek(.absolute(seconds(5_001)))).first, .seek(to: seconds(5_001), generation: 2))
    }

    @Test func aRelativeSeekPastTheEndFinishesTheEpisodeWhereItWasHeard() {
        var machine = Situation.decoded.machine
        expectEqual(
            machine.handle(.seek(.relative(seconds(9_000))), at: PlayerMoment(heard: seconds(120))),
            [.silence, .finish(first, heard: seconds(120)), .choose(request: 1, .step(.next, from: first.id))])
        var held = Situation.decoded.machine
        held.take(.pause, .seek(.relative(seconds(9_000))))
        expectEqual(held.state.kind, .paused)
    }

    @Test func aSeekPastAnEndThatWasNotKnownFinishesTheEpisodeWhereItWasHeard() {
        var machine = Situation.sounding.machine
        let moment = PlayerMoment(heard: seconds(120))
        _ = machine.handle(.seek(.relative(seconds(9_000))), at: moment)
        _ = machine.handle(.seek(.relative(seconds(9_000))))
        _ = machine.handle(.decoder(session: 1, .reachedEnd(generation: 3, duration: seconds(300))))
        expectContains(machine.handle(.renderer(.ended(generation: 3))), .finish(first, heard: seconds(120)))
    }

    @Test func aSeekToAPlaceAfterAnEndThatWasNotKnownReturnsToWhereItCameFrom() {
        var machine = Situation.sounding.machine
        var longer = mp3
        longer.duration = seconds(20_000)
        _ = machine.handle(.decoder(session: 1, .opened(longer)))
        _ = machine.handle(.seek(.absolute(seconds(9_000))), at: PlayerMoment(heard: seconds(120)))
        _ = machine.handle(.decoder(session: 1, .reachedEnd(generation: 2, duration: seconds(300))))
        let actions = machine.handle(.renderer(.ended(generation: 2)))
        expectContains(actions, .savePosition(seconds(120), first.episode, isHeard: false))
        #expect(!actions.contains { if case .finish = $0 { true } else { false } })
        expectEqual(machine.listening?.position, seconds(120))
        expectEqual(machine.report?.message, "2:30:00 is after the end; continuing at 2:00")
        // Should that fail too, the episode ends.
        expectContains(machine.handle(.renderer(.ended(generation: 3))), .finish(first, heard: nil))
    }

    @Test func anAnnouncedDurationIsTrustedIfTheFileLooksALittleLonger() {
        var machine = Situation.sounding.machine
        var longer = mp3
        longer.duration = seconds(3_610)
        _ = machine.handle(.decoder(session: 1, .opened(longer)))
        expectEqual(machine.handle(.seek(.absolute(seconds(9_000)))), [.refuse(.beyondEnd(duration: seconds(3_610)))])
    }

    @Test func aStartAfterAnEndThatWasUnknownPlaysFromTheBeginning() {
        var machine = PlayerStateMachine()
        machine.take(.play(first, at: seconds(9_000)), .resolved(session: 1, firstMedia))
        _ = machine.handle(.decoder(session: 1, .opened(mp3)))
        expectEqual(
            machine.handle(.renderer(.ended(generation: 1))),
            [.silence, .start(session: 2, generation: 2, first, firstMedia, at: .zero, isHeld: false)])
    }

    @Test func previousRestartsTheEpisodeUnlessLessThanFiveSecondsWereHeard() {
        var later = Situation.sounding.machine
        let seeking: [PlayerAction] = [
            .seek(to: .zero, generation: 2), .savePosition(.zero, first.episode, isHeard: false),
        ]
        expectEqual(later.handle(.step(.previous), at: PlayerMoment(heard: seconds(5))), seeking)
        var held = Situation.held.machine
        expectEqual(held.handle(.step(.previous)), seeking + [.setPaused(false)])
        var early = Situation.sounding.machine
        expectEqual(
            early.handle(.step(.previous), at: PlayerMoment(heard: seconds(4.9))),
            [.choose(request: 1, .step(.previous, from: first.id))])
    }

    @Test func aSeekBeforeTheMediaIsKnownDecidesWhereItStarts() {
        var machine = Situation.resolving.machine
        expectEqual(
            machine.handle(.seek(.absolute(seconds(7)))), [.savePosition(seconds(7), first.episode, isHeard: false)])
        expectEqual(
            machine.handle(.resolved(session: 1, firstMedia)),
            [.start(session: 1, generation: 1, first, firstMedia, at: seconds(7), isHeld: false)])
    }

    @Test func aSeekAfterAFailureOpensTheMediaAgain() {
        var machine = Situation.doomed.machine
        expectEqual(
            machine.handle(.seek(.absolute(seconds(20)))),
            [
                .silence,
                .start(session: 2, generation: 2, first, firstMedia, at: seconds(20), isHeld: false),
                .savePosition(seconds(20), first.episode, isHeard: false),
            ])
        expectEqual(machine.state.kind, .loading)
    }

    @Test func aDecoderThatWasStartedAgainIsTold() {
        var machine = Situation.sounding.machine
        _ = machine.handle(.decoder(session: 1, .restarted(reason: "the decoder hung")))
        expectEqual(machine.state.kind, .playing)
        expectEqual(machine.report, MediaFailure(.damaged, "the decoder hung"))
    }

    @Test func aSeekAfterALongPauseLeavesItToTheDecoderWhichByteIsMissing() {
        var machine = Situation.sounding.machine
        machine.take(.decoder(session: 1, .waitingForBytes(offset: 5_000)), .pause, .heldLong(generation: 1))
        let target = MediaTime(milliseconds: 90_000)
        let actions = machine.handle(.seek(.absolute(target)))
        expectEqual(actions.first, .seek(to: target, generation: 2))
        // An older byte that is asked for behind the decoder's back would lead the source away from where it is needed.
        #expect(!actions.contains(.wakeSource(from: 5_000)))
        expectEqual(machine.handle(.resume), [.setPaused(false)])
    }

    @Test func aStepWithoutANeighbourIsRefusedAndWhatPlaysGoesOn() {
        var machine = Situation.sounding.machine
        expectEqual(machine.handle(.step(.next)), [.choose(request: 1, .step(.next, from: first.id))])
        expectEqual(machine.handle(.chosen(request: 1, nil)), [.refuse(.noNextEntry)])
        expectEqual(
            machine.handle(.step(.previous), at: PlayerMoment(heard: seconds(3))),
            [.choose(request: 2, .step(.previous, from: first.id))])
        expectEqual(machine.handle(.chosen(request: 2, nil)), [.refuse(.noPreviousEntry)])
        expectEqual(machine.state.kind, .playing)
    }

    @Test func theLastOfSeveralStepsDecides() {
        var machine = Situation.sounding.machine
        machine.take(.step(.next), .step(.previous))
        expectEqual(machine.handle(.chosen(request: 1, second)), [])
        expectEqual(machine.entry, first)
    }

    @Test func theNextEntryPlaysIfTheOneThatPlaysIsRemoved() {
        var machine = Situation.sounding.machine
        expectEqual(machine.handle(.removed([second.id])), [])
        expectEqual(
            machine.handle(.removed([first.id]), at: PlayerMoment(heard: seconds(130))),
            [.silence, .savePosition(seconds(130), first.episode), .choose(request: 1, .step(.next, from: first.id))])
        _ = machine.handle(.chosen(request: 1, second))
        expectEqual(machine.entry, second)
        var last = Situation.sounding.machine
        last.take(.removed([first.id]), .chosen(request: 1, nil))
        expectEqual(last.state, .stopped(.asked))
        var held = Situation.held.machine
        _ = held.handle(.removed([first.id]))
        expectEqual(held.state, .stopped(.asked))
    }

    @Test func aStopOvertakesAStepThatIsStillAsked() {
        var machine = Situation.sounding.machine
        machine.take(.step(.next), .stop)
        expectEqual(machine.handle(.chosen(request: 1, second)), [])
        expectEqual(machine.state, .stopped(.asked))
    }
}
