internal import Library
internal import LibraryModel
internal import Metrics
internal import Playback
internal import PodcastModel
internal import SerialThreads
internal import SystemCalls

/// The library: a connection that writes, on its own thread, and one that reads, on another. Everything isolated to this actor runs on
/// the writing thread.
actor LibraryService {
    private let executor: WorkerExecutor
    private let store: LibraryStore
    private nonisolated let reader: LibraryReader

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let file: LibraryFile?
    nonisolated let commitTimes = DurationHistogram()
    nonisolated var waitingJobs: Int { executor.worker.waitingJobs + reader.waitingJobs }

    /// From now on only this actor uses the store.
    /// - Parameter reader: nil makes one.
    /// - Throws: `SystemError` if the thread cannot start.
    init(_ store: sending LibraryStore, reader: LibraryReader? = nil) throws(SystemError) {
        executor = try WorkerExecutor(name: .library)
        self.reader = reader ?? LibraryReader(of: store.path)
        let commitTimes = commitTimes
        store.commitObserver = { commitTimes.add($0) }
        file = store.file
        self.store = store
    }

    /// Runs after all earlier jobs.
    func perform<Result: Sendable>(_ body: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try body(store)
    }

    /// How long a read waits for changes that started before it: long enough for a commit on a slow disk, but not for a write
    /// lock of another process.
    private static let readPatience = Duration.milliseconds(500)

    /// Sees every change that was acknowledged before, and those that started before unless they take longer than `readPatience`. It
    /// waits longer only if there is no second thread or connection.
    nonisolated func read<Result: Sendable>(
        _ body: @escaping @Sendable (LibraryStore) throws -> Result
    ) async throws -> Result {
        let earlierChanges = Semaphore()
        let mayFollow = (try? executor.worker.submit { earlierChanges.post() }) != nil
        do {
            return try await reader.read { store in
                if mayFollow { earlierChanges.wait(until: .now + Self.readPatience) }
                return try body(store)
            }
        } catch is LibraryReader.Unavailable {
            return try await perform(body)
        }
    }

    /// Timers that call on the library's thread, before waiting jobs.
    nonisolated var timers: any TimerClock { executor.worker }

    /// For code that runs on the library's thread already: a call of `timers`.
    nonisolated func performHere<Result: Sendable>(_ body: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try assumeIsolated { try body($0.store) }
    }

    /// Returns after all earlier jobs.
    func takeTurn() {}

    /// Does the library's deferred work in small slices, between other jobs.
    func maintain() async {
        // A slice that fails, for example on a full disk, is retried after the next change.
        while (try? store.performMaintenance()) == true { await Task.yield() }
        settle()
    }

    /// Releases memory after rare work: a new schema, rules for all episodes, indexes.
    func settle() {
        store.releaseMemory()
        reader.settle()
        FreedMemory.giveBack()
    }

    /// Finishes all jobs and ends the thread. Must be the last call.
    nonisolated func close() {
        // The writing connection closes last, so that it checkpoints the write-ahead log.
        reader.close()
        executor.worker.finish()
    }
}
