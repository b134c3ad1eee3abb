internal import PodcastModel
internal import SQLite

/// Records what a merge decided, within the merge's transactions.
struct DecisionLog {
    /// Maximum decisions of a feed.
    static let kept = 1_000
    /// Maximum duplicated items that a merge records, so that a document full of duplicates does not displace other decisions.
    private static let recordedRepeats = 200

    let connection: Connection
    let feed: FeedID
    let now: Timestamp
    private(set) var count = 0

    /// Records what a stored episode was recognized by, before its row is written and in the same transaction.
    /// - Parameter owner: for an item that became a new episode: the stored episode that has its GUID.
    mutating func record(
        _ kind: IdentityDecision.Kind, of episode: Int64, _ item: MergeItem, owner: Int64? = nil
    ) throws {
        if count < Self.kept { try insert(kind, about: episode, item, with: owner ?? episode) }
    }

    /// Records items that were left out, with the episode of the earlier item; each item once.
    mutating func record(repeated: [(item: MergeItem, episode: Int64)]) throws {
        for (item, episode) in repeated.prefix(Self.recordedRepeats) {
            try insert(.repeatedItem, about: episode, item, with: episode)
        }
    }

    /// - Parameter other: the stored episode with which the item was compared.
    private mutating func insert(
        _ kind: IdentityDecision.Kind, about episode: Int64, _ item: MergeItem, with other: Int64
    ) throws {
        let isRepeat = kind == .repeatedItem
        try connection.run(
            """
            INSERT OR \(raw: isRepeat ? "IGNORE" : "REPLACE") INTO identity_decision(feed, kind, episode, item_key, time, other,
              old_guid, old_url, old_title, new_guid, new_url, new_title)
            SELECT \(feed), \(kind), \(episode), \(isRepeat ? key(of: item) : 0), \(now),
              \(other == episode ? nil : other), guid, url, title, \(item.item.guid), \(item.media.url), \(item.title)
            FROM episode WHERE id = \(other)
            """)
        count += Int(connection.changedRows)
    }

    mutating func record(otherFeed channel: Channel) throws {
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

    private func key(of item: MergeItem) -> Int64 {
        var hash = StableHash(item.item.guid)
        hash.add(item.media.url)
        hash.add(item.title)
        return hash.value
    }
}
