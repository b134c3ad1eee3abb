/// The current row of a statement, read by the names of its columns. Valid until the next row is read.
///
/// A non-optional type reads NULL as 0, false or an empty text. An unknown name ends the program.
public struct Row {
    @usableFromInline let statement: Statement

    init(_ statement: Statement) { self.statement = statement }

    @inlinable
    public subscript<Value: SQLReadable>(_ name: StaticString) -> Value? {
        Value.read(statement, statement.column(name))
    }

    /// NULL becomes the type's default.
    @inlinable
    public subscript<Value: SQLDefaulting>(_ name: StaticString) -> Value {
        Value.read(statement, statement.column(name)) ?? Value.sqlDefault
    }
}

/// A value that is made from one row, whose columns it knows by name.
public protocol FetchableRecord {
    init(row: Row) throws
}

/// The rows of a statement. The statement is reset when this value is destroyed, also before its last row.
public struct Rows: ~Copyable {
    private let statement: Statement

    init(_ statement: Statement) { self.statement = statement }

    deinit { statement.reset() }

    /// The next row; nil at the end. After that, do not call it again.
    public func next() throws(SQLiteError) -> Row? { try statement.step() ? Row(statement) : nil }
}

extension Connection {
    public func prepared(_ sql: SQL) throws(SQLiteError) -> Statement {
        let statement = try statement(sql.form)
        for (index, value) in sql.values.enumerated() { try statement.bind(Int32(index) + 1, value) }
        return statement
    }

    public func run(_ sql: SQL) throws(SQLiteError) { try prepared(sql).run() }

    /// The rows of a statement. Until they end, do not run the same text with other values.
    public func rows(_ sql: SQL) throws(SQLiteError) -> Rows { Rows(try prepared(sql)) }

    /// Skips rows for which `read` returns nil.
    public func all<Value>(_ sql: SQL, _ read: (Row) throws -> Value?) throws -> [Value] {
        let rows = try rows(sql)
        var values: [Value] = []
        while let row = try rows.next() { if let value = try read(row) { values.append(value) } }
        return values
    }

    public func all<Record: FetchableRecord>(_ sql: SQL) throws -> [Record] {
        try all(sql) { try Record(row: $0) }
    }

    /// Reads the first column of all rows, without NULL.
    public func column<Value: SQLReadable>(_ sql: SQL) throws -> [Value] {
        try all(sql) { Value.read($0.statement, 0) }
    }

    /// Reads the first two columns of all rows: unique keys, and their values.
    public func dictionary<Key: SQLReadable & Hashable, Value: SQLReadable>(_ sql: SQL) throws -> [Key: Value] {
        let pairs: [(Key, Value)] = try all(sql) { row in
            guard let key = Key.read(row.statement, 0), let value = Value.read(row.statement, 1) else { return nil }
            return (key, value)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    public func first<Value>(_ sql: SQL, _ read: (Row) throws -> Value?) throws -> Value? {
        let statement = try prepared(sql)
        defer { statement.reset() }
        return try statement.step() ? try read(Row(statement)) : nil
    }

    public func first<Record: FetchableRecord>(_ sql: SQL) throws -> Record? {
        try first(sql) { try Record(row: $0) }
    }

    /// Reads the first column of the first row; nil if it is NULL or there is no row.
    public func value<Value: SQLReadable>(_ sql: SQL) throws -> Value? {
        try first(sql) { Value.read($0.statement, 0) }
    }

    public func exists(_ sql: SQL) throws(SQLiteError) -> Bool { try rows(sql).next() != nil }
}
