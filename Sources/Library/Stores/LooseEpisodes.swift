public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore {
    /// An episode for an URL that was played without a feed: one of a subscribed feed if its enclosure is that URL,
    /// else one of a hidden feed, found or made.
    public func looseEpisode(url: String, title: String?, at now: Timestamp) throws(LibraryError) -> EpisodeID {
        try finishAddresses()
        let found = try read { try episodes(url: url, limit: 1).first }
        if let found { return found.id }
        // Whoever made it queues it or plays it next, and that commit is synced.
        return try write(.relaxed) {
            var item = Item()
            item.title = title
            item.enclosures = [Enclosure(url: url)]
            let feed = try looseFeed(at: now)
            var writer = try EpisodeWriter(connection: connection, feed: feed, now: now, notesReader: nil)
            let id = try writer.insert(MergeItem(item, media: item.enclosures[0]), place: 0)
            try publish(feed, through: id)
            return id
        }
    }

    private func looseFeed(at now: Timestamp) throws -> Int64 {
        let query = try connection.statement("SELECT id FROM feed INDEXED BY feed_loose WHERE kind = 1")
        defer { query.reset() }
        if try query.step() { return query.int64(0) }
        let insert = try connection.statement("INSERT INTO feed(kind, title, subscribed) VALUES (1, '', ?)")
        try insert.bind(1, now.milliseconds)
        try insert.run()
        return connection.lastInsertedRow
    }

    /// Visible episodes whose enclosure has exactly this URL; not outside a transaction.
    func episodes(url: String, limit: Int) throws -> [Episode] {
        let query = try connection.statement(
            """
            SELECT \(EpisodeRow.columns) FROM episode_address a CROSS JOIN episode e ON e.id = a.episode\
            \(EpisodeRow.visibility)\(EpisodeRow.state) WHERE a.media_key = ?1 AND e.url = ?2 LIMIT ?3
            """)
        defer { query.reset() }
        try query.bind(1, MediaAddress.key(of: url))
        try query.bind(2, url)
        try query.bind(3, limit)
        var found: [Episode] = []
        while try query.step() { found.append(EpisodeRow.read(query)) }
        return found
    }
}
