internal import HTTP
internal import JSON
internal import SQLite
public import PodcastModel

/// Feeds and their settings. The user's changes are committed when a method returns.
public struct FeedStore: LibraryPart {
    let library: LibraryStore

    private static func select(from feed: String) -> SQL {
        """
        SELECT f.id, f.url, f.title, \(raw: DeclaredColumns(of: FeedFacts()).list(prefix: "f.")), f.summary, f.subscribed,
          s.last_success, s.last_try, s.http_status, s.error, s.failures,
          iif(EXISTS (SELECT 1 FROM feed_setting o WHERE o.feed = f.id AND o.name = 'refresh' AND o.value = 'off'), NULL,
            s.next_due) AS next_due, s.stopped,
          s.moved_to, s.move_reason, s.move_sightings, s.move_obstacle,
          c.new + c.in_progress + c.played AS episodes, c.new + c.in_progress AS unplayed,
          \(raw: NewEpisodes.count) AS new_count,
          (SELECT group_concat(url, char(10)) FROM former_url WHERE feed = f.id) AS former_urls,
          (SELECT group_concat(tag, char(10)) FROM (SELECT tag FROM feed_tag WHERE feed = f.id ORDER BY tag)) AS tags,
          (SELECT min(o.id) FROM feed o INDEXED BY feed_guid WHERE o.guid = f.guid
             AND o.kind = \(literal: FeedKind.subscribed) AND o.id <> f.id)
            AS same_guid,
          (SELECT min(o.id) FROM feed o INDEXED BY feed_digest
           WHERE o.digest = f.digest AND o.kind = \(literal: FeedKind.subscribed) AND o.digest <> 0
             AND o.link IS NOT NULL AND o.id <> f.id)
            AS same_description,
          \(raw: PageWalk.columns)
        FROM \(raw: feed) JOIN feed_count c ON c.feed = f.id JOIN fetch_state s ON s.feed = f.id
          LEFT JOIN page_walk w ON w.feed = f.id
        """
    }

    private static let all =
        select(from: "feed f INDEXED BY feed_title")
        + " WHERE f.kind = \(literal: FeedKind.subscribed) ORDER BY f.title COLLATE NOCASE, f.id"
    private static let any = select(from: "feed f")

    /// The subscribed feeds, ordered by title.
    public func feeds() throws(LibraryError) -> [Feed] { try read { try marked(try connection.all(Self.all)) } }

    private func marked(_ feeds: [Feed], of title: String? = nil) throws -> [Feed] {
        let marks = try marks(of: title)
        if marks.isEmpty { return feeds }
        return feeds.map { feed in
            var marked = feed
            marked.mark = marks[feed.id]
            return marked
        }
    }

    /// `Feed.mark` of subscriptions whose titles differ at most in case, of one title or of all.
    func marks(of title: String? = nil) throws -> [FeedID: String] {
        let isAsked: SQL = title.map { "f.title = \($0) COLLATE NOCASE" } ?? "1"
        let feeds = try connection.all(
            """
            SELECT f.id, f.title, f.author, f.url FROM feed f INDEXED BY feed_title
            WHERE f.kind = \(literal: FeedKind.subscribed) AND \(isAsked)
              AND EXISTS (SELECT 1 FROM feed o INDEXED BY feed_title
                WHERE o.kind = \(literal: FeedKind.subscribed) AND o.title = f.title COLLATE NOCASE AND o.id <> f.id)
            """
        ) { row -> (title: String, feed: (id: FeedID, author: String?, url: String)) in
            (row["title"], (row["id"], row["author"], row["url"]))
        }
        return Dictionary(grouping: feeds) { $0.title.lowercased() }.values
            .map { Feed.marks($0.map(\.feed)) }.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }

    /// A subscribed feed, or that of single files.
    public func feed(_ id: FeedID) throws(LibraryError) -> Feed {
        try read {
            let feed: Feed? = try connection.first(
                Self.any + " WHERE f.id = \(id) AND f.kind IN (\(FeedKind.subscribed), \(FeedKind.loose))")
            guard let feed else { throw LibraryError.notFound("feed \(id.label)") }
            return try marked([feed], of: feed.title)[0]
        }
    }

    /// The built-in feed of single files; nil if it is empty.
    public func singleFiles() throws(LibraryError) -> Feed? {
        try read {
            try connection.first(Self.any + " WHERE f.kind = \(literal: FeedKind.loose) AND \(raw: Self.hasEpisodes)")
        }
    }

    /// SQL: true if feed `f` has a visible episode; otherwise the feed of single files is not shown.
    static let hasEpisodes =
        "EXISTS (SELECT 1 FROM episode e INDEXED BY episode_feed WHERE e.feed = f.id AND e.visibility = \(Visibility.visible.rawValue))"

    /// The feed that is fetched from a URL now, or was before it moved.
    public func feed(url: String) throws(LibraryError) -> Feed? {
        try read { try self.id(url: url).map { try stored($0) } }
    }

    /// The feed named by `what` (see `Name` and `TitleResolver`); a number is an id.
    public func resolveFeed(_ what: String) throws(LibraryError) -> Feed {
        let found = try library.names.resolve(Name(what, number: .feed), word: what, .feed, isExact: false)
        guard case .feed(let id)? = found.first, found.count == 1 else {
            throw LibraryError.refused("'\(what)' names several feeds; only one can be named here")
        }
        return try feed(id)
    }

    /// The id of the feed named by `what`; nil for nil.
    public func resolveID(_ what: String?) throws(LibraryError) -> FeedID? {
        guard let what else { return nil }
        return try resolveFeed(what).id
    }

    /// Subscribes to a feed; its title is the URL until the first refresh. A feed that was unsubscribed and is not
    /// deleted yet returns with its episodes, positions and settings.
    /// - Parameter isDistinct: whether a feed at another spelling of the URL is known to be another one.
    public func addFeed(
        url: String, title: String?, isDistinct: Bool = false, at now: Timestamp
    ) throws(LibraryError) -> FeedID {
        try write(.synced) {
            if let known = try isDistinct ? exactID(url: url) : id(url: url) {
                throw LibraryError.alreadySubscribed(known)
            }
            return try subscribe(url: url, title: title.flatMap { SafeText.title($0) }, subscribed: now, at: now)
        }
    }

    /// Brings back a feed that is kept, else adds one; the URL is the title if it has no other. Undoing either unsubscribes.
    func subscribe(url: String, title: String?, subscribed: Timestamp, at now: Timestamp) throws -> FeedID {
        let id: FeedID
        if let kept = try removedFeed(url: url) {
            id = kept
        } else {
            id = try library.withoutRecording {
                try run("INSERT INTO feed(url, title, subscribed) VALUES (\(url), \(title ?? url), \(subscribed))")
                let id = FeedID(connection.lastInsertedRow)
                // Store a usual spelling, by which the index finds all others.
                let spellings = WebAddress.spellings(url)
                if !spellings.contains(url), try exactID(url: spellings[0]) == nil {
                    try run("INSERT INTO former_url(url, feed) VALUES (\(spellings[0]), \(id))")
                }
                try hide(id, at: now)
                return id
            }
        }
        try recording(.subscribed, title: title ?? url, feed: id) { try bringBack(id) }
        return id
    }

    /// Episodes and their data stay, and the next fetch is unconditional. The old URL still finds the feed, unless the feed
    /// moved there and was never fetched from there.
    public func moveFeed(_ id: FeedID, to url: String) throws(LibraryError) {
        try change(FeedSetting.url.rawValue, of: id) {
            let former = try stored(id).url
            let isUntried = try connection.exists(
                """
                SELECT 1 FROM former_url WHERE feed = \(id)
                  AND NOT EXISTS (SELECT 1 FROM fetch_state WHERE feed = \(id) AND last_full IS NOT NULL)
                """)
            try relocate(id, to: url)
            // An address that never delivered the feed may be mistyped, and belong to another feed.
            if isUntried { try forgetFormer(former, of: id) }
        }
    }

    /// Moves a feed within a transaction; not an act by itself, since feeds move by themselves too.
    func relocate(_ id: FeedID, to url: String) throws {
        let feed = try stored(id)
        if let other = try self.id(url: url) {
            if other == id, feed.url == url { return }
            if other != id { throw LibraryError.alreadySubscribed(other) }
            try forgetFormer(url, of: id)
        }
        try move(id, to: url)
        try forgetFetches(of: id)
    }

    /// For a new URL; the feed is due.
    func forgetFetches(of id: FeedID) throws {
        try run(
            """
            UPDATE fetch_state SET etag = NULL, last_modified = NULL, body_digest = NULL, last_full = NULL,
              next_due = NULL, due_reason = NULL, stopped = 0, moved_to = NULL, move_reason = NULL,
              move_sightings = 0, move_obstacle = NULL
            WHERE feed = \(id)
            """)
    }

    /// Name of the row of `feed_setting` that keeps the publisher's title while the user has set another. It is not a setting.
    static let publishedTitle = "published_title"

    /// Nil restores the publisher's title at once.
    func giveTitle(_ title: String?, to id: FeedID) throws {
        let feed = try stored(id)
        if title != nil, try storedSettings(of: id)["title"] == nil {
            try run(
                """
                INSERT OR REPLACE INTO feed_setting(feed, name, value)
                VALUES (\(id), \(Self.publishedTitle), \(feed.title))
                """)
        }
        let published: String? = try connection.value(
            "SELECT value FROM feed_setting WHERE feed = \(id) AND name = \(Self.publishedTitle)")
        try run(
            "UPDATE feed SET title = \(title.flatMap { SafeText.title($0) } ?? published ?? feed.title), digest = 0 WHERE id = \(id)"
        )
        if title == nil { try run("DELETE FROM feed_setting WHERE feed = \(id) AND name = \(Self.publishedTitle)") }
        try store("title", title, of: id)
        try forgetValidators(of: id)
    }

    /// The interval counts from the last attempt; nil leaves it to the scheduler.
    private func write(_ interval: RefreshInterval?, of id: FeedID) throws {
        try store(FeedSetting.refresh.rawValue, interval?.stored, of: id)
        guard case .seconds(let seconds)? = interval else { return }
        try run(
            """
            UPDATE fetch_state SET next_due = last_try + \(seconds * 1000), due_reason = \(DueReason.setting)
            WHERE feed = \(id) AND stopped = 0 AND last_try IS NOT NULL
            """)
    }

    /// Also updates the other columns that depend on a title or an interval.
    func write(_ setting: String, _ value: String?, of id: FeedID) throws {
        switch FeedSetting(rawValue: setting) {
        case .title: try giveTitle(value, to: id)
        case .refresh: try write(value.flatMap(RefreshInterval.init(parsing:)), of: id)
        case _: try store(setting, value, of: id)
        }
    }

    public func settings(of id: FeedID) throws(LibraryError) -> [String: String] {
        try read {
            _ = try feed(id)
            return try storedSettings(of: id)
        }
    }

    func storedSettings(of feed: FeedID) throws -> [String: String] {
        try connection.dictionary(
            "SELECT name, value FROM feed_setting WHERE feed = \(feed) AND name <> \(Self.publishedTitle)")
    }

    /// Nil removes the setting.
    public func setSetting(_ name: String, to value: String?, of id: FeedID) throws(LibraryError) {
        try change(name, of: id) { try write(name, value, of: id) }
    }

    func change(_ setting: String, of id: FeedID, _ body: () throws -> Void) throws(LibraryError) {
        try write(.synced) {
            let title = try stored(id).title
            try recording(.set, title: "\(setting) of \(title)", feed: id, body)
        }
    }

    private func store(_ name: String, _ value: String?, of id: FeedID) throws {
        guard let value else { return try run("DELETE FROM feed_setting WHERE feed = \(id) AND name = \(name)") }
        try run(
            """
            INSERT INTO feed_setting(feed, name, value) VALUES (\(id), \(name), \(value))
            ON CONFLICT DO UPDATE SET value = excluded.value
            """)
    }

    /// The publisher's data about a feed that lists do not show; empty for a feed that is not subscribed.
    public func details(of id: FeedID) throws(LibraryError) -> FeedDetails {
        try read {
            try document("SELECT document FROM feed_details WHERE feed = \(id)").flatMap(FeedDetails.init(json:))
                ?? FeedDetails()
        }
    }

    func storeDetails(_ details: FeedDetails, of feed: FeedID) throws {
        if details == FeedDetails() { return try run("DELETE FROM feed_details WHERE feed = \(feed)") }
        try run("INSERT OR REPLACE INTO feed_details(feed, document) VALUES (\(feed), \(details.json.text))")
    }

    /// The feed with this URL, or another spelling of it, now or formerly.
    func id(url: String) throws -> FeedID? {
        if let exact = try exactID(url: url) { return exact }
        for spelling in WebAddress.spellings(url) { if let id = try exactID(url: spelling) { return id } }
        return nil
    }

    /// The subscribed feed with this URL, or another spelling of it, but not a former one.
    func subscribed(url: String) throws -> FeedID? {
        guard let id = try id(url: url), case let own = try stored(id).url else { return nil }
        return own == url || WebAddress.spellings(own).first == WebAddress.spellings(url).first ? id : nil
    }

    func exactID(url: String) throws -> FeedID? {
        try connection.value(
            """
            SELECT id FROM feed WHERE url = \(url) UNION ALL SELECT feed FROM former_url WHERE url = \(url) LIMIT 1
            """)
    }

    /// The subscribed feeds that have one of these tags.
    func ids(tagged names: [String]) throws -> [FeedID] {
        let rows = try connection.all(
            "SELECT t.feed, t.tag FROM feed_tag t JOIN feed f ON f.id = t.feed WHERE f.kind = \(literal: FeedKind.subscribed) ORDER BY t.feed"
        ) { (feed: $0["feed"] as FeedID, tag: $0["tag"] as String) }
        let found = rows.filter { row in names.contains { FeedTag.matches(row.tag, $0) } }.map(\.feed)
        return found.indices.filter { $0 == 0 || found[$0] != found[$0 - 1] }.map { found[$0] }
    }

    func stored(_ id: FeedID) throws -> Feed {
        guard
            let feed: Feed = try connection.first(Self.any + " WHERE f.id = \(id) AND f.kind = \(FeedKind.subscribed)")
        else {
            if try connection.exists("SELECT 1 FROM feed WHERE id = \(id) AND kind = \(FeedKind.loose)") {
                throw LibraryError.refused(
                    "'\(Feed.singleFilesTitle)' is not a subscription: it is never refreshed and has no settings")
            }
            throw LibraryError.notFound("feed \(id.label)")
        }
        return feed
    }

    /// The old address still finds the feed.
    func move(_ feed: FeedID, to url: String) throws {
        try run("INSERT OR IGNORE INTO former_url(url, feed) SELECT url, id FROM feed WHERE id = \(feed)")
        try run("UPDATE feed SET url = \(url) WHERE id = \(feed)")
    }

    func forgetFormer(_ url: String, of feed: FeedID) throws {
        try run("DELETE FROM former_url WHERE url = \(url) AND feed = \(feed)")
    }

    /// Makes the feed's next fetch unconditional.
    func forgetValidators(of feed: FeedID) throws {
        try run("UPDATE fetch_state SET etag = NULL, last_modified = NULL, body_digest = NULL WHERE feed = \(feed)")
    }

    func names(of feed: FeedID) throws -> FeedNames? {
        try connection.first(
            """
            SELECT guid, link, iif(EXISTS (SELECT 1 FROM feed_setting s WHERE s.feed = f.id AND s.name = 'title'), NULL,
              title) AS title
            FROM feed f WHERE id = \(feed)
            """
        ) { FeedNames(guid: $0["guid"], title: $0["title"], link: $0["link"]) }
    }
}

extension LibraryStore {
    /// A filter with the feeds of its tags as they are now.
    func lookingUpTags(_ filter: EpisodeFilter) throws(LibraryError) -> EpisodeFilter {
        guard let expression = filter.expression, expression.hasTags else { return filter }
        var found = filter
        found.expression = try read {
            try expression.lookingUp { try FeedStore(library: self).ids(tagged: $0) }
        }
        return found
    }
}

extension LibraryPart {
    /// A stored JSON document; nil if there is none, or if somebody edited it and it is no longer JSON.
    func document(_ sql: SQL) throws -> JSONValue? {
        let text: String? = try connection.value(sql)
        return text.flatMap { try? JSONValue(parsing: $0) }
    }
}

extension Feed: Record {
    init(row: Row) {
        self.init(id: row["id"], url: row["url"], title: row["title"], subscribed: row["subscribed"])
        facts = FeedFacts(row: row)
        summary = row["summary"]
        health.lastSuccess = row["last_success"]
        health.lastTry = row["last_try"]
        health.nextDue = row["next_due"]
        health.httpStatus = row["http_status"]
        health.error = row["error"]
        health.failures = row["failures"]
        health.isStopped = row["stopped"]
        move = FeedMove(row: row)
        formerURLs = row.lines("former_urls")
        if let same: FeedID = row["same_guid"] {
            conflict = FeedConflict(feed: same, reason: .guid)
        } else if let same: FeedID = row["same_description"] {
            conflict = FeedConflict(feed: same, reason: .description)
        }
        episodeCount = row["episodes"]
        unplayedCount = row["unplayed"]
        newCount = row["new_count"]
        tags = row.lines("tags")
        pageWalk = PageWalk(row: row)
    }
}

extension WebAddress {
    /// The usual spellings of an address, by https first.
    fileprivate static func spellings(_ url: String) -> [String] {
        let form = HTTPURL.normalForm(url)
        let query = form.firstIndex(of: "?") ?? form.endIndex
        return ["https://", "http://"].flatMap { [$0 + form, $0 + form[..<query] + "/" + form[query...]] }
    }
}
