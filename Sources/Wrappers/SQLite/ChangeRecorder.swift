internal import CSQLite

/// Records a connection's changes of some tables, also through triggers and foreign keys: sqlite3session_create(3).
///
/// Omits rows that are unchanged in the end, and rolled back transactions. Release the recorder before the connection
/// makes changes that must not be recorded.
@safe public final class ChangeRecorder {
    private let session: OpaquePointer
    private let database: OpenDatabase

    /// - Parameter tables: their changes are ordered like this; each table needs a primary key.
    public init(_ connection: Connection, tables: [String]) throws(SQLiteError) {
        var created: OpaquePointer?
        let code = unsafe sqlite3session_create(connection.handle, "main", &created)
        guard code == SQLITE_OK, let session = unsafe created else {
            throw unsafe SQLiteError.last(of: connection.handle, code: code)
        }
        unsafe self.session = session
        database = connection.database
        for table in tables { try database.check(unsafe sqlite3session_attach(session, table)) }
    }

    deinit { unsafe sqlite3session_delete(session) }

    /// Runs a body whose changes are not recorded: sqlite3session_enable(3).
    public func pausing<Result>(_ body: () throws -> Result) rethrows -> Result {
        unsafe sqlite3session_enable(session, 0)
        defer { unsafe sqlite3session_enable(session, 1) }
        return try body()
    }

    /// The changes so far: sqlite3session_changeset(3).
    public func changes() throws(SQLiteError) -> Changeset {
        var count: Int32 = 0
        var start: UnsafeMutableRawPointer?
        let code = unsafe sqlite3session_changeset(session, &count, &start)
        defer { unsafe sqlite3_free(start) }
        try database.check(code)
        return unsafe Changeset(bytes: [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count))))
    }
}

/// Changes of rows in stored form.
public struct Changeset: Equatable, Sendable {
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// sqlite3changeset_start(3). SQLite reads some damaged changesets without end, so stored ones need a checksum.
    /// - Throws: `corrupt` if the bytes are not a changeset.
    public func rows() throws(SQLiteError) -> [ChangedRow] {
        if bytes.isEmpty { return [] }
        var copy = bytes
        var rows: [ChangedRow] = []
        let code = unsafe copy.withUnsafeMutableBytes { buffer in
            var started: OpaquePointer?
            let code = unsafe sqlite3changeset_start(&started, Int32(buffer.count), buffer.baseAddress)
            guard code == SQLITE_OK, let iterator = unsafe started else { return code }
            while unsafe sqlite3changeset_next(iterator) == SQLITE_ROW { rows.append(unsafe Self.row(iterator)) }
            return unsafe sqlite3changeset_finalize(iterator)
        }
        if code != SQLITE_OK { throw SQLiteError(extendedCode: code, message: "a record of changes cannot be read") }
        return rows
    }

    private static func row(_ iterator: OpaquePointer) -> ChangedRow {
        var (name, count, operation, isIndirect): (UnsafePointer<CChar>?, Int32, Int32, Int32) = (nil, 0, 0, 0)
        unsafe sqlite3changeset_op(iterator, &name, &count, &operation, &isIndirect)
        var keys: UnsafeMutablePointer<UInt8>?
        unsafe sqlite3changeset_pk(iterator, &keys, nil)
        let kind: ChangedRow.Kind =
            operation == SQLITE_INSERT ? .inserted : operation == SQLITE_DELETE ? .deleted : .updated
        var row = ChangedRow(table: unsafe name.map { unsafe String(cString: $0) } ?? "", kind: kind)
        for column in 0..<count {
            var value: OpaquePointer?
            if row.kind != .inserted { unsafe sqlite3changeset_old(iterator, column, &value) }
            row.before.append(unsafe value.map { unsafe Self.value($0) })
            unsafe value = nil
            if row.kind != .deleted { unsafe sqlite3changeset_new(iterator, column, &value) }
            row.after.append(unsafe value.map { unsafe Self.value($0) })
            if let keys = unsafe keys, unsafe keys[Int(column)] != 0 { row.keys.append(Int(column)) }
        }
        return row
    }

    private static func value(_ value: OpaquePointer) -> SQLValue {
        let count = Int(unsafe sqlite3_value_bytes(value))
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_value_int64(value))
        case SQLITE_TEXT:
            let text = unsafe UnsafeBufferPointer(start: sqlite3_value_text(value), count: count)
            return .text(unsafe String(decoding: text, as: UTF8.self))
        case SQLITE_BLOB:
            return .blob(unsafe [UInt8](UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: count)))
        default: return .null
        }
    }
}

/// One row that was changed.
public struct ChangedRow: Equatable, Sendable {
    public enum Kind: Sendable {
        case inserted, updated, deleted
    }

    public var table: String
    public var kind: Kind
    /// Values before; nil for unchanged columns of an updated row, except its keys, and for an inserted row.
    public var before: [SQLValue?] = []
    /// Values after; nil as in `before`. The keys of an updated row are in `before` alone.
    public var after: [SQLValue?] = []
    public var keys: [Int] = []

    public func value(_ column: Int) -> SQLValue? { before[column] ?? after[column] }

    public var inverse: ChangedRow {
        var row = self
        row.before = after
        row.after = before
        switch kind {
        case .inserted: row.kind = .deleted
        case .deleted: row.kind = .inserted
        case .updated:
            for key in keys {
                row.before[key] = before[key]
                row.after[key] = nil
            }
        }
        return row
    }
}
