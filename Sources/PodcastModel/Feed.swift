/// A subscribed feed as stored in the library.
@dynamicMemberLookup
public struct Feed: Equatable, Sendable {
    public var id: FeedID
    /// The URL of requests; empty for the built-in feed of single files.
    public var url: String
    /// The publisher's title, or the URL before the first refresh.
    public var title: String
    /// Text that distinguishes feeds of the same title: author, host or URL; nil if the title is unique.
    public var mark: String?
    /// What lists show besides.
    public var facts = FeedFacts()
    /// The publisher's description as plain text.
    public var summary: String?
    public var subscribed: Timestamp
    public var health = FeedHealth()
    /// A move that was announced but is not followed yet.
    public var move: FeedMove?
    /// Former URLs in no particular order, which still identify the feed.
    public var formerURLs: [String] = []
    public var conflict: FeedConflict?
    /// Progress through older pages; nil if the feed has none.
    public var pageWalk: PageWalk?
    public var episodeCount = 0
    public var unplayedCount = 0
    /// Number of unplayed episodes that came after subscribing, or were the newest at that time.
    public var newCount = 0
    /// The user's tags, sorted; `outer/inner` is a group inside another.
    public var tags: [String] = []

    public init(id: FeedID, url: String, title: String, subscribed: Timestamp) {
        self.id = id
        self.url = url
        self.title = title
        self.subscribed = subscribed
    }

    public subscript<Value>(dynamicMember path: WritableKeyPath<FeedFacts, Value>) -> Value {
        get { facts[keyPath: path] }
        set { facts[keyPath: path] = newValue }
    }

    /// Title of the built-in feed of single files: episodes played by URL or from local files.
    public static let singleFilesTitle = "Single files"

    public var distinctTitle: String { mark.map { "\(title) (\($0))" } ?? title }

    /// Marks for feeds of one title: the author, or else the host, or else the URL, if all differ; otherwise the id.
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

    /// True for the built-in feed of single files, which is not subscribed and never refreshed.
    public var isSingleFiles: Bool { url.isEmpty }

    /// True if the feed has the tag or a nested tag; always true for nil.
    public func isTagged(_ wanted: String?) -> Bool {
        guard let wanted else { return true }
        return tags.contains { FeedTag.matches($0, wanted) }
    }
}

/// Another subscription that seems to be the same feed. The two are not merged automatically, because one may be a copy
/// with another editor; the user decides which to keep.
public struct FeedConflict: Equatable, Sendable {
    public enum Reason: String, Sendable, CaseIterable {
        /// Both feeds have the same `podcast:guid`.
        case guid
        /// Both feeds have the same title, author, web page, image and description.
        case description
    }

    public var feed: FeedID
    public var reason: Reason
    public init(feed: FeedID, reason: Reason) {
        self.feed = feed
        self.reason = reason
    }
}

/// Results of a feed's refreshes, which explain missing episodes.
public struct FeedHealth: Equatable, Sendable {
    /// Time of the last successful refresh, with or without changes.
    public var lastSuccess: Timestamp?
    public var lastTry: Timestamp?
    public var httpStatus: Int?
    /// Error of the last refresh; nil after a success.
    public var error: String?
    public var failures = 0
    public var nextDue: Timestamp?
    /// True if automatic refreshes stopped because the publisher removed the feed permanently (HTTP 410).
    public var isStopped = false

    public init() {}
}

/// Tags of feeds: a tag inside another is `outer/inner`.
public enum FeedTag {
    /// True if a tag equals `wanted`, ignoring the case of ASCII letters, or is nested in it.
    public static func matches(_ tag: String, _ wanted: String) -> Bool {
        func levels(_ text: String) -> [String] {
            text.split(separator: "/").map { String(utf8: $0.utf8.map(\.lowercased)) }
        }
        let wanted = levels(wanted)
        return !wanted.isEmpty && levels(tag).starts(with: wanted)
    }
}
