public import LibraryModel
public import PodcastModel
public import SQLite
internal import SystemCalls

/// The library's file as one process uses it: a connection with its transactions. It belongs to the thread that made it.
///
/// Another process may use the same file at the same time: each transaction takes the write lock at its beginning, waits for
/// the other's commit for a bounded time, and checks that the schema is still the one this program knows. A kill at any instant
/// loses nothing that was committed; a power cut loses nothing that was committed as `synced`.
public final class LibraryDatabase {
    /// The newest schema this program knows.
    public static let schemaVersion = Migration.all.count
    /// Rows a commit writes at most, so that no other writer waits long.
    public static let rowsPerCommit = 200
    /// A transaction in pieces holds the write lock for this time before it commits.
    public static let commitInterval = Duration.milliseconds(50)
    /// How long a record of a position, or an index that a question needs, waits for another writer, which commits
    /// each `commitInterval`. Another record follows soon, and people may wait behind this one.
    public static let shortWait = Duration.milliseconds(200)
    /// A transaction that follows within this time after one that waited in vain counts as asked for meanwhile.
    private static let busyInARow = Duration.milliseconds(50)
    /// Kibibytes of pages that a reader keeps: pages of lists are read once.
    private static let readerCacheKiB = 256

    /// How long a transaction waits for the disk.
    public enum Durability: Sendable {
        /// Acknowledged to a person: on disk before it returns.
        case synced
        /// Survives a killed process, not surely a power cut.
        case relaxed
    }

    /// A function of SQL that the stores call.
    public typealias FunctionAdder = (Connection) throws(SQLiteError) -> Void

    public let connection: Connection
    public let path: String
    public let clock: any MonotonicClock
    /// Receives the duration of each commit of changes.
    public var commitObserver: ((Duration) -> Void)?
    /// Whether this is `init(readingBeside:)`'s.
    private let isReader: Bool
    /// How long to wait for another writer.
    private let busyTimeout: Duration
    /// When a transaction last waited as long as it may and did not get the lock.
    private var lastBusy: Instant?
    private let writerLock: FairWriterLock

    /// Opens a library, makes it when the file is missing, and brings an older schema to the present one, after writing a
    /// backup beside the file.
    ///
    /// - Parameters:
    ///   - busyTimeout: how long to wait for another process's commit before `LibraryError.busy`.
    ///   - cacheKiB: pages to keep in memory.
    ///   - checkpointPages: pages of 4 KiB the write-ahead log may grow to before a commit takes it into the file.
    ///   - migrations: nil for those that this program knows.
    public init(
        path: String, busyTimeout: Duration, cacheKiB: Int, checkpointPages: Int, clock: any MonotonicClock,
        migrations: [Migration]? = nil, addFunctions: FunctionAdder
    ) throws(LibraryError) {
        self.path = path
        self.clock = clock
        self.busyTimeout = busyTimeout
        isReader = false
        writerLock = FairWriterLock(path: path + "-turn")
        do {
            connection = try Connection(path: path, busyTimeout: busyTimeout, cacheKiB: cacheKiB)
            try addFunctions(connection)
            try Migrator(connection, path: path, migrations: migrations ?? Migration.all).run()
            try connection.execute("PRAGMA wal_autocheckpoint=\(checkpointPages); PRAGMA journal_size_limit=8388608")
        } catch {
            throw LibraryError(storing: error, path: path)
        }
    }

    /// Opens a library for reading, beside a process or thread that has it open: it is never held up by a writer. What it
    /// writes are indexes that a question needs.
    ///
    /// - Throws: also for a schema that is not the present one.
    public init(readingBeside path: String, addFunctions: FunctionAdder) throws(LibraryError) {
        self.path = path
        clock = SystemClock()
        isReader = true
        busyTimeout = Self.shortWait
        writerLock = FairWriterLock(path: path + "-turn")
        do {
            connection = try Connection(path: path, busyTimeout: busyTimeout, cacheKiB: Self.readerCacheKiB)
            try addFunctions(connection)
        } catch {
            throw LibraryError(storing: error, path: path)
        }
        try read {}
    }

    /// Gives cached pages and prepared statements back, for a process that will be idle.
    public func releaseMemory() {
        connection.forgetStatements()
        connection.releaseMemory()
    }

    /// Checkpoints the WAL into the library's file before the process exits, so that the file is complete. Does not wait:
    /// pages that another process still needs stay in the WAL.
    public func checkpoint() throws(LibraryError) {
        do throws(SQLiteError) {
            try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        } catch {
            throw LibraryError(storing: error, path: path)
        }
    }

    /// Changes with what other processes commit. Call it in a transaction.
    public func dataVersion() throws -> Int { try connection.value("PRAGMA data_version") ?? 0 }

    // MARK: Transactions

    /// Runs a body that only reads, on one snapshot of the library.
    public func read<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result {
        do {
            try connection.beginReading()
            let result: Result
            do {
                try checkSchema()
                result = try body()
            } catch {
                connection.rollback()
                throw error
            }
            try connection.commit()
            endStatements()
            return result
        } catch {
            throw LibraryError(storing: error, path: path)
        }
    }

    /// Runs a body as one transaction; an error takes all of it back.
    ///
    /// - Parameter maximumWait: how long to wait for another writer; nil waits as long as the options say.
    public func write<Result>(
        _ durability: Durability, maximumWait: Duration? = nil, _ body: () throws -> Result
    ) throws(LibraryError) -> Result {
        do {
            try begin(durability, maximumWait: maximumWait ?? busyTimeout)
            let result: Result
            do {
                result = try body()
                try commit()
            } catch {
                connection.rollback()
                throw error
            }
            endStatements()
            return result
        } catch {
            throw LibraryError(storing: error, path: path)
        }
    }

    /// Commits what is written so far and begins again, so that another writer gets its turn. For bodies of `write`.
    public func commitAndContinue(_ durability: Durability) throws {
        try commit()
        try begin(durability, maximumWait: busyTimeout)
    }

    /// A statement that is left in the middle is a mistake, and never a reason not to save what comes next.
    private func endStatements() {
        let forgotten = connection.endStatements()
        assert(forgotten.isEmpty, "left in the middle: \(forgotten)")
    }

    private func commit() throws {
        guard let commitObserver else { return try connection.commit() }
        let begin = clock.now
        try connection.commit()
        commitObserver(clock.now - begin)
    }

    private func begin(_ durability: Durability, maximumWait: Duration) throws {
        try connection.setSynchronous(durability == .synced ? .full : .normal)
        // A reader writes little, so other processes do not wait for it long.
        if !isReader { writerLock.letOthersPass() }
        if try !connection.tryBeginImmediate() {
            // One that was asked for while another waited in vain has waited as well: a row of them does not add up.
            let hasWaited = lastBusy.map { clock.now - $0 < Self.busyInARow } ?? false
            let isBegun = try writerLock.wait(atMost: hasWaited ? .milliseconds(1) : maximumWait) {
                try connection.tryBeginImmediate()
            }
            if !isBegun {
                if maximumWait == busyTimeout { lastBusy = clock.now }
                throw LibraryError.busy
            }
        }
        do {
            try checkSchema()
        } catch {
            connection.rollback()
            throw error
        }
    }

    private func checkSchema() throws {
        let found: Int = try connection.value("PRAGMA user_version") ?? 0
        if found > Self.schemaVersion { throw LibraryError.newerSchema(found: found, known: Self.schemaVersion) }
        if found < Self.schemaVersion { throw LibraryError.damaged("the schema version decreased to \(found)") }
    }
}
