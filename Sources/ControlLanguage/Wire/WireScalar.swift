public import JSON
public import PodcastModel

/// A value of one member of an object.
public protocol WireValue: Equatable, JSONConvertible {
    static var typeName: String { get }
    /// How command lines spell the value, if it is an id with a prefix.
    static var idForm: IdForm? { get }
    static var isList: Bool { get }
    /// The members of an object; nil for other values.
    static var nested: (@Sendable () -> [ObjectMember])? { get }
    /// Whether the value may be left out of an object: nil, an empty list or false.
    var isBlank: Bool { get }
    /// Appends the value's JSON text.
    func write(to bytes: inout [UInt8])
    /// Reads a received value; nil if the value has another type.
    init?(json: JSONValue)
}

extension WireValue {
    public static var idForm: IdForm? { nil }
    public static var isList: Bool { false }
    @inlinable public var isBlank: Bool { false }
}

/// A value that is `null` if it is unknown.
extension Optional: WireValue where Wrapped: WireValue {
    public static var typeName: String { Wrapped.typeName + " or null" }
    public static var idForm: IdForm? { Wrapped.idForm }
    public static var isList: Bool { Wrapped.isList }
    public static var nested: (@Sendable () -> [ObjectMember])? { Wrapped.nested }
    @inlinable public var isBlank: Bool { self == nil }
    @inlinable public func write(to bytes: inout [UInt8]) {
        if let self { self.write(to: &bytes) } else { bytes.append(text: "null") }
    }
    /// Nil is also read from a value of another type.
    @inlinable public init(json: JSONValue) { self = Wrapped(json: json) }
}

extension Array: WireValue where Element: WireValue {
    public static var typeName: String { "list of " + Element.typeName }
    public static var idForm: IdForm? { Element.idForm }
    public static var isList: Bool { true }
    public static var nested: (@Sendable () -> [ObjectMember])? { Element.nested }
    @inlinable public var isBlank: Bool { isEmpty }
    @inlinable public func write(to bytes: inout [UInt8]) {
        bytes.append(.openingBracket)
        for index in indices {
            if index > 0 { bytes.append(.comma) }
            self[index].write(to: &bytes)
        }
        bytes.append(.closingBracket)
    }
    /// Elements of a wrong type are skipped.
    @inlinable public init(json: JSONValue) {
        self = []
        for element in json.arrayValue ?? [] {
            if let value = Element(json: element) { append(value) }
        }
    }
}

/// A value that is not an object.
public protocol WireScalar: WireValue {}

extension WireScalar {
    public static var nested: (@Sendable () -> [ObjectMember])? { nil }
    @inlinable public func write(to bytes: inout [UInt8]) { json.write(to: &bytes) }
}

extension String: WireScalar {
    public static var typeName: String { "text" }
    public init?(json: JSONValue) {
        guard let text = json.stringValue else { return nil }
        self = text
    }
}

extension Bool: WireScalar {
    public static var typeName: String { "true or false" }
    @inlinable public var isBlank: Bool { !self }
    public init?(json: JSONValue) {
        guard let flag = json.boolValue else { return nil }
        self = flag
    }
}

extension Double: WireScalar {
    public static var typeName: String { "number" }
    public init?(json: JSONValue) {
        guard let number = json.numberValue else { return nil }
        self = number
    }
}

extension WireScalar where Self: FixedWidthInteger {
    public static var typeName: String { "integer" }
    public var json: JSONValue { .integer(Int64(clamping: self)) }
    public init?(json: JSONValue) {
        guard let number = json.integerValue else { return nil }
        self.init(clamping: number)
    }
}

/// The id of a row of the library.
public protocol WireIdentifier: ParameterValue, WireScalar, LibraryID {}

extension WireIdentifier {
    public static var typeName: String { "integer" }
    public var json: JSONValue { .integer(rawValue) }
    public init?(json: JSONValue) {
        guard let number = json.integerValue else { return nil }
        self.init(number)
    }
}

extension FeedID: WireIdentifier {
    public static var idForm: IdForm? { .feed }
}
extension EpisodeID: WireIdentifier {
    public static var idForm: IdForm? { .episode }
}
extension EntryID: WireIdentifier {
    public static var idForm: IdForm? { .entry }
}
extension RuleID: WireIdentifier {}
extension BookmarkID: WireIdentifier {}
extension EpisodeKind: WireScalar {}
extension HiddenReason: WireScalar {}

/// Seconds, in steps of a millisecond.
extension MediaTime: WireScalar {
    public static var typeName: String { "seconds" }
    public var json: JSONValue { .number(Double(milliseconds) / 1000) }
    public init?(json: JSONValue) {
        guard let seconds = json.numberValue else { return nil }
        // A century: longer than any episode, and sums of such times are far below 2^63 nanoseconds.
        self.init(milliseconds: Int64((min(max(seconds, -3e9), 3e9) * 1000).rounded()))
    }
}

/// Nanoseconds.
extension Instant: WireScalar {
    public static var typeName: String { "integer" }
    public var json: JSONValue { .integer(nanoseconds) }
    public init?(json: JSONValue) {
        guard let number = json.integerValue else { return nil }
        self.init(nanoseconds: number)
    }
}

/// RFC 3339 in UTC, to the second.
extension Timestamp: WireScalar {
    public static var typeName: String { "instant" }
    public var json: JSONValue { .string(description) }
    public init?(json: JSONValue) {
        guard let text = json.stringValue else { return nil }
        self.init(parsing: text)
    }
}

/// Any value, for members whose type varies.
extension JSONValue: WireScalar {
    public static var typeName: String { "any" }
    public init?(json: JSONValue) { self = json }
}

extension WireScalar where Self: RawRepresentable<String> {
    public static var typeName: String { "text" }
    public var json: JSONValue { .string(rawValue) }
    public init?(json: JSONValue) {
        guard let text = json.stringValue else { return nil }
        self.init(rawValue: text)
    }
}
