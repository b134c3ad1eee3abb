/// SQL with the values of its parameters, written by interpolation: `"SELECT title FROM feed WHERE id = \(id)"`.
///
/// Each value becomes a parameter, so the text is the same for all values: `Connection` prepares it once.
public struct SQL: ExpressibleByStringInterpolation, Sendable {
    let form: SQLForm
    public let values: [SQLValue]

    init(form: SQLForm, values: [SQLValue]) {
        self.form = form
        self.values = values
    }

    public init(stringLiteral text: StaticString) { self.init(form: SQLForm(literal: text), values: []) }

    public init(stringInterpolation parts: StringInterpolation) { self.init(form: parts.form, values: parts.values) }

    /// Text that the program composed. Nothing in it is escaped.
    public init(raw text: String) { self.init(form: SQLForm(text: text), values: []) }

    /// The same text with other values for its parameters.
    public func with(_ values: [SQLValue]) -> SQL { SQL(form: form, values: values) }

    /// The text, with a `?` for each value.
    public var text: String { form.text }

    public static func + (left: SQL, right: SQL) -> SQL { "\(left)\(right)" }

    public struct StringInterpolation: StringInterpolationProtocol {
        var form = SQLForm()
        var values: [SQLValue] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            form.reserveCapacity(2 * interpolationCount + 1)
            values.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ literal: StaticString) { form.append(literal: literal) }

        @inlinable
        public mutating func appendInterpolation(_ value: some SQLBindable) { append(value.sqlValue) }

        @inlinable
        public mutating func appendInterpolation<Value: SQLBindable>(_ value: Value?) {
            append(value?.sqlValue ?? .null)
        }

        @usableFromInline
        mutating func append(_ value: SQLValue) {
            form.appendParameter()
            values.append(value)
        }

        /// Inserts SQL together with its values.
        public mutating func appendInterpolation(_ sql: SQL) {
            form.append(sql.form)
            values += sql.values
        }

        /// Writes a raw value, for example of an enum's case, into the text. Unlike a parameter this lets SQLite use
        /// partial indexes. Each value makes another statement.
        public mutating func appendInterpolation<Value: RawRepresentable>(literal value: Value)
        where Value.RawValue: BinaryInteger { form.append(text: String(value.rawValue)) }

        /// The same for a raw value that is a word without apostrophes.
        public mutating func appendInterpolation<Value: RawRepresentable>(literal value: Value)
        where Value.RawValue == String { form.append(text: "'\(value.rawValue)'") }

        /// Writes a number into the text. Each number makes another statement.
        public mutating func appendInterpolation(literal value: Int) { form.append(text: String(value)) }

        /// Writes text unchanged, such as the name of a table. Nothing in it is escaped.
        public mutating func appendInterpolation(raw text: String) { form.append(text: text) }
    }
}

/// SQL without the values of its parameters: the key of a prepared statement.
///
/// Literals are compared by address, so that a statement of a kilobyte is found without building or reading its text.
struct SQLForm: Hashable {
    /// A piece of the text. Contains no reference, because hundreds are compared for each row that is written.
    private enum Piece {
        case literal(StaticString)
        /// An index in `texts`.
        case text(Int)
        case parameter
    }

    private var pieces: [Piece] = []
    private var texts: [String] = []
    private var digest: UInt = 0

    init() {}

    init(literal: StaticString) { append(literal: literal) }

    init(text: String) { append(text: text) }

    mutating func reserveCapacity(_ count: Int) { pieces.reserveCapacity(count) }

    mutating func append(literal: StaticString) {
        append(.literal(literal), unsafe UInt(bitPattern: literal.utf8Start))
    }

    mutating func append(text: String) {
        append(.text(texts.count), UInt(bitPattern: text.hashValue))
        texts.append(text)
    }

    mutating func appendParameter() { append(.parameter, 1) }

    mutating func append(_ form: SQLForm) {
        for piece in form.pieces {
            switch piece {
            case .literal(let literal): append(literal: literal)
            case .text(let place): append(text: form.texts[place])
            case .parameter: appendParameter()
            }
        }
    }

    private mutating func append(_ piece: Piece, _ number: UInt) {
        digest = (digest ^ number) &* 0x9E37_79B9_7F4A_7C15
        pieces.append(piece)
    }

    var text: String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .literal(let literal): text += literal.description
            case .text(let place): text += texts[place]
            case .parameter: text += "?"
            }
        }
    }

    static func == (left: SQLForm, right: SQLForm) -> Bool {
        guard left.digest == right.digest, left.texts == right.texts else { return false }
        return left.pieces.elementsEqual(right.pieces) { left, right in
            switch (left, right) {
            case (.literal(let left), .literal(let right)):
                unsafe left.utf8Start == right.utf8Start && left.utf8CodeUnitCount == right.utf8CodeUnitCount
            case (.text(let left), .text(let right)): left == right
            case (.parameter, .parameter): true
            case (.literal, _), (.text, _), (.parameter, _): false
            }
        }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension Sequence<SQL> {
    public func joined(_ separator: StaticString) -> SQL {
        var parts = SQL.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        for (index, piece) in enumerated() {
            if index > 0 { parts.appendLiteral(separator) }
            parts.appendInterpolation(piece)
        }
        return SQL(stringInterpolation: parts)
    }
}

/// A value as SQLite stores it.
public enum SQLValue: Sendable, Equatable, SQLBindable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    public var sqlValue: SQLValue { self }
}

/// A type whose values can be parameters of a statement.
public protocol SQLBindable {
    var sqlValue: SQLValue { get }
}

/// A type whose values can be read from a column.
public protocol SQLReadable {
    /// Reads a column of the current row; nil for NULL and for values of another type.
    static func read(_ statement: Statement, _ column: Int32) -> Self?
}

/// A readable type that has a value for NULL.
public protocol SQLDefaulting: SQLReadable {
    /// The value for NULL.
    static var sqlDefault: Self { get }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    @inlinable public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

extension SQLBindable where Self: RawRepresentable, RawValue: SQLBindable {
    @inlinable public var sqlValue: SQLValue { rawValue.sqlValue }
}

extension SQLReadable where Self: RawRepresentable, RawValue: SQLReadable {
    @inlinable public static func read(_ statement: Statement, _ column: Int32) -> Self? {
        RawValue.read(statement, column).flatMap(Self.init)
    }
}

/// A type whose values are stored as integers; the default is the value of 0.
public protocol SQLInteger: SQLBindable, SQLDefaulting {
    var stored: Int64 { get }
    init(stored: Int64)
}

extension SQLInteger {
    @inlinable public var sqlValue: SQLValue { .integer(stored) }
    @inlinable public static func read(_ statement: Statement, _ column: Int32) -> Self? {
        statement.optionalInt64(column).map(Self.init(stored:))
    }
    @inlinable public static var sqlDefault: Self { Self(stored: 0) }
}

extension Int64: SQLInteger {
    @inlinable public var stored: Int64 { self }
    @inlinable public init(stored: Int64) { self = stored }
}

extension Int: SQLInteger {
    @inlinable public var stored: Int64 { Int64(self) }
    @inlinable public init(stored: Int64) { self = Int(stored) }
}

extension Bool: SQLInteger {
    @inlinable public var stored: Int64 { self ? 1 : 0 }
    @inlinable public init(stored: Int64) { self = stored != 0 }
}

extension [UInt8]: SQLBindable, SQLReadable {
    public var sqlValue: SQLValue { .blob(self) }
    public static func read(_ statement: Statement, _ column: Int32) -> [UInt8]? { statement.optionalBlob(column) }
}

extension String: SQLBindable, SQLDefaulting {
    @inlinable public var sqlValue: SQLValue { .text(self) }
    @inlinable public static func read(_ statement: Statement, _ column: Int32) -> String? {
        statement.optionalText(column)
    }
    @inlinable public static var sqlDefault: String { "" }
}
