public import ControlLanguage
public import PodcastModel

public struct ActivityReply: ReplyObject {
    public var id: UInt64 = 0
    /// The kind of work.
    public var kind = ""
    public var message = ""
    /// What it is about.
    public var subject: String?
    /// How far it is, 0 to 1.
    public var progress: Double?
    public var since = Timestamp(seconds: 0)
    /// The activity it is a part of.
    public var parent: UInt64?

    public init() {}

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

    public static let objectName = "Activity"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &id, isRequired: true, "Its number.")
        members.declare("kind", &kind, "loading, buffering, seeking, refreshing, subscribing or downloading.")
        members.declare(
            "message", &message, isRequired: true, "One line for users: `Loading playlist`, `Buffering audio`.")
        members.declare("subject", &subject, "What it is about: a title.")
        members.declare("progress", &progress, .thousandth, "Progress from 0 to 1, if known.")
        members.declare("since", &since, "When it began.")
        members.declare("parent", &parent, "The activity it is a part of.")
    }
}

public struct ActivityListReply: ReplyObject {
    /// Work in progress, in the order in which it began.
    public var activities: [ActivityReply] = []

    public init() {}
    public init(_ activities: [ActivityReply]) { self.activities = activities }

    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("activities", &activities) }
}

public struct ActivityBegunReply: ReplyObject {
    /// The number by which the connection names it from now on.
    public var id: UInt64 = 0

    public init() {}
    public init(id: UInt64) { self.id = id }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &id, isRequired: true)
    }
}
