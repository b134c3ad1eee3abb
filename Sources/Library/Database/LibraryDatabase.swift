public import PodcastModel
public import SQLite
internal import SystemCalls

/// A process's connection to the library's file, with transactions. Belongs to the thread that made it.
///
/// Another process may use the same file at the same time: each transaction takes the write lock at its beginning,
/// waits a limited time for the other's commit, and checks that the schema is still the one this program knows. A kill
/// at any instant loses no committed change; a power failure loses no change committed as `synced`.
public final class LibraryDatabase {
    /// The newest schema that this program knows.
    public static let schemaVersion = Migration.all.count
    /// Maximum rows of a commit, so that no other writer waits long.
    static let rowsPerCommit = 200
    /// A long transaction holds the write lock for at most this time before each commit.
    static let commitInterval = Duration.milliseconds(50)
    /// Limit for waiting for another writer (which commits each `commitInterval`) before recording a position or
    /// updating an index for a query. Another attempt follows soon, and users may wait for this one.
    static let shortWait = Duration.milliseconds(200)
    /// A transaction that starts within this time after one that timed out counts as queued meanwhile.
    private static let busyInARow = Duration.milliseconds(50)
    /// Page cache of a reader in KiB; small, because pages of lists are read once.
    private static let readerCacheKiB = 256

    public enum Durability: Sendable {
        /// A change acknowledged to a user: on disk before the call returns.
        case synced
        /// Survives a killed process, but possibly not a power failure.
        case relaxed
    }

    public let connection: Connection
    public let path: String
    public let clock: any MonotonicClock
    /// Receives the duration of each commit of changes.
    public var commitObserver: ((Duration) -> Void)?
    /// True for `init(readingBeside:)`.
    private let isReader: Bool
    /// Maximum time to wait for another writer.
    private let busyTimeout: Duration
    /// Time of the last timeout for the write lock.
    private var lastBusy: Instant?
    private let writerLock: FairWriterLock

    /// Opens a library; creates a missing file, and upgrades an older schema after writing a backup beside the file.
    init(
        path: String, options: LibraryOptions, clock: any MonotonicClock, migrations: [Migration] = Migration.all
    ) throws(LibraryError) {
        self.path = path
        self.clock = clock
        busyTimeout = options.busyTimeout
        isReader = false
        writerLock = FairWriterLock(path: path + "-turn")
        do {
            connection = try Connection(path: path, busyTimeout: busyTimeout, cacheKiB: options.cacheKiB)
            try EpisodeFinder.addFunctions(to: connection)
            try Migrator(connection, path: path, migrations: migrations).run()
            try connection.execute(
                "PRAGMA wal_autocheckpoint=\(options.checkpointPages); PRAGMA journal_size_limit=8388608")
        } catch {
            throw LibraryError(storing: error, path: path)
        }
    }

    /// Opens a library that is open elsewhere. Writers do not block reads. Writes only indexes that a query needs.
    /// - Throws: also for a schema that is not the present one.
    init(readingBeside path: String) throws(LibraryError) {
        self.path = path
        clock = SystemClock()
        isReader = true
        busyTimeout = Self.shortWait
        writerLock = FairWriterLock(path: path + "-turn")
        do {
            connection = try Connection(path: path, busyTimeout: busyTimeout, cacheKiB: Self.readerCacheKiB)
            try EpisodeFinder.addFunctions(to: connection)
        } catch {
            throw LibraryError(storing: error, path: path)
        }
        try read {}
    }

    /// Releases cached pages and prepared statements, for a process that becomes idle.
    public func releaseMemory() {
        connection.forgetStatements()
        connection.releaseMemory()
    }

    /// Checkpoints the WAL into the library's file before the process exits, so that the file is complete. Does not
    /// wait: pages that another process still needs stay in the WAL.
    public func checkpoint() throws(LibraryError) {
        do throws(SQLiteError) {
            try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        } catch {
            throw LibraryError(storing: error, path: path)
        }
    }

    /// Changes with each commit of another process. Call within a transaction.
    func dataVersion() throws -> Int { try connection.value("PRAGMA data_version") ?? 0 }

    // MARK: Transactions

    /// Runs a read-only body on one snapshot of the library.
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

    /// Runs a body as one transaction, which an error rolls back.
    /// - Parameter maximumWait: maximum time to wait for another writer; nil for `busyTimeout`.
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

    /// Commits and begins a new transaction, so that another writer can run in between. Call within `write`.
    func commitAndContinue(_ durability: Durability) throws {
        try commit()
        try begin(durability, maximumWait: busyTimeout)
    }

    /// An unfinished statement is a bug, but must not prevent later changes from being saved.
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
        // Reader connections write little, so they do not need to yield to other processes.
        if !isReader { writerLock.letOthersPass() }
        if try !connection.tryBeginImmediate() {
            // Waiting counts from when the job was queued, so queued jobs time out together, not one after another.
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

extension LibraryDatabase {
    /// Adds the next rows after a mark to an index, in one commit.
    /// - Parameters:
    ///   - mark: the column of `index_state` with the last indexed row.
    ///   - source: the rows, for FROM.
    ///   - insertion: adds the rows after `after` up to `through`.
    /// - Returns: true if there are more rows.
    public func index(
        mark: String, of source: String, rows: Int, _ insertion: (_ after: Int64, _ through: Int64) -> SQL
    ) throws(LibraryError) -> Bool {
        guard try read({ try nextRange(after: mark, of: source, rows: rows) }) != nil else { return false }
        return try write(.relaxed) {
            guard let range = try nextRange(after: mark, of: source, rows: rows) else { return false }
            try connection.run(insertion(range.after, range.through))
            try connection.run("UPDATE index_state SET \(raw: mark) = \(range.through)")
            return try nextRange(after: mark, of: source, rows: rows) != nil
        }
    }

    /// The next `rows` rows after a mark; nil if there are none.
    private func nextRange(
        after mark: String, of source: String, rows: Int
    ) throws -> (after: Int64, through: Int64)? {
        try connection.first(
            """
            SELECT \(raw: mark) AS start, (SELECT max(id) FROM
              (SELECT id FROM \(raw: source) WHERE id > \(raw: mark) ORDER BY id LIMIT \(rows))) AS "end"
            FROM index_state
            """
        ) { row in (row["end"] as Int64?).map { (row["start"], $0) } }.flatMap(\.self)
    }
}
