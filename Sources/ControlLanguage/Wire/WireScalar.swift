internal import JSON
internal import PodcastModel
internal import PublisherDetails

/// A value that one member of an object holds.
protocol WireScalar: Equatable {
    /// What the manual calls it.
    static var typeName: String { get }
    /// The value on the wire.
    var json: JSONValue { get }
    /// Reads what was sent; nil for what is no such value.
    init?(json: JSONValue)
}

extension String: WireScalar {
    static var typeName: String { "text" }
    var json: JSONValue { .string(self) }
    init?(json: JSONValue) {
        guard let text = json.stringValue else { return nil }
        self = text
    }
}

extension Bool: WireScalar {
    static var typeName: String { "true or false" }
    var json: JSONValue { .bool(self) }
    init?(json: JSONValue) {
        guard let flag = json.boolValue else { return nil }
        self = flag
    }
}

extension Double: WireScalar {
    static var typeName: String { "number" }
    /// Null for what JSON cannot say.
    var json: JSONValue { JSONValue(self) }
    init?(json: JSONValue) {
        guard let number = json.numberValue else { return nil }
        self = number
    }
}

extension WireScalar where Self: FixedWidthInteger {
    static var typeName: String { "integer" }
    var json: JSONValue { .integer(Int64(clamping: self)) }
    init?(json: JSONValue) {
        guard let number = json.integerValue else { return nil }
        self.init(clamping: number)
    }
}

extension Int: WireScalar {}
extension Int64: WireScalar {}
extension UInt64: WireScalar {}

/// A number of the library.
protocol WireIdentifier: WireScalar {
    var rawValue: Int64 { get }
    init(_ rawValue: Int64)
}

extension WireIdentifier {
    static var typeName: String { "integer" }
    var json: JSONValue { .integer(rawValue) }
    init?(json: JSONValue) {
        guard let number = json.integerValue else { return nil }
        self.init(number)
    }
}

extension FeedID: WireIdentifier {}
extension EpisodeID: WireIdentifier {}
extension EntryID: WireIdentifier {}
extension RuleID: WireIdentifier {}
extension EpisodeKind: WireScalar {}
extension SetAside: WireScalar {}

/// Seconds with millisecond grain.
extension MediaTime: WireScalar {
    static var typeName: String { "seconds" }
    var json: JSONValue { .number(Double(milliseconds) / 1000) }
    init?(json: JSONValue) {
        guard let seconds = json.numberValue else { return nil }
        // Ten thousand years are more than anybody plays, and far from what 64 bits of nanoseconds hold.
        self.init(milliseconds: Int64((min(max(seconds, -3e11), 3e11) * 1000).rounded()))
    }
}

/// RFC 3339 in UTC, to the second.
extension Timestamp: WireScalar {
    static var typeName: String { "instant" }
    var json: JSONValue { .string(description) }
    init?(json: JSONValue) {
        guard let text = json.stringValue else { return nil }
        self.init(parsing: text)
    }
}

/// What publishers say beyond what is played.
extension EpisodeDetails: WireScalar {
    static var typeName: String { "object" }
}

/// What publishers say of feeds.
extension FeedDetails: WireScalar {
    static var typeName: String { "object" }
}

/// Any value, for members that differ from case to case.
extension JSONValue: WireScalar {
    static var typeName: String { "any" }
    var json: JSONValue { self }
    init?(json: JSONValue) { self = json }
}

extension WireScalar where Self: RawRepresentable<String> {
    static var typeName: String { "text" }
    var json: JSONValue { .string(rawValue) }
    init?(json: JSONValue) {
        guard let text = json.stringValue else { return nil }
        self.init(rawValue: text)
    }
}
