import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import Playback

/// A message interrupts playback and returns to it.
struct MachineAnnouncementTests {
    private let message = PlaybackMedia(url: "http://host.example/bell.mp3", title: "bell.mp3")

    /// The message sounds after `first` was left at 150 s, where its fade began.
    private func announced(in situation: Situation = .sounding) -> AnnouncingPlayer {
        var machine = AnnouncingPlayer(situation.machine)
        _ = machine.handle(
            .announce(message, leavingAt: situation == .sounding ? seconds(150) : nil),
            at: PlayerMoment(heard: situation == .sounding ? seconds(150.5) : nil))
        let (session, generation) = (machine.current.numbers.session, machine.current.numbers.generation)
        _ = machine.handle(.decoder(session: session, .opened(mp3)))
        _ = machine.handle(.renderer(.started(generation: generation)))
        return machine
    }

    private func start(_ machine: AnnouncingPlayer) -> MediaTime? {
        guard case .loading(.resolving(let resolving)) = machine.state else { return nil }
        return resolving.start
    }

    @Test func playbackReturnsToWhereTheFadeBegan() {
        var machine = AnnouncingPlayer(Situation.sounding.machine)
        let actions = machine.handle(
            .announce(message, leavingAt: seconds(150)), at: PlayerMoment(heard: seconds(150.5)))
        #expect(actions.first == .silence && actions.contains(.savePosition(seconds(150), first.episode)))
        #expect(actions.contains { if case .start(_, _, _, message, .zero, false, _) = $0 { true } else { false } })
        #expect(
            !actions.contains { if case .setCurrentEntry = $0 { true } else { false } }, "the queue hears nothing of it"
        )
        machine = announced()
        expectEqual(machine.state.kind, .playing)
        let end = machine.handle(.renderer(.ended(generation: machine.current.numbers.generation)))
        #expect(end.first == .silence && end.contains(.setCurrentEntry(first)))
        #expect(!end.contains { if case .finish = $0 { true } else { false } })
        #expect(machine.current.entry == first && start(machine) == seconds(150))
    }

    @Test func aStepThatTheQueueAnswersDuringAMessageIsTaken() {
        var machine = AnnouncingPlayer(Situation.sounding.machine)
        guard case .choose(let request, _)? = machine.handle(.step(.next)).first else {
            Issue.record("the queue is not asked")
            return
        }
        _ = machine.handle(.announce(message, leavingAt: seconds(150)))
        _ = machine.handle(.chosen(request: request, second))
        let (session, generation) = (machine.current.numbers.session, machine.current.numbers.generation)
        _ = machine.handle(.decoder(session: session, .opened(mp3)))
        _ = machine.handle(.renderer(.started(generation: generation)))
        expectContains(machine.handle(.renderer(.ended(generation: generation))), .setCurrentEntry(second))
        expectEqual(machine.current.entry, second)
    }

    @Test func whatWasPausedOrStoppedIsSoAgain() {
        var machine = announced(in: .held)
        expectEqual(machine.state.kind, .playing)
        _ = machine.handle(.renderer(.ended(generation: machine.current.numbers.generation)))
        #expect(machine.state.kind == .paused && machine.current.entry == first)
        machine = announced(in: .asked)
        _ = machine.handle(.renderer(.ended(generation: machine.current.numbers.generation)))
        expectEqual(machine.state, .stopped(.asked))
    }

    @Test func aMessageThatCannotBePlayedReturnsToo() {
        var machine = AnnouncingPlayer(Situation.sounding.machine)
        _ = machine.handle(.announce(message, leavingAt: seconds(150)), at: PlayerMoment(heard: seconds(150)))
        let actions = machine.handle(.source(session: machine.current.numbers.session, .failed(gone)))
        #expect(machine.current.entry == first && start(machine) == seconds(150))
        expectEqual(machine.report, failure(gone, of: "bell.mp3"))
        #expect(!actions.contains { if case .discard = $0 { true } else { false } })
        machine = AnnouncingPlayer(Situation.sounding.machine)
        _ = machine.handle(.announce(message, leavingAt: nil), at: PlayerMoment(heard: seconds(150)))
        _ = machine.handle(.startFailed(session: machine.current.numbers.session, offline))
        expectEqual(machine.current.entry, first)
    }

    @Test func nextEndsTheMessageEarlyAndStopEndsItWithoutReturn() {
        var machine = announced()
        _ = machine.handle(.step(.next))
        expectEqual(machine.current.entry, first)
        machine = announced()
        expectEqual(machine.handle(.stop).first, .silence)
        #expect(machine.state == .stopped(.asked) && !machine.isAnnouncing)
        machine = announced()
        let actions = machine.handle(.play(second, at: nil))
        #expect(actions.first == .silence && machine.current.entry == second && !machine.isAnnouncing)
    }

    @Test func chaptersThatArriveDuringAMessageOrBeforeTheirEpisodeIsFoundAreUsed() {
        let arrival = PlayerEvent.chaptersArrived([Chapter(start: .zero, title: "News")], first.episode)
        var machine = announced()
        _ = machine.handle(arrival)
        _ = machine.handle(.step(.next))
        _ = machine.handle(.resolved(session: machine.current.numbers.session, firstMedia))
        expectEqual(machine.current.listening?.chapters.map(\.title), ["News"])
        var player = PlayerStateMachine()
        player.take(.play(first, at: nil), arrival, .resolved(session: 1, firstMedia))
        expectEqual(player.listening?.chapters.map(\.title), ["News"])
    }

    @Test func aSleepTimerThatEndsDuringTheMessagePausesTheEpisodeAfterIt() {
        var machine = announced()
        expectEqual(machine.handle(.fellAsleep(at: seconds(2))), [])
        #expect(machine.isAnnouncing && machine.state.kind == .playing)
        _ = machine.handle(.renderer(.ended(generation: machine.current.numbers.generation)))
        #expect(machine.state.kind == .paused && machine.current.entry == first)
        let session = machine.current.numbers.session
        guard
            case .start(_, _, first, _, seconds(150), true, _)? = machine.handle(
                .resolved(session: session, firstMedia)
            ).first
        else {
            Issue.record("\(machine.state)")
            return
        }
        machine = announced(in: .asked)
        _ = machine.handle(.fellAsleep(at: seconds(2)))
        _ = machine.handle(.renderer(.ended(generation: machine.current.numbers.generation)))
        #expect(machine.state == .stopped(.asked) && !machine.isAnnouncing)
    }

    @Test func anotherMessageReplacesItAndReturnsToTheSamePlace() {
        var machine = announced()
        _ = machine.handle(.announce(message, leavingAt: nil), at: PlayerMoment(heard: seconds(1)))
        _ = machine.handle(.renderer(.started(generation: machine.current.numbers.generation)))
        _ = machine.handle(.renderer(.ended(generation: machine.current.numbers.generation)))
        #expect(machine.current.entry == first && start(machine) == seconds(150))
    }

    @Test func whatPlaysAfterTheMessageFailsReturnsToNoMessage() {
        var machine = announced()
        _ = machine.handle(.play(second, at: nil))
        _ = machine.handle(.resolutionFailed(session: machine.current.numbers.session, gone))
        #expect(!machine.isAnnouncing)
    }

    @Test func aQuestionToTheQueueIsAskedAgainAfterTheMessage() {
        var machine = announced(in: .choosing)
        let actions = machine.handle(.renderer(.ended(generation: machine.current.numbers.generation)))
        expectEqual(actions.last, .choose(request: machine.current.numbers.request, .current))
        expectEqual(machine.state.kind, .loading)
    }

    @Test func anEntryThatLeavesTheQueueDuringTheMessageIsNotReturnedTo() {
        var machine = announced()
        #expect(machine.handle(.removed([first.id])).isEmpty)
        let actions = machine.handle(.renderer(.ended(generation: machine.current.numbers.generation)))
        #expect(actions.last == .choose(request: machine.current.numbers.request, .step(.next, from: first.id)))
    }

    @Test func theLibraryHearsNothingOfTheMessage() {
        var machine = announced()
        let (session, generation) = (machine.current.numbers.session, machine.current.numbers.generation)
        let events: [PlayerEvent] = [
            .pause, .resume, .seek(.absolute(seconds(2))),
            .decoder(session: session, .reachedEnd(generation: generation, duration: seconds(5))), .queueChanged,
        ]
        for event in events {
            let actions = machine.handle(event, at: PlayerMoment(heard: seconds(1)))
            #expect(!actions.contains { !$0.isAboutSound })
        }
    }
}
