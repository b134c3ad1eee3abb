@testable import RefreshTool
import PodcastModel
import Testing
import TestSupport

/// Read as a dialogue: the loop tells what happened, the plan says what to do.
struct RefreshPlanTests {
    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    private let strict = RefreshPlan.Limits(total: 3, perHost: 2, spacing: .milliseconds(100), sparesLoopback: true)

    @Test func nothingToDoIsFinishedAtOnce() {
        var plan = RefreshPlan(urls: [], limits: strict)
        expectEqual(plan.next(at: at(0)), .finish)
    }

    @Test func oneHostIsFetchedInSpacedStartsUpToItsCap() {
        var plan = RefreshPlan(urls: ["http://a.test/1", "http://a.test/2", "http://a.test/3"], limits: strict)
        expectEqual(plan.next(at: at(0)), .start(0))
        expectEqual(plan.next(at: at(0)), .wait(.milliseconds(100)))
        expectEqual(plan.next(at: at(40)), .wait(.milliseconds(60)))
        expectEqual(plan.next(at: at(100)), .start(1))
        expectEqual(plan.next(at: at(500)), .awaitEnd)
        plan.ended(0)
        expectEqual(plan.next(at: at(500)), .start(2))
        plan.ended(1)
        expectEqual(plan.next(at: at(501)), .awaitEnd)
        plan.ended(2)
        expectEqual(plan.next(at: at(502)), .finish)
    }

    @Test func hostsTakeTurnsAndTheTotalIsACap() {
        let urls = ["https://a.test/1", "https://a.test/2", "https://b.test/", "https://c.test/", "https://d.test/"]
        var plan = RefreshPlan(urls: urls, limits: strict)
        expectEqual(plan.next(at: at(0)), .start(0))
        expectEqual(plan.next(at: at(0)), .start(2))
        expectEqual(plan.next(at: at(0)), .start(3))
        expectEqual(plan.next(at: at(0)), .awaitEnd)
        plan.ended(2)
        expectEqual(plan.next(at: at(0)), .start(4))
        plan.ended(0)
        expectEqual(plan.next(at: at(0)), .wait(.milliseconds(100)))
        expectEqual(plan.next(at: at(100)), .start(1))
    }

    @Test func hostsAreComparedWithoutRegardToCaseUserAndPath() {
        var plan = RefreshPlan(
            urls: ["http://A.test/1", "http://user:word@a.TEST?x", "http://a.test:81/"], limits: strict)
        expectEqual(plan.next(at: at(0)), .start(0))
        expectEqual(plan.next(at: at(0)), .start(2))
        expectEqual(plan.next(at: at(0)), .wait(.milliseconds(100)))
    }

    @Test func loopbackIsBoundByTheTotalAlone() {
        for host in ["127.0.0.1:8080", "localhost", "[::1]:80", "rss.localhost"] {
            var plan = RefreshPlan(urls: (0..<4).map { "http://\(host)/\($0)" }, limits: strict)
            expectEqual(plan.next(at: at(0)), .start(0))
            expectEqual(plan.next(at: at(0)), .start(1))
            expectEqual(plan.next(at: at(0)), .start(2))
            expectEqual(plan.next(at: at(0)), .awaitEnd)
        }
    }

    @Test func aNameThatOnlyLooksLikeLoopbackIsBound() {
        for host in ["127.0.0.1.example.test", "localhost.example.test", "127.1"] {
            var plan = RefreshPlan(urls: ["http://\(host)/1", "http://\(host)/2"], limits: strict)
            expectEqual(plan.next(at: at(0)), .start(0))
            expectEqual(plan.next(at: at(0)), .wait(.milliseconds(100)))
        }
    }

    @Test func aHostThatAsksForPeaceIsLeftAloneAndOthersGoOn() {
        let urls = ["http://a.test/1", "http://a.test/2", "http://b.test/", "http://a.test/3"]
        var plan = RefreshPlan(urls: urls, limits: strict)
        expectEqual(plan.next(at: at(0)), .start(0))
        expectEqual(plan.next(at: at(0)), .start(2))
        plan.ended(0, retryAfter: 900)
        expectEqual(plan.next(at: at(10)), .postpone(1, seconds: 900))
        expectEqual(plan.next(at: at(10)), .postpone(3, seconds: 900))
        expectEqual(plan.next(at: at(10)), .awaitEnd)
        plan.ended(2)
        expectEqual(plan.next(at: at(11)), .finish)
    }

    @Test func everyTargetOfALongQueueStartsOnceAndNoCapIsBroken() {
        let urls = (0..<5000).map { "http://host\($0 % 37).test/\($0)" }
        var plan = RefreshPlan(urls: urls, limits: .init(total: 32, perHost: 3, spacing: .milliseconds(5)))
        var running: [Int] = []
        var started = Set<Int>()
        var (now, pass) = (at(0), 0)
        var most = 0
        loop: while true {
            switch plan.next(at: now) {
            case .start(let target):
                #expect(started.insert(target).inserted)
                running.append(target)
                most = max(most, running.count)
                #expect(running.count { $0 % 37 == target % 37 } <= 3)
            case .postpone: Issue.record("no host sent Retry-After")
            case .wait(let time):
                now = now + time
                pass += 1
                if pass % 2 == 0, !running.isEmpty { plan.ended(running.removeFirst()) }
            case .awaitEnd:
                now = now + .milliseconds(1)
                plan.ended(running.removeFirst())
            case .finish: break loop
            }
        }
        expectEqual(started.count, 5000)
        #expect(most <= 32)
    }
}
