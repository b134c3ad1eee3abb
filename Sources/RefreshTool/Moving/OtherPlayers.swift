internal import Library
internal import PodcastModel
internal import SQLite

extension ForeignDatabase {
    /// Sections that gPodder derives from a feed's media types.
    private static let ownSections: Set<String> = ["", "audio", "video", "other"]

    /// gPodder 3: tables `podcast` and `episode` of its schema versions 1 to 7.
    ///
    /// Episodes that are not new count as started if they have a position before the end. Episodes that are
    /// protected from deletion (`archive`) are starred here.
    func gPodderQueries() throws(SQLiteError) -> Queries {
        let section = try column("section", of: "podcast")
        let feeds = "SELECT url, title, \(section) FROM podcast ORDER BY id LIMIT \(Self.maximumFeeds)"
        let lastPlayback = try column("last_playback", of: "episode", prefix: "e.")
        let episodes = """
            SELECT p.url, e.guid, e.url, e.title, e.published, e.total_time, e.is_new, e.state, e.archive,
              e.current_position, e.current_position_updated, \(lastPlayback)
            FROM episode e JOIN podcast p ON p.id = e.podcast_id
            WHERE e.is_new = 0 OR e.archive <> 0 OR e.current_position > 0
            ORDER BY e.podcast_id LIMIT \(Self.maximumEpisodes)
            """
        return Queries(feeds: feeds, episodes: episodes) { row in
            let section = row.name(2)
            return PortableFeed(
                url: row.name(0), title: row.word(1), tags: Self.ownSections.contains(section) ? [] : [section])
        } episode: { row in
            var episode = PortableEpisode(
                EpisodeIdentity(
                    guid: row.identifier(1), url: row.name(2), title: row.word(3), published: row.instant(seconds: 4),
                    duration: row.int64(5) > 0 ? row.span(seconds: 5) : nil))
            let position = row.int64(9)
            let total = row.int64(5)
            let isBegun = position > 0 && (total <= 0 || position < total - total / 50)
            let isDeleted = row.int(7) == 2
            episode.isPlayed = !row.bool(6) && (!isBegun || isDeleted)
            if isBegun && !episode.isPlayed { episode.position = row.span(seconds: 9) }
            episode.lastPlayed = [row.instant(seconds: 11), row.instant(seconds: 10)].compactMap { $0 }.max()
            episode.isStarred = row.bool(8)
            return (episode, row.name(0))
        }
    }

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

    /// AntennaPod's exported database: tables `Feeds`, `FeedItems`, `FeedMedia`, `Queue` and `Favorites`.
    ///
    /// Feeds without a subscription and local folders are skipped.
    func antennaPodQueries() throws(SQLiteError) -> Queries {
        let state = try column("state", of: "Feeds", prefix: "f.")
        let subscribed = "coalesce(\(state), 0) = 0 AND f.download_url LIKE 'http%'"
        let feeds = """
            SELECT f.download_url, f.title, \(try column("custom_title", of: "Feeds", prefix: "f.")),
              \(try column("tags", of: "Feeds", prefix: "f.")), \(try column("feed_playback_speed", of: "Feeds", prefix: "f.")),
              \(try column("feed_skip_intro", of: "Feeds", prefix: "f.")), \(try column("feed_skip_ending", of: "Feeds", prefix: "f."))
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
            for (column, setting) in [(4, .speed), (5, .skipStart), (6, .skipEnd)] as [(Int32, FeedSetting)] {
                guard let text = row.word(column), Double(text) ?? 0 > 0, setting.objection(to: text) == nil else {
                    continue
                }
                feed.settings[setting.rawValue] = setting.canonical(text)
            }
            return feed
        } episode: { row in
            var episode = PortableEpisode(
                EpisodeIdentity(
                    guid: row.identifier(1), url: row.name(2), title: row.word(3),
                    published: row.instant(milliseconds: 4),
                    duration: row.int64(5) > 0 ? row.span(milliseconds: 5) : nil))
            episode.isPlayed = row.int(6) == 1
            // AntennaPod keeps the last position of a played episode; earlier ones are from hearing it again.
            let position = row.span(milliseconds: 7)
            let rest = (episode.identity.duration ?? .zero) - position
            if !episode.isPlayed || rest > MediaTime(seconds: 60) { episode.position = position }
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
