import Foundation
import Glibc
import Synchronization
package import Testing

/// Runs each test on a separate thread, with everything that it awaits. For tests that block: they wait for processes,
/// sockets, locks or semaphores. Swift's pool has one thread for each processor, so a few such tests would keep all others from
/// running, and the others' time limits would expire while they wait. Other tests that take a second or more have it too, because
/// the trait writes the start of each test, and its seconds at its end, to the file that `TEST_TIMES` names; `scripts/run-tests`
/// reads that file.
package struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func scopeProvider(for test: Test, testCase: Test.Case?) -> OwnThread? { testCase == nil ? nil : self }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let executor = ThreadExecutor()
        let begin = ContinuousClock.now
        Self.note("start", test)
        defer {
            let seconds = (ContinuousClock.now - begin) / .seconds(1)
            Self.note(String(format: "%.2f", seconds), test)
            executor.finish()
        }
        try await withTaskExecutorPreference(executor) { try await function() }
    }

    private static let times = ProcessInfo.processInfo.environment["TEST_TIMES"].map {
        open($0, O_WRONLY | O_APPEND | O_CLOEXEC)
    }

    private static func note(_ what: String, _ test: Test) {
        guard let times else { return }
        // One write, so that lines of several threads do not mix.
        let line = "\(what) \(test.id)\n"
        _ = write(times, line, line.utf8.count)
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
