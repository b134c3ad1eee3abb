import Library
import PodcastModel
internal import SerialThreads
import SystemCalls

/// A writing and a reading connection, each on its own thread. Isolated code runs on the writer thread.
actor LibraryService: LibraryAccess {
    private let executor: WorkerExecutor
    private let store: LibraryStore
    /// The thread of a second connection, which only reads: replies are not delayed by another process that holds the write
    /// lock, or by a slow commit of the daemon. Thread and connection start with the first query.
    private nonisolated let reads = WorkerThread(name: .libraryReads)
    // Used on the thread of reads only.
    nonisolated(unsafe) private var reader: LibraryStore?
    private nonisolated let path: String
    private nonisolated let readPatience: Duration

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The opened file; nil if it was deleted at once.
    nonisolated let file: LibraryFile?
    nonisolated var waitingJobs: Int { executor.worker.waitingJobs + reads.waitingJobs }

    /// Takes ownership of the store.
    /// - Parameter readPatience: maximum time that a read waits for changes that started before the read: long enough for a commit on
    ///   a slow disk, but not for a write lock of another process.
    /// - Throws: `SystemError` if the thread cannot start.
    init(_ store: sending LibraryStore, readPatience: Duration = .milliseconds(500)) throws(SystemError) {
        executor = try WorkerExecutor(name: .library)
        file = store.file
        path = store.path
        self.readPatience = readPatience
        self.store = store
    }

    /// Runs after all earlier jobs.
    func perform<Result: Sendable>(_ body: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try body(store)
    }

    /// Sees every change that was acknowledged before, and changes that started before unless they take longer than
    /// `readPatience`.
    nonisolated func read<Result: Sendable>(
        _ body: @escaping @Sendable (LibraryStore) throws -> Result
    ) async throws -> Result {
        let earlierChanges = Semaphore()
        try executor.worker.submit { earlierChanges.post() }
        return try await reads.run { [self] in
            earlierChanges.wait(until: .now + readPatience)
            return try body(openedReader())
        }
    }

    private nonisolated func openedReader() throws(LibraryError) -> LibraryStore {
        if let reader { return reader }
        let opened = try LibraryStore(readingBeside: path)
        reader = opened
        return opened
    }

    /// Timers that call on the library's thread, before waiting jobs.
    nonisolated var timers: any TimerClock { executor.worker }

    /// For code that runs on the library's thread already: a call of `timers`.
    nonisolated func performHere<Result: Sendable>(
        _ body: @Sendable (LibraryStore) throws -> Result
    ) throws -> Result {
        try assumeIsolated { try body($0.store) }
    }

    /// Returns after all earlier jobs.
    func takeTurn() {}

    func maintain() async {
        // A failed slice, for example on a full disk, is retried after the next change.
        while (try? store.performMaintenance()) == true { await Task.yield() }
        settle()
    }

    /// Releases memory after rare work: a new schema, rules for all episodes, indexes.
    func settle() {
        store.releaseMemory()
        try? reads.submit { [self] in reader?.releaseMemory() }
        FreedMemory.giveBack()
    }

    func checkpoint() throws(LibraryError) { try store.checkpoint() }

    /// Finishes all jobs and ends the thread. Must be the last call.
    nonisolated func close() {
        // The writing connection closes last, so that it checkpoints the WAL.
        // If the thread never started, the job is refused and no connection was opened.
        try? reads.submit { [self] in reader = nil }
        reads.finish()
        executor.worker.finish()
    }
}
