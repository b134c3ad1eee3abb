/// SQL with the values of its parameters, written by interpolation: `"SELECT title FROM feed WHERE id = \(id)"`.
///
/// Each value becomes a parameter, so the text is the same for all values: `Connection` prepares it once.
public struct SQL: ExpressibleByStringInterpolation, Sendable {
    /// The text, with a `?` for each value.
    public private(set) var text: String
    /// The values of the parameters, in order.
    public private(set) var values: [SQLValue]

    /// A literal without values.
    public init(stringLiteral text: String) { self.init(raw: text) }

    /// A literal with values.
    public init(stringInterpolation parts: StringInterpolation) { (text, values) = (parts.text, parts.values) }

    /// Creates SQL from text that was put together by the program. Nothing in it is escaped.
    public init(raw text: String) { (self.text, values) = (text, []) }

    /// Joins two pieces; their values keep their order.
    public static func + (left: SQL, right: SQL) -> SQL {
        var joined = left
        joined.text += right.text
        joined.values += right.values
        return joined
    }

    /// Collects the pieces of an SQL literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        var values: [SQLValue] = []

        /// No pieces yet.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount)
            values.reserveCapacity(interpolationCount)
        }

        /// Adds text as it is.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a parameter with its value.
        public mutating func appendInterpolation(_ value: some SQLBindable) {
            text += "?"
            values.append(value.sqlValue)
        }

        /// Adds a parameter with its value; nil is NULL.
        public mutating func appendInterpolation<Value: SQLBindable>(_ value: Value?) {
            text += "?"
            values.append(value?.sqlValue ?? .null)
        }

        /// Inserts SQL together with its values.
        public mutating func appendInterpolation(_ sql: SQL) {
            text += sql.text
            values += sql.values
        }

        /// Writes a raw value, such as that of an enum's case, into the text. Other than a parameter it lets SQLite use
        /// partial indexes. Each value makes another statement.
        public mutating func appendInterpolation<Value: RawRepresentable>(literal value: Value)
        where Value.RawValue: BinaryInteger {
            text += String(value.rawValue)
        }

        /// Writes a number into the text. Each number makes another statement.
        public mutating func appendInterpolation(literal value: Int) { text += String(value) }

        /// Writes text as it is, such as the name of a table. Nothing in it is escaped.
        public mutating func appendInterpolation(raw text: String) { self.text += text }
    }
}

extension Sequence<SQL> {
    /// Joins pieces with a text between them.
    public func joined(_ separator: String) -> SQL {
        var parts = SQL.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        for (index, piece) in enumerated() {
            if index > 0 { parts.appendLiteral(separator) }
            parts.appendInterpolation(piece)
        }
        return SQL(stringInterpolation: parts)
    }
}

/// A value as SQLite stores it.
public enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case text(String)
}

/// A type whose values can be parameters of a statement.
public protocol SQLBindable {
    var sqlValue: SQLValue { get }
}

/// A type whose values can be read from a column.
public protocol SQLReadable {
    /// Reads a column of the current row; nil for NULL and for what is not a value of this type.
    static func read(_ statement: Statement, _ column: Int32) -> Self?
}

/// A readable type that has a value for NULL.
public protocol SQLDefaulting: SQLReadable {
    /// What a column that is NULL reads as.
    static var sqlDefault: Self { get }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    /// See `SQLBindable`.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

extension SQLBindable where Self: RawRepresentable, RawValue: SQLBindable {
    /// See `SQLBindable`.
    public var sqlValue: SQLValue { rawValue.sqlValue }
}

extension SQLReadable where Self: RawRepresentable, RawValue: SQLReadable {
    /// See `SQLReadable`.
    public static func read(_ statement: Statement, _ column: Int32) -> Self? {
        RawValue.read(statement, column).flatMap(Self.init)
    }
}

extension Int64: SQLBindable, SQLDefaulting {
    /// See `SQLBindable`.
    public var sqlValue: SQLValue { .integer(self) }
    /// See `SQLReadable`.
    public static func read(_ statement: Statement, _ column: Int32) -> Int64? { statement.optionalInt64(column) }
    /// See `SQLDefaulting`.
    public static var sqlDefault: Int64 { 0 }
}

extension Int: SQLBindable, SQLDefaulting {
    /// See `SQLBindable`.
    public var sqlValue: SQLValue { .integer(Int64(self)) }
    /// See `SQLReadable`.
    public static func read(_ statement: Statement, _ column: Int32) -> Int? { statement.optionalInt(column) }
    /// See `SQLDefaulting`.
    public static var sqlDefault: Int { 0 }
}

extension Bool: SQLBindable, SQLDefaulting {
    /// See `SQLBindable`.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
    /// See `SQLReadable`.
    public static func read(_ statement: Statement, _ column: Int32) -> Bool? {
        statement.optionalInt64(column).map { $0 != 0 }
    }
    /// See `SQLDefaulting`.
    public static var sqlDefault: Bool { false }
}

extension String: SQLBindable, SQLDefaulting {
    /// See `SQLBindable`.
    public var sqlValue: SQLValue { .text(self) }
    /// See `SQLReadable`.
    public static func read(_ statement: Statement, _ column: Int32) -> String? { statement.optionalText(column) }
    /// See `SQLDefaulting`.
    public static var sqlDefault: String { "" }
}
