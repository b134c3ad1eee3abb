internal import CSQLite

/// A failed call of libsqlite3. Contains no bound parameters, so that it can be shown and logged.
public struct SQLiteError: Error, Equatable, CustomStringConvertible {
    /// A primary result code. Usable as a pattern: `catch SQLiteError.Code.full`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number, such as `SQLITE_FULL`.
        public let rawValue: Int32
        /// Drops the extended part of a result code.
        public init(rawValue: Int32) { self.rawValue = rawValue & 0xFF }

        /// A failure without a more specific code.
        public static let error = Code(rawValue: SQLITE_ERROR)
        /// Another connection held the lock longer than the busy timeout.
        public static let busy = Code(rawValue: SQLITE_BUSY)
        /// A table is locked within this connection.
        public static let locked = Code(rawValue: SQLITE_LOCKED)
        public static let noMemory = Code(rawValue: SQLITE_NOMEM)
        /// The file or its directory is read-only.
        public static let readOnly = Code(rawValue: SQLITE_READONLY)
        /// Reading or writing the file failed.
        public static let inputOutput = Code(rawValue: SQLITE_IOERR)
        public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        /// The disk is full, or the file has reached its maximum size.
        public static let full = Code(rawValue: SQLITE_FULL)
        public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        public static let permission = Code(rawValue: SQLITE_PERM)
        /// A text or blob exceeds SQLite's limit.
        public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
    }

    public let code: Code
    /// The extended result code, such as `SQLITE_IOERR_FSYNC`.
    let extendedCode: Int32
    public let message: String
    /// The failed SQL text, without parameters; nil for a call without SQL.
    public let statement: String?

    init(extendedCode: Int32, message: String, statement: String? = nil) {
        self.code = Code(rawValue: extendedCode)
        self.extendedCode = extendedCode
        self.message = message
        self.statement = statement
    }

    public enum Constraint: Sendable {
        case foreignKey, unique
    }

    /// The constraint that rejected a row; nil for other constraints and other errors.
    public var constraint: Constraint? {
        switch extendedCode {
        case SQLITE_CONSTRAINT | (3 << 8): .foreignKey
        case SQLITE_CONSTRAINT | (8 << 8), SQLITE_CONSTRAINT | (6 << 8): .unique
        default: nil
        }
    }

    public var description: String {
        let place = statement.map { " in: \($0)" } ?? ""
        return "SQLite \(extendedCode): \(message)\(place)"
    }

    /// The error of a connection's last call: sqlite3_errmsg(3).
    static func last(of database: OpaquePointer?, code: Int32, statement: String? = nil) -> SQLiteError {
        // Without a connection, because memory for it was missing, there is no message.
        let text = unsafe database.map { unsafe sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        let message = unsafe text.map { unsafe String(cString: $0) } ?? "error \(code)"
        return SQLiteError(extendedCode: code, message: message, statement: statement)
    }
}

extension SQLiteError.Code {
    /// For `catch` and `case`.
    public static func ~= (code: SQLiteError.Code, error: any Error) -> Bool { (error as? SQLiteError)?.code == code }
}
