internal import LibraryModel
internal import PodcastModel
internal import SQLite

/// Writes down what a merge decided, within its transactions.
struct DecisionLog {
    /// Decisions of merges that are kept of each feed; what the listener decided is kept apart from that.
    static let kept = 1_000
    /// Items that are said twice, of which a merge tells; a document of nothing else must not drive out the rest.
    private static let toldRepeats = 200

    private let connection: Connection
    private let feed: Int64
    private let now: Timestamp
    private var count = 0

    /// A log for one feed.
    init(connection: Connection, feed: Int64, now: Timestamp) {
        self.connection = connection
        self.feed = feed
        self.now = now
    }

    /// Notes what a stored episode was recognized by, before its row is written and in the same transaction.
    mutating func note(_ kind: IdentityDecision.Kind, of episode: Int64, _ item: MergeItem) throws {
        if count >= Self.kept { return }
        let insert = try connection.statement(
            """
            INSERT OR REPLACE INTO identity_decision(feed, kind, episode, item_key, time, old_guid, old_url, old_title,
              old_published, old_duration, new_guid, new_url, new_title)
            SELECT ?1, ?2, id, 0, ?3, guid, url, title, iif(dated, published, NULL), duration, ?5, ?6, ?7
            FROM episode WHERE id = ?4
            """)
        try bind(insert, kind, episode)
        try bind(insert, item)
        try insert.run()
        count += 1
    }

    /// Notes items that became new episodes although their GUID is another one's.
    mutating func noteReused(_ item: MergeItem, episode: Int64, owner: Int64) throws {
        if count >= Self.kept { return }
        let insert = try connection.statement(
            """
            INSERT OR REPLACE INTO identity_decision(feed, kind, episode, item_key, time, other, old_guid, old_url,
              old_title, new_guid, new_url, new_title)
            SELECT ?1, ?2, ?4, 0, ?3, id, guid, url, title, ?5, ?6, ?7 FROM episode WHERE id = ?8
            """)
        try bind(insert, .reusedGUID, episode)
        try bind(insert, item)
        try insert.bind(8, owner)
        try insert.run()
        count += 1
    }

    /// Notes items that were left out, with the episode that says the same; each of them once.
    mutating func note(repeated: [(item: MergeItem, episode: Int64)]) throws {
        let insert = try connection.statement(
            """
            INSERT OR IGNORE INTO identity_decision(feed, kind, episode, item_key, time, old_guid, old_url, old_title,
              new_guid, new_url, new_title)
            SELECT ?1, ?2, id, ?8, ?3, guid, url, title, ?5, ?6, ?7 FROM episode WHERE id = ?4
            """)
        for (item, episode) in repeated.prefix(Self.toldRepeats) {
            try bind(insert, .repeatedItem, episode)
            try bind(insert, item)
            try insert.bind(8, Self.key(of: item))
            try insert.run()
            count += Int(connection.changedRows)
        }
    }

    /// Notes that the feed is another one than before.
    mutating func note(otherFeed channel: Channel) throws {
        let insert = try connection.statement(
            """
            INSERT INTO identity_decision(feed, kind, item_key, time, old_guid, old_url, old_title, new_guid, new_url,
              new_title)
            SELECT id, ?2, 0, ?3, guid, link, title, ?4, ?5, ?6 FROM feed WHERE id = ?1
            """)
        try insert.bind(1, feed)
        try insert.bind(2, IdentityDecision.Kind.otherFeed.rawValue)
        try insert.bind(3, now.milliseconds)
        try insert.bind(4, channel.guid)
        try insert.bind(5, channel.link)
        try insert.bind(6, channel.title.flatMap { SafeText.title($0) })
        try insert.run()
        count += 1
    }

    /// Forgets the oldest where there are too many.
    func prune() throws {
        if count == 0 { return }
        let delete = try connection.statement(
            """
            DELETE FROM identity_decision WHERE feed = ?1 AND kind < \(IdentityDecision.Kind.split.rawValue) AND id <=
              (SELECT id FROM identity_decision INDEXED BY identity_decision_feed WHERE feed = ?1
               AND kind < \(IdentityDecision.Kind.split.rawValue) ORDER BY id DESC LIMIT 1 OFFSET \(Self.kept))
            """)
        try delete.bind(1, feed)
        try delete.run()
    }

    private func bind(_ insert: Statement, _ kind: IdentityDecision.Kind, _ episode: Int64) throws {
        try insert.bind(1, feed)
        try insert.bind(2, kind.rawValue)
        try insert.bind(3, now.milliseconds)
        try insert.bind(4, episode)
    }

    private func bind(_ insert: Statement, _ item: MergeItem) throws {
        try insert.bind(5, item.item.guid)
        try insert.bind(6, item.media.url)
        try insert.bind(7, item.title)
    }

    private static func key(of item: MergeItem) -> Int64 {
        var hash = StableHash()
        hash.add(item.item.guid)
        hash.add(item.media.url)
        hash.add(item.title)
        return hash.value
    }
}
