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
            let (position, total) = (row.int64(9), row.int64(5))
            let isBegun = position > 0 && (total <= 0 || position < total - total / 50)
            let isDeleted = row.int(7) == 2
            episode.isPlayed = !row.bool(6) && (!isBegun || isDeleted)
            if isBegun && !episode.isPlayed { episode.position = row.span(seconds: 9) }
            episode.lastPlayed = [row.instant(seconds: 11), row.instant(seconds: 10)].compactMap { $0 }.max()
            episode.isStarred = row.bool(8)
            return (episode, row.name(0))
        }
    }
}
