internal import PodcastModel
internal import SQLite

/// The columns and tables from which an `Episode` is read.
enum EpisodeRow {
    /// SQL: true if an episode came after subscribing, or was the newest one at that time (`EpisodeWriter.insert`); false for a
    /// single file.
    static let recent = "(f.kind <> \(FeedKind.loose.rawValue) AND (e.published > f.subscribed OR e.fresh = 1))"
    /// The columns for `episode(_:)`; `e` is the episode, `f` its feed. Pages do not need the real `recent`.
    static let columns = facts + ",\n  1 AS recent"
    private static let facts = """
        e.id, e.published, e.feed, f.title AS feed_title, e.title, e.url, e.type, e.length, e.duration,
          e.measured_duration, e.section, e.starred, e.downloaded, p.position, p.last_played, n.text AS note, e.visibility,
          e.gone, \(DeclaredColumns(of: EpisodeFacts()).list(prefix: "e."))
        """
    /// Joins the feed, which decides whether the episode is visible yet; CROSS fixes the order of the joins.
    static let visibility = " CROSS JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode"
    static let state = " LEFT JOIN playback p ON p.episode = e.id LEFT JOIN note n ON n.episode = e.id"

    static func select(from source: String) -> String {
        "SELECT \(facts), \(recent) AS recent FROM \(source)\(visibility)\(state)"
    }

    static let fromEpisode = select(from: "episode e")

    static func episode(_ row: Row) -> Episode {
        let section: Section = row["section"] ?? .new
        return Episode(
            id: row["id"], feed: row["feed"], feedTitle: row["feed_title"], title: row["title"],
            enclosure: Enclosure(row: row),
            published: row["published"], announcedDuration: row["duration"],
            measuredDuration: row["measured_duration"], facts: EpisodeFacts(row: row), isGone: row["gone"],
            state: EpisodeState(
                position: row["position"], isPlayed: section == .played, isStarred: row["starred"],
                isDownloaded: row["downloaded"], note: row["note"], lastPlayed: row["last_played"],
                hiddenReason: row["visibility"], isRecent: row["recent"]))
    }
}

enum NewEpisodes {
    /// SQL: counts the new episodes of feed `f` by date, without reading other episodes; must match `EpisodeState.isNew`.
    static let count = """
        iif(f.kind = \(FeedKind.loose.rawValue), 0, (SELECT count(*) FROM episode e INDEXED BY episode_feed
          WHERE e.feed = f.id AND e.section IN (\(Section.new.rawValue), \(Section.inProgress.rawValue))
            AND e.published > f.subscribed
            AND e.visibility = \(Visibility.visible.rawValue)
            AND e.id <= f.last_episode)
        + (SELECT count(*) FROM episode e INDEXED BY episode_fresh
          WHERE e.feed = f.id AND e.fresh = 1 AND e.section IN (\(Section.new.rawValue), \(Section.inProgress.rawValue))
            AND e.published <= f.subscribed AND e.visibility = \(Visibility.visible.rawValue) AND e.id <= f.last_episode))
        """
}
