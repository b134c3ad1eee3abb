internal import Library
internal import LibraryModel
internal import Metrics
internal import Playback
internal import SerialThreads
internal import SystemCalls

/// The library: a connection that writes, on a thread of its own, and one that reads, on another.
///
/// Everything isolated to this actor runs on the writing thread, so a slow disk never holds up Swift's shared pool.
actor LibraryService {
    private let executor: WorkerExecutor
    private let store: LibraryStore
    private nonisolated let reader: LibraryReader

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The file that is open.
    nonisolated let file: LibraryFile?
    /// How long commits took.
    nonisolated let commitTimes = DurationHistogram()
    /// Jobs that wait for the thread.
    nonisolated var waitingJobs: Int { executor.worker.waitingJobs + reader.waitingJobs }

    /// Takes over an open library. The store has one user at a time: it is opened before the thread exists, and from
    /// then on only this actor reaches it.
    /// - Parameter reader: reads beside it; nil makes one.
    /// - Throws: `SystemError` when the thread cannot start.
    init(_ store: sending LibraryStore, reader: LibraryReader? = nil) throws(SystemError) {
        executor = try WorkerExecutor(name: "library")
        self.reader = reader ?? LibraryReader(of: store.path)
        let commitTimes = commitTimes
        store.commitObserver = { commitTimes.add(nanoseconds: Int64(clamping: $0)) }
        file = store.file
        self.store = store
    }

    /// Does one thing with the library, after everything asked before.
    func perform<Result: Sendable>(_ body: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try body(store)
    }

    /// How long a read waits, in nanoseconds, for the changes that were begun before it: for a commit on a slow disk, but not
    /// for a write lock that another process holds.
    private static let readPatience: Int64 = 500_000_000

    /// Reads one thing. It sees every change that was acknowledged before, and those that were begun before, unless they take
    /// longer than `readPatience`. It waits longer for a writer only if no second thread or connection can be had.
    nonisolated func read<Result: Sendable>(
        _ body: @escaping @Sendable (LibraryStore) throws -> Result
    ) async throws -> Result {
        let earlierChanges = Semaphore()
        let mayFollow = (try? executor.worker.submit { earlierChanges.post() }) != nil
        do {
            return try await reader.read { store in
                if mayFollow { earlierChanges.wait(until: monotonicNanoseconds() + Self.readPatience) }
                return try body(store)
            }
        } catch is LibraryReader.Unavailable {
            return try await perform(body)
        }
    }

    /// Timers that call on the library's thread, before what waits there.
    nonisolated var timers: any PlaybackClock { WorkerClock(worker: executor.worker) }

    /// Does one thing with the library, for what runs on its thread already: a call of `timers`.
    nonisolated func performHere<Result: Sendable>(_ body: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try assumeIsolated { try body($0.store) }
    }

    /// Returns when everything asked before is done.
    func takeTurn() {}

    /// Does the library's put-off work in small slices, between which others get their turn.
    func maintain() async {
        // A slice that fails, on a full disk for example, is tried again after the next change.
        while (try? store.performMaintenance()) == true { await Task.yield() }
        settle()
    }

    /// Lets go of the memory that seldom work took: a new schema, rules over all episodes, indexes.
    func settle() {
        store.releaseMemory()
        reader.settle()
        FreedMemory.giveBack()
    }

    /// Does what was asked before and ends the thread. Nothing may be asked afterwards.
    nonisolated func close() {
        // The writing connection closes last, so that it takes the log into the file.
        reader.close()
        executor.worker.finish()
    }
}
