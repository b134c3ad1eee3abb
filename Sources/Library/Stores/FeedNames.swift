internal import PodcastModel
internal import SQLite

/// What a feed's publisher called it until now.
struct FeedNames {
    let guid: String?
    /// Nil when the listener has given it another one, so that the publisher's is not known.
    let title: String?
    let link: String?

    /// Whether a document says by its `podcast:guid` that it is another feed's.
    func isOther(byGUIDOf channel: Channel) -> Bool {
        guard let guid, let now = channel.guid else { return false }
        return guid.lowercased() != now.lowercased()
    }

    /// Whether a document that has none of the episodes is another feed's.
    func isOther(_ channel: Channel) -> Bool {
        if let guid, let now = channel.guid { return guid.lowercased() != now.lowercased() }
        if let title, let now = channel.title.flatMap({ SafeText.title($0) }) { return title != now }
        return link != nil && channel.link != nil && link != channel.link
    }
}

extension LibraryStore {
    /// What a feed was called until now; not outside a transaction.
    func feedNames(_ feed: Int64) throws -> FeedNames? {
        let query = try connection.statement(
            """
            SELECT guid, iif(EXISTS (SELECT 1 FROM feed_setting s WHERE s.feed = f.id AND s.name = 'title'), NULL, title),
              link
            FROM feed f WHERE id = ?
            """)
        defer { query.reset() }
        try query.bind(1, feed)
        guard try query.step() else { return nil }
        return FeedNames(guid: query.optionalText(0), title: query.optionalText(1), link: query.optionalText(2))
    }
}
