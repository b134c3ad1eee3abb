public import PodcastModel
internal import SQLite

extension ImportStore {
    /// The end of the queue, after which imported entries are added.
    public func queueEnd() throws(LibraryError) -> Int64 {
        try read {
            try connection.value(
                """
                SELECT min(max(coalesce((SELECT max(place) FROM queue_entry), 0),
                  coalesce((SELECT max(queue_place) FROM imported_episode), 0)), \(QueueStore.lastPlace))
                """) ?? 0
        }
    }

    /// Adds another library's data to the episodes of a feed, at once or as soon as a refresh adds the episodes. Never
    /// removes data: the later of two positions wins; an existing star or note stays.
    /// Commits are small: an interrupted import keeps what was committed, and importing again continues.
    /// - Parameters:
    ///   - queueStart: result of `queueEnd()` before the first episode of the same source.
    ///   - busy: an episode that stays as it is.
    public func importEpisodes(
        _ episodes: [PortableEpisode], of feed: FeedID, queueStart: Int64, except busy: EpisodeID? = nil
    ) throws(LibraryError) -> EpisodeImportCounts {
        let touched = episodes.filter { $0.isTouched && WebAddress.isFetchable($0.identity.url) }
            .map { $0.placed(after: queueStart) }
        if touched.isEmpty { return EpisodeImportCounts() }
        return try write(.relaxed) {
            try library.history.recordingPart {
                _ = try library.feeds.stored(feed)
                let mark = try refreshStore.lastEpisode(of: feed)
                let matches = try matches(of: touched.map(\.identity), in: feed, through: mark ?? 0)
                var counts = EpisodeImportCounts()
                for (index, episode) in touched.enumerated() {
                    if index > 0, index % LibraryStore.rowsPerCommit == 0 {
                        try library.commitAndContinue(.relaxed)
                        _ = try library.feeds.stored(feed)
                    }
                    if let id = matches[index] {
                        if EpisodeID(id) == busy {
                            counts.unchanged += 1
                        } else {
                            counts += try apply(episode, to: EpisodeID(id))
                        }
                    } else {
                        try addWaiting(episode, of: feed)
                    }
                }
                // A refresh may have brought some of them between two commits.
                let late = try refreshStore.lastEpisode(of: feed) == mark ? 0 : try applyWaiting(to: feed)
                let found = min(matches.count + late, touched.count)
                counts.found = found - counts.unchanged
                counts.waiting = touched.count - found
                return counts
            }
        }
    }

    /// Adds data to an episode without a feed, which is created if missing.
    public func importLooseEpisode(
        _ episode: PortableEpisode, queueStart: Int64, at now: Timestamp
    ) throws(LibraryError) -> EpisodeImportCounts {
        guard episode.isTouched, WebAddress.isFetchable(episode.identity.url) else {
            return EpisodeImportCounts(unchanged: 1)
        }
        let id = try library.episodes.looseEpisode(url: episode.identity.url, title: episode.identity.title, at: now)
        return try write(.relaxed) {
            try library.history.recordingPart { try apply(episode.placed(after: queueStart), to: id) }
        }
    }

    /// Applies imported data to the feed's visible episodes; returns the number of episodes.
    @discardableResult
    func applyWaiting(to feed: FeedID) throws -> Int {
        let waiting = try connection.all("SELECT * FROM imported_episode WHERE feed = \(feed) ORDER BY id") {
            (row: $0["id"] as Int64, episode: PortableEpisode(row: $0))
        }
        guard !waiting.isEmpty, let mark = try refreshStore.lastEpisode(of: feed) else { return 0 }
        let matches = try matches(of: waiting.map(\.episode.identity), in: feed, through: mark)
        // In the order of the queue, since an entry is inserted before the first one with a greater place.
        func place(_ index: Int) -> Int64 { waiting[index].episode.place ?? 0 }
        let order = matches.sorted { (place($0.key), $0.key) < (place($1.key), $1.key) }
        for (index, id) in order {
            _ = try library.changes.withoutTime([EpisodeID(id)]) {
                try apply(waiting[index].episode, to: EpisodeID(id))
            }
            try run("DELETE FROM imported_episode WHERE id = \(waiting[index].row)")
        }
        return matches.count
    }

    /// Number of imported episodes that no refresh has found yet.
    public func waitingCount() throws(LibraryError) -> Int {
        try read { try connection.value("SELECT count(*) FROM imported_episode") ?? 0 }
    }

    /// Titles, or else addresses, of imported episodes that no refresh has found yet, by feed.
    public func waitingTitles(limit: Int) throws(LibraryError) -> [(title: String, feed: String)] {
        try read {
            try connection.all(
                """
                SELECT coalesce(i.title, i.url) AS title, f.title AS feed FROM imported_episode i
                JOIN feed f ON f.id = i.feed ORDER BY f.title, i.id LIMIT \(limit)
                """
            ) { (title: $0["title"] as String, feed: $0["feed"] as String) }
        }
    }

    /// The stored episodes, by index in `episodes`.
    func matches(of episodes: [EpisodeIdentity], in feed: FeedID, through mark: Int64) throws -> [Int: Int64] {
        let stored = try refreshStore.storedEpisodes(of: feed).filter { $0.id <= mark }
        return MergePlan.matches(episodes.map(MergeItem.init), in: stored)
    }

    func addWaiting(_ episode: PortableEpisode, of feed: FeedID) throws {
        let identity = episode.identity
        // Of two imports with the same time, the later import counts.
        let isNewer: SQL = """
            (\(episode.hasPlayback) AND max(coalesce(excluded.last_played, 0), coalesce(excluded.marked, 0))
              >= max(coalesce(last_played, 0), coalesce(marked, 0)))
            """
        try run(
            """
            INSERT INTO imported_episode(feed, guid, url, title, published, duration, played, position, last_played,
              marked, starred, note, bookmarks, history, downloaded, queue_place, is_current, lists)
            VALUES (\(feed), \(identity.guid), \(identity.url), \(identity.title.flatMap { SafeText.title($0) }),
              \(identity.published), \(identity.duration), \(episode.isPlayed), \(max(.zero, episode.position)),
              \(episode.lastPlayed), \(episode.marked), \(episode.isStarred), \(episode.note),
              \(episode.bookmarks.storedText), \(episode.history.storedText), \(episode.isDownloaded), \(episode.place), \(episode.isCurrent),
              \(episode.lists.storedText))
            ON CONFLICT DO UPDATE SET played = iif(\(isNewer), excluded.played, played),
              position = iif(\(isNewer), excluded.position, position),
              last_played = iif(\(isNewer), excluded.last_played, last_played),
              marked = iif(\(isNewer), excluded.marked, marked), starred = max(starred, excluded.starred),
              note = coalesce(note, excluded.note), queue_place = coalesce(queue_place, excluded.queue_place),
              is_current = max(is_current, excluded.is_current), downloaded = max(downloaded, excluded.downloaded),
              lists = \(union("lists", limit: ListPlace.maximumOfEpisode)),
              bookmarks = \(union("bookmarks", limit: Bookmark.maximumOfEpisode)),
              history = \(union("history", limit: HistoryStore.mostPortableLines))
            """)
    }

    /// The elements of the column's JSON arrays in the stored row and in the new one.
    private func union(_ column: String, limit: Int) -> SQL {
        """
        (SELECT json_group_array(json(value)) FROM (
          SELECT value FROM json_each(\(raw: column)) UNION SELECT value FROM json_each(excluded.\(raw: column))
          LIMIT \(limit)) HAVING count(*) > 0)
        """
    }

    // MARK: One episode

    /// - Returns: one episode, found or unchanged.
    func apply(_ imported: PortableEpisode, to episode: EpisodeID) throws -> EpisodeImportCounts {
        var counts = EpisodeImportCounts()
        let changes = connection.totalChanges
        if imported.isStarred { try run("UPDATE episode SET starred = 1 WHERE id = \(episode) AND starred = 0") }
        if let note = imported.note {
            try run("INSERT INTO note(episode, text) VALUES (\(episode), \(note)) ON CONFLICT DO NOTHING")
        }
        try library.bookmarks.add(imported.bookmarks, to: episode)
        if imported.hasPlayback, try isLater(imported, than: episode) {
            try replacePlayback(of: episode, with: imported)
            counts.positions = 1
        }
        try library.history.add(imported.history, to: episode)
        if imported.isDownloaded, try library.episodes.stored(episode)?.state.isDownloaded == false {
            try library.downloads.request(episode, at: imported.lastPlayed ?? Timestamp(milliseconds: 0))
        }
        if let place = imported.place, try enter(episode, into: library.queue, at: place) {
            counts.queued = 1
            if imported.isCurrent {
                try run("UPDATE queue_state SET current = \(connection.lastInsertedRow) WHERE current IS NULL")
            }
        }
        for list in imported.lists {
            guard let store = try library.playlists.listForEntries(list.name) else { continue }
            _ = try enter(episode, into: store, at: list.place)
        }
        if connection.totalChanges == changes { counts.unchanged = 1 } else { counts.found = 1 }
        return counts
    }

    /// Compares the times of the playbacks. The log has the later time of an undo, but an import after an undo must win.
    private func isLater(_ imported: PortableEpisode, than episode: EpisodeID) throws -> Bool {
        let known: Timestamp? = try connection.value(
            "SELECT max(coalesce(last_played, 0), coalesce(marked, 0)) FROM playback WHERE episode = \(episode)")
        let value = LibraryChange.Value(position: imported.position, isPlayed: imported.isPlayed)
        let time = [imported.lastPlayed, imported.marked].compactMap(\.self).max() ?? Timestamp(milliseconds: 0)
        return try LibraryChange(.init(.playback), value, at: time, in: "").isLater(
            than: known.map { ChangeStore.LoggedChange(time: $0) },
            library.changes.value(of: ChangedSubject(.playback, owner: episode.rawValue)))
    }

    func replacePlayback(of episode: EpisodeID, with imported: PortableEpisode) throws {
        let old = try connection.first(
            "SELECT position, last_played FROM playback WHERE episode = \(episode) AND position > 0 AND last_played IS NOT NULL"
        ) { (position: $0["position"] as MediaTime, time: $0["last_played"] as Timestamp) }
        if let old, try !library.history.isReportedAgain(episode) {
            try library.history.add(.left, of: episode, old.position, at: old.time)
        }
        try run(
            """
            INSERT INTO playback(episode, position, last_played, marked)
            VALUES (\(episode), \(max(.zero, imported.position)), \(imported.lastPlayed), \(imported.marked))
            ON CONFLICT DO UPDATE SET position = excluded.position, last_played = excluded.last_played,
              marked = excluded.marked
            """)
        try library.episodes.setSection(isPlayed: imported.isPlayed, of: episode)
    }

    /// - Returns: false if the episode was there already.
    private func enter(_ episode: EpisodeID, into store: QueueStore, at place: Int64) throws -> Bool {
        if try store.isQueued(episode) || store.list != nil && store.count() >= QueueStore.maximumOfList {
            return false
        }
        var free = place
        let entries: SQL = "FROM queue_entry WHERE list IS \(store.list)"
        if try connection.exists("SELECT 1 \(entries) AND place = \(place)") {
            let index: Int = try connection.value("SELECT count(*) \(entries) AND place <= \(place)") ?? 0
            free = try store.freePlaces(1, at: index, without: []).first ?? place
        }
        try run("INSERT INTO queue_entry(place, episode, list) VALUES (\(free), \(episode), \(store.list))")
        return true
    }
}

extension PortableEpisode {
    /// The episode with places behind all that the library has.
    fileprivate func placed(after start: Int64) -> PortableEpisode {
        var episode = self
        episode.lists = lists.after(start)
        // A source may claim any index; within this bound places cannot overflow.
        episode.place = queueIndex.map { start + Int64(min(max($0, 0), 1 << 24) + 1) * QueueStore.gap }
        return episode
    }
}

extension MergeItem {
    /// An episode of another library, as an item of a document would say it.
    init(_ identity: EpisodeIdentity) {
        var item = Item()
        item.guid = identity.guid
        item.title = identity.title
        item.published = identity.published
        item.duration = identity.duration
        item.enclosures = [Enclosure(url: identity.url)]
        self.init(item, media: item.enclosures[0])
    }
}
