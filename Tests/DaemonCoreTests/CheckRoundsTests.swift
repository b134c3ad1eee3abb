import ControlProtocol
import Playback
import Synchronization
import SystemCalls
import Testing

@testable import DaemonCore

// Rounds are the daemon's own business, so they are tested from inside.
@Suite struct CheckRoundsTests {
    /// A clock whose timers go off when the test says so.
    private final class HandClock: PlaybackClock {
        private struct Timer: PlaybackTimer { func cancel() {} }
        private let actions = Mutex<[@Sendable () -> Void]>([])
        var now: Int64 { 0 }
        func schedule(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> any PlaybackTimer {
            actions.withLock { $0.append(action) }
            return Timer()
        }
        func strike() { actions.withLock { actions in exchange(&actions, with: []) }.forEach { $0() } }
    }

    /// An answer that is waited for.
    private final class Answer: Sendable {
        private let replies = Mutex<[CheckReply]>([])
        private let arrived = Semaphore()
        func take(_ given: [CheckReply]) {
            replies.withLock { $0 = given }
            arrived.post()
        }
        func wait() -> [CheckReply] {
            arrived.wait()
            return replies.withLock { $0 }
        }
    }

    private let clock = HandClock()

    @Test func repliesComeInTheOrderOfTheChecksWhicheverEndsFirst() {
        let gate = Semaphore()
        let rounds = CheckRounds(
            [
                DaemonCheck("slow") {
                    gate.wait()
                    return [.ok("slow", "a"), .ok("slow too", "b")]
                },
                DaemonCheck("quick") {
                    gate.post()
                    return [.ok("quick", "c")]
                },
            ], patience: 5, clock: clock)
        let answer = Answer()
        rounds.run { answer.take($0) }
        #expect(answer.wait().map(\.check) == ["slow", "slow too", "quick"])
    }

    @Test func aStuckLookIsToldAndNotBegunAgain() {
        let gate = Semaphore()
        let begun = Atomic(0)
        let (first, second, joined) = (Answer(), Answer(), Answer())
        let quick = Semaphore()
        let rounds = CheckRounds(
            [
                DaemonCheck("stuck") {
                    gate.wait()
                    return [.ok("stuck", "at last")]
                },
                DaemonCheck("quick") {
                    quick.post()
                    return [.ok("quick", "\(begun.add(1, ordering: .relaxed).newValue)")]
                },
            ], patience: 5, clock: clock)
        rounds.run { first.take($0) }
        // Who asks meanwhile shares the round.
        rounds.run { joined.take($0) }
        quick.wait()
        clock.strike()
        let replies = first.wait()
        #expect(replies[0].outcome == .notice)
        #expect(replies[0].finding.contains("5 s"))
        #expect(joined.wait() == replies)
        rounds.run { second.take($0) }
        // Nobody waits for the stuck look a second time.
        #expect(second.wait()[0].outcome == .notice)
        gate.post()
    }
}
