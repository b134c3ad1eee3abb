public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore: MovingStore {
    /// Bytes a tag may have.
    private static let tagBytes = 200
    /// Tags a feed may have.
    private static let tagsPerFeed = 50

    /// All subscriptions by URL.
    public func carriedFeeds() throws(LibraryError) -> [CarriedFeed] {
        try read {
            let query = try connection.statement(
                """
                SELECT f.id, f.url, f.title, f.subscribed,
                  (SELECT group_concat(tag, char(10)) FROM (SELECT tag FROM feed_tag WHERE feed = f.id ORDER BY tag)),
                  (SELECT group_concat(url, char(10)) FROM (SELECT url FROM former_url WHERE feed = f.id ORDER BY url))
                FROM feed f WHERE f.kind = 0 ORDER BY f.url
                """)
            defer { query.reset() }
            var feeds: [CarriedFeed] = []
            while try query.step() {
                let url = query.text(1)
                feeds.append(
                    CarriedFeed(
                        url: url, title: query.text(2) == url ? nil : query.text(2), tags: query.lines(4),
                        settings: try storedSettings(of: query.int64(0)),
                        subscribed: Timestamp(milliseconds: query.int64(3)), formerURLs: query.lines(5)))
            }
            return feeds
        }
    }

    /// Subscribes to feeds, or adds tags, settings and former addresses to those that are there; what these have of
    /// their own stays. One commit, on disk before it returns.
    public func takeIn(_ feeds: [CarriedFeed], at now: Timestamp) throws(LibraryError) -> [TakenFeed] {
        try write(.synced) {
            try feeds.map { feed in
                if let known = try feedID(url: feed.url) {
                    try add(feed, to: known)
                    return TakenFeed(id: FeedID(known), isNew: false)
                }
                let insert = try connection.statement("INSERT INTO feed(url, title, subscribed) VALUES (?, ?, ?)")
                try insert.bind(1, feed.url)
                try insert.bind(2, (feed.settings["title"] ?? feed.title).flatMap { SafeText.title($0) } ?? feed.url)
                try insert.bind(3, (feed.subscribed ?? now).milliseconds)
                try insert.run()
                let id = connection.lastInsertedRow
                try add(feed, to: id)
                return TakenFeed(id: FeedID(id), isNew: true)
            }
        }
    }

    /// Gives a feed these tags and no others. Committed before it returns.
    public func setTags(_ tags: [String], of id: FeedID) throws(LibraryError) {
        try write(.synced) {
            _ = try storedFeed(id)
            try run("DELETE FROM feed_tag WHERE feed = ?", id.rawValue)
            try addTags(tags, to: id.rawValue)
        }
    }

    private func add(_ carried: CarriedFeed, to feed: Int64) throws {
        try addTags(carried.tags, to: feed)
        let setting = try connection.statement(
            "INSERT INTO feed_setting(feed, name, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
        for (name, value) in carried.settings {
            try setting.bind(1, feed)
            try setting.bind(2, name)
            try setting.bind(3, value)
            try setting.run()
        }
        let former = try connection.statement(
            """
            INSERT INTO former_url(url, feed) SELECT ?1, ?2
            WHERE NOT EXISTS (SELECT 1 FROM feed WHERE url = ?1) ON CONFLICT DO NOTHING
            """)
        for url in carried.formerURLs {
            try former.bind(1, url)
            try former.bind(2, feed)
            try former.run()
        }
    }

    private func addTags(_ tags: [String], to feed: Int64) throws {
        let insert = try connection.statement(
            """
            INSERT INTO feed_tag(feed, tag) SELECT ?1, ?2
            WHERE (SELECT count(*) FROM feed_tag WHERE feed = ?1) < \(Self.tagsPerFeed) ON CONFLICT DO NOTHING
            """)
        for tag in tags.compactMap(Self.tag) {
            try insert.bind(1, feed)
            try insert.bind(2, tag)
            try insert.run()
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
