public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Every episode that the listener touched, by feed and date.
    ///
    /// Listing keys costs some forty bytes for each, so that a library of a million episodes can be written down without
    /// holding more than a page of them.
    public func carriedKeys() throws(LibraryError) -> [CarriedKey] {
        try read {
            let ranks = try feedRanks()
            let places = try queuePlaces()
            var keys: [RankedKey] = []
            let query = try connection.statement(Self.touched)
            defer { query.reset() }
            while try query.step() {
                let isWaiting = query.bool(0)
                guard let rank = ranks[query.int64(2)] else { continue }
                keys.append(
                    RankedKey(
                        rank: rank.place, published: query.int64(3), address: query.int64(4),
                        key: CarriedKey(
                            feed: rank.isLoose ? nil : FeedID(query.int64(2)), row: query.int64(1),
                            isWaiting: isWaiting,
                            queueIndex: places[QueuedRow(isWaiting: isWaiting, row: query.int64(1))])))
            }
            return keys.sorted().map(\.key)
        }
    }

    /// Episodes of some keys, in their order; those that are gone meanwhile are left out.
    public func carriedEpisodes(
        _ keys: ArraySlice<CarriedKey>
    ) throws(LibraryError) -> [(feed: FeedID?, episode: CarriedEpisode)] {
        try read {
            let present = try connection.statement(
                """
                SELECT e.guid, e.url, e.title, iif(e.dated, e.published, NULL), e.duration, e.section = 2,
                  coalesce(p.position, 0), p.last_played, p.marked, e.starred, n.text,
                  EXISTS (SELECT 1 FROM queue_state s JOIN queue_entry q ON q.id = s.current WHERE q.episode = e.id)
                FROM episode e LEFT JOIN playback p ON p.episode = e.id LEFT JOIN note n ON n.episode = e.id
                WHERE e.id = ?
                """)
            let waiting = try connection.statement("SELECT \(Self.waitingColumns) FROM carried_episode WHERE id = ?")
            return try keys.compactMap { key in
                let query = key.isWaiting ? waiting : present
                defer { query.reset() }
                try query.bind(1, key.row)
                guard try query.step() else { return nil }
                var episode = CarriedEpisode(row: query)
                episode.queueIndex = key.queueIndex.map(Int.init)
                return (key.feed, episode)
            }
        }
    }

    static let waitingColumns = """
        guid, url, title, published, duration, played, position, last_played, marked, starred, note, is_current
        """

    /// Rows of both kinds: what was touched here, and what waits for its episode.
    private static let touched = """
        SELECT 0, e.id, e.feed, e.published, e.url_key FROM (
          SELECT episode AS id FROM playback WHERE position > 0 OR last_played IS NOT NULL OR marked IS NOT NULL
          UNION SELECT episode FROM note UNION SELECT episode FROM queue_entry
          UNION SELECT id FROM episode WHERE starred = 1 UNION SELECT id FROM episode WHERE section IN (1, 2)
        ) t CROSS JOIN episode e ON e.id = t.id CROSS JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode
        UNION ALL
        SELECT 1, id, feed, coalesce(published, 0), id FROM carried_episode
        """

    /// Where each feed stands by its URL; the hidden feed of loose episodes stands first.
    private func feedRanks() throws -> [Int64: (place: Int, isLoose: Bool)] {
        let query = try connection.statement("SELECT id, kind FROM feed WHERE kind <> 2 ORDER BY kind = 0, url")
        defer { query.reset() }
        var ranks: [Int64: (place: Int, isLoose: Bool)] = [:]
        while try query.step() { ranks[query.int64(0)] = (ranks.count, query.int(1) == 1) }
        return ranks
    }

    private struct QueuedRow: Hashable {
        let isWaiting: Bool
        let row: Int64
    }

    /// The first place of each row in the queue that will be once everything that waits is there.
    private func queuePlaces() throws -> [QueuedRow: Int32] {
        let query = try connection.statement(
            """
            SELECT 0, episode, place FROM queue_entry
            UNION ALL SELECT 1, id, queue_place FROM carried_episode WHERE queue_place IS NOT NULL ORDER BY 3, 1, 2
            """)
        defer { query.reset() }
        var places: [QueuedRow: Int32] = [:]
        while try query.step() {
            let row = QueuedRow(isWaiting: query.bool(0), row: query.int64(1))
            if places[row] == nil { places[row] = Int32(clamping: places.count) }
        }
        return places
    }

    /// Orders keys alike in every library that has the same episodes.
    private struct RankedKey: Comparable {
        let rank: Int
        let published: Int64
        let address: Int64
        let key: CarriedKey

        static func < (left: RankedKey, right: RankedKey) -> Bool {
            (left.rank, left.published, left.address) < (right.rank, right.published, right.address)
        }
    }
}

extension CarriedEpisode {
    /// Reads the current row, whose columns are those of `waitingColumns`.
    init(row: Statement) {
        self.init(
            EpisodeIdentity(
                guid: row.optionalText(0), url: row.text(1), title: row.optionalText(2), published: row.optionalTime(3),
                duration: row.optionalMediaTime(4)))
        isPlayed = row.bool(5)
        position = MediaTime(milliseconds: row.int64(6))
        lastPlayed = row.optionalTime(7)
        marked = row.optionalTime(8)
        isStarred = row.bool(9)
        note = row.optionalText(10)
        isCurrent = row.bool(11)
    }
}
