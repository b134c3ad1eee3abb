import Foundation
import Synchronization
package import Testing

/// Runs each test on a separate thread, with everything that it awaits. For tests that block: they wait for processes,
/// sockets, locks or semaphores. Swift's pool has one thread for each processor, so a few such tests would keep all others from
/// running, and the others' time limits would expire while they wait.
package struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> OwnThread? { testCase == nil ? nil : self }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let executor = ThreadExecutor()
        defer { executor.finish() }
        try await withTaskExecutorPreference(executor) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// Runs each test on a separate thread; for tests that block.
    package static var ownThread: OwnThread { OwnThread() }
}

/// A thread that runs the parts of one task, one after another.
private final class ThreadExecutor: TaskExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        var isFinished = false
    }

    private let queue = Mutex(Queue())
    private let changes = DispatchSemaphore(value: 0)

    init() {
        let thread = Thread { [self] in while runNext() {} }
        // As much as the main thread has; the default of other threads is too little for some tests.
        thread.stackSize = 8 << 20
        thread.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.withLock { $0.jobs.append(job) }
        changes.signal()
    }

    /// Ends the thread after the jobs that are queued.
    func finish() {
        queue.withLock { $0.isFinished = true }
        changes.signal()
    }

    private func runNext() -> Bool {
        changes.wait()
        let (job, isLast) = queue.withLock { ($0.jobs.isEmpty ? nil : $0.jobs.removeFirst(), $0.isFinished) }
        job?.runSynchronously(on: asUnownedTaskExecutor())
        return job != nil || !isLast
    }
}
