internal import Library
internal import LibraryModel
public import SystemCalls

/// The daemon's second database connection, which only reads, on its own thread: another process that holds the write lock, or a
/// slow commit of the daemon, does not delay an answer. Thread and connection start with the first query.
public final class LibraryReader: Sendable {
    /// The thread cannot start or the connection cannot be opened. The writing connection can be used instead.
    struct Unavailable: Error {}

    private let path: String
    private let worker: WorkerThread
    // Used on the worker's thread only.
    nonisolated(unsafe) private var store: LibraryStore?

    /// A reader of a library that another connection has open.
    public init(of path: String, worker: WorkerThread = WorkerThread(name: .libraryReads)) {
        self.path = path
        self.worker = worker
    }

    var waitingJobs: Int { worker.waitingJobs }

    /// Sees everything that was committed before the call.
    /// - Throws: `Unavailable` if `body` did not run.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any LibraryStores) throws -> Result
    ) async throws -> Result {
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = try await worker.run { [self] in
                let store = try opened()
                return Swift.Result { try body(store) }
            }
        } catch {
            throw Unavailable()
        }
        return try outcome.get()
    }

    private func opened() throws(LibraryError) -> LibraryStore {
        if let store { return store }
        let opened = try LibraryStore(readingBeside: path)
        store = opened
        return opened
    }

    func settle() { try? worker.submit { [self] in store?.releaseMemory() } }

    /// Finishes waiting jobs, and closes connection and thread.
    func close() {
        // This last job is refused if there never was a thread; then there is no connection either.
        try? worker.submit { [self] in store = nil }
        worker.finish()
    }
}
