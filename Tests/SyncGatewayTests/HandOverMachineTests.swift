import ControlProtocol
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@testable import SyncGateway

struct HandOverMachineTests {
    private let start = Instant.now
    private let failure = SyncFailure(message: "no answer")
    private static let episode = EpisodeID(7)

    private func player(
        _ state: PlayerState, _ episode: EpisodeID = Self.episode, seconds: Double = 0
    ) -> HandOverMachine.Event {
        var player = PlayerReply()
        player.state = state
        player.buffer.seconds = seconds
        var playing = PlayerReply.PlayingEpisode()
        playing.id = episode
        player.episode = playing
        return .answered(player)
    }

    /// A hand-over that has reached the order to play there.
    private func starting(isPlaying: Bool = true) -> HandOverMachine {
        var machine = HandOverMachine("kitchen", at: MediaTime(seconds: 40), isPlaying: isPlaying)
        #expect(HandOverMachine.first == .load)
        #expect(machine.handle(.done, at: start) == .askThere(after: .zero))
        #expect(machine.handle(player(.loading), at: start) == .askThere(after: .milliseconds(50)))
        #expect(machine.handle(player(.paused, seconds: 0.5), at: start) == .askThere(after: .milliseconds(50)))
        #expect(machine.handle(player(.paused, seconds: 1), at: start) == .pauseHere)
        #expect(
            machine.handle(.paused(at: MediaTime(seconds: 41)), at: start) == .seekThere(MediaTime(seconds: 41)))
        #expect(machine.handle(.done, at: start) == .playThere)
        return machine
    }

    @Test func anAnsweredHandOverEndsAtOnce() {
        var machine = starting()
        #expect(machine.handle(.done, at: start) == .end(nil))
    }

    @Test func afterALostAnswerTheOtherPlayerDecidesWhoPlays() {
        var machine = starting()
        #expect(machine.handle(.failed(failure), at: start) == .askThere(after: .zero))
        var other = machine
        #expect(machine.handle(player(.playing), at: start) == .end(nil))
        #expect(other.handle(player(.paused), at: start) == .playHere)
        #expect(other.handle(.done, at: start) == .end(failure))
    }

    @Test func anotherEpisodeThatPlaysThereIsNoHandOver() {
        var machine = starting()
        _ = machine.handle(.failed(failure), at: start)
        #expect(machine.handle(player(.playing, EpisodeID(8)), at: start) == .playHere)
    }

    @Test func withoutAnyAnswerItStaysPausedHereAndSaysSo() {
        var machine = starting()
        _ = machine.handle(.failed(failure), at: start)
        #expect(machine.handle(.failed(failure), at: start + .seconds(9)) == .askThere(after: .milliseconds(500)))
        guard case .end(let end?) = machine.handle(.failed(failure), at: start + .seconds(10)) else {
            return #expect(Bool(false))
        }
        expectContains(end.message, "perhaps the episode plays there")
    }

    @Test func theEndOfPodcastSyncWaitsForNoAnswer() {
        var machine = starting()
        let stopped = SyncFailure(message: "podcast-sync ends", kind: .stopped)
        _ = machine.handle(.failed(stopped), at: start)
        guard case .end(_?) = machine.handle(.failed(stopped), at: start) else { return #expect(Bool(false)) }
    }

    @Test(arguments: [true, false]) func aFailedSeekPlaysHereAgainOnlyIfItPlayedBefore(isPlaying: Bool) {
        var machine = HandOverMachine("kitchen", at: .zero, isPlaying: isPlaying)
        _ = machine.handle(.done, at: start)
        _ = machine.handle(player(.paused, seconds: 1), at: start)
        _ = machine.handle(.paused(at: nil), at: start)
        #expect(machine.handle(.failed(failure), at: start) == (isPlaying ? .playHere : .end(failure)))
        if isPlaying { #expect(machine.handle(.failed(failure), at: start) == .end(failure)) }
    }

    @Test func anEpisodeThatDoesNotLoadChangesNothingHere() {
        var machine = HandOverMachine("kitchen", at: .zero, isPlaying: true)
        var other = machine
        _ = machine.handle(.done, at: start)
        var late = machine
        guard case .end(let stopped?) = machine.handle(player(.stopped), at: start),
            case .end(let slow?) = late.handle(player(.loading), at: start + .seconds(21))
        else { return #expect(Bool(false)) }
        for failure in [stopped, slow] { expectContains(failure.message, "kitchen cannot play the episode") }
        #expect(other.handle(.failed(failure), at: start) == .end(failure))
    }
}
