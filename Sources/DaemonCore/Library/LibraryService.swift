internal import Library
internal import LibraryModel
internal import Metrics
internal import Playback
internal import SerialThreads
internal import SystemCalls

/// The daemon's one database connection, on a thread of its own.
///
/// Everything isolated to this actor runs on that thread, so a slow disk never holds up Swift's shared pool.
actor LibraryService {
    private let executor = WorkerExecutor(name: "library")
    private let store: LibraryStore

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// How long commits took.
    nonisolated let commitTimes = DurationHistogram()
    /// Jobs that wait for the thread.
    nonisolated var waitingJobs: Int { executor.worker.waitingJobs }

    /// Takes over an open library. The store has one user at a time: it is opened before the thread exists, and from
    /// then on only this actor reaches it.
    init(_ store: sending LibraryStore) {
        let commitTimes = commitTimes
        store.commitObserver = { commitTimes.add(nanoseconds: Int64(clamping: $0)) }
        self.store = store
    }

    /// Does one thing with the library, after everything asked before.
    func perform<Result: Sendable>(_ body: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try body(store)
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
        FreedMemory.giveBack()
    }

    /// Does what was asked before and ends the thread. Nothing may be asked afterwards.
    nonisolated func close() { executor.worker.finish() }
}
