internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension ImportRows {
    func exportedKeys() throws(LibraryError) -> [PortableEpisodeKey] {
        try read {
            let ranks = try feedRanks()
            let places = try queuePlaces()
            let keys = try connection.all(Self.touched) { row -> RankedKey? in
                let feed: FeedID = row["feed"]
                guard let rank = ranks[feed] else { return nil }
                let queued = QueuedRow(isWaiting: row["is_waiting"], row: row["id"])
                return RankedKey(
                    rank: rank.place, published: row["published"], address: row["url_key"],
                    key: PortableEpisodeKey(
                        feed: rank.isLoose ? nil : feed, row: queued.row, isWaiting: queued.isWaiting,
                        queueIndex: places[queued]))
            }
            return keys.compactMap(\.self).sorted().map(\.key)
        }
    }

    func exportedEpisodes(
        _ keys: ArraySlice<PortableEpisodeKey>
    ) throws(LibraryError) -> [(feed: FeedID?, episode: PortableEpisode)] {
        try read {
            try keys.compactMap { key in
                let sql: SQL =
                    key.isWaiting
                    ? "SELECT * FROM imported_episode WHERE id = \(key.row)"
                    : """
                    SELECT e.guid, e.url, e.title, iif(e.dated, e.published, NULL) AS published, e.duration,
                      e.section = \(literal: Section.played) AS played, coalesce(p.position, 0) AS position,
                      p.last_played, p.marked, e.starred,
                      n.text AS note, NULL AS bookmarks, EXISTS (SELECT 1 FROM queue_state s JOIN queue_entry q ON q.id = s.current
                        WHERE q.episode = e.id) AS is_current
                    FROM episode e LEFT JOIN playback p ON p.episode = e.id LEFT JOIN note n ON n.episode = e.id
                    WHERE e.id = \(key.row)
                    """
                guard var episode: PortableEpisode = try connection.first(sql) else { return nil }
                if !key.isWaiting { episode.bookmarks = try bookmarkRows.portable(of: key.row) }
                episode.queueIndex = key.queueIndex.map(Int.init)
                return (key.feed, episode)
            }
        }
    }

    /// What was touched here, and what waits for its episode.
    private static let touched: SQL = """
        SELECT 0 AS is_waiting, e.id, e.feed, e.published, e.url_key FROM (
          SELECT episode AS id FROM playback WHERE position > 0 OR last_played IS NOT NULL OR marked IS NOT NULL
          UNION SELECT episode FROM note UNION SELECT episode FROM bookmark UNION SELECT episode FROM queue_entry
          UNION SELECT id FROM episode WHERE starred = 1
          UNION SELECT id FROM episode WHERE section IN (\(literal: Section.inProgress), \(literal: Section.played))
        ) t CROSS JOIN episode e ON e.id = t.id CROSS JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode
        UNION ALL
        SELECT 1, id, feed, coalesce(published, 0), id FROM imported_episode
        """

    /// The place of each feed by its URL; the hidden feed of loose episodes comes first.
    private func feedRanks() throws -> [FeedID: (place: Int, isLoose: Bool)] {
        let feeds = try connection.all(
            """
            SELECT id, kind = \(literal: FeedKind.loose) AS is_loose FROM feed WHERE kind <> \(literal: FeedKind.hidden)
            ORDER BY kind = \(literal: FeedKind.subscribed), url
            """
        ) { ($0["id"] as FeedID, $0["is_loose"] as Bool) }
        return Dictionary(
            uniqueKeysWithValues: feeds.enumerated().map { place, feed in (feed.0, (place, feed.1)) })
    }

    private struct QueuedRow: Hashable {
        let isWaiting: Bool
        let row: Int64
    }

    /// The first place of each row in the queue that will be once everything that waits is there.
    private func queuePlaces() throws -> [QueuedRow: Int32] {
        let rows = try connection.all(
            """
            SELECT 0 AS is_waiting, episode AS id, place FROM queue_entry UNION ALL
            SELECT 1, id, queue_place FROM imported_episode WHERE queue_place IS NOT NULL ORDER BY 3, 1, 2
            """
        ) { QueuedRow(isWaiting: $0["is_waiting"], row: $0["id"]) }
        var places: [QueuedRow: Int32] = [:]
        for row in rows where places[row] == nil { places[row] = Int32(clamping: places.count) }
        return places
    }

    /// Orders keys alike in every library that has the same episodes.
    private struct RankedKey: Comparable {
        let rank: Int
        let published: Int64
        let address: Int64
        let key: PortableEpisodeKey

        static func < (left: RankedKey, right: RankedKey) -> Bool {
            (left.rank, left.published, left.address) < (right.rank, right.published, right.address)
        }
    }
}

extension PortableEpisode: Record {
    /// Reads a row of `imported_episode`.
    init(row: Row) {
        self.init(
            EpisodeIdentity(
                guid: row["guid"], url: row["url"], title: row["title"], published: row["published"],
                duration: row["duration"]))
        isPlayed = row["played"]
        position = row["position"]
        lastPlayed = row["last_played"]
        marked = row["marked"]
        isStarred = row["starred"]
        note = row["note"]
        bookmarks = [PortableBookmark](stored: row["bookmarks"])
        isCurrent = row["is_current"]
    }
}
