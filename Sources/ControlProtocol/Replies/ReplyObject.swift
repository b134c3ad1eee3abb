public import JSON
public import PodcastModel

/// An object that commands answer with. It writes every member it declares, `null` for what is not known, in the order
/// declared; readers pass over members that they do not know, so that members can be added.
public protocol ReplyObject: Equatable, Sendable {
    /// Its name in the manual.
    static var objectName: String { get }
    /// Its members for the manual.
    static var members: [ObjectMember] { get }
    /// The object on the wire.
    var json: JSONValue { get }
    /// Reads what a server sent; nil for what is no such object.
    init?(json: JSONValue)
}

/// A member of an object, for the manual.
public struct ObjectMember: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// Its type in words.
    public var type: String
    /// One line.
    public var help: String

    /// A member.
    public init(_ name: String, _ type: String, _ help: String) {
        self.name = name
        self.type = type
        self.help = help
    }
}

extension JSONValue {
    /// Seconds with millisecond grain; null for nil.
    public init(_ time: MediaTime?) {
        self = time.map { .number(Double($0.milliseconds) / 1000) } ?? .null
    }

    /// RFC 3339 in UTC, to the second; null for nil.
    public init(_ instant: Timestamp?) { self = instant.map { .string($0.description) } ?? .null }

    /// A length or position in seconds; nil when it is no number.
    public var mediaTime: MediaTime? {
        // Ten thousand years are more than anybody plays, and far from what 64 bits of nanoseconds hold.
        numberValue.map { MediaTime(milliseconds: Int64((min(max($0, -3e11), 3e11) * 1000).rounded())) }
    }

    /// An instant as RFC 3339 in UTC has it; nil for anything else.
    public var timestamp: Timestamp? { stringValue.flatMap { Timestamp(wireText: $0) } }
}

extension Timestamp {
    /// Reads `2026-11-21T07:00:00Z`, the form that `description` writes.
    init?(wireText: String) {
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
