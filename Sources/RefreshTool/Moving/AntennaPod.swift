internal import Library
internal import PodcastModel
internal import SQLite

extension ForeignDatabase {
    /// AntennaPod's exported database: tables `Feeds`, `FeedItems`, `FeedMedia`, `Queue` and `Favorites`.
    ///
    /// Feeds without a subscription and local folders are skipped.
    func antennaPodQueries() throws(SQLiteError) -> Queries {
        let state = try column("state", of: "Feeds", prefix: "f.")
        let subscribed = "coalesce(\(state), 0) = 0 AND f.download_url LIKE 'http%'"
        let feeds = """
            SELECT f.download_url, f.title, \(try column("custom_title", of: "Feeds", prefix: "f.")),
              \(try column("tags", of: "Feeds", prefix: "f."))
            FROM Feeds f WHERE \(subscribed) ORDER BY f.id LIMIT \(Self.maximumFeeds)
            """
        let star = has("favorites") ? "EXISTS (SELECT 1 FROM Favorites x WHERE x.feeditem = i.id)" : "0"
        let place =
            has("queue")
            ? "(SELECT count(*) FROM Queue o WHERE o.id < (SELECT min(q.id) FROM Queue q WHERE q.feeditem = i.id))"
            : "0"
        let isQueued = has("queue") ? "EXISTS (SELECT 1 FROM Queue q WHERE q.feeditem = i.id)" : "0"
        let lastPlayed = try column("last_played_time", of: "FeedMedia", prefix: "m.")
        let completed = try column("playback_completion_date", of: "FeedMedia", prefix: "m.")
        let episodes = """
            SELECT f.download_url, \(try column("item_identifier", of: "FeedItems", prefix: "i.")), m.download_url, i.title,
              i.pubDate, m.duration, i.read, m.position, \(lastPlayed), \(completed), \(star), \(isQueued), \(place)
            FROM FeedItems i JOIN Feeds f ON f.id = i.feed JOIN FeedMedia m ON m.feeditem = i.id
            WHERE \(subscribed) AND m.download_url IS NOT NULL AND (i.read = 1 OR m.position > 0 OR \(star) OR \(isQueued))
            ORDER BY i.feed LIMIT \(Self.maximumEpisodes)
            """
        return Queries(feeds: feeds, episodes: episodes) { row in
            var feed = PortableFeed(url: row.name(0), title: row.word(1), tags: Self.tags(row.name(3)))
            if let own = row.word(2), own != feed.title { feed.settings["title"] = own }
            return feed
        } episode: { row in
            var episode = PortableEpisode(
                EpisodeIdentity(
                    guid: row.identifier(1), url: row.name(2), title: row.word(3),
                    published: row.instant(milliseconds: 4),
                    duration: row.int64(5) > 0 ? row.span(milliseconds: 5) : nil))
            episode.isPlayed = row.int(6) == 1
            episode.position = row.span(milliseconds: 7)
            episode.lastPlayed = [row.instant(milliseconds: 8), row.instant(milliseconds: 9)].compactMap { $0 }.max()
            episode.isStarred = row.bool(10)
            if row.bool(11) { episode.queueIndex = row.int(12) }
            return (episode, row.name(0))
        }
    }

    /// Tags are joined by a record separator; `#root` means that the feed is also listed outside of tags.
    private static func tags(_ text: String) -> [String] {
        text.split(separator: "\u{1E}").map(String.init).filter { $0 != "#root" }
    }
}
