import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import Playback

/// What follows if the entry that the user asked for cannot be played, and live streams.
struct MachineRequestTests {
    private let third = QueueEntry(id: EntryID(3), episode: EpisodeID(33))

    /// `first` was heard until 150 s, then the user asked for `second`.
    private func askedForSecond(isHeld: Bool = false) -> PlayerStateMachine {
        var machine = (isHeld ? Situation.held : Situation.sounding).machine
        _ = machine.handle(.play(second, at: nil), at: PlayerMoment(heard: isHeld ? nil : seconds(150)))
        _ = machine.handle(.resolved(session: 2, secondMedia))
        return machine
    }

    @Test(arguments: [gone, broken, offline, replaced])
    func whatWasHeardBeforeContinuesWhereItWas(_ failure: MediaFailure) {
        var machine = askedForSecond()
        for _ in 0..<PlayerStateMachine.maximumReopenings where failure.kind == .changed {
            _ = machine.handle(.source(session: machine.listening?.session ?? 0, .failed(failure)))
        }
        let actions = machine.handle(.source(session: machine.listening?.session ?? 0, .failed(failure)))
        expectContains(actions, .setCurrentEntry(first))
        #expect(!actions.contains { if case .choose = $0 { true } else { false } })
        expectEqual(machine.entry, first)
        expectEqual(machine.report?.kind, failure.kind)
        guard case .loading(.resolving(let resolving)) = machine.state else {
            Issue.record("\(machine.state)")
            return
        }
        expectEqual(resolving.start, seconds(150))
    }

    @Test(arguments: [(MediaFailure(.forbidden, "access denied"), true), (gone, true), (gone, false)])
    func aRefusedAddressIsReplacedByTheLibrarysIfThatIsAnotherOne(_ failure: MediaFailure, isRenewed: Bool) {
        var machine = Situation.starved.machine
        let actions = machine.handle(.source(session: 1, .failed(failure)))
        expectEqual(actions.last, .resolve(session: 2, first.episode, isRefused: true))
        #expect(machine.entry == first && machine.position == seconds(100))
        var media = firstMedia
        if isRenewed { media.url += "?signature=2" }
        let answer = machine.handle(.resolved(session: 2, media))
        guard isRenewed else {
            expectEqual(answer, [.choose(request: 1, .step(.next, from: first.id)), .discard(first)])
            return expectEqual(machine.report, PlaybackTests.failure(gone, of: "One"))
        }
        expectEqual(machine.listening?.media.url, media.url)
        expectEqual(machine.listening?.position, seconds(100))
        // The same address is not tried again.
        expectEqual(
            machine.handle(.source(session: 2, .failed(failure))).last,
            .resolve(session: 3, first.episode, isRefused: true))
        let second = machine.handle(.resolved(session: 3, media))
        #expect(second.contains { if case .choose = $0 { true } else { false } })
    }

    @Test func whatWasPausedStaysPaused() {
        var machine = askedForSecond(isHeld: true)
        _ = machine.handle(.source(session: 2, .failed(gone)))
        expectEqual(machine.state.kind, .paused)
        expectEqual(machine.entry, first)
    }

    @Test func whatPlayedBeforeTwoRequestsThatFailContinues() {
        var machine = askedForSecond()
        machine.take(.play(third, at: nil), .resolutionFailed(session: 3, gone))
        expectEqual(machine.entry, first)
    }

    @Test(arguments: [(gone, true, true), (broken, false, true), (offline, true, true), (offline, false, false)])
    func aNewEntryIsForgottenWhateverItsHostSays(_ failure: MediaFailure, _ isNew: Bool, _ isForgotten: Bool) {
        var machine = Situation.sounding.machine
        machine.take(.play(second, at: nil, isNew: isNew), .resolved(session: 2, secondMedia))
        let actions = machine.handle(.source(session: 2, .failed(failure)))
        expectContains(actions, .requestFailed(second))
        expectEqual(actions.contains(.discard(second, isWithdrawn: isNew)), isForgotten)
    }

    @Test func aFullDiskForgetsNoEntry() {
        var machine = Situation.sounding.machine
        machine.take(.play(second, at: nil, isNew: true), .resolved(session: 2, secondMedia))
        let actions = machine.handle(.decoder(session: 2, .failed(full)))
        #expect(actions.contains(.requestFailed(second)) && !actions.contains(.discard(second, isWithdrawn: true)))
    }

    @Test func whatIsCachedPlaysOnAlthoughTheDiskIsFull() {
        var machine = Situation.opening.machine
        // The decoder reads what is cached and reports the failure when it needs a byte that is missing.
        machine.take(.source(session: 1, .failed(full)), .decoder(session: 1, .opened(mp3)))
        expectEqual(machine.report, full)
        machine.take(.renderer(.started(generation: 1)), .decoder(session: 1, .failed(full)))
        expectEqual(machine.state.kind, .playing)
        let actions = machine.handle(.renderer(.underrun(generation: 1)), at: PlayerMoment(heard: seconds(140)))
        expectEqual(actions, [.silence, .savePosition(seconds(140), first.episode)])
        expectEqual(machine.state, .stopped(.failed(full)))
    }

    /// `second` is new, and waits for another try.
    private func retrying() -> PlayerStateMachine {
        var machine = Situation.sounding.machine
        machine.take(.play(second, at: nil, isNew: true), .resolved(session: 2, secondMedia))
        _ = machine.handle(
            .source(session: 2, .waitingToRetry(attempt: 1, delay: 1, reason: "unknown host")))
        return machine
    }

    @Test(arguments: [false, true])
    func aNewEntryThatIsStoppedWhileItWaitsForAnotherTryIsForgotten(isTriedRightNow: Bool) {
        var machine = retrying()
        if isTriedRightNow { _ = machine.handle(.source(session: 2, .connecting)) }
        let actions = machine.handle(.stop)
        expectEqual(
            actions.suffix(3), [.setCurrentEntry(first), .requestFailed(second), .discard(second, isWithdrawn: true)])
        var heard = Situation.sounding.machine
        #expect(!heard.handle(.stop).contains(.requestFailed(first)))
    }

    @Test func aNewEntryThatAnotherOneReplacesWhileItWaitsIsForgotten() {
        var machine = retrying()
        let actions = machine.handle(.play(third, at: nil))
        #expect(actions.last == .discard(second, isWithdrawn: true) && !actions.contains(.requestFailed(second)))
        _ = machine.handle(.resolutionFailed(session: 3, gone))
        expectEqual(machine.entry, first)
        var again = retrying()
        #expect(!again.handle(.play(second, at: nil, isNew: true)).contains(.discard(second, isWithdrawn: true)))
    }

    @Test func ifNothingWasHeardPlaybackStops() {
        var machine = Situation.opening.machine
        expectEqual(machine.handle(.decoder(session: 1, .failed(offline))), [.silence, .requestFailed(first)])
        expectEqual(machine.state, .stopped(.failed(offline)))
    }

    @Test func afterAStopTheEntryThatWasHeardStaysCurrent() {
        var machine = Situation.asked.machine
        _ = machine.handle(.play(second, at: nil))
        expectEqual(
            machine.handle(.resolutionFailed(session: 2, gone)),
            [.setCurrentEntry(first), .requestFailed(second), .discard(second)])
        expectEqual(machine.state, .stopped(.failed(gone)))
    }

    @Test func whatFailsAfterItWasHeardIsPassedOver() {
        var machine = Situation.sounding.machine
        _ = machine.handle(.decoder(session: 1, .failed(broken)))
        let actions = machine.handle(.renderer(.underrun(generation: 1)))
        expectContains(actions, .choose(request: 1, .step(.next, from: first.id)))
    }

    @Test func theErrorNamesWhatFailedWhileAnotherEpisodePlays() {
        var machine = askedForSecond()
        _ = machine.handle(.source(session: 2, .failed(gone)))
        #expect(machine.entry == first && machine.report?.description == "'Two': \(gone.message)")
    }

    // MARK: live streams

    @Test func aLiveStreamBeginsAtThePresent() {
        var machine = Situation.opening.machine
        expectEqual(machine.handle(.endless(session: 1, isCertain: false)), [], "its feed tells its duration")
        let actions = machine.handle(.endless(session: 1, isCertain: true))
        expectEqual(actions.first, .silence)
        expectEqual(actions.last, .start(session: 2, generation: 2, first, firstMedia, at: .zero, isHeld: false))
        expectEqual(machine.handle(.endless(session: 2, isCertain: true)), [])
    }

    @Test func aFileOfUnknownSizeWithoutALengthIsALiveStream() {
        var media = PlaybackMedia(url: "http://host.example/listen", title: "Radio", resumePosition: seconds(500))
        media.isOfUnknownSize = true
        var machine = PlayerStateMachine()
        machine.take(.play(first, at: nil), .resolved(session: 1, media))
        _ = machine.handle(.endless(session: 1, isCertain: false))
        expectEqual(machine.listening?.position, .zero)
        expectEqual(machine.listening?.isLive, true)
    }

    private func live() -> PlayerStateMachine {
        var machine = PlayerStateMachine()
        machine.take(
            .play(second, at: nil), .resolved(session: 1, secondMedia), .endless(session: 1, isCertain: true),
            .decoder(session: 1, .opened(mp3)), .renderer(.started(generation: 1)))
        return machine
    }

    @Test func aLiveStreamHasNoPositions() {
        var machine = live()
        expectEqual(machine.handle(.seek(.relative(seconds(30)))), [.refuse(.liveStream)])
        expectEqual(machine.handle(.seek(.absolute(.zero))), [.refuse(.liveStream)])
        expectEqual(machine.handle(.stop, at: PlayerMoment(heard: seconds(60))), [.silence])
    }

    @Test func aLiveStreamContinuesAtThePresentAfterALongPause() {
        var machine = live()
        _ = machine.handle(.pause, at: PlayerMoment(heard: seconds(60)))
        expectEqual(machine.handle(.resume), [.setPaused(false)])
        _ = machine.handle(.pause, at: PlayerMoment(heard: seconds(61)))
        _ = machine.handle(.heldLong(generation: 1))
        expectEqual(
            machine.handle(.resume),
            [.silence, .start(session: 2, generation: 2, second, secondMedia, at: .zero, isHeld: false)])
    }
}
