internal import PodcastModel
internal import SQLite

/// Transactions. Another process may use the same file at the same time: each transaction takes the write lock at its
/// beginning, waits a limited time for the other's commit, and checks that the schema is still the one this program knows.
extension LibraryStore {
    /// Maximum rows of a commit, so that no other writer waits long.
    static let rowsPerCommit = 200
    /// A long transaction holds the write lock for at most this time before each commit.
    static let commitInterval = Duration.milliseconds(50)
    /// Limit for waiting for another writer (which commits each `commitInterval`) before recording a position or
    /// updating an index for a query. Another attempt follows soon, and users may wait for this one.
    static let shortWait = Duration.milliseconds(200)
    /// A transaction that starts within this time after a timeout counts as queued meanwhile.
    private static let busyInARow = Duration.milliseconds(50)

    public enum Durability: Sendable {
        /// A change acknowledged to a user: on disk before the call returns.
        case synced
        /// Survives a killed process, but possibly not a power failure.
        case relaxed
    }

    /// Changes with each commit of another process. Call within a transaction.
    func dataVersion() throws -> Int { try connection.value("PRAGMA data_version") ?? 0 }

    /// Runs a read-only body on one snapshot; within a transaction, as a part of it.
    public func read<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result {
        do {
            if connection.isInTransaction { return try body() }
            try connection.beginReading()
            return try connection.committing {
                try checkSchema()
                return try body()
            }
        } catch {
            throw LibraryError(storing: error, path: path)
        }
    }

    /// Runs a body as one transaction, which an error rolls back; within a transaction, as a part of it.
    /// - Parameter maximumWait: maximum time to wait for another writer; nil for `busyTimeout`.
    public func write<Result>(
        _ durability: Durability, maximumWait: Duration? = nil, _ body: () throws -> Result
    ) throws(LibraryError) -> Result {
        do {
            if connection.isInTransaction { return try body() }
            try begin(durability, maximumWait: maximumWait ?? busyTimeout)
            let result = try connection.committing {
                try checkSchema()
                return try body()
            }
            commitObserver?()
            return result
        } catch {
            throw LibraryError(storing: error, path: path)
        }
    }

    /// Runs a body as one relaxed transaction if there is something to write; a look before that takes no lock.
    /// - Parameter nothing: the result if there is nothing.
    func write<Found, Result>(
        ifAny find: () throws -> Found?, else nothing: Result, _ body: (Found) throws -> Result
    ) throws(LibraryError) -> Result {
        if try read(find) == nil { return nothing }
        return try write(.relaxed) { try find().map(body) ?? nothing }
    }

    /// Runs a body as one transaction and rolls the transaction back: returns what the same calls would return, and changes nothing.
    ///
    /// The library is not copied for this, because a copy of a million episodes takes gigabytes of the disk and minutes. The body has
    /// the write lock until it ends, so pass a body that writes at most a few hundred rows: other processes wait no longer than for
    /// a commit.
    public func trying<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result {
        do {
            try begin(.relaxed, maximumWait: busyTimeout)
            isTrial = true
            defer {
                isTrial = false
                connection.rollback()
            }
            try checkSchema()
            return try body()
        } catch {
            throw LibraryError(storing: error, path: path)
        }
    }

    /// Commits and begins a new transaction, so that another writer can run in between. Call within `write`.
    func commitAndContinue(_ durability: Durability) throws {
        if isTrial { return }
        try history.storePart()
        try connection.commit()
        commitObserver?()
        try begin(durability, maximumWait: busyTimeout)
        try checkSchema()
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
    }

    private func checkSchema() throws {
        let found: Int = try connection.value("PRAGMA user_version") ?? 0
        if found > Self.schemaVersion { throw LibraryError.newerSchema(found: found, known: Self.schemaVersion) }
        if found < Self.schemaVersion { throw LibraryError.damaged("the schema version decreased to \(found)") }
    }

    /// Adds the next rows after a mark to an index, in one commit.
    /// - Parameters:
    ///   - mark: the column of `index_state` with the last indexed row.
    ///   - source: the rows, for FROM.
    ///   - insertion: adds the rows after `after` up to `through`.
    /// - Returns: true if there are more rows.
    func index(
        mark: String, of source: String, rows: Int, _ insertion: (_ after: Int64, _ through: Int64) -> SQL
    ) throws(LibraryError) -> Bool {
        func next() throws -> (after: Int64, through: Int64)? { try nextRange(after: mark, of: source, rows: rows) }
        return try write(ifAny: next, else: false) { range in
            try connection.run(insertion(range.after, range.through))
            try connection.run("UPDATE index_state SET \(raw: mark) = \(range.through)")
            return try next() != nil
        }
    }

    /// Nil if there are no rows after the mark.
    private func nextRange(after mark: String, of source: String, rows: Int) throws -> (after: Int64, through: Int64)? {
        try connection.first(
            """
            SELECT \(raw: mark) AS start, (SELECT max(id) FROM
              (SELECT id FROM \(raw: source) WHERE id > \(raw: mark) ORDER BY id LIMIT \(rows))) AS "end"
            FROM index_state
            """
        ) { row in (row["end"] as Int64?).map { (row["start"], $0) } }
    }
}
