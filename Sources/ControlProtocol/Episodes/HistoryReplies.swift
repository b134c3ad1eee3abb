public import ControlLanguage
public import PodcastModel

public struct NamedReply: ReplyObject {
    public enum Kind: String, Sendable, CaseIterable, WireScalar {
        case episode, feed, playlist, filter
        /// A range of ids or indexes.
        case range
    }

    public var what = ""
    public var kind = Kind.episode
    public var id: Int?
    public var title: String?
    public var count = 0
    public var hasMore = false

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("what", &what, "As it was given.")
        members.require("kind", &kind, "`episode`, `feed`, `playlist`, `filter` or `range`.")
        members.declare("id", &id, "The episode's or feed's id.")
        members.declare("title", &title, "The episode's or feed's title.")
        members.declare("count", &count, "Number of episodes that it means to this command.")
        members.declare("hasMore", &hasMore, "Whether `limit` cut off episodes.")
    }
}

/// A line of the listening history.
public struct HeardReply: RowReply {
    public var record = HistoryRecord()
    public var key: String?

    public init() {}
    public static let rowsMember = "history"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("time", &record.time, "When.")
        members.require(
            "event", &record.event,
            "heard (playback stopped there: pause, stop, another episode, target of a seek), left (by a seek), played "
                + "(to its end), marked (as played) or unplayed (it was there until then), queued (by a rule).")
        members.require("episode", &record.episode, "Its id.")
        members.declare("title", &record.title, "Its title.")
        members.declare("position", &record.position, "The position in it.")
        members.declare("reason", &record.reason, "For actions of rules: the rule and its number.")
        members.declareIfAny("key", &key, "In a list: what `after` takes.")
    }
}

/// The lines, the latest first.
public typealias HistoryReply = PageReply<HeardReply>

extension HistoryRecord.Event: WireScalar {}
