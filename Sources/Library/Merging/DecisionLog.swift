internal import FeedMerging
internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

/// Writes down what a merge decided, within its transactions.
struct DecisionLog {
    /// Decisions that are kept of each feed.
    static let kept = 1_000
    /// Duplicated items that a merge records at most, so that a document full of them does not displace other decisions.
    private static let toldRepeats = 200

    let connection: Connection
    let feed: FeedID
    let now: Timestamp
    private var count = 0

    init(connection: Connection, feed: FeedID, now: Timestamp) {
        self.connection = connection
        self.feed = feed
        self.now = now
    }

    /// Notes what a stored episode was recognized by, before its row is written and in the same transaction.
    mutating func note(_ kind: IdentityDecision.Kind, of episode: Int64, _ item: MergeItem) throws {
        if count >= Self.kept { return }
        try connection.run(
            """
            INSERT OR REPLACE INTO identity_decision(feed, kind, episode, item_key, time, old_guid, old_url, old_title,
              new_guid, new_url, new_title)
            SELECT \(feed), \(kind), id, 0, \(now), guid, url, title, \(item.item.guid), \(item.media.url), \(item.title)
            FROM episode WHERE id = \(episode)
            """)
        count += 1
    }

    /// Notes items that became new episodes although their GUID is another one's.
    mutating func noteReused(_ item: MergeItem, episode: Int64, owner: Int64) throws {
        if count >= Self.kept { return }
        try connection.run(
            """
            INSERT OR REPLACE INTO identity_decision(feed, kind, episode, item_key, time, other, old_guid, old_url,
              old_title, new_guid, new_url, new_title)
            SELECT \(feed), \(IdentityDecision.Kind.reusedGUID), \(episode), 0, \(now), id, guid, url, title,
              \(item.item.guid), \(item.media.url), \(item.title)
            FROM episode WHERE id = \(owner)
            """)
        count += 1
    }

    /// Notes items that were left out, with the episode that says the same; each of them once.
    mutating func note(repeated: [(item: MergeItem, episode: Int64)]) throws {
        for (item, episode) in repeated.prefix(Self.toldRepeats) {
            try connection.run(
                """
                INSERT OR IGNORE INTO identity_decision(feed, kind, episode, item_key, time, old_guid, old_url,
                  old_title, new_guid, new_url, new_title)
                SELECT \(feed), \(IdentityDecision.Kind.repeatedItem), id, \(Self.key(of: item)), \(now), guid, url,
                  title, \(item.item.guid), \(item.media.url), \(item.title)
                FROM episode WHERE id = \(episode)
                """)
            count += Int(connection.changedRows)
        }
    }

    /// Notes that the feed is another one than before.
    mutating func note(otherFeed channel: Channel) throws {
        try connection.run(
            """
            INSERT INTO identity_decision(feed, kind, item_key, time, old_guid, old_url, old_title, new_guid, new_url,
              new_title)
            SELECT id, \(IdentityDecision.Kind.otherFeed), 0, \(now), guid, link, title, \(channel.guid),
              \(channel.link), \(channel.title.flatMap { SafeText.title($0) })
            FROM feed WHERE id = \(feed)
            """)
        count += 1
    }

    /// Deletes the oldest decisions if there are too many.
    func prune() throws {
        if count == 0 { return }
        try connection.run(
            """
            DELETE FROM identity_decision WHERE feed = \(feed) AND id <=
              (SELECT id FROM identity_decision INDEXED BY identity_decision_feed WHERE feed = \(feed)
               ORDER BY id DESC LIMIT 1 OFFSET \(literal: Self.kept))
            """)
    }

    private static func key(of item: MergeItem) -> Int64 {
        var hash = StableHash()
        hash.add(item.item.guid)
        hash.add(item.media.url)
        hash.add(item.title)
        return hash.value
    }
}
