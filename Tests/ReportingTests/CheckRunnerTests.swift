import Reporting
import Synchronization
import SystemCalls
import TestSupport
import Testing

@Suite(.ownThread) struct CheckRunnerTests {
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

    @Test func findingsHaveTheOrderOfTheChecks() {
        let gate = Semaphore()
        let runner = CheckRunner(
            [
                HealthCheck(["slow", "slow too"]) {
                    gate.wait()
                    return [.ok("a"), .ok("b")]
                },
                HealthCheck("quick") {
                    gate.post()
                    return .ok("c")
                },
            ], deadline: .seconds(60))
        let answer = Answer()
        runner.run { answer.take($0) }
        expectEqual(answer.wait().map(\.check), ["slow", "slow too", "quick"])
        expectEqual(CheckRunner([], deadline: .seconds(60)).findings(), [])
    }

    @Test func aRequestDuringARoundJoinsIt() {
        let (gate, begun) = (Semaphore(), Semaphore())
        let count = Atomic(0)
        let runner = CheckRunner(
            [
                HealthCheck("slow") {
                    begun.post()
                    gate.wait()
                    return .ok("\(count.add(1, ordering: .relaxed).newValue)")
                }
            ], deadline: .seconds(60))
        let (first, joined) = (Answer(), Answer())
        runner.run { first.take($0) }
        begun.wait()
        runner.run { joined.take($0) }
        gate.post()
        expectEqual(first.wait().map(\.text), ["1"])
        expectEqual(joined.wait().map(\.text), ["1"])
    }

    @Test func aStuckCheckIsReportedAndNotStartedAgain() {
        let gate = Semaphore()
        let count = Atomic(0)
        let runner = CheckRunner(
            [
                HealthCheck("stuck") {
                    count.add(1, ordering: .relaxed)
                    gate.wait()
                    return .ok("at last")
                }
            ], deadline: .zero)
        for _ in 0..<2 {
            let findings = runner.findings()
            expectEqual(findings.map(\.severity), [.notice])
            expectEqual(findings.map(\.check), ["stuck"])
            expectEqual(findings.first?.text, "no answer within 0 s: slow or stuck")
        }
        #expect(count.load(ordering: .relaxed) <= 1)
        gate.post()
    }

    @Test func freeSpaceIsJudgedByWhatStillFits() {
        func space(_ mebibytes: Int64?) -> Finding { .space(in: "/data", free: mebibytes.map { $0 << 20 }) }
        expectEqual(space(10_240), .ok("10 GiB free in /data"))
        expectEqual(space(256).severity, .ok)
        expectEqual(space(255), .notice("only 255 MiB free in /data", fix: "make room: df -h /data"))
        expectEqual(space(31).severity, .problem)
        expectEqual(space(nil).severity, .problem)
    }
}
