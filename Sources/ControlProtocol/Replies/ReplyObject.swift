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

    /// Seconds since 1970-01-01 00:00 UTC with millisecond grain; null for nil.
    public init(_ instant: Timestamp?) {
        self = instant.map { .number(Double($0.milliseconds) / 1000) } ?? .null
    }

    /// A length or position in seconds; nil when it is no number.
    public var mediaTime: MediaTime? { numberValue.map { MediaTime(milliseconds: Self.milliseconds($0)) } }

    /// An instant in seconds since 1970; nil when it is no number.
    public var timestamp: Timestamp? { numberValue.map { Timestamp(milliseconds: Self.milliseconds($0)) } }

    private static func milliseconds(_ seconds: Double) -> Int64 {
        // Far beyond any calendar, and far from what a 64-bit number of milliseconds cannot hold.
        Int64((min(max(seconds, -1e12), 1e12) * 1000).rounded())
    }
}
