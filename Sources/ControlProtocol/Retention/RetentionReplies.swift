public import ControlLanguage
public import PodcastModel

/// How much of a feed is kept.
public struct RetentionReply: ReplyObject {
    public var feed: FeedID?
    public var feedTitle: String?
    public var keep = ""
    public var isUnused = false

    public init() {}

    public init(feed: FeedID?, feedTitle: String?, keep: String) {
        self.feed = feed
        self.feedTitle = feedTitle
        self.keep = keep
    }

    public static let objectName = "Retention"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("feed", &feed, "The feed; null for all without their own.")
        members.declare("feedTitle", &feedTitle, "Its title.")
        members.declare("keep", &keep, isRequired: true, "What is kept, as it can be set again.")
        members.declare("isUnused", &isUnused, "Whether it applies to no feed, because each feed has its own policy.")
    }
}

/// What `retention.list` and `retention.set` answer.
public struct RetentionListReply: ReplyObject {
    /// What is kept, first of all feeds.
    public var retention: [RetentionReply] = []
    /// How many episodes the policies hide from now on, after one was set.
    public var hidden: Int?

    public init() {}
    public init(_ retention: [RetentionReply]) { self.retention = retention }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("retention", &retention)
        members.declareIfAny("hidden", &hidden)
    }
}

/// An episode that retention would drop.
public struct RetentionTrialReply: ReplyObject {
    public var episode = EpisodeID(0)
    public var title = ""
    public var feedTitle = ""
    /// When it was published.
    public var published = Timestamp(milliseconds: 0)
    /// The limit that it is beyond.
    public var why = ""

    public init() {}

    public init(_ episode: Episode, why: String) {
        self.episode = episode.id
        title = episode.title
        feedTitle = episode.feedTitle
        published = episode.published
        self.why = why
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("episode", &episode, isRequired: true)
        members.declare("title", &title)
        members.declare("feedTitle", &feedTitle)
        members.declare("published", &published)
        members.declare("why", &why)
    }
}

public struct RetentionTrialListReply: PagedReply {
    /// The episodes, feed by feed.
    public var episodes: [RetentionTrialReply] = []
    /// How many there are, beyond the limit, too.
    public var count = 0
    public var hasAfter = false

    public init() {}

    public init(_ episodes: [RetentionTrialReply], count: Int, hasAfter: Bool) {
        (self.episodes, self.count, self.hasAfter) = (episodes, count, hasAfter)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("episodes", &episodes)
        members.declare("count", &count)
        members.declare("hasAfter", &hasAfter)
    }

    public static let rowsMember = "episodes"
    public var rowCount: Int { episodes.count }
    public var isBackward: Bool { false }
    public mutating func keepRows(_ range: Range<Int>) {
        episodes = Array(episodes[range])
        hasAfter = true
    }
}
