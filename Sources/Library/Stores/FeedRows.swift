public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore: FeedStore {
    private static let columns = """
        SELECT f.id, f.url, f.title, f.author, f.link, f.summary, f.language, f.image, f.subscribed,
          s.last_success, s.last_try, s.http_status, s.error, s.failures, s.next_due, s.stopped,
          s.moved_to, s.move_reason, s.move_sightings, s.move_obstacle,
          c.new + c.in_progress + c.played, c.new + c.in_progress,
          (SELECT group_concat(url, char(10)) FROM former_url WHERE feed = f.id),
          (SELECT group_concat(tag, char(10)) FROM (SELECT tag FROM feed_tag WHERE feed = f.id ORDER BY tag)),
          (SELECT min(o.id) FROM feed o INDEXED BY feed_guid WHERE o.guid = f.guid AND o.kind = 0 AND o.id <> f.id),
          (SELECT min(o.id) FROM feed o INDEXED BY feed_digest
           WHERE o.digest = f.digest AND o.kind = 0 AND o.digest <> 0 AND o.link IS NOT NULL AND o.id <> f.id),
          \(PageWalk.columns)
        """
    private static let joins = """
         JOIN feed_count c ON c.feed = f.id JOIN fetch_state s ON s.feed = f.id
          LEFT JOIN page_walk w ON w.feed = f.id
        """

    /// All subscribed feeds by title.
    public func feeds() throws(LibraryError) -> [Feed] {
        try read {
            let query = try connection.statement(
                Self.columns + " FROM feed f INDEXED BY feed_title" + Self.joins
                    + " WHERE f.kind = 0 ORDER BY f.title COLLATE NOCASE, f.id")
            defer { query.reset() }
            var feeds: [Feed] = []
            while try query.step() { feeds.append(Feed(row: query)) }
            return feeds
        }
    }

    /// One subscribed feed.
    public func feed(_ id: FeedID) throws(LibraryError) -> Feed {
        try read { try storedFeed(id) }
    }

    /// The feed that is fetched from an URL now, or was before it moved.
    public func feed(url: String) throws(LibraryError) -> Feed? {
        try read { try feedID(url: url).map { try storedFeed(FeedID($0)) } }
    }

    /// The feed that `what` names: an id, an URL, or a part of the title without regard to the case of ASCII letters;
    /// a whole title goes before a part.
    public func resolveFeed(_ what: String) throws(LibraryError) -> Feed {
        try read {
            if let number = Int64(what), let feed = try? storedFeed(FeedID(number)) { return feed }
            if let id = try feedID(url: what) { return try storedFeed(FeedID(id)) }
            guard !what.isEmpty else { throw LibraryError.notFound(what) }
            let query = try connection.statement(
                """
                SELECT id, title, title = ?1 COLLATE NOCASE FROM feed
                WHERE kind = 0 AND title LIKE ?2 ESCAPE '\\' ORDER BY 3 DESC, title COLLATE NOCASE LIMIT 6
                """)
            defer { query.reset() }
            try query.bind(1, what)
            try query.bind(2, likePattern(containing: what))
            let matches = try TitleMatches(reading: query)
            return try storedFeed(FeedID(try matches.only(for: what)))
        }
    }

    /// Subscribes; the title is the URL until the first refresh. Committed before it returns.
    public func addFeed(url: String, title: String?, at now: Timestamp) throws(LibraryError) -> FeedID {
        try write(.synced) {
            if let known = try feedID(url: url) { throw LibraryError.alreadySubscribed(FeedID(known)) }
            let insert = try connection.statement("INSERT INTO feed(url, title, subscribed) VALUES (?, ?, ?)")
            try insert.bind(1, url)
            try insert.bind(2, SafeText.title(title ?? "") ?? url)
            try insert.bind(3, now.milliseconds)
            try insert.run()
            return FeedID(connection.lastInsertedRow)
        }
    }

    /// Unsubscribes: the feed with its episodes, positions and queue entries is gone for everybody when this returns,
    /// and committed. The rows themselves go in pieces, here and in `performMaintenance`.
    public func removeFeed(_ id: FeedID) throws(LibraryError) {
        try write(.synced) {
            _ = try storedFeed(id)
            try run(
                "DELETE FROM queue_entry WHERE episode IN (SELECT id FROM episode WHERE feed = ?)", id.rawValue)
            try run("DELETE FROM former_url WHERE feed = ?", id.rawValue)
            try run("UPDATE feed SET kind = 2, url = NULL, last_episode = 0 WHERE id = ?", id.rawValue)
        }
        // The feed is gone already; what cannot be swept now is swept later.
        _ = try? performMaintenance()
    }

    /// Has a feed fetched from another address from now on; episodes, positions and stars stay, the old address still
    /// finds it, and the next fetch is unconditional. Committed before it returns.
    public func moveFeed(_ id: FeedID, to url: String) throws(LibraryError) {
        try write(.synced) {
            let feed = try storedFeed(id)
            if let other = try feedID(url: url) {
                if other == id.rawValue, feed.url == url { return }
                if other != id.rawValue { throw LibraryError.alreadySubscribed(FeedID(other)) }
                try forgetFormer(url, of: id.rawValue)
            }
            try move(id.rawValue, to: url)
            try run(Self.forgetFetchSQL, id.rawValue)
        }
    }

    /// What was known of another address.
    private static let forgetFetchSQL = """
        UPDATE fetch_state SET etag = NULL, last_modified = NULL, body_digest = NULL, last_full = NULL, next_due = 0,
          due_reason = NULL, stopped = 0, moved_to = NULL, move_reason = NULL, move_sightings = 0, move_obstacle = NULL
        WHERE feed = ?
        """

    /// Keeps what was found out about a move; see `RefreshStore`. Committed before it returns.
    public func recordMove(_ announced: FeedMove, of id: FeedID, isFollowed: Bool) throws(LibraryError) {
        if isFollowed {
            do throws(LibraryError) { return try moveFeed(id, to: announced.url) } catch {
                guard case .notFound = error else { throw error }
                return
            }
        }
        try write(.relaxed) {
            let update = try connection.statement(
                "UPDATE fetch_state SET move_obstacle = ?3 WHERE feed = ?1 AND moved_to = ?2")
            try update.bind(1, id.rawValue)
            try update.bind(2, announced.url)
            try update.bind(3, announced.obstacle)
            try update.run()
        }
    }

    /// Calls a feed by the listener's own name, whatever its publisher calls it; nil gives the publisher's back with
    /// the next change of the feed. Committed before it returns.
    public func renameFeed(_ id: FeedID, to title: String?) throws(LibraryError) {
        try setSetting("title", to: title, of: id)
        try write(.synced) {
            let rename = try connection.statement(
                "UPDATE feed SET title = coalesce(?2, title), digest = 0 WHERE id = ?1")
            try rename.bind(1, id.rawValue)
            try rename.bind(2, title.flatMap { SafeText.title($0) })
            try rename.run()
            try forgetValidators(of: id.rawValue)
        }
    }

    /// A feed's own settings, by name.
    public func settings(of id: FeedID) throws(LibraryError) -> [String: String] {
        try read {
            _ = try storedFeed(id)
            return try storedSettings(of: id.rawValue)
        }
    }

    /// A feed's own settings, by name; not outside a transaction.
    func storedSettings(of feed: Int64) throws -> [String: String] {
        let query = try connection.statement("SELECT name, value FROM feed_setting WHERE feed = ?")
        defer { query.reset() }
        try query.bind(1, feed)
        var settings: [String: String] = [:]
        while try query.step() { settings[query.text(0)] = query.text(1) }
        return settings
    }

    /// Sets one; nil takes it away. Committed before it returns.
    public func setSetting(_ name: String, to value: String?, of id: FeedID) throws(LibraryError) {
        try write(.synced) {
            _ = try storedFeed(id)
            let statement = try connection.statement(
                value == nil
                    ? "DELETE FROM feed_setting WHERE feed = ?1 AND name = ?2"
                    : "INSERT INTO feed_setting(feed, name, value) VALUES (?1, ?2, ?3)"
                        + " ON CONFLICT DO UPDATE SET value = excluded.value")
            try statement.bind(1, id.rawValue)
            try statement.bind(2, name)
            if let value { try statement.bind(3, value) }
            try statement.run()
        }
    }

    /// The feed with this URL, now or formerly; not outside a transaction.
    func feedID(url: String) throws -> Int64? {
        let query = try connection.statement(
            """
            SELECT id FROM feed WHERE url = ?1
            UNION ALL SELECT feed FROM former_url WHERE url = ?1 LIMIT 1
            """)
        defer { query.reset() }
        try query.bind(1, url)
        return try query.step() ? query.int64(0) : nil
    }

    /// A subscribed feed; not outside a transaction.
    func storedFeed(_ id: FeedID) throws -> Feed {
        let query = try connection.statement(
            Self.columns + " FROM feed f" + Self.joins + " WHERE f.id = ? AND f.kind = 0")
        defer { query.reset() }
        try query.bind(1, id.rawValue)
        guard try query.step() else { throw LibraryError.notFound("feed \(id)") }
        return Feed(row: query)
    }

    /// Runs a statement with one number.
    func run(_ sql: String, _ number: Int64) throws {
        let statement = try connection.statement(sql)
        try statement.bind(1, number)
        try statement.run()
    }
}

extension Feed {
    fileprivate init(row: Statement) {
        self.init(
            id: FeedID(row.int64(0)), url: row.text(1), title: row.text(2), author: row.optionalText(3),
            link: row.optionalText(4), summary: row.optionalText(5), language: row.optionalText(6),
            image: row.optionalText(7), subscribed: Timestamp(milliseconds: row.int64(8)),
            health: FeedHealth(
                lastSuccess: row.optionalTime(9), lastTry: row.optionalTime(10), httpStatus: row.optionalInt(11),
                error: row.optionalText(12), failures: row.int(13), nextDue: row.optionalTime(14),
                isStopped: row.bool(15)),
            move: FeedMove(row: row, from: 16), formerURLs: row.lines(22),
            conflict: row.optionalInt64(24).map { FeedConflict(feed: FeedID($0), reason: .guid) }
                ?? row.optionalInt64(25).map { FeedConflict(feed: FeedID($0), reason: .description) },
            episodeCount: row.int(20), unplayedCount: row.int(21), tags: row.lines(23))
        pageWalk = PageWalk(row: row, from: 26)
    }
}

extension Statement {
    /// An instant of the current row, nil for NULL.
    func optionalTime(_ column: Int32) -> Timestamp? {
        optionalInt64(column).map(Timestamp.init(milliseconds:))
    }

    /// Texts of the current row that were joined by line breaks; none for NULL.
    func lines(_ column: Int32) -> [String] {
        optionalText(column)?.split(separator: "\n").map(String.init) ?? []
    }

    /// A media time of the current row, nil for NULL.
    func optionalMediaTime(_ column: Int32) -> MediaTime? {
        optionalInt64(column).map(MediaTime.init(milliseconds:))
    }
}
