internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension ForeignDatabase {
    /// castero: tables `feed`, `episode`, `queue` and `progress` of its schema versions 1 to 4. It has no GUIDs and keeps
    /// dates as the feed wrote them, so episodes are found by URL and title.
    func readCastero(_ take: (PortableRecord) -> Bool) throws(SQLiteError) -> Bool {
        let feeds = "SELECT key, title FROM feed ORDER BY key LIMIT \(Self.maximumFeeds)"
        guard try hand(feeds, to: take, { .feed(PortableFeed(url: $0.text(0), title: $0.word(1))) }) else {
            return false
        }
        let played = try column("played", of: "episode", prefix: "e.")
        let progress = has("progress") ? "(SELECT max(time) FROM progress WHERE ep_id = e.id)" : "NULL"
        let place = has("queue") ? "(SELECT min(q.id) FROM queue q WHERE q.ep_id = e.id)" : "NULL"
        let episodes = """
            SELECT feed_key, enclosure, title, played, progress, iif(place IS NULL, NULL,
              (SELECT count(*) FROM \(has("queue") ? "queue" : "feed") q WHERE q.\(has("queue") ? "id" : "key") < place))
            FROM (SELECT e.feed_key, e.enclosure, e.title, \(played) AS played, \(progress) AS progress, \(place) AS place
              FROM episode e)
            WHERE enclosure IS NOT NULL AND (played OR progress > 0 OR place IS NOT NULL)
            ORDER BY feed_key LIMIT \(Self.maximumEpisodes)
            """
        return try hand(episodes, to: take) { row in
            var episode = PortableEpisode(EpisodeIdentity(url: row.name(1), title: row.word(2)))
            // Early versions marked started episodes as played; finished ones have no progress.
            if row.int64(4) > 0 {
                episode.position = row.span(milliseconds: 4)
            } else {
                episode.isPlayed = row.bool(3)
            }
            episode.queueIndex = row.optionalInt(5)
            return .episode(episode, feed: row.name(0))
        }
    }
}
