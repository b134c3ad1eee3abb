internal import CSQLite

/// A prepared statement of a `Connection`; used on the connection's thread.
///
/// Parameters are numbered from 1, columns from 0, as in SQLite. After `step()` has returned false, and after `run()`,
/// the statement is ready for its next use; a loop that ends early must call `reset()`. A statement that is not reset
/// keeps a read transaction open, which prevents checkpoints of the WAL.
@safe public final class Statement {
    private let handle: OpaquePointer
    private let database: OpenDatabase
    let text: String
    /// Columns that were read by name, in the order of their first use. Literals are compared by address.
    private var columns: [(name: UInt, column: Int32)] = []
    /// Where `column(_:)` looks first: the place after the last name.
    private var nextName = 0

    init(handle: OpaquePointer, database: OpenDatabase, text: String) {
        unsafe self.handle = handle
        self.database = database
        self.text = text
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// SQLite keeps a copy: sqlite3_bind_text64(3), sqlite3_bind_blob64(3).
    public func bind(_ index: Int32, _ value: (some SQLBindable)?) throws(SQLiteError) {
        let code =
            switch value?.sqlValue ?? .null {
            case .null: unsafe sqlite3_bind_null(handle, index)
            case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
            case .text(var text):
                text.withUTF8 { unsafe shim_bind_text(handle, index, $0.baseAddress, UInt64($0.count)) }
            case .blob(let bytes):
                unsafe bytes.withUnsafeBytes {
                    unsafe shim_bind_blob(handle, index, $0.baseAddress, UInt64($0.count))
                }
            }
        try database.check(code, statement: text)
    }

    /// Advances to the next row: sqlite3_step(3). Returns false at the end. Resets the statement then and on errors.
    public func step() throws(SQLiteError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE {
            unsafe sqlite3_reset(handle)
            return false
        }
        let error = unsafe SQLiteError.last(of: database.handle, code: code, statement: text)
        unsafe sqlite3_reset(handle)
        throw error
    }

    /// Ignores rows.
    public func run() throws(SQLiteError) { while try step() {} }

    /// Ends the current execution: sqlite3_reset(3). Parameters keep their values.
    public func reset() { unsafe sqlite3_reset(handle) }

    /// Number of virtual machine steps since the last call: sqlite3_stmt_status(3). Independent of the machine's load,
    /// so that tests can compare it with a limit.
    public func takeSteps() -> Int { Int(unsafe sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1)) }

    /// Number of the column with this name: sqlite3_column_name(3). Rows are read in the same order each time, so the
    /// name is nearly always the one after the last.
    @usableFromInline
    func column(_ name: StaticString) -> Int32 {
        let address = unsafe UInt(bitPattern: name.utf8Start)
        if nextName < columns.count, columns[nextName].name == address {
            defer { nextName += 1 }
            return columns[nextName].column
        }
        for (place, known) in columns.enumerated() where known.name == address {
            nextName = place + 1
            return known.column
        }
        for column in 0..<(unsafe sqlite3_column_count(handle)) {
            guard let found = unsafe sqlite3_column_name(handle, column) else { continue }
            if unsafe String(cString: found) != String(describing: name) { continue }
            columns.append((address, column))
            nextName = columns.count
            return column
        }
        preconditionFailure("no column \(name) in: \(text)")
    }

    public func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// 0 for NULL.
    public func int64(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    public func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }

    /// 0 for NULL.
    public func int(_ column: Int32) -> Int { Int(int64(column)) }

    public func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }

    /// False for 0 and NULL.
    public func bool(_ column: Int32) -> Bool { int64(column) != 0 }

    /// Nil for NULL: sqlite3_column_text(3). Invalid UTF-8 is repaired.
    public func optionalText(_ column: Int32) -> String? {
        guard let start = unsafe sqlite3_column_text(handle, column) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Nil for NULL: sqlite3_column_blob(3).
    func optionalBlob(_ column: Int32) -> [UInt8]? {
        if isNull(column) { return nil }
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Empty for NULL.
    public func text(_ column: Int32) -> String { optionalText(column) ?? "" }
}
