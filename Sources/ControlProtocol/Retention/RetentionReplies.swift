public import ControlLanguage
public import PodcastModel

/// How much of a feed is kept.
public struct RetentionReply: ReplyObject {
    public var feed: FeedID?
    public var feedTitle: String?
    public var keep = ""
    public var isUnused = false

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("feed", &feed, "The feed; null for all without their own.")
        members.declare("feedTitle", &feedTitle, "Its title.")
        members.declare("keep", &keep, isRequired: true, "What is kept, as it can be set again.")
        members.declare("isUnused", &isUnused, "Whether it applies to no feed, because each feed has its own policy.")
    }
}

public struct RetentionListReply: ReplyObject {
    public var retention: [RetentionReply] = []
    public var hidden: Int?

    public init() {}
    public init(_ retention: [RetentionReply]) { self.retention = retention }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("retention", &retention, "The policies, first that of all feeds.")
        members.declareIfAny("hidden", &hidden, "How many episodes the policies hide from now on, after one was set.")
    }
}

public struct RetentionTrialListReply: PagedReply {
    public var episodes: [TrialReply] = []
    public var count = 0
    public var hasAfter = false

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("episodes", &episodes, "The episodes, feed by feed.")
        members.declare("count", &count, "How many there are, beyond the limit, too.")
        members.declare("hasAfter", &hasAfter)
    }

    public static let rowsMember = "episodes"
    public static var rows: WritableKeyPath<RetentionTrialListReply, [TrialReply]> { \.episodes }
}
