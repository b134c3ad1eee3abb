import PodcastModel
import SerialThreads
import SystemCalls
import Synchronization
import Testing
import TestSupport

@Suite(.ownThread) struct ThreadTests {
    private actor Counter {
        private nonisolated let executor: WorkerExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        init(_ executor: WorkerExecutor) { self.executor = executor }
        func isOnItsThread() -> Bool { executor.worker.isCurrent }
    }

    @Test func anActorRunsOnTheThreadOfItsExecutor() async throws {
        let executor = try WorkerExecutor(name: .test)
        #expect(await Counter(executor).isOnItsThread())
        #expect(!executor.worker.isCurrent)
        executor.worker.finish()
    }

    @Test func tasksAndTimersRunOnTheDecisionThread() throws {
        let (thread, done) = (try DecisionThread(), Semaphore())
        let seen = Mutex<[String]>([])
        thread.start { seen.withLock { $0.append("task") } }
        thread.schedule(after: .zero) {
            seen.withLock { $0.append("timer") }
            done.post()
        }
        done.wait()
        thread.start { done.post() }
        done.wait()
        expectEqual(Set(seen.withLock { $0 }), ["task", "timer"])
    }

    @Test func aCancelledTimerDoesNotCall() throws {
        let (worker, done) = (WorkerThread(name: .test), Semaphore())
        let calls = Atomic(0)
        try worker.submit {
            // Cancelled while the thread is busy, so it cannot have been due in between.
            worker.schedule(after: .zero) { calls.add(1, ordering: .relaxed) }.cancel()
            done.post()
        }
        done.wait()
        try worker.submit { done.post() }
        done.wait()
        worker.finish()
        expectEqual(calls.load(ordering: .relaxed), 0)
    }

    @Test func aLateBoundValueIsNilUntilItIsSet() {
        let late = LateBound<Int>()
        expectEqual(late.value, nil)
        late.value = 7
        expectEqual(late.value, 7)
    }
}
