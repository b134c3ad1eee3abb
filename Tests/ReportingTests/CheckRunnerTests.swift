import PodcastModel
import Reporting
import Synchronization
import SystemCalls
import TestSupport
import Testing

@Suite(.ownThread) struct CheckRunnerTests {
    /// Timers that expire when the test says so.
    private final class HandClock: TimerClock {
        private struct Timer: ScheduledTimer {
            func cancel() {}
        }
        let now = Instant(nanoseconds: 0)
        private let actions = Mutex<[@Sendable () -> Void]>([])
        func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any ScheduledTimer {
            actions.withLock { $0.append(action) }
            return Timer()
        }
        func strike() { actions.withLock { actions in exchange(&actions, with: []) }.forEach { $0() } }
    }

    /// An answer that the test waits for.
    private final class Answer: Sendable {
        private let replies = Mutex<[Finding]>([])
        private let arrived = Semaphore()
        func take(_ given: [Finding]) {
            replies.withLock { $0 = given }
            arrived.post()
        }
        func wait() -> [Finding] {
            arrived.wait()
            return replies.withLock { $0 }
        }
    }

    private let clock = HandClock()

    @Test func findingsHaveTheOrderOfTheChecks() {
        let gate = Semaphore()
        let runner = CheckRunner(
            [
                HealthCheck("slow") {
                    gate.wait()
                    return [.ok("slow", "a"), .ok("slow too", "b")]
                },
                HealthCheck("quick") {
                    gate.post()
                    return [.ok("quick", "c")]
                },
            ], deadline: .seconds(5), timers: clock)
        let answer = Answer()
        runner.run { answer.take($0) }
        expectEqual(answer.wait().map(\.check), ["slow", "slow too", "quick"])
    }

    @Test func aStuckCheckIsReportedAndNotStartedAgain() {
        let gate = Semaphore()
        let begun = Atomic(0)
        let (first, second, joined) = (Answer(), Answer(), Answer())
        let quick = Semaphore()
        let runner = CheckRunner(
            [
                HealthCheck("stuck") {
                    gate.wait()
                    return [.ok("stuck", "at last")]
                },
                HealthCheck("quick") {
                    quick.post()
                    return [.ok("quick", "\(begun.add(1, ordering: .relaxed).newValue)")]
                },
            ], deadline: .seconds(5), timers: clock)
        runner.run { first.take($0) }
        // A request during a round joins it.
        runner.run { joined.take($0) }
        quick.wait()
        clock.strike()
        let replies = first.wait()
        expectEqual(replies.first?.severity, .notice)
        expectEqual(replies.first?.text.contains("5 s"), true)
        expectEqual(joined.wait(), replies)
        runner.run { second.take($0) }
        // The stuck check is not waited for a second time.
        expectEqual(second.wait().first?.severity, .notice)
        gate.post()
    }

    @Test func aProgramThatWaitsGetsEveryFindingInOrder() {
        let checks = (1...4).map { number in HealthCheck("\(number)") { [.ok("\(number)", "fine")] } }
        let findings = CheckRunner.findings(of: checks, deadline: .seconds(60))
        expectEqual(findings.map(\.check), ["1", "2", "3", "4"])
        expectEqual(CheckRunner.findings(of: [], deadline: .seconds(60)), [])
    }

    @Test func aProgramThatWaitsDoesNotWaitForAStuckCheck() {
        let gate = Semaphore()
        let checks = [
            HealthCheck("stuck") {
                gate.wait()
                return []
            }
        ]
        let findings = CheckRunner.findings(of: checks, deadline: .seconds(0))
        expectEqual(findings.map(\.severity), [.notice])
        expectEqual(findings.first?.text, "no answer within 0 s: slow or stuck")
        gate.post()
    }

    @Test func freeSpaceIsJudgedByWhatStillFits() {
        func space(_ mebibytes: Int64?) -> Finding {
            SpaceCheck.finding("space", folder: "/data", free: mebibytes.map { $0 << 20 })
        }
        expectEqual(space(10_240), .ok("space", "10 GiB free in /data"))
        expectEqual(space(256).severity, .ok)
        expectEqual(space(255), .notice("space", "only 255 MiB free in /data", fix: "make room: df -h /data"))
        expectEqual(space(31).severity, .problem)
        expectEqual(space(nil).severity, .problem)
    }
}
