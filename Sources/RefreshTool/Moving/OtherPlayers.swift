internal import SQLite

extension ForeignDatabase {
    /// gPodder 3: tables `podcast` and `episode` of its schema versions 1 to 7. It derives some sections from a feed's media types.
    ///
    /// Episodes that are not new count as started if they have a position before the end. Episodes that are
    /// protected from deletion (`archive`) are starred here.
    func gPodderQueries() throws(SQLiteError) -> Queries {
        let section = try column("section", of: "podcast")
        let lastPlayback = try column("last_playback", of: "episode", prefix: "e.")
        let feeds = """
            SELECT url, title, NULL AS own_title, iif(\(section) IN ('audio', 'video', 'other'), NULL, \(section)) AS tags,
              NULL AS speed, NULL AS skip_start, NULL AS skip_end
            FROM podcast ORDER BY id
            """
        let episodes = """
            SELECT p.url AS feed, e.guid, e.url, e.title, e.published * 1000 AS published, e.total_time * 1000 AS duration,
              e.played, iif(e.is_begun AND NOT e.played, e.current_position * 1000, 0) AS position,
              max(coalesce(\(lastPlayback), 0), coalesce(e.current_position_updated, 0)) * 1000 AS last_played,
              e.archive AS starred, NULL AS queue_index
            FROM (SELECT *, is_new = 0 AND (NOT is_begun OR state = 2) AS played FROM (
                SELECT *, current_position > 0 AND (total_time <= 0 OR current_position < total_time - total_time / 50) AS is_begun
                FROM episode)) e
              JOIN podcast p ON p.id = e.podcast_id
            WHERE e.is_new = 0 OR e.archive <> 0 OR e.current_position > 0
            ORDER BY e.podcast_id
            """
        return (feeds, episodes)
    }

    /// In place of a table that is missing.
    private static let none = "SELECT NULL AS ep_id, NULL AS progress, NULL AS place"

    /// castero: tables `feed`, `episode`, `queue` and `progress` of its schema versions 1 to 4. It has no GUIDs and keeps
    /// dates as the feed wrote them, so episodes are found by URL and title. Early versions marked started episodes as played;
    /// finished ones have no progress.
    func casteroQueries() throws(SQLiteError) -> Queries {
        let played = try column("played", of: "episode", prefix: "e.")
        // Each is read once; looked up for each episode, a long queue would take minutes.
        let progress = has("progress") ? "SELECT ep_id, max(time) AS progress FROM progress GROUP BY ep_id" : Self.none
        let places =
            has("queue")
            ? """
            SELECT ep_id, min(n) AS place FROM (SELECT ep_id, row_number() OVER (ORDER BY id) - 1 AS n FROM queue)
            GROUP BY ep_id
            """ : Self.none
        let feeds = """
            SELECT key AS url, title, NULL AS own_title, NULL AS tags, NULL AS speed, NULL AS skip_start, NULL AS skip_end
            FROM feed ORDER BY key
            """
        let episodes = """
            SELECT feed_key AS feed, NULL AS guid, enclosure AS url, title, NULL AS published, NULL AS duration,
              is_played AND coalesce(progress, 0) <= 0 AS played, progress AS position, NULL AS last_played, 0 AS starred,
              place AS queue_index
            FROM (SELECT e.feed_key, e.enclosure, e.title, \(played) AS is_played, p.progress, q.place FROM episode e
              LEFT JOIN (\(progress)) p ON p.ep_id = e.id LEFT JOIN (\(places)) q ON q.ep_id = e.id)
            WHERE enclosure IS NOT NULL AND (is_played OR progress > 0 OR place IS NOT NULL)
            ORDER BY feed_key
            """
        return (feeds, episodes)
    }

    /// AntennaPod's exported database: tables `Feeds`, `FeedItems`, `FeedMedia`, `Queue` and `Favorites`.
    ///
    /// Feeds without a subscription and local folders are skipped. AntennaPod keeps the last position of a played episode; earlier ones
    /// are from hearing it again.
    func antennaPodQueries() throws(SQLiteError) -> Queries {
        func ofFeed(_ name: String) throws(SQLiteError) -> String { try column(name, of: "Feeds", prefix: "f.") }
        func ofMedia(_ name: String) throws(SQLiteError) -> String { try column(name, of: "FeedMedia", prefix: "m.") }
        let subscribed = "coalesce(\(try ofFeed("state")), 0) = 0 AND f.download_url LIKE 'http%'"
        let feeds = """
            SELECT f.download_url AS url, f.title, \(try ofFeed("custom_title")) AS own_title, \(try ofFeed("tags")) AS tags,
              \(try ofFeed("feed_playback_speed")) AS speed, \(try ofFeed("feed_skip_intro")) AS skip_start,
              \(try ofFeed("feed_skip_ending")) AS skip_end
            FROM Feeds f WHERE \(subscribed) ORDER BY f.id
            """
        let star = has("favorites") ? "EXISTS (SELECT 1 FROM Favorites x WHERE x.feeditem = i.id)" : "0"
        let isQueued = has("queue") ? "EXISTS (SELECT 1 FROM Queue q WHERE q.feeditem = i.id)" : "0"
        let place =
            has("queue")
            ? "(SELECT count(*) FROM Queue o WHERE o.id < (SELECT min(q.id) FROM Queue q WHERE q.feeditem = i.id))"
            : "0"
        let episodes = """
            SELECT f.download_url AS feed, \(try column("item_identifier", of: "FeedItems", prefix: "i.")) AS guid,
              m.download_url AS url, i.title, i.pubDate AS published, m.duration, i.read = 1 AS played,
              iif(i.read = 1 AND coalesce(max(m.duration, 0), 0) - m.position <= 60000, 0, m.position) AS position,
              max(coalesce(\(try ofMedia("last_played_time")), 0), coalesce(\(try ofMedia("playback_completion_date")), 0))
                AS last_played,
              \(star) AS starred, iif(\(isQueued), \(place), NULL) AS queue_index
            FROM FeedItems i JOIN Feeds f ON f.id = i.feed JOIN FeedMedia m ON m.feeditem = i.id
            WHERE \(subscribed) AND m.download_url IS NOT NULL AND (i.read = 1 OR m.position > 0 OR \(star) OR \(isQueued))
            ORDER BY i.feed
            """
        return (feeds, episodes)
    }
}
