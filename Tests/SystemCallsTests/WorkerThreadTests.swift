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
