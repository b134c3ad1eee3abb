internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

struct ImportRows: MovingStore, StoreRows {
    let library: LibraryStore

    /// Maximum bytes of a tag.
    private static let tagBytes = 200
    /// Maximum number of tags of a feed.
    private static let tagsPerFeed = 50

    func exportedFeeds() throws(LibraryError) -> [PortableFeed] {
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
                return PortableFeed(
                    url: url, title: title == url ? nil : title, tags: row.lines("tags"),
                    settings: try feedRows.storedSettings(of: row["id"]), subscribed: row["subscribed"],
                    formerURLs: row.lines("former_urls"))
            }
        }
    }

    func importFeeds(_ feeds: [PortableFeed], at now: Timestamp) throws(LibraryError) -> [ImportedFeed] {
        try write(.synced) {
            try historyRows.recordingPart {
                try feeds.map { feed in
                    if let known = try feedRows.id(url: feed.url) {
                        if let title = feed.settings["title"], try feedRows.storedSettings(of: known)["title"] == nil {
                            try feedRows.giveTitle(title, to: known)
                        }
                        try add(feed, to: known)
                        return ImportedFeed(id: known, isNew: false)
                    }
                    let title = (feed.settings["title"] ?? feed.title).flatMap { SafeText.title($0) }
                    let id = try feedRows.subscribe(
                        url: feed.url, title: title, subscribed: feed.subscribed ?? now, at: now)
                    try add(feed, to: id)
                    return ImportedFeed(id: id, isNew: true)
                }
            }
        }
    }

    func setTags(_ tags: [String], of id: FeedID) throws(LibraryError) {
        try feedRows.change(FeedSetting.tags.rawValue, of: id) {
            try run("DELETE FROM feed_tag WHERE feed = \(id)")
            try addTags(tags, to: id)
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

    private func addTags(_ tags: [String], to feed: FeedID) throws {
        for tag in tags.compactMap(Self.tag) {
            try run(
                """
                INSERT INTO feed_tag(feed, tag) SELECT \(feed), \(tag)
                WHERE (SELECT count(*) FROM feed_tag WHERE feed = \(feed)) < \(Self.tagsPerFeed) ON CONFLICT DO NOTHING
                """)
        }
    }

    /// A tag as it is kept: a plain line without the comma that separates tags, and without empty levels.
    private static func tag(_ text: String) -> String? {
        guard let line = SafeText.title(text), line.utf8.count <= tagBytes else { return nil }
        let levels = line.split(separator: "/").map { level in
            level.split { $0 == "," || $0 == " " }.joined(separator: " ")
        }
        let tag = levels.filter { !$0.isEmpty }.joined(separator: "/")
        return tag.isEmpty ? nil : tag
    }
}
