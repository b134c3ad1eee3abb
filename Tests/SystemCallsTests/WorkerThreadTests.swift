import Synchronization
import SystemCalls
import Testing

@Suite struct WorkerThreadTests {
    private final class Log: Sendable {
        let numbers = Mutex<[Int]>([])
        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    @Test func jobsAreDoneInOrderAndAllBeforeFinishReturns() {
        let log = Log()
        let worker = WorkerThread(name: "test")
        for number in 0..<1000 { worker.submit { log.add(number) } }
        worker.finish()
        #expect(log.numbers.withLock { $0 } == Array(0..<1000))
    }

    @Test func afterTheFinishJobsAreLetFall() {
        let log = Log()
        let worker = WorkerThread(name: "test")
        worker.submit { log.add(1) }
        worker.finish()
        worker.submit { log.add(2) }
        worker.finish()
        #expect(log.numbers.withLock { $0 } == [1])
    }

    @Test func aWorkerThatWasNeverUsedFinishesAtOnce() {
        WorkerThread(name: "test").finish()
    }

    @Test func timedJobsComeInTheOrderOfTheirTimesAndNotBeforeThem() {
        let log = Log()
        let last = Semaphore()
        let worker = WorkerThread(name: "test")
        let allAreGiven = Semaphore()
        worker.submit { allAreGiven.wait() }
        let now = monotonicNanoseconds()
        _ = worker.submit(at: now + 40_000_000) {
            log.add(monotonicNanoseconds() >= now + 40_000_000 ? 3 : -3)
            last.post()
        }
        _ = worker.submit(at: now + 20_000_000) { log.add(2) }
        let cancelled = worker.submit(at: now + 30_000_000) { log.add(99) }
        worker.cancel(cancelled)
        worker.submit { log.add(1) }
        allAreGiven.post()
        last.wait()
        worker.finish()
        #expect(log.numbers.withLock { $0 } == [1, 2, 3])
    }

    @Test func timersThatAreNotDueAreLetFallAtTheEnd() {
        let log = Log()
        let worker = WorkerThread(name: "test")
        _ = worker.submit(at: monotonicNanoseconds() + 3_600_000_000_000) { log.add(1) }
        worker.finish()
        #expect(log.numbers.withLock { $0 }.isEmpty)
    }

    @Test func aJobMayGiveTheNextOne() {
        let log = Log()
        let reached = Semaphore()
        let worker = WorkerThread(name: "test")
        worker.submit {
            log.add(1)
            worker.submit {
                log.add(2)
                reached.post()
            }
        }
        reached.wait()
        worker.finish()
        #expect(log.numbers.withLock { $0 } == [1, 2])
    }
}
