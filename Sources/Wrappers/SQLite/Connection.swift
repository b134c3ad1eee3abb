internal import CSQLite

/// An open database; one thread at a time.
///
/// The file is untrusted: its schema may call harmless functions only, SQL cannot write to the file's internal
/// structures, and the file is not memory-mapped, so that a disk error is an error instead of a signal.
@safe public final class Connection {
    /// When commits are synced to disk: `PRAGMA synchronous`.
    public enum Synchronous: String, Sendable {
        /// A power failure may lose the latest commits, killing the process none.
        case normal = "NORMAL"
        /// A commit is on disk when it returns.
        case full = "FULL"
    }

    let database: OpenDatabase
    /// Milliseconds.
    private let busyTimeout: Int32
    /// Kept for the handler that calls it.
    private var progress: ProgressWatch?
    private var statements: [SQLForm: Statement] = [:]
    private var currentSynchronous: Synchronous?

    public static let statementCacheLimit = 128

    /// SQLite's result, set once before the first database is opened; `SQLITE_MISUSE` if other code of the process has
    /// used SQLite before, which then keeps its statistics.
    private static let libraryConfiguration: Int32 = shim_disable_memory_statistics()

    /// Opens a database for reading and writing, and creates a missing file: sqlite3_open_v2(3). Its files are private
    /// to this user, independent of the process's mask and of earlier permissions.
    /// - Parameters:
    ///   - path: the file, or `:memory:`.
    ///   - busyTimeout: maximum wait for another connection's lock before `busy`.
    public init(path: String, busyTimeout: Duration, cacheKiB: Int) throws(SQLiteError) {
        if !path.isEmpty, path != ":memory:" { unsafe shim_make_private(path) }
        database = try Self.open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        self.busyTimeout = Self.milliseconds(busyTimeout)
        unsafe sqlite3_busy_timeout(handle, self.busyTimeout)
        try execute(
            "PRAGMA mmap_size=0; PRAGMA cache_size=-\(cacheKiB); PRAGMA foreign_keys=ON; PRAGMA secure_delete=OFF;"
                + " PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON")
    }

    private static func open(_ path: String, _ flags: Int32) throws(SQLiteError) -> OpenDatabase {
        var opened: OpaquePointer?
        _ = libraryConfiguration
        let code = unsafe sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            let error = unsafe SQLiteError.last(of: opened, code: code)
            unsafe sqlite3_close_v2(opened)
            throw error
        }
        let database = unsafe OpenDatabase(handle: handle)
        for (option, value) in hardening { try database.set(option, value) }
        return database
    }

    private static func milliseconds(_ time: Duration) -> Int32 {
        let (seconds, attoseconds) = time.components
        return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    /// Opens an untrusted database read-only. The file is treated as immutable, so SQLite takes no lock and writes no
    /// other files. A malicious schema can only cost time, which `isOverdue` limits.
    /// - Parameters:
    ///   - path: the file; a WAL beside it is not read.
    ///   - isOverdue: called after every thousand steps of SQLite's virtual machine, on the thread that uses the
    ///     connection; the statement fails when it returns true: sqlite3_progress_handler(3).
    public init(foreign path: String, isOverdue: @escaping () -> Bool) throws(SQLiteError) {
        database = try Self.open("file:\(Self.escaped(path))?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        busyTimeout = 0
        for (limit, value) in Self.foreignLimits { unsafe sqlite3_limit(handle, limit, value) }
        let watch = ProgressWatch(isOverdue)
        progress = watch
        unsafe sqlite3_progress_handler(
            handle, 1000,
            { box in
                guard let box = unsafe box else { return 0 }
                return unsafe Unmanaged<ProgressWatch>.fromOpaque(box).takeUnretainedValue().isOverdue() ? 1 : 0
            }, Unmanaged.passUnretained(watch).toOpaque())
        try execute("PRAGMA mmap_size=0; PRAGMA cache_size=-2048; PRAGMA query_only=ON; PRAGMA cell_size_check=ON")
    }

    private static let foreignLimits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_LENGTH, 16 << 20), (SQLITE_LIMIT_SQL_LENGTH, 100_000), (SQLITE_LIMIT_EXPR_DEPTH, 50),
        (SQLITE_LIMIT_ATTACHED, 0), (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_VDBE_OP, 100_000),
    ]

    /// A path escaped for a `file:` URI.
    private static func escaped(_ path: String) -> String {
        path.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "%": result += "%25"
            case "?": result += "%3f"
            case "#": result += "%23"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    private static let hardening: [(Int32, Int32)] = [
        (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
        (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    ]

    var handle: OpaquePointer { unsafe database.handle }

    /// A statement, new or from the cache: sqlite3_prepare_v3(3). A cached one is reset, but keeps its parameters. Do not use
    /// the same SQL text twice at the same time, because both uses share one statement.
    public func statement(_ sql: String) throws(SQLiteError) -> Statement { try statement(SQLForm(text: sql)) }

    func statement(_ form: SQLForm) throws(SQLiteError) -> Statement {
        if let kept = statements[form] {
            kept.reset()
            return kept
        }
        let sql = form.text
        var prepared: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else {
            throw unsafe SQLiteError.last(of: handle, code: code, statement: sql)
        }
        let statement = unsafe Statement(handle: prepared, database: database, text: sql)
        if statements.count >= Self.statementCacheLimit { statements.removeAll(keepingCapacity: true) }
        statements[form] = statement
        return statement
    }

    /// Runs statements without parameters and ignores their rows: sqlite3_exec(3).
    public func execute(_ script: String) throws(SQLiteError) {
        try database.check(unsafe sqlite3_exec(handle, script, nil, nil, nil), statement: script)
    }

    /// Sets when following transactions are synced. Must not be called inside a transaction.
    public func setSynchronous(_ mode: Synchronous) throws(SQLiteError) {
        if currentSynchronous == mode { return }
        try execute("PRAGMA synchronous=\(mode.rawValue)")
        currentSynchronous = mode
    }

    /// sqlite3_get_autocommit(3).
    public var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Begins a transaction with the write lock; waits up to the busy timeout.
    public func beginImmediate() throws(SQLiteError) { try statement("BEGIN IMMEDIATE").run() }

    /// Like `beginImmediate()` without waiting; false if another connection holds the lock.
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

    /// Begins a read transaction on one snapshot.
    public func beginReading() throws(SQLiteError) { try statement("BEGIN").run() }

    public func commit() throws(SQLiteError) { try statement("COMMIT").run() }

    /// Rolls the transaction back, unless SQLite has already done so.
    public func rollback() { if isInTransaction { unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) } }

    /// Runs a body within the transaction that has begun, and commits; an error rolls the transaction back.
    public func committing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// sqlite3_last_insert_rowid(3).
    public var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Number of rows that the last statement changed, without triggers: sqlite3_changes64(3).
    public var changedRows: Int64 { unsafe sqlite3_changes64(handle) }

    /// Number of rows changed by this connection since it was opened, with triggers: sqlite3_total_changes64(3).
    public var totalChanges: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// True to leave the WAL on closing: `SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE`. For files that must not change.
    public func setLeavesLogOnClose(_ leaves: Bool) throws(SQLiteError) {
        try database.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leaves ? 1 : 0)
    }

    /// True to allow SQL to edit the text of the schema: `SQLITE_DBCONFIG_DEFENSIVE` and `PRAGMA writable_schema`.
    /// Disabling reloads the schema. Only for repairs, because a wrong edit makes the file unreadable.
    public func setSchemaEditable(_ isEditable: Bool) throws(SQLiteError) {
        try database.set(SQLITE_DBCONFIG_DEFENSIVE, isEditable ? 0 : 1)
        try execute("PRAGMA writable_schema=\(isEditable ? "ON" : "RESET")")
    }

    /// `SQLITE_DBCONFIG_ENABLE_TRIGGER`. False to insert rows that triggers have already processed.
    public func setRunsTriggers(_ runs: Bool) throws(SQLiteError) {
        try database.set(SQLITE_DBCONFIG_ENABLE_TRIGGER, runs ? 1 : 0)
    }

    /// Releases cached pages to the allocator: sqlite3_db_release_memory(3).
    public func releaseMemory() { unsafe sqlite3_db_release_memory(handle) }

    /// Clears the statement cache; statements in use stay valid.
    public func forgetStatements() { statements.removeAll() }

    /// Copies a snapshot of the database to another file: sqlite3_backup_step(3). Does not block writers in WAL mode.
    /// The file is synced before this returns.
    /// - Parameter progress: called after each megabyte with the completed fraction, 0 to 1.
    public func backup(to path: String, progress: (Double) -> Void = { _ in }) throws(SQLiteError) {
        // Read one snapshot for all steps. Otherwise a commit by another connection would restart the copy.
        try beginReading()
        defer { rollback() }
        try execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        let target = try Connection(path: path, busyTimeout: .zero, cacheKiB: 256)
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
        try target.database.check(finished)
        if stepped != SQLITE_DONE { throw unsafe SQLiteError.last(of: target.handle, code: stepped) }
    }
}

/// The open database; closed when the connection and its last statement are released.
@safe final class OpenDatabase {
    let handle: OpaquePointer

    init(handle: OpaquePointer) { unsafe self.handle = handle }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// sqlite3_db_config(3).
    func set(_ option: Int32, _ value: Int32) throws(SQLiteError) {
        try check(unsafe shim_db_config(handle, option, value))
    }

    /// Throws the error of the last call unless its result is `SQLITE_OK`.
    func check(_ code: Int32, statement: String? = nil) throws(SQLiteError) {
        if code != SQLITE_OK { throw unsafe SQLiteError.last(of: handle, code: code, statement: statement) }
    }
}

/// Keeps a progress handler's closure alive.
private final class ProgressWatch {
    let isOverdue: () -> Bool
    init(_ isOverdue: @escaping () -> Bool) { self.isOverdue = isOverdue }
}
