internal import Library
public import SystemCalls

/// The daemon's second database connection, read-only, on its own thread: replies are not delayed by another process
/// that holds the write lock, or by a slow commit of the daemon. Thread and connection start with the first query.
public final class LibraryReader: Sendable {
    /// The thread cannot start or the connection cannot be opened. The writing connection can be used instead.
    struct Unavailable: Error {}

    private let path: String
    private let worker: WorkerThread
    // Used on the worker's thread only.
    nonisolated(unsafe) private var store: LibraryStore?

    /// The library must be open in another connection.
    public init(of path: String, worker: WorkerThread = WorkerThread(name: .libraryReads)) {
        self.path = path
        self.worker = worker
    }

    var waitingJobs: Int { worker.waitingJobs }

    /// Sees everything that was committed before the call. Throws `Unavailable` if `body` did not run.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (LibraryStore) throws -> Result
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
        // This last job is refused if the thread never started; then there is no connection either.
        try? worker.submit { [self] in store = nil }
        worker.finish()
    }
}
