import Glibc
import PodcastModel
import Synchronization
import SystemCalls
import Testing
import TestSupport

@Suite(.ownThread) struct WorkerThreadTests {
    private final class Log: Sendable {
        let numbers = Mutex<[Int]>([])
        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    @Test func jobsAreDoneInOrderAndAllBeforeFinishReturns() throws {
        let log = Log()
        let worker = WorkerThread(name: .test)
        for number in 0..<1000 { try worker.submit { log.add(number) } }
        worker.finish()
        expectEqual(log.numbers.withLock { $0 }, Array(0..<1000))
    }

    @Test func afterTheFinishJobsAreRefused() throws {
        let log = Log()
        let worker = WorkerThread(name: .test)
        try worker.submit { log.add(1) }
        worker.finish()
        #expect(throws: SystemError.self) { try worker.submit { log.add(2) } }
        #expect(throws: SystemError.self) { _ = try worker.submit(at: .distantPast) { log.add(2) } }
        worker.finish()
        expectEqual(log.numbers.withLock { $0 }, [1])
    }

    @Test func aWorkerThatWasNeverUsedFinishesAtOnce() {
        WorkerThread(name: .test).finish()
    }

    @Test func timedJobsComeInTheOrderOfTheirTimesAndNotBeforeThem() throws {
        let log = Log()
        let last = Semaphore()
        let worker = WorkerThread(name: .test)
        let allAreGiven = Semaphore()
        try worker.submit { allAreGiven.wait() }
        let now = Instant.now
        try worker.submit(at: now + .milliseconds(40)) {
            log.add(Instant.now >= now + .milliseconds(40) ? 3 : -3)
            last.post()
        }
        try worker.submit(at: now + .milliseconds(20)) { log.add(2) }
        try worker.submit(at: now + .milliseconds(30)) { log.add(99) }.cancel()
        try worker.submit { log.add(1) }
        allAreGiven.post()
        last.wait()
        worker.finish()
        // A timer that is due already comes before a job.
        let numbers = log.numbers.withLock { $0 }
        #expect(numbers.filter { $0 != 1 } == [2, 3] && numbers.contains(1), "\(numbers)")
    }

    @Test func timersThatAreNotDueAreDiscardedAtTheEnd() throws {
        let log = Log()
        let worker = WorkerThread(name: .test)
        try worker.submit(at: .now + .seconds(3600)) { log.add(1) }
        worker.finish()
        #expect(log.numbers.withLock { $0 }.isEmpty)
    }

    @Test func aJobMayGiveTheNextOne() throws {
        let log = Log()
        let reached = Semaphore()
        let worker = WorkerThread(name: .test)
        try worker.submit {
            log.add(1)
            try? worker.submit {
                log.add(2)
                reached.post()
            }
        }
        reached.wait()
        worker.finish()
        expectEqual(log.numbers.withLock { $0 }, [1, 2])
    }

    /// A worker whose threads start only from the second time on.
    private func reluctantWorker() -> WorkerThread {
        let attempts = Atomic(0)
        return WorkerThread(name: .test) { name, body throws(SystemError) in
            if attempts.add(1, ordering: .relaxed).newValue == 1 {
                throw SystemError(code: EAGAIN, call: "pthread_create \(name)")
            }
            return try DedicatedThread(name: name, body)
        }
    }

    @Test func aThreadThatCannotStartRefusesItsJobAndTheNextOneTriesAgain() throws {
        let log = Log()
        let worker = reluctantWorker()
        #expect(throws: SystemError(code: EAGAIN, call: "pthread_create test")) { try worker.submit { log.add(1) } }
        expectEqual(worker.waitingJobs, 0)
        try worker.submit { log.add(2) }
        worker.finish()
        expectEqual(log.numbers.withLock { $0 }, [2])
    }

    @Test func whoWaitsForWorkHearsThatItsThreadCannotStart() async throws {
        let worker = reluctantWorker()
        await #expect(throws: SystemError.self) { try await worker.run { 1 } }
        try await expectEqual(worker.run { 2 }, 2)
        worker.finish()
        await #expect(throws: SystemError.self) { try await worker.run { 3 } }
    }

    @Test func aThreadThatWasStartedBeforeItsFirstJobRefusesNone() throws {
        let worker = reluctantWorker()
        #expect(throws: SystemError.self) { try worker.start() }
        try worker.start()
        let log = Log()
        try worker.submit { log.add(1) }
        worker.finish()
        expectEqual(log.numbers.withLock { $0 }, [1])
    }

    @Test func betweenTwoTimersThatAreDueAJobPasses() throws {
        let log = Log()
        let worker = WorkerThread(name: .test)
        let (isBegun, allAreGiven) = (Semaphore(), Semaphore())
        try worker.submit {
            isBegun.post()
            allAreGiven.wait()
        }
        isBegun.wait()
        for number in 0..<3 { _ = try worker.submit(at: Instant(nanoseconds: Int64(number))) { log.add(number) } }
        for number in 10..<13 { try worker.submit { log.add(number) } }
        allAreGiven.post()
        worker.finish()
        expectEqual(log.numbers.withLock { $0 }, [0, 10, 1, 11, 2, 12])
    }

    /// A timer that is due again whenever it has ended, as one whose job takes longer than its interval.
    @Test func aTimerThatIsAlwaysDueDoesNotDelayAJobForEver() throws {
        let worker = WorkerThread(name: .test)
        let reached = Semaphore()
        let ticks = Ticks(worker)
        ticks.tick()
        try worker.submit { reached.post() }
        reached.wait()
        ticks.isOver.store(true, ordering: .relaxed)
        worker.finish()
    }

    private final class Ticks: Sendable {
        let isOver = Atomic(false)
        private let worker: WorkerThread
        init(_ worker: WorkerThread) { self.worker = worker }
        func tick() {
            if isOver.load(ordering: .relaxed) { return }
            _ = try? worker.submit(at: .distantPast) { [self] in tick() }
        }
    }
}
