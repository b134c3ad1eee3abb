internal import JSON
internal import PodcastModel

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
        self.init(wireText: text)
    }

    /// Reads `2026-11-21T07:00:00Z`, the form that `description` writes.
    private init?(wireText: String) {
        let bytes = Array(wireText.utf8)
        guard bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes[19] == UInt8(ascii: "Z")
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        self.init(year: year, month: month, day: day, second: hour * 3600 + minute * 60 + second)
    }
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
