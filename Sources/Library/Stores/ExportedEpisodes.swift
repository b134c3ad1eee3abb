internal import JSON
public import PodcastModel
internal import SQLite

extension ImportStore {
    /// Small keys of all episodes with user data, by feed and date, so that the episodes can be read in pieces.
    /// - Parameter history: whether the listening history is user data.
    public func exportedKeys(history: Bool = false) throws(LibraryError) -> [PortableEpisodeKey] {
        try read {
            try connection.all(touched(history: history)) { row in
                PortableEpisodeKey(
                    feed: row["is_loose"] ? nil : row["feed"], row: row["id"], isWaiting: row["is_waiting"],
                    queueIndex: row["queue_index"])
            }
        }
    }

    /// The episodes of some keys, in the same order; deleted episodes are omitted.
    public func exportedEpisodes(
        _ keys: ArraySlice<PortableEpisodeKey>, history: Bool = false
    ) throws(LibraryError) -> [PortableEpisode] {
        try read {
            try keys.compactMap { key in
                let sql: SQL =
                    key.isWaiting
                    ? """
                    SELECT i.*, f.url AS feed_url FROM imported_episode i
                    JOIN feed f ON f.id = i.feed AND f.kind <> \(literal: FeedKind.hidden) WHERE i.id = \(key.row)
                    """
                    : """
                    SELECT iif(f.kind = \(literal: FeedKind.subscribed), f.url, NULL) AS feed_url, e.guid, e.url, e.title,
                      iif(e.dated, e.published, NULL) AS published, e.duration, e.section = \(literal: Section.played) AS played,
                      coalesce(p.position, 0) AS position, p.last_played, p.marked, e.starred,
                      n.text AS note, NULL AS bookmarks, NULL AS history, NULL AS lists, NULL AS queue_place,
                      e.downloaded OR EXISTS (SELECT 1 FROM download_request WHERE episode = e.id) AS downloaded,
                      EXISTS (SELECT 1 FROM queue_state s JOIN queue_entry q ON q.id = s.current
                        WHERE q.episode = e.id) AS is_current
                    FROM episode e JOIN feed f ON f.id = e.feed AND f.kind <> \(literal: FeedKind.hidden)
                    LEFT JOIN playback p ON p.episode = e.id LEFT JOIN note n ON n.episode = e.id WHERE e.id = \(key.row)
                    """
                let found = try connection.first(sql) { (PortableEpisode(row: $0), feed: $0["feed_url"] as String?) }
                guard case (var episode, let feed)? = found else { return nil }
                episode.feed = feed
                if !key.isWaiting {
                    episode.bookmarks = try library.bookmarks.portable(of: key.row)
                    episode.lists = try connection.all(
                        """
                        SELECT list, place FROM queue_entry WHERE episode = \(key.row) AND list IS NOT NULL
                        ORDER BY list, place
                        """
                    ) { ListPlace(name: $0["list"], place: $0["place"]) }
                }
                if !history {
                    episode.history = []
                } else if !key.isWaiting {
                    episode.history = try library.history.portable(of: key.row)
                }
                episode.queueIndex = key.queueIndex
                episode.place = nil
                return episode
            }
        }
    }

    /// The episodes with user data, and the imported data that waits for its episode, ordered alike in every library that has
    /// the same episodes. `queue_index` is the first place in the queue as it is once all episodes are there.
    private func touched(history: Bool) -> SQL {
        """
        SELECT t.is_waiting, t.id, t.feed, f.kind = \(literal: FeedKind.loose) AS is_loose, q.queue_index FROM (
          SELECT 0 AS is_waiting, id, feed, published, url_key FROM episode WHERE id IN (
            SELECT episode FROM playback WHERE position > 0 OR last_played IS NOT NULL OR marked IS NOT NULL
            UNION SELECT episode FROM note UNION SELECT episode FROM bookmark UNION SELECT episode FROM queue_entry
            UNION SELECT id FROM episode WHERE starred = 1 OR downloaded = 1
              OR section IN (\(literal: Section.inProgress), \(literal: Section.played))
            UNION SELECT episode FROM download_request
            UNION SELECT episode FROM history WHERE \(history) AND event <> 'queued')
          UNION ALL SELECT 1, id, feed, coalesce(published, 0), id FROM imported_episode
        ) t JOIN feed f ON f.id = t.feed AND f.kind <> \(literal: FeedKind.hidden) AND (t.is_waiting OR t.id <= f.last_episode)
        LEFT JOIN (
          SELECT is_waiting, id, row_number() OVER (ORDER BY min(place), is_waiting, id) - 1 AS queue_index FROM (
            SELECT 0 AS is_waiting, episode AS id, place FROM queue_entry WHERE list IS NULL
            UNION ALL SELECT 1, id, queue_place FROM imported_episode WHERE queue_place IS NOT NULL)
          GROUP BY is_waiting, id
        ) q ON q.is_waiting = t.is_waiting AND q.id = t.id
        ORDER BY f.kind = \(literal: FeedKind.subscribed), f.url, t.published, t.url_key
        """
    }
}

extension PortableEpisode: Record {
    init(row: Row) {
        self.init(EpisodeIdentity(row: row))
        isPlayed = row["played"]
        position = row["position"]
        lastPlayed = row["last_played"]
        marked = row["marked"]
        isStarred = row["starred"]
        note = row["note"]
        bookmarks = Array(stored: row["bookmarks"])
        history = Array(stored: row["history"])
        history.sort { ($1.time, $0.event.rawValue, $0.position) < ($0.time, $1.event.rawValue, $1.position) }
        isDownloaded = row["downloaded"]
        isCurrent = row["is_current"]
        place = row["queue_place"]
        lists = Array(stored: row["lists"])
    }
}

extension HistoryRecord: StoredElement {
    var parts: [JSONValue] { [time.milliseconds.json, event.rawValue.json, position.milliseconds.json] }

    init?(_ parts: [JSONValue]) {
        guard parts.count == 3, let time = parts[0].integerValue,
            let event = parts[1].stringValue.flatMap(Event.init), let position = parts[2].integerValue
        else { return nil }
        self.init(
            time: Timestamp(milliseconds: time), event: event, position: MediaTime(milliseconds: position))
    }
}
