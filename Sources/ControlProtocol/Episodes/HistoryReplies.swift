public import ControlLanguage
public import PodcastModel

/// A line of the listening history.
public struct HeardReply: ReplyObject {
    public var record = HistoryRecord()
    public var key: String?

    public init() {}

    public static let objectName = "Heard"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("time", &record.time, "When.")
        members.declare(
            "event", &record.event, isRequired: true,
            "heard (playback stopped there: pause, stop, another episode, target of a seek), left (by a seek), played "
                + "(to its end), marked (as played) or unplayed (it was there until then), queued (by a rule).")
        members.declare("episode", &record.episode, isRequired: true, "Its id.")
        members.declare("title", &record.title, "Its title.")
        members.declare("position", &record.position, "The position in it.")
        members.declare("reason", &record.reason, "For actions of rules: the rule and its number.")
        members.declareIfAny("key", &key, "In a list: what `after` takes.")
    }
}

public struct HistoryReply: ReplyObject {
    /// The lines, the latest first.
    public var history: [HeardReply] = []
    public var hasAfter = false

    public init() {}
    public init(_ history: [HeardReply], hasAfter: Bool = false) { (self.history, self.hasAfter) = (history, hasAfter) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("history", &history)
        members.declare("hasAfter", &hasAfter)
    }
}

extension HistoryRecord.Event: WireScalar {}
