@testable import HTTP
import LoopbackServer
import PodcastModel
import Synchronization
import SystemCalls
import Testing
import TestSupport

/// Requests while the process has no threads or descriptors left.
@Suite(.ownThread) struct ShortageTests {
    /// Fails a given number of times, then works.
    private final class Failing: Sendable {
        private let left: Mutex<Int>
        init(_ times: Int) { left = Mutex(times) }
        func take() -> Bool {
            left.withLock { left in
                left -= 1
                return left >= 0
            }
        }
    }

    private let server: LoopbackServer
    private let endpoint: LoopbackServer.Endpoint

    init() throws {
        server = try LoopbackServer()
        endpoint = server.serve("/", .resource(Resource(pattern(1000))))
    }

    private func fetch(_ http: HTTPThread) -> Collector {
        let done = Gate()
        let collector = Collector(onEnd: { done.open() })
        http.start(HTTPRequest(endpoint.url), delegate: collector)
        #expect(done.waitForArrival())
        return collector
    }

    @Test func aRequestFailsIfLibcurlCannotStartAndTheNextStartsIt() {
        var parts = HTTPThreadParts()
        // Once as the thread begins, once for the first request.
        let failing = Failing(2)
        parts.multi = { settings throws(HTTPError) in
            if failing.take() { throw HTTPError(.exhausted, "too many open files") }
            return try HTTPMulti(settings: settings)
        }
        let http = HTTPThread(parts: parts)
        expectEqual(fetch(http).error, HTTPError(.exhausted, "too many open files"))
        expectEqual(fetch(http).body, pattern(1000))
        http.stop()
    }

    @Test func stepsAndTimersRunWhileLibcurlCannotStart() {
        var parts = HTTPThreadParts()
        parts.multi = { _ throws(HTTPError) in throw HTTPError(.exhausted, "too many open files") }
        let http = HTTPThread(parts: parts)
        let (stepped, timed) = (Gate(), Gate())
        http.perform { stepped.open() }
        http.schedule(after: .milliseconds(1)) { timed.open() }
        #expect(stepped.waitForArrival() && timed.waitForArrival())
        http.stop()
    }

    @Test func aRequestFailsIfTheThreadCannotStartAndTheNextStartsIt() {
        var parts = HTTPThreadParts()
        let failing = Failing(2)
        parts.thread = { body throws(SystemError) in
            if failing.take() { throw SystemError(code: 11, call: "pthread_create http") }
            return try DedicatedThread(name: .http, body)
        }
        let http = HTTPThread(parts: parts)
        let stepped = Gate()
        http.perform { stepped.open() }
        #expect(stepped.waitForArrival())
        let refused = fetch(http)
        expectEqual(refused.error?.kind, .exhausted)
        expectEqual(refused.error?.message.contains("pthread_create http"), true)
        #expect(!http.isRunning)
        expectEqual(fetch(http).body, pattern(1000))
        http.stop()
    }

    @Test func whenAliveAnswersBeforeTheThreadStarts() {
        let http = HTTPThread()
        let answered = Gate()
        http.whenAlive { answered.open() }
        #expect(answered.waitForArrival())
        #expect(!http.isRunning)
        http.prepare()
        let again = Gate()
        http.whenAlive { again.open() }
        #expect(again.waitForArrival())
        http.stop()
    }

    @Test func abandonedLookupsAreLimited() {
        var lookups = AbandonedLookups()
        let first = Instant(nanoseconds: 0)
        let (later, end) = (first + .milliseconds(1), first + AbandonedLookups.lifetime)
        for index in 0..<AbandonedLookups.maximum {
            let areTooMany = lookups.areTooMany(at: later)
            #expect(!areTooMany)
            lookups.add(at: Instant(nanoseconds: Int64(index)))
        }
        let (atOnce, atLast, afterwards) = (
            lookups.areTooMany(at: later), lookups.areTooMany(at: end + .nanoseconds(-1)),
            lookups.areTooMany(at: end)
        )
        #expect(atOnce && atLast && !afterwards)
    }
}
