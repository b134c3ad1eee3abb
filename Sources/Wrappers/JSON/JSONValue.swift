/// A JSON document as a value; objects keep the order in which their members were written.
public enum JSONValue: Equatable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number without fraction or exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number; always finite.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object; names are distinct.
    case object([Member])

    /// One member of an object.
    public struct Member: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// Its value.
        public var value: JSONValue
        /// A member.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The member of an object with that name; nil for other values.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The string, if it is one.
    public var stringValue: String? {
        if case .string(let text) = self { return text }
        return nil
    }
    /// The truth value, if it is one.
    public var boolValue: Bool? {
        if case .bool(let flag) = self { return flag }
        return nil
    }
    /// The integer, if it is one; a number without fraction counts.
    public var integerValue: Int64? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int64(exactly: number)
        case .null, .bool, .string, .array, .object: nil
        }
    }
    /// The number, if it is one.
    public var numberValue: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }
    /// The elements, if it is an array.
    public var arrayValue: [JSONValue]? {
        if case .array(let elements) = self { return elements }
        return nil
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object in the order written.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
    /// Null.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
    /// A string, or null for nil.
    public init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
    /// A truth value, or null for nil.
    public init(_ flag: Bool?) { self = flag.map(JSONValue.bool) ?? .null }
    /// An integer, or null for nil.
    public init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
    /// A number, or null for nil and for what JSON cannot say.
    public init(_ number: Double?) { self = number.flatMap { $0.isFinite ? .number($0) : nil } ?? .null }
}
