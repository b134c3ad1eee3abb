internal import Library
internal import PodcastModel
internal import SQLite

extension ForeignDatabase {
    /// In place of a table that is missing.
    private static let none = "SELECT NULL AS ep_id, NULL AS progress, NULL AS place"

    /// castero: tables `feed`, `episode`, `queue` and `progress` of its schema versions 1 to 4. It has no GUIDs and keeps
    /// dates as the feed wrote them, so episodes are found by URL and title.
    func casteroQueries() throws(SQLiteError) -> Queries {
        let feeds = "SELECT key, title FROM feed ORDER BY key LIMIT \(Self.maximumFeeds)"
        let played = try column("played", of: "episode", prefix: "e.")
        // Each is read once; looked up for each episode, a long queue would take minutes.
        let progress = has("progress") ? "SELECT ep_id, max(time) AS progress FROM progress GROUP BY ep_id" : Self.none
        let places =
            has("queue")
            ? "SELECT ep_id, min(n) AS place FROM (SELECT ep_id, row_number() OVER (ORDER BY id) - 1 AS n FROM queue)"
                + " GROUP BY ep_id" : Self.none
        let episodes = """
            SELECT feed_key, enclosure, title, played, progress, place
            FROM (SELECT e.feed_key, e.enclosure, e.title, \(played) AS played, p.progress, q.place FROM episode e
              LEFT JOIN (\(progress)) p ON p.ep_id = e.id LEFT JOIN (\(places)) q ON q.ep_id = e.id)
            WHERE enclosure IS NOT NULL AND (played OR progress > 0 OR place IS NOT NULL)
            ORDER BY feed_key LIMIT \(Self.maximumEpisodes)
            """
        return Queries(feeds: feeds, episodes: episodes) { row in
            PortableFeed(url: row.text(0), title: row.word(1))
        } episode: { row in
            var episode = PortableEpisode(EpisodeIdentity(url: row.name(1), title: row.word(2)))
            // Early versions marked started episodes as played; finished ones have no progress.
            if row.int64(4) > 0 {
                episode.position = row.span(milliseconds: 4)
            } else {
                episode.isPlayed = row.bool(3)
            }
            episode.queueIndex = row.optionalInt(5)
            return (episode, row.name(0))
        }
    }
}
