import HTTP
import LoopbackServer
import Synchronization
import Testing
import TestSupport

/// Something that another thread makes happen.
private final class Signal: Sendable {
    private let gate = Gate()
    func fire() { gate.open() }
    func wait() -> Bool { gate.waitForArrival() }
}

@Suite(.ownThread) struct HTTPThreadTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test func theThreadBeginsWithTheFirstRequest() throws {
        let http = HTTPThread()
        #expect(!http.isRunning)
        let endpoint = server.serve("/", .resource(Resource(pattern(100_000))))
        let done = Signal()
        let collector = Collector(onEnd: { done.fire() })
        http.start(HTTPRequest(endpoint.url), delegate: collector)
        #expect(http.isRunning)
        #expect(done.wait())
        expectEqual(collector.body, pattern(100_000))
        http.stop()
    }

    @Test func aPausedTransferHoldsTheServerUpUntilItResumes() throws {
        let http = HTTPThread()
        let body = pattern(20 << 20)
        let endpoint = server.serve("/", .resource(Resource(body)))
        let (paused, done) = (Signal(), Signal())
        let collector = Collector(pausesAfter: 100_000, onPause: { paused.fire() }, onEnd: { done.fire() })
        let id = http.start(HTTPRequest(endpoint.url), delegate: collector)
        #expect(paused.wait())
        let taken = collector.body.count
        #expect(taken < 200_000)
        // A second transfer runs meanwhile; the first one stays where it is.
        let other = Signal()
        let second = Collector(onEnd: { other.fire() })
        http.start(HTTPRequest(endpoint.url), delegate: second)
        #expect(other.wait())
        expectEqual(collector.body.count, taken)
        http.resume(id)
        #expect(done.wait())
        expectEqual(collector.body, body)
        http.stop()
    }

    @Test func afterCancelTheDelegateIsNotCalled() throws {
        let http = HTTPThread()
        let gate = Gate()
        let endpoint = server.serve("/", .resource(Resource(pattern(1000)), faults: [.stall(at: 500, .gate(gate))]))
        let collector = Collector()
        let id = http.start(HTTPRequest(endpoint.url), delegate: collector)
        #expect(gate.waitForArrival())
        http.cancel(id)
        // The rest may come only when the thread has taken up the cancellation.
        let cancelled = Signal()
        http.perform { cancelled.fire() }
        #expect(cancelled.wait())
        gate.open()
        #expect(server.waitForConnections(atMost: 0))
        let after = Signal()
        http.perform { after.fire() }
        #expect(after.wait())
        expectEqual(collector.result, nil)
        http.stop()
    }

    @Test func transfersAreAbortedWhenTheThreadStops() throws {
        let http = HTTPThread()
        let gate = Gate()
        let endpoint = server.serve("/", .after(.gate(gate), .status(200)))
        let done = Signal()
        let collector = Collector(onEnd: { done.fire() })
        http.start(HTTPRequest(endpoint.url), delegate: collector)
        #expect(gate.waitForArrival())
        http.stop()
        // On a busy machine `stop` returns before the thread has ended.
        #expect(done.wait())
        expectEqual(collector.error?.kind, .aborted)
    }

    @Test func stepsRunInOrderAndDelayedOnesWhenTheirTimeHasCome() throws {
        let http = HTTPThread()
        let order = Mutex<[Int]>([])
        let (allAreGiven, done) = (Signal(), Signal())
        // Otherwise the short delay may pass before the other steps are given.
        http.perform { _ = allAreGiven.wait() }
        http.schedule(after: .seconds(3600)) { order.withLock { $0.append(3) } }
        http.schedule(after: .milliseconds(10)) {
            order.withLock { $0.append(2) }
            done.fire()
        }
        http.perform { order.withLock { $0.append(0) } }
        http.perform { order.withLock { $0.append(1) } }
        allAreGiven.fire()
        #expect(done.wait())
        expectEqual(order.withLock { $0 }, [0, 1, 2])
        http.stop()
    }

    @Test func aThreadThatWasNeverUsedCanBeStopped() {
        HTTPThread().stop()
    }

    @Test func manyTransfersShareTheThread() throws {
        let http = HTTPThread()
        let endpoint = server.serve("/", .resource(Resource(pattern(10_000))))
        let done = Signal()
        let left = Mutex(50)
        let collectors = (0..<50).map { _ in
            Collector(onEnd: {
                let isLast = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isLast { done.fire() }
            })
        }
        for collector in collectors { http.start(HTTPRequest(endpoint.url), delegate: collector) }
        #expect(done.wait())
        #expect(collectors.allSatisfy { $0.body == pattern(10_000) })
        http.stop()
    }
}
