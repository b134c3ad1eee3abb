/// A value that has a form in JSON.
public protocol JSONConvertible {
    var json: JSONValue { get }
}

extension JSONValue: JSONConvertible {
    public var json: JSONValue { self }

    public init(_ value: some JSONConvertible) { self = value.json }

    /// An object that keeps the order of its members.
    public init(members: KeyValuePairs<String, any JSONConvertible>) {
        self = .object(members.map { Member($0, $1.json) })
    }

    /// An object without the members that are null.
    public init(omittingNulls members: KeyValuePairs<String, any JSONConvertible>) {
        self = .object(members.map { Member($0, $1.json) }.filter { $0.value != .null })
    }

    /// An object with another member at its end; the same without a value.
    public func adding(_ name: String, _ value: (some JSONConvertible)?) -> JSONValue {
        guard let value, case .object(let members) = self else { return self }
        return .object(members + [Member(name, value)])
    }
}

extension JSONValue.Member {
    public init(_ name: String, _ value: some JSONConvertible) { self.init(name, value.json) }
}

extension String: JSONConvertible {
    public var json: JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
    public var json: JSONValue { .bool(self) }
}

extension Int: JSONConvertible {
    public var json: JSONValue { .integer(Int64(self)) }
}

extension Int64: JSONConvertible {
    public var json: JSONValue { .integer(self) }
}

/// Null for NaN and infinities.
extension Double: JSONConvertible {
    public var json: JSONValue { isFinite ? .number(self) : .null }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    public var json: JSONValue { self?.json ?? .null }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    public var json: JSONValue { .array(map(\.json)) }
}
