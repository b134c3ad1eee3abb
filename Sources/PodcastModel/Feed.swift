/// A subscribed feed as the library stores it.
public struct Feed: Equatable, Sendable {
    /// Its number.
    public var id: FeedID
    /// Where it is fetched from now.
    public var url: String
    /// The publisher's title, or the URL until the first refresh.
    public var title: String
    /// The publisher's name.
    public var author: String?
    /// The web page of the feed.
    public var link: String?
    /// What it is about, as the publisher wrote it.
    public var summary: String?
    /// RFC 5646 tag.
    public var language: String?
    /// The cover's URL.
    public var image: String?
    /// When it was subscribed to.
    public var subscribed: Timestamp
    /// How the last refreshes went.
    public var health: FeedHealth
    /// Where it is said to have moved, while that is not believed yet.
    public var move: FeedMove?
    /// Where it was fetched from before, in no order; names of it still.
    public var formerURLs: [String]
    /// Another subscription that claims to be the same feed.
    public var conflict: FeedConflict?
    /// How far its older pages were followed; nil for one that names none.
    public var pageWalk: PageWalk?
    /// Number of episodes stored.
    public var episodeCount: Int
    /// Number of episodes not played yet.
    public var unplayedCount: Int
    /// The listener's tags, sorted; a group within another is `outer/inner`.
    public var tags: [String]

    /// A feed with everything that is known of it.
    public init(
        id: FeedID, url: String, title: String, author: String? = nil, link: String? = nil, summary: String? = nil,
        language: String? = nil, image: String? = nil, subscribed: Timestamp, health: FeedHealth = FeedHealth(),
        move: FeedMove? = nil, formerURLs: [String] = [], conflict: FeedConflict? = nil, episodeCount: Int = 0,
        unplayedCount: Int = 0, tags: [String] = []
    ) {
        self.id = id
        self.url = url
        self.title = title
        self.author = author
        self.link = link
        self.summary = summary
        self.language = language
        self.image = image
        self.subscribed = subscribed
        self.health = health
        self.move = move
        self.formerURLs = formerURLs
        self.conflict = conflict
        self.episodeCount = episodeCount
        self.unplayedCount = unplayedCount
        self.tags = tags
    }
}

/// Another subscription that claims to be the same feed. Nothing is done about it: one of the two may be a copy that
/// somebody else changes, so it is the listener's choice which to keep.
public struct FeedConflict: Equatable, Sendable {
    /// What the two have in common.
    public enum Reason: String, Sendable, CaseIterable {
        /// The `podcast:guid`.
        case guid
        /// All that a feed says of itself: title, author, web page, picture, words.
        case description
    }

    /// The other one.
    public var feed: FeedID
    /// What they have in common.
    public var reason: Reason
    /// A conflict with a feed.
    public init(feed: FeedID, reason: Reason) {
        self.feed = feed
        self.reason = reason
    }
}

/// How a feed's refreshes went; what a user asks when nothing new comes.
public struct FeedHealth: Equatable, Sendable {
    /// The last refresh that ended well, changed or not.
    public var lastSuccess: Timestamp?
    /// The last refresh of any outcome.
    public var lastTry: Timestamp?
    /// HTTP status of the last answer; nil when none came.
    public var httpStatus: Int?
    /// What went wrong last, nil after a success.
    public var error: String?
    /// Refreshes that failed in a row.
    public var failures: Int
    /// When the next one is due.
    public var nextDue: Timestamp?
    /// Whether no more is tried by itself, because the publisher says that the feed is gone for good (410).
    public var isStopped: Bool

    /// A feed that was never refreshed, or one with a history.
    public init(
        lastSuccess: Timestamp? = nil, lastTry: Timestamp? = nil, httpStatus: Int? = nil, error: String? = nil,
        failures: Int = 0, nextDue: Timestamp? = nil, isStopped: Bool = false
    ) {
        self.lastSuccess = lastSuccess
        self.lastTry = lastTry
        self.httpStatus = httpStatus
        self.error = error
        self.failures = failures
        self.nextDue = nextDue
        self.isStopped = isStopped
    }
}
