public import JSON
public import PodcastModel

/// Work in progress.
public struct ActivityReply: ReplyObject {
    /// Its number.
    public var id: UInt64
    /// What sort of work it is.
    public var kind: String
    /// For people.
    public var message: String
    /// What it is about.
    public var subject: String?
    /// How far it is, 0 to 1.
    public var progress: Double?
    /// When it began.
    public var since: Timestamp
    /// The activity it is a part of.
    public var parent: UInt64?

    /// An activity.
    public init(
        id: UInt64, kind: String, message: String, subject: String?, progress: Double?, since: Timestamp,
        parent: UInt64?
    ) {
        self.id = id
        self.kind = kind
        self.message = message
        self.subject = subject
        self.progress = progress
        self.since = since
        self.parent = parent
    }

    /// Its name in the manual.
    public static let objectName = "Activity"
    /// Its members for the manual.
    public static var members: [ObjectMember] {
        [
            .init("id", "integer", "Its number."),
            .init("kind", "text", "loading, buffering, seeking, refreshing, subscribing or downloading."),
            .init("message", "text", "For people: `Loading playlist`, `Buffering audio`."),
            .init("subject", "text or null", "What it is about: a title."),
            .init("progress", "number or null", "How far it is, 0 to 1, when that is known."),
            .init("since", "instant", "When it began."),
            .init("parent", "integer or null", "The activity it is a part of."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue {
        [
            "id": .integer(Int64(clamping: id)), "kind": .string(kind), "message": .string(message),
            "subject": JSONValue(subject), "progress": JSONValue(progress.map { ($0 * 1000).rounded() / 1000 }),
            "since": JSONValue(since),
            "parent": parent.map { .integer(Int64(clamping: $0)) } ?? .null,
        ]
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let id = json["id"]?.integerValue, let message = json["message"]?.stringValue else { return nil }
        self.init(
            id: UInt64(clamping: id), kind: json["kind"]?.stringValue ?? "", message: message,
            subject: json["subject"]?.stringValue, progress: json["progress"]?.numberValue,
            since: json["since"]?.timestamp ?? Timestamp(seconds: 0),
            parent: json["parent"]?.integerValue.map { UInt64(clamping: $0) })
    }
}
