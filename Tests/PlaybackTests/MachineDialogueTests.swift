import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import Playback

/// Dialogues with the state machine: an event, and what it asks for.
struct MachineDialogueTests {
    @Test func anEpisodeIsPlayedFromItsSavedPositionToTheNextOne() {
        var machine = PlayerStateMachine()
        expectEqual(
            machine.handle(.play(first, at: nil)), [.resolve(session: 1, first.episode), .setCurrentEntry(first)])
        expectEqual(
            machine.handle(.resolved(session: 1, firstMedia)),
            [.start(session: 1, generation: 1, first, firstMedia, at: seconds(100), isHeld: false)])
        expectEqual(machine.handle(.source(session: 1, .connecting)), [])
        expectEqual(machine.reason, "connecting to host.example")
        expectEqual(machine.wait, PlayerWait(kind: .loading, subject: "One"))
        expectEqual(machine.handle(.decoder(session: 1, .opened(mp3))), [])
        expectEqual(machine.wait, PlayerWait(kind: .buffering(goal: .seconds(0.2)), subject: "One"))
        expectEqual(machine.handle(.renderer(.started(generation: 1))), [])
        expectEqual(machine.wait, nil)
        expectEqual(
            machine.handle(.decoder(session: 1, .reachedEnd(generation: 1, duration: seconds(3599)))),
            [.setMeasuredDuration(seconds(3599), first.episode), .prepareNext(after: first.id)])
        expectEqual(
            machine.handle(.renderer(.ended(generation: 1)), at: PlayerMoment(heard: seconds(3599))),
            [.silence, .finish(first, heard: nil), .choose(request: 1, .step(.next, from: first.id))])
        expectEqual(
            machine.handle(.chosen(request: 1, second)),
            [.resolve(session: 2, second.episode), .setCurrentEntry(second)])
        expectEqual(
            machine.handle(.resolved(session: 2, secondMedia)),
            [.start(session: 2, generation: 2, second, secondMedia, at: .zero, isHeld: false)])
    }

    @Test func theEndOfTheQueueIsNoFailure() {
        var machine = Situation.sounding.machine
        _ = machine.handle(.renderer(.ended(generation: 1)))
        expectEqual(machine.handle(.chosen(request: 1, nil)), [])
        expectEqual(machine.state, .stopped(.ended))
        expectEqual(machine.report, nil)
    }

    @Test func aPauseKeepsThePositionThatIsHeard() {
        var machine = Situation.sounding.machine
        expectEqual(
            machine.handle(.pause, at: PlayerMoment(heard: seconds(123))),
            [.setPaused(true), .savePosition(seconds(123), first.episode)])
        expectEqual(machine.listening?.position, seconds(123))
        expectEqual(machine.handle(.resume), [.setPaused(false)])
        expectEqual(machine.state.kind, .playing)
    }

    @Test func aStopAndASwitchRecordWhereListeningWas() {
        var stopping = Situation.sounding.machine
        let moment = PlayerMoment(heard: seconds(150))
        expectEqual(stopping.handle(.stop, at: moment), [.silence, .savePosition(seconds(150), first.episode)])
        expectEqual(stopping.state, .stopped(.asked))
        var switching = Situation.sounding.machine
        expectEqual(
            switching.handle(.play(second, at: nil), at: moment),
            [
                .resolve(session: 2, second.episode), .silence,
                .savePosition(seconds(150), first.episode), .setCurrentEntry(second),
            ])
    }

    @Test func playingWithNothingLeftSaysSoAlsoAfterTheEnd() {
        for situation in [Situation.neverStarted, .asked, .ended, .failed] {
            var machine = situation.machine
            guard case .choose(let request, .current)? = machine.handle(.resume).first else {
                Issue.record("\(situation)")
                continue
            }
            expectEqual(machine.handle(.chosen(request: request, nil)), [.refuse(.queueIsEmpty)], "\(situation)")
        }
    }

    @Test func theReportOfAFailedRecordGoesWhenRecordsAreWrittenAgain() {
        var machine = Situation.sounding.machine
        _ = machine.handle(.recordFailed(MediaFailure(.storage, "locked")))
        #expect(machine.report != nil)
        _ = machine.handle(.recordRecovered)
        expectEqual(machine.report, nil)
        _ = machine.handle(.recordFailed(MediaFailure(.storage, "locked")))
        machine.take(.decoder(session: 1, .restarted(reason: "the decoder hung")), .recordRecovered)
        expectEqual(machine.report, MediaFailure(.damaged, "the decoder hung"))
    }

    @Test func nothingCanBeSoughtInWhenNothingPlays() {
        var machine = PlayerStateMachine()
        expectEqual(machine.handle(.seek(.absolute(.zero))), [.refuse(.nothingPlaying)])
    }

    @Test func runningDryNamesTheCauseOfTheWait() {
        var machine = Situation.sounding.machine
        machine.take(.source(session: 1, .receiving), .renderer(.underrun(generation: 1)))
        expectEqual(machine.reason, "waiting for data")
        expectEqual(machine.wait, PlayerWait(kind: .buffering(goal: .seconds(3)), subject: "One"))
        _ = machine.handle(.source(session: 1, .waitingToRetry(attempt: 2, delay: 3.2, reason: "connection reset")))
        expectEqual(machine.reason, "reconnecting in 4 s (attempt 2): connection reset")
        // The last failure is named also while the next attempt runs.
        _ = machine.handle(.source(session: 1, .connecting))
        expectEqual(machine.reason, "reconnecting (attempt 2): connection reset")
        machine.take(.source(session: 1, .receiving), .source(session: 1, .connecting))
        expectEqual(machine.reason, "connecting to host.example")
        _ = machine.handle(.source(session: 1, .complete))
        expectEqual(machine.reason, "decoding")
        _ = machine.handle(.renderer(.resumed(generation: 1)))
        expectEqual(machine.reason, nil)
        expectEqual(machine.state.kind, .playing)
    }

    @Test func anUnreachableHostIsReportedAfterTheSoundThatIsThereAndTheNextEntryFollows() {
        var machine = Situation.sounding.machine
        expectEqual(machine.handle(.source(session: 1, .failed(offline)), at: PlayerMoment(buffered: 4)), [])
        expectEqual(machine.state.kind, .playing)
        expectEqual(
            machine.handle(.renderer(.underrun(generation: 1)), at: PlayerMoment(heard: seconds(130))),
            [.silence, .savePosition(seconds(130), first.episode), .choose(request: 1, .step(.next, from: first.id))])
        expectEqual(machine.report, failure(offline, of: "One"))
        // Nothing else can be played, so it is tried again, but not for ever if its host cannot be used at all.
        expectEqual(
            machine.handle(.chosen(request: 1, nil)), [.resolve(session: 2, first.episode), .setCurrentEntry(first)])
        machine.take(.resolved(session: 2, firstMedia), .source(session: 2, .failed(offline)))
        expectEqual(machine.handle(.chosen(request: 2, nil)), [.setCurrentEntry(first)])
        expectEqual(machine.state, .stopped(.failed(offline)))
    }

    private func failing(_ session: UInt32, _ attempt: Int) -> [PlayerEvent] {
        let retry = ByteSourcePhase.waitingToRetry(attempt: attempt, delay: 1, reason: "no route")
        return [.source(session: session, retry), .source(session: session, .failed(offline))]
    }

    @Test func anEntryWithoutAnAlternativeIsTriedAtGrowingIntervalsUntilItsHostIsBack() {
        var machine = Situation.opening.machine
        for event in failing(1, 6).dropLast() { _ = machine.handle(event) }
        expectEqual(
            machine.handle(.source(session: 1, .failed(offline))),
            [.silence, .retryLater(session: 2, after: .seconds(30))])
        expectEqual(machine.state.kind, .loading)
        expectEqual(machine.reason, "reconnecting in 30 s (attempt 7): the host does not answer")
        for (session, delay) in [(UInt32(2), Duration.seconds(60)), (3, .seconds(120)), (4, .seconds(120))] {
            let start = machine.handle(.retryIsDue(session: session))
            guard case .start(session, _, first, _, seconds(100), false, _)? = start.first else {
                Issue.record("\(start)")
                return
            }
            // The source of this entry need not try for long.
            expectEqual(
                machine.handle(failing(session, 1)[0]),
                [.silence, .retryLater(session: session + 1, after: delay)])
        }
        _ = machine.handle(.retryIsDue(session: 5))
        machine.take(.decoder(session: 5, .opened(mp3)), .renderer(.started(generation: 5)))
        expectEqual(machine.state.kind, .playing)
        // Later it is tried for as long as at first.
        machine.take(.renderer(.underrun(generation: 5)))
        expectEqual(machine.handle(failing(5, 1)[0]), [])
    }

    @Test func aWaitForAHostEndsWithAStopAndGoesOnAfterAPause() {
        var stopped = Situation.opening.machine
        stopped.take(failing(1, 6)[0], failing(1, 6)[1])
        _ = stopped.handle(.stop)
        expectEqual(stopped.handle(.retryIsDue(session: 2)), [])
        var held = Situation.opening.machine
        held.take(failing(1, 6)[0], failing(1, 6)[1], .pause)
        guard case .start(2, _, _, _, _, true, _)? = held.handle(.retryIsDue(session: 2)).first else {
            Issue.record("\(held.state)")
            return
        }
    }

    /// A machine that has come to `first` by itself, as session 1 and with the answer to request 1.
    private func reachingFirst() -> PlayerStateMachine {
        var machine = PlayerStateMachine()
        machine.take(.resume, .chosen(request: 1, first), .resolved(session: 1, firstMedia))
        return machine
    }

    private let retry = ByteSourcePhase.waitingToRetry(attempt: 1, delay: 1, reason: "no route")

    /// The machine after the host of `first` could not be reached and `second` was opened.
    private func afterUnreachableHost(second url: String) -> PlayerStateMachine {
        var machine = reachingFirst()
        machine.take(
            .source(session: 1, retry), .source(session: 1, .failed(offline)), .chosen(request: 2, second))
        _ = machine.handle(.resolved(session: 2, PlaybackMedia(url: url, title: "Two")))
        return machine
    }

    @Test func ifASecondHostCannotBeReachedTheFirstEntryWaitsForTheNetwork() {
        var machine = afterUnreachableHost(second: "http://other.example/2.mp3")
        let again: [PlayerAction] = [.silence, .resolve(session: 3, first.episode), .setCurrentEntry(first)]
        machine.take(.source(session: 2, retry))
        expectEqual(machine.handle(.source(session: 2, .failed(offline))), again)
        expectEqual(
            machine.report?.message,
            "waiting for the network: neither host.example nor other.example can be reached "
                + "(the host does not answer)")
        // The player continues like this until one of the hosts answers.
        _ = machine.handle(.resolved(session: 3, firstMedia))
        expectEqual(
            machine.handle(.source(session: 3, .failed(offline))),
            [.silence, .choose(request: 3, .step(.next, from: first.id))])
    }

    @Test func entriesWhoseHostsFailWithoutARetryAreTriedOnce() {
        var machine = reachingFirst()
        machine.take(
            .source(session: 1, .failed(offline)), .chosen(request: 2, second),
            .resolved(session: 2, PlaybackMedia(url: "http://other.example/2.mp3", title: "Two")))
        expectEqual(
            machine.handle(.source(session: 2, .failed(offline))),
            [.silence, .choose(request: 3, .step(.next, from: second.id))])
        expectEqual(machine.handle(.chosen(request: 3, nil)), [.setCurrentEntry(first)])
        #expect(machine.state == .stopped(.failed(offline)) && machine.report == failure(offline, of: "Two"))
    }

    @Test func entriesOfAnUnreachableHostAreTriedOnce() {
        var machine = afterUnreachableHost(second: "http://host.example/2.mp3")
        expectEqual(
            machine.handle(.source(session: 2, retry)), [.silence, .choose(request: 3, .step(.next, from: second.id))])
        expectEqual(
            machine.handle(.chosen(request: 3, nil)), [.resolve(session: 3, first.episode), .setCurrentEntry(first)])
        _ = machine.handle(.resolved(session: 3, firstMedia))
        expectEqual(
            machine.handle(.source(session: 3, retry)), [.silence, .retryLater(session: 4, after: .seconds(30))])
    }

    @Test(arguments: [PlayerEvent.renderer(.started(generation: 2)), .pause])
    func soundAndCommandsForgetUnreachableHosts(event: PlayerEvent) {
        var machine = afterUnreachableHost(second: "http://host.example/2.mp3")
        _ = machine.handle(event)
        expectEqual(machine.handle(.source(session: 2, retry)), [])
    }

    @Test func aMissingFileIsToldAndTheNextEntryFollows() {
        var machine = reachingFirst()
        expectEqual(
            machine.handle(.source(session: 1, .failed(gone))),
            [.silence, .resolve(session: 2, first.episode, isRefused: true)])
        expectEqual(
            machine.handle(.resolved(session: 2, firstMedia)),
            [.choose(request: 2, .step(.next, from: first.id)), .discard(first)])
        _ = machine.handle(.chosen(request: 2, second))
        expectEqual(machine.report, failure(gone, of: "One"))
        machine.take(.resolved(session: 3, secondMedia), .renderer(.started(generation: 2)))
        expectEqual(machine.report, failure(gone, of: "One"))
        _ = machine.handle(.stop)
        expectEqual(machine.report, nil)
    }

    @Test func theLastEntrysFailureIsWhyThePlayerStops() {
        var machine = Situation.opening.machine
        machine.take(.decoder(session: 1, .failed(broken)), .chosen(request: 1, nil))
        expectEqual(machine.state, .stopped(.failed(broken)))
    }

    @Test func anEpisodeThatTheLibraryCannotPlayIsSkipped() {
        var machine = PlayerStateMachine()
        machine.take(.resume, .chosen(request: 1, first))
        expectEqual(
            machine.handle(.resolutionFailed(session: 1, gone)),
            [.choose(request: 2, .step(.next, from: first.id)), .discard(first)])
    }

    @Test func whatIsDecodedIsHeardBeforeAFailureCounts() {
        var machine = Situation.filling.machine
        expectEqual(machine.handle(.decoder(session: 1, .failed(broken)), at: PlayerMoment(buffered: 5)), [])
        _ = machine.handle(.renderer(.started(generation: 1)))
        expectEqual(machine.state.kind, .playing)
        expectEqual(
            machine.handle(.renderer(.underrun(generation: 1)), at: PlayerMoment(heard: seconds(105))),
            [
                .silence, .savePosition(seconds(105), first.episode),
                .choose(request: 1, .step(.next, from: first.id)), .discard(first),
            ])
    }

    @Test func aNetworkThatFailsAfterEverythingIsDecodedIsOfNoInterest() {
        var machine = Situation.decoded.machine
        expectEqual(machine.handle(.source(session: 1, .failed(offline))), [])
        expectContains(machine.handle(.renderer(.ended(generation: 1))), .finish(first, heard: nil))
    }

    @Test func aFileThatChangedAtItsHostIsOpenedAgainAtTheSamePlaceAndThatIsTold() {
        var machine = Situation.sounding.machine
        expectEqual(
            machine.handle(.source(session: 1, .failed(replaced)), at: PlayerMoment(heard: seconds(140))),
            [
                .forgetMeasurements(first.episode), .silence,
                .start(session: 2, generation: 2, first, firstMedia, at: seconds(140), isHeld: false),
            ])
        expectEqual(machine.report?.message, "the file changed at its host; playing the new one")
        _ = machine.handle(.source(session: 2, .failed(replaced)))
        expectEqual(
            machine.handle(.source(session: 3, .failed(replaced))),
            [.silence, .savePosition(seconds(140), first.episode), .choose(request: 1, .step(.next, from: first.id))])
        expectEqual(machine.report?.message, "the file changed at its host; play it again to get the new one")
    }

    @Test func aSinkThatIsLostForAWhileIsNoPlaying() {
        var machine = Situation.sinkless.machine
        expectEqual(machine.reason, "waiting for the output: unplugged")
        expectEqual(machine.wait, PlayerWait(kind: .output, subject: "unplugged"))
        _ = machine.handle(.renderer(.sinkRecovered))
        expectEqual(machine.state.kind, .playing)
    }

    @Test func aSinkThatDoesNotExistStopsAndSkipsNothing() {
        var machine = Situation.filling.machine
        expectEqual(
            machine.handle(.renderer(.sinkFailed(SinkError("no such device")))), [.silence, .requestFailed(first)])
        expectEqual(machine.state, .stopped(.failed(MediaFailure(.sink, "no such device"))))
    }

    @Test func playingWithoutAnOutputIsAFailureOfItsOwn() {
        var machine = Situation.filling.machine
        _ = machine.handle(.renderer(.sinkFailed(.noOutput)))
        expectEqual(machine.report?.kind, .noOutput)
    }

    @Test func aLongPauseLetsTheNetworkGoAndGoingOnAsksForTheSameByte() {
        var machine = Situation.sounding.machine
        machine.take(.decoder(session: 1, .waitingForBytes(offset: 5_000)), .pause)
        expectEqual(machine.handle(.heldLong(generation: 1)), [.suspendSource])
        expectEqual(machine.handle(.heldLong(generation: 1)), [])
        expectEqual(machine.handle(.resume), [.wakeSource(from: 5_000), .setPaused(false)])
    }

    @Test func aDecoderThatHasEnoughAsksByItselfAfterALongPause() {
        var machine = Situation.sounding.machine
        machine.take(.decoder(session: 1, .waitingForBytes(offset: 5_000)), .decoder(session: 1, .decoding))
        machine.take(.pause, .heldLong(generation: 1))
        expectEqual(machine.handle(.resume), [.setPaused(false)])
    }

    @Test func goingOnWithNothingUnderWayAsksTheQueue() {
        var machine = PlayerStateMachine()
        expectEqual(machine.handle(.resume), [.choose(request: 1, .current)])
        expectEqual(machine.handle(.chosen(request: 1, nil)), [.refuse(.queueIsEmpty)])
        expectEqual(machine.state, .stopped(.neverStarted))
        _ = machine.handle(.toggle)
        expectEqual(
            machine.handle(.chosen(request: 2, first)), [.resolve(session: 1, first.episode), .setCurrentEntry(first)])
    }

    @Test func playingWhatPlaysGoesOnWithoutAGap() {
        var machine = Situation.held.machine
        expectEqual(machine.handle(.play(first, at: nil)), [.setPaused(false)])
    }

    @Test func theSameEpisodeInAnotherEntryGoesOnWhereItWas() {
        var machine = Situation.sounding.machine
        let twin = QueueEntry(id: EntryID(9), episode: first.episode)
        _ = machine.handle(.play(twin, at: nil), at: PlayerMoment(heard: seconds(170)))
        expectEqual(
            machine.handle(.resolved(session: 2, firstMedia)),
            [.start(session: 2, generation: 2, twin, firstMedia, at: seconds(170), isHeld: false)])
    }

    @Test func aQueueThatChangedNearTheEndIsAskedForTheNextEntryAgain() {
        var machine = Situation.decoded.machine
        expectEqual(machine.handle(.queueChanged), [.prepareNext(after: first.id)])
        var early = Situation.sounding.machine
        expectEqual(early.handle(.queueChanged), [])
    }

    @Test func anExactDurationFromTheHeaderIsKeptOnce() {
        var machine = Situation.opening.machine
        var info = mp3
        info.duration = seconds(3000)
        info.isExact = true
        expectEqual(
            machine.handle(.decoder(session: 1, .opened(info))), [.setMeasuredDuration(seconds(3000), first.episode)])
        expectEqual(machine.handle(.decoder(session: 1, .opened(info))), [])
        expectEqual(machine.listening?.duration, seconds(3000))
    }

    @Test func anEstimateYieldsToWhatTheLibraryKnows() {
        var machine = Situation.opening.machine
        var info = mp3
        info.duration = seconds(10)
        _ = machine.handle(.decoder(session: 1, .opened(info)))
        expectEqual(machine.listening?.duration, seconds(3600))
    }
}
