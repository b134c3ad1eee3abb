public import PodcastModel
internal import SQLite

/// A subscription with the user's settings, for export and import.
public struct PortableFeed: Equatable, Sendable {
    public var url: String
    /// Title until the first refresh; nil if unknown.
    public var title: String?
    /// The user's tags, sorted; a nested group is `outer/inner`.
    public var tags: [String]
    public var settings: [String: String]
    /// Time of subscribing; nil for the time of the import.
    public var subscribed: Timestamp?
    public var formerURLs: [String] = []

    public init(url: String, title: String? = nil, tags: [String] = [], settings: [String: String] = [:]) {
        self.url = url
        self.title = title
        self.tags = tags
        self.settings = settings
    }
}

/// The user's data about one episode, for export and import.
public struct PortableEpisode: Equatable, Sendable {
    public var identity: EpisodeIdentity
    /// URL of its feed; nil for an episode without a feed, and while the episode waits in the library.
    public var feed: String?
    public var isPlayed = false
    public var position = MediaTime.zero
    public var lastPlayed: Timestamp?
    /// Time when last marked played or unplayed.
    public var marked: Timestamp?
    public var isStarred = false
    public var note: String?
    public var bookmarks: [PortableBookmark] = []
    /// Lines of the listening history, if wanted.
    public var history: [HistoryRecord] = []
    /// Whether the file is kept on disk, or its download is requested.
    public var isDownloaded = false
    /// Index in the source's queue, from 0; nil if not queued.
    public var queueIndex: Int?
    public var isCurrent = false
    /// Place in the queue here, once the episode is found.
    var place: Int64?
    /// Playlists by hand that have the episode.
    public var lists: [ListPlace] = []

    public init(_ identity: EpisodeIdentity) { self.identity = identity }

    var isTouched: Bool {
        hasPlayback || isStarred || note != nil || !bookmarks.isEmpty || queueIndex != nil || isDownloaded
            || !history.isEmpty || !lists.isEmpty
    }

    public var hasPlayback: Bool { isPlayed || position > .zero || lastPlayed != nil || marked != nil }
}

/// The result of importing a feed.
public struct ImportedFeed: Equatable, Sendable {
    public var id: FeedID
    public var isNew: Bool
}

/// The result of importing episodes: counts of episodes.
public struct EpisodeImportCounts: Equatable, Sendable {
    /// Known episodes that got new data.
    public var found = 0
    /// Known episodes that already had all data.
    public var unchanged = 0
    /// Episodes whose data waits for a refresh of their feed.
    public var waiting = 0
    /// Found episodes that got another position or mark.
    public var positions = 0
    /// Found episodes that were added to the queue.
    public var queued = 0
    public static let none = EpisodeImportCounts()

    public static func += (sum: inout EpisodeImportCounts, more: EpisodeImportCounts) {
        for count in [\Self.found, \.unchanged, \.waiting, \.positions, \.queued] {
            sum[keyPath: count] += more[keyPath: count]
        }
    }
}

/// The key of an episode with user data; opaque outside the store.
public struct PortableEpisodeKey: Equatable, Sendable {
    /// Nil for an episode without a feed.
    var feed: FeedID?
    var row: Int64
    var isWaiting: Bool
    /// Index in the queue, from 0.
    var queueIndex: Int?
}

/// Export and import.
public struct ImportStore: LibraryPart {
    let library: LibraryStore

    /// Maximum bytes of a tag.
    private static let tagBytes = 200
    /// Maximum number of tags of a feed.
    private static let tagsPerFeed = 50

    /// Ordered by URL.
    public func exportedFeeds() throws(LibraryError) -> [PortableFeed] {
        try read {
            try connection.all(
                """
                SELECT f.id, f.url, f.title, f.subscribed,
                  (SELECT group_concat(tag, char(10)) FROM (SELECT tag FROM feed_tag WHERE feed = f.id ORDER BY tag))
                    AS tags,
                  (SELECT group_concat(url, char(10)) FROM (SELECT url FROM former_url WHERE feed = f.id ORDER BY url))
                    AS former_urls
                FROM feed f WHERE f.kind = \(literal: FeedKind.subscribed) ORDER BY f.url
                """
            ) { row in
                let (url, title): (String, String) = (row["url"], row["title"])
                var feed = PortableFeed(
                    url: url, title: title == url ? nil : title, tags: row.lines("tags"),
                    settings: try library.feeds.storedSettings(of: row["id"]))
                feed.subscribed = row["subscribed"]
                feed.formerURLs = row.lines("former_urls")
                return feed
            }
        }
    }

    /// Subscribes to feeds; adds tags, settings and former URLs that existing feeds lack. One commit, synced to disk.
    public func importFeeds(_ feeds: [PortableFeed], at now: Timestamp) throws(LibraryError) -> [ImportedFeed] {
        try write(.synced) {
            try recordingPart {
                try feeds.map { feed in
                    if let known = try library.feeds.id(url: feed.url) {
                        if let title = feed.settings["title"],
                            try library.feeds.storedSettings(of: known)["title"] == nil
                        {
                            try library.feeds.giveTitle(title, to: known)
                        }
                        try add(feed, to: known)
                        return ImportedFeed(id: known, isNew: false)
                    }
                    let title = (feed.settings["title"] ?? feed.title).flatMap { SafeText.title($0) }
                    let id = try library.feeds.subscribe(
                        url: feed.url, title: title, subscribed: feed.subscribed ?? now, at: now)
                    try add(feed, to: id)
                    return ImportedFeed(id: id, isNew: true)
                }
            }
        }
    }

    /// Committed before the function returns.
    public func setTags(_ tags: [String], of id: FeedID) throws(LibraryError) {
        try library.feeds.change(FeedSetting.tags.rawValue, of: id) {
            try run("DELETE FROM feed_tag WHERE feed = \(id)")
            try addTags(tags, to: id)
        }
    }

    /// - Throws: `refused` if the feed cannot have the tag.
    func setTag(_ tag: String, to isSet: Bool, of feed: FeedID) throws {
        if Self.tag(tag) != tag { throw LibraryError.refused("a tag cannot be kept") }
        let isSame: SQL = "feed = \(feed) AND tag = \(tag)"
        try run("DELETE FROM feed_tag WHERE \(isSame)")
        if isSet { try addTags([tag], to: feed) }
        if try connection.exists("SELECT 1 FROM feed_tag WHERE \(isSame)") != isSet {
            throw LibraryError.refused("a feed has too many tags")
        }
    }

    private func add(_ portable: PortableFeed, to feed: FeedID) throws {
        try addTags(portable.tags, to: feed)
        for (name, value) in portable.settings {
            try run(
                """
                INSERT INTO feed_setting(feed, name, value) VALUES (\(feed), \(name), \(value)) ON CONFLICT DO NOTHING
                """)
        }
        for url in portable.formerURLs {
            try run(
                """
                INSERT INTO former_url(url, feed) SELECT \(url), \(feed)
                WHERE NOT EXISTS (SELECT 1 FROM feed WHERE url = \(url)) ON CONFLICT DO NOTHING
                """)
        }
    }

    func addTags(_ tags: [String], to feed: FeedID) throws {
        for tag in tags.compactMap(Self.tag) {
            try run(
                """
                INSERT INTO feed_tag(feed, tag) SELECT \(feed), \(tag)
                WHERE (SELECT count(*) FROM feed_tag WHERE feed = \(feed)) < \(Self.tagsPerFeed) ON CONFLICT DO NOTHING
                """)
        }
    }

    /// A tag as it is kept: a plain line without the comma that separates tags, and without empty levels.
    static func tag(_ text: String) -> String? {
        guard let line = SafeText.title(text), line.utf8.count <= tagBytes else { return nil }
        let levels = line.split(separator: "/").map { level in
            level.split { $0 == "," || $0 == " " }.joined(separator: " ")
        }
        let tag = levels.filter { !$0.isEmpty }.joinedText("/")
        return tag.nonEmpty
    }
}
