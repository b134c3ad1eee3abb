/// A subscribed feed as stored in the library.
public struct Feed: Equatable, Sendable {
    public var id: FeedID
    /// The address it is currently fetched from; empty for the built-in feed of single files.
    public var url: String
    /// The publisher's title, or the URL before the first refresh.
    public var title: String
    /// What tells it apart from other subscriptions of that title: author, host or address; nil if the title is the only one.
    public var mark: String?
    public var author: String?
    /// The web page of the feed.
    public var link: String?
    /// The publisher's description as plain text.
    public var summary: String?
    /// Language (RFC 5646).
    public var language: String?
    /// URL of the cover image.
    public var image: String?
    /// When it was subscribed to.
    public var subscribed: Timestamp
    /// Results of the latest refreshes.
    public var health: FeedHealth
    /// A move that was announced but is not followed yet.
    public var move: FeedMove?
    /// Former addresses, in no particular order; they still identify the feed.
    public var formerURLs: [String]
    /// Another subscription that seems to be the same feed.
    public var conflict: FeedConflict?
    /// How far older pages were read; nil if the feed links to none.
    public var pageWalk: PageWalk?
    /// Number of episodes stored.
    public var episodeCount: Int
    /// Number of episodes not played yet.
    public var unplayedCount: Int
    /// Number of unplayed episodes that came after subscribing, or were the newest at that time.
    public var newCount = 0
    /// The user's tags, sorted; `outer/inner` is a group inside another.
    public var tags: [String]

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

extension Feed {
    /// Title of the built-in feed of single files, which were played by URL or handed over.
    public static let singleFilesTitle = "Single files"

    /// The title, with what tells it apart from other subscriptions of that title.
    public var distinctTitle: String { mark.map { "\(title) (\($0))" } ?? title }

    /// What tells feeds of one title apart: the author, else the host, else the address, if it differs for all of them; else the id.
    public static func marks(_ feeds: [(id: FeedID, author: String?, url: String)]) -> [FeedID: String] {
        let marks: [(FeedID, String?, String) -> String?] = [
            { _, author, _ in author }, { WebAddress.authority(of: $2) }, { WebAddress.hostAndPath(of: $2) },
        ]
        for mark in marks {
            let values = feeds.compactMap(mark)
            if Set(values).count == feeds.count {
                return Dictionary(uniqueKeysWithValues: zip(feeds.map(\.id), values))
            }
        }
        return Dictionary(uniqueKeysWithValues: feeds.map { ($0.id, $0.id.label) })
    }

    /// Whether it is the built-in feed of single files, which is not subscribed to and never refreshed.
    public var isSingleFiles: Bool { url.isEmpty }
}

/// Another subscription that seems to be the same feed. They are not merged automatically, because one of them may be a
/// copy that somebody else edits; the user decides which to keep.
public struct FeedConflict: Equatable, Sendable {
    /// What both feeds have in common.
    public enum Reason: String, Sendable, CaseIterable {
        /// The same `podcast:guid`.
        case guid
        /// The same title, author, web page, image and description.
        case description
    }

    public var feed: FeedID
    /// What both feeds have in common.
    public var reason: Reason
    public init(feed: FeedID, reason: Reason) {
        self.feed = feed
        self.reason = reason
    }
}

/// Results of a feed's refreshes, to explain why there are no new episodes.
public struct FeedHealth: Equatable, Sendable {
    /// Time of the last successful refresh, whether the feed had changed or not.
    public var lastSuccess: Timestamp?
    /// Time of the last refresh, successful or not.
    public var lastTry: Timestamp?
    /// HTTP status of the last response; nil if there was none.
    public var httpStatus: Int?
    /// Error of the last refresh; nil after a success.
    public var error: String?
    /// Number of consecutive failures.
    public var failures: Int
    /// When the next refresh is due.
    public var nextDue: Timestamp?
    /// Whether automatic refreshes stopped because the publisher removed the feed permanently (HTTP 410).
    public var isStopped: Bool

    /// Creates the results; the defaults describe a feed that was never refreshed.
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

extension Feed {
    /// Whether it has a tag, or one inside it; every feed has if none is wanted.
    public func isTagged(_ wanted: String?) -> Bool {
        guard let wanted else { return true }
        return tags.contains { FeedTag.matches($0, wanted) }
    }
}

/// Tags of feeds: a tag inside another is `outer/inner`.
public enum FeedTag {
    /// Whether a tag is the one that is looked for, ignoring the case of ASCII letters, or is inside it.
    public static func matches(_ tag: String, _ wanted: String) -> Bool {
        func levels(_ text: String) -> [String] {
            text.split(separator: "/").map { level in
                String(decoding: level.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
            }
        }
        let wanted = levels(wanted)
        return !wanted.isEmpty && levels(tag).starts(with: wanted)
    }
}
