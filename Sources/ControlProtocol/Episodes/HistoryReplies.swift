public import ControlLanguage
public import PodcastModel

/// A line of the listening history.
public struct HeardReply: ReplyObject {
    public enum Event: String, Sendable, CaseIterable {
        /// Listening came to rest.
        case heard
        case left
        /// Heard to the end.
        case played
        case marked
        case unplayed
        /// Put into the queue by a rule.
        case queued
    }

    public var time = Timestamp(milliseconds: 0)
    public var event = Event.heard
    public var episode = EpisodeID(0)
    public var title = ""
    public var position = MediaTime.zero
    /// For actions of rules: the rule and its number.
    public var reason: String?
    /// Its place in the list: what `after` takes.
    public var key: String?

    public init() {}

    public init(
        time: Timestamp, event: Event, episode: EpisodeID, title: String, position: MediaTime, reason: String? = nil
    ) {
        self.time = time
        self.event = event
        self.episode = episode
        self.title = title
        self.position = position
        self.reason = reason
    }

    public static let objectName = "Heard"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("time", &time, "When.")
        members.declare(
            "event", &event, isRequired: true,
            "heard (playback stopped there: pause, stop, another episode, target of a seek), left (by a seek), played "
                + "(to its end), marked (as played) or unplayed (it was there until then), queued (by a rule).")
        members.declare("episode", &episode, isRequired: true, "Its id.")
        members.declare("title", &title, "Its title.")
        members.declare("position", &position, "The position in it.")
        members.declare("reason", &reason, "For actions of rules: the rule and its number.")
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

extension HeardReply.Event: WireScalar {}
