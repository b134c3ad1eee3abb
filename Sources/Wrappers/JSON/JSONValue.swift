/// A JSON document as a value. Objects keep the order of their members.
public enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction or exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number; always finite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// An object; names are distinct.
    case object([Member])

    public struct Member: Equatable, Sendable {
        public var name: String
        public var value: JSONValue
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// Depth of nested arrays and objects; 0 for other values.
    public var nesting: Int {
        switch self {
        case .null, .bool, .integer, .number, .string: 0
        case .array(let elements): 1 + (elements.lazy.map(\.nesting).max() ?? 0)
        case .object(let members): 1 + (members.lazy.map(\.value.nesting).max() ?? 0)
        }
    }

    /// An object with another value of an existing member; other values stay unchanged.
    public func replacing(_ name: String, with value: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return self }
        for index in members.indices where members[index].name == name { members[index].value = value }
        return .object(members)
    }

    public var stringValue: String? { if case .string(let text) = self { text } else { nil } }
    public var boolValue: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    /// The value if it is an integer or a number without fraction.
    public var integerValue: Int64? {
        switch self {
        case .integer(let number): number
        case .number(let number): Int64(exactly: number)
        case .null, .bool, .string, .array, .object: nil
        }
    }
    public var numberValue: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }
    public var arrayValue: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Keeps the order of the members.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
    public init(nilLiteral: ()) { self = .null }
}
