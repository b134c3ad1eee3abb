internal import CSQLite

/// An open database, used by one thread at a time.
///
/// It is opened distrustful of its own file: the schema may call no function that is not harmless, the file's
/// internals cannot be written by SQL, and nothing is mapped into memory, so a damaged disk is an error and no signal.
@safe public final class Connection {
    /// How much waits for the disk at a commit: `PRAGMA synchronous`.
    public enum Synchronous: String, Sendable {
        /// In WAL mode the log is not synced at a commit: a power cut may lose the last ones, a killed process none.
        case normal = "NORMAL"
        /// A commit is on disk when it returns.
        case full = "FULL"
    }

    private let database: OpenDatabase
    private let busyTimeout: Int32
    private var statements: [String: Statement] = [:]
    private var currentSynchronous: Synchronous?

    /// How many prepared statements are kept.
    public static let statementCacheLimit = 128

    /// Opens a database for reading and writing and makes the file if it is missing: sqlite3_open_v2(3).
    ///
    /// - Parameters:
    ///   - path: the file, or `:memory:`.
    ///   - busyTimeout: milliseconds to wait for another connection's lock before `busy`.
    ///   - cacheKiB: kibibytes of pages to keep.
    public init(path: String, busyTimeout: Int32, cacheKiB: Int) throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let database = unsafe opened else {
            let error = unsafe SQLiteError.last(of: opened, code: code)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe self.database = OpenDatabase(handle: database)
        self.busyTimeout = busyTimeout
        for (option, value) in Self.hardening {
            let code = unsafe shim_db_config(database, option, value)
            if code != SQLITE_OK { throw unsafe SQLiteError.last(of: database, code: code) }
        }
        unsafe sqlite3_busy_timeout(database, busyTimeout)
        try execute(
            "PRAGMA mmap_size=0; PRAGMA cache_size=-\(cacheKiB); PRAGMA foreign_keys=ON; PRAGMA secure_delete=OFF;"
                + " PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON")
    }

    /// Opens a stranger's database for reading alone: the file is taken as one that nobody changes meanwhile, so no lock
    /// is taken and nothing is written beside it. What its schema says cannot do more than take time, and that is bounded.
    ///
    /// - Parameters:
    ///   - path: the file; a log beside it is not read.
    ///   - steps: steps of SQLite's virtual machine, in thousands, after which every statement fails.
    public init(foreign path: String, thousandSteps steps: Int32) throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2("file:\(Self.escaped(path))?immutable=1", &opened, flags, nil)
        guard code == SQLITE_OK, let database = unsafe opened else {
            let error = unsafe SQLiteError.last(of: opened, code: code)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        unsafe self.database = OpenDatabase(handle: database)
        busyTimeout = 0
        for (option, value) in Self.hardening {
            let code = unsafe shim_db_config(database, option, value)
            if code != SQLITE_OK { throw unsafe SQLiteError.last(of: database, code: code) }
        }
        for (limit, value) in Self.foreignLimits { unsafe sqlite3_limit(database, limit, value) }
        unsafe shim_limit_steps(database, steps)
        try execute("PRAGMA mmap_size=0; PRAGMA cache_size=-2048; PRAGMA query_only=ON; PRAGMA cell_size_check=ON")
    }

    private static let foreignLimits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_LENGTH, 64 << 20), (SQLITE_LIMIT_SQL_LENGTH, 100_000), (SQLITE_LIMIT_EXPR_DEPTH, 50),
        (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_VDBE_OP, 100_000),
    ]

    /// A path within a `file:` URI.
    private static func escaped(_ path: String) -> String {
        var result = ""
        for scalar in path.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "?": result += "%3f"
            case "#": result += "%23"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static let hardening: [(Int32, Int32)] = [
        (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
        (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    ]

    var handle: OpaquePointer { unsafe database.handle }

    /// A statement, prepared now or kept from before: sqlite3_prepare_v3(3). It comes reset, and with the parameters
    /// of its last use; two uses of one text at a time would disturb each other.
    public func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let kept = statements[sql] {
            kept.reset()
            return kept
        }
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else {
            throw unsafe SQLiteError.last(of: handle, code: code, statement: sql)
        }
        let statement = unsafe Statement(handle: prepared, database: database, text: sql)
        if statements.count >= Self.statementCacheLimit { statements.removeAll(keepingCapacity: true) }
        statements[sql] = statement
        return statement
    }

    /// Runs statements without parameters and passes their rows over: sqlite3_exec(3).
    public func execute(_ script: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, script, nil, nil, nil)
        if code != SQLITE_OK { throw unsafe SQLiteError.last(of: handle, code: code, statement: script) }
    }

    /// Sets how much the next transactions wait for the disk; nothing happens when it is so already. Not inside a
    /// transaction.
    public func setSynchronous(_ mode: Synchronous) throws(SQLiteError) {
        if currentSynchronous == mode { return }
        try execute("PRAGMA synchronous=\(mode.rawValue)")
        currentSynchronous = mode
    }

    /// Whether a transaction is open: sqlite3_get_autocommit(3).
    public var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Takes the write lock and begins, waiting up to the busy time-out.
    public func beginImmediate() throws(SQLiteError) { try statement("BEGIN IMMEDIATE").run() }

    /// Takes the write lock and begins, without waiting.
    /// - Returns: whether nobody else holds the lock.
    public func tryBeginImmediate() throws(SQLiteError) -> Bool {
        unsafe sqlite3_busy_timeout(handle, 0)
        defer { unsafe sqlite3_busy_timeout(handle, busyTimeout) }
        do {
            try beginImmediate()
            return true
        } catch {
            if error.code == .busy { return false }
            throw error
        }
    }

    /// Begins to read one snapshot.
    public func beginReading() throws(SQLiteError) { try statement("BEGIN").run() }

    /// Makes the transaction's changes durable and visible.
    public func commit() throws(SQLiteError) { try statement("COMMIT").run() }

    /// Gives up the transaction, if SQLite has not done so itself.
    public func rollback() {
        if isInTransaction { unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }

    /// Resets what was begun and neither came to its end nor was reset: it would keep the snapshot that it reads, and
    /// nothing could be written after another process has.
    /// - Returns: the SQL of such statements; none, unless somebody forgot one.
    public func endStatements() -> [String] {
        var forgotten: [String] = []
        var next = unsafe sqlite3_next_stmt(handle, nil)
        while let statement = unsafe next {
            if unsafe sqlite3_stmt_busy(statement) != 0 {
                if let sql = unsafe sqlite3_sql(statement) { forgotten.append(unsafe String(cString: sql)) }
                unsafe sqlite3_reset(statement)
            }
            unsafe next = sqlite3_next_stmt(handle, statement)
        }
        return forgotten
    }

    /// The row number of the last row inserted: sqlite3_last_insert_rowid(3).
    public var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Rows that the last statement itself changed, without those of triggers: sqlite3_changes64(3).
    public var changedRows: Int64 { unsafe sqlite3_changes64(handle) }

    /// Rows that this connection has changed since it was opened, with those of triggers: sqlite3_total_changes64(3).
    public var totalChanges: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// Whether closing leaves the write-ahead log as it is instead of taking it into the file:
    /// `SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`. For a file that must stay as it was found.
    public func setLeavesLogOnClose(_ leaves: Bool) throws(SQLiteError) {
        let code = unsafe shim_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leaves ? 1 : 0)
        if code != SQLITE_OK { throw unsafe SQLiteError.last(of: handle, code: code) }
    }

    /// Whether SQL may edit the schema's own text: `SQLITE_DBCONFIG_DEFENSIVE` and `PRAGMA writable_schema`. The schema is
    /// read anew when that ends. Only for a migration: a wrong edit makes the file unreadable.
    public func setSchemaEditable(_ isEditable: Bool) throws(SQLiteError) {
        let code = unsafe shim_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, isEditable ? 0 : 1)
        if code != SQLITE_OK { throw unsafe SQLiteError.last(of: handle, code: code) }
        try execute("PRAGMA writable_schema=\(isEditable ? "ON" : "RESET")")
    }

    /// Whether triggers run: `SQLITE_DBCONFIG_ENABLE_TRIGGER`. For filling tables with rows that they have seen before.
    public func setRunsTriggers(_ runs: Bool) throws(SQLiteError) {
        let code = unsafe shim_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, runs ? 1 : 0)
        if code != SQLITE_OK { throw unsafe SQLiteError.last(of: handle, code: code) }
    }

    /// Gives cached pages back to the allocator: sqlite3_db_release_memory(3).
    public func releaseMemory() { unsafe sqlite3_db_release_memory(handle) }

    /// Forgets the prepared statements; those in use live on with their users.
    public func forgetStatements() { statements.removeAll() }

    /// Copies the whole database, as it is at one instant, to another file: sqlite3_backup_step(3). In WAL mode nobody
    /// is kept from writing meanwhile.
    ///
    /// - Parameters:
    ///   - path: a file that does not exist, or is overwritten; it is synced to disk before this returns.
    ///   - progress: told after each megabyte how much is done, 0 to 1.
    public func backup(to path: String, progress: (Double) -> Void = { _ in }) throws(SQLiteError) {
        // One snapshot for all steps, which begins with the first read; without it another writer's commit would make
        // the copy begin anew.
        try beginReading()
        defer { rollback() }
        try execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        let target = try Connection(path: path, busyTimeout: 0, cacheKiB: 256)
        try target.setSynchronous(.full)
        guard let copying = unsafe sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw unsafe SQLiteError.last(of: target.handle, code: sqlite3_extended_errcode(target.handle))
        }
        var stepped = SQLITE_OK
        while stepped == SQLITE_OK {
            stepped = unsafe sqlite3_backup_step(copying, 256)
            let (pages, left) = unsafe (sqlite3_backup_pagecount(copying), sqlite3_backup_remaining(copying))
            if pages > 0 { progress(Double(pages - left) / Double(pages)) }
        }
        let finished = unsafe sqlite3_backup_finish(copying)
        if stepped != SQLITE_DONE {
            let code = finished == SQLITE_OK ? stepped : finished
            throw unsafe SQLiteError.last(of: target.handle, code: code)
        }
        if finished != SQLITE_OK { throw unsafe SQLiteError.last(of: target.handle, code: finished) }
    }
}

/// The open database itself: it closes when the connection and its last statement are gone.
@safe final class OpenDatabase {
    let handle: OpaquePointer

    init(handle: OpaquePointer) { unsafe self.handle = handle }

    deinit { unsafe sqlite3_close_v2(handle) }
}
