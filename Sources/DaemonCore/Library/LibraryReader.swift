internal import Library
internal import LibraryModel
internal import SystemCalls

/// The daemon's second database connection, for what only reads, on a thread of its own: another process that holds the
/// write lock, or a slow commit of ours, does not hold up an answer. Thread and connection begin with the first question.
final class LibraryReader: Sendable {
    /// Where there is no reading: the thread or the connection cannot be had. Asking the writer's connection is an option.
    struct Unavailable: Error {}

    private let path: String
    private let worker: WorkerThread
    // Touched on the worker's thread only.
    nonisolated(unsafe) private var store: LibraryStore?

    /// A reader of a library that another connection has open.
    init(of path: String, worker: WorkerThread = WorkerThread(name: "library reads")) {
        self.path = path
        self.worker = worker
    }

    /// Jobs that wait for the thread.
    var waitingJobs: Int { worker.waitingJobs }

    /// Reads one thing. It sees whatever was committed before this is called.
    /// - Throws: `Unavailable` when the body did not run; what the body throws.
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

    /// On the worker's thread.
    private func opened() throws(LibraryError) -> LibraryStore {
        if let store { return store }
        let opened = try LibraryStore(readingBeside: path)
        store = opened
        return opened
    }

    /// Gives memory back, if the connection was opened.
    func settle() { try? worker.submit { [self] in store?.releaseMemory() } }

    /// Does what was asked before, and closes connection and thread.
    func close() {
        // The last job: it is refused when there never was a thread, and then there is no connection either.
        try? worker.submit { [self] in store = nil }
        worker.finish()
    }
}
