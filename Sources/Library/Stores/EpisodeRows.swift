internal import LibraryDatabase
internal import LibraryModel
internal import LibrarySearch
internal import PodcastModel
internal import SQLite

struct EpisodeRows: EpisodeStore, StoreRows {
    let library: LibraryStore

    func episode(_ id: EpisodeID) throws(LibraryError) -> Episode {
        try read { try visible(id) }
    }

    func episodes(_ ids: [EpisodeID]) throws(LibraryError) -> [Episode] {
        try read { try ids.compactMap { try stored($0) } }
    }

    /// Marks played or not; both lose the position. The file of what was played need not be kept any more, unless it is
    /// starred. Committed before it returns.
    func setPlayed(_ played: Bool, _ ids: [EpisodeID], at now: Timestamp) throws(LibraryError) {
        try write(.synced) {
            try historyRows.recording(played ? .markedPlayed : .markedUnplayed, at: now) {
                for id in ids { try mark(id, played: played, as: played ? .marked : .unplayed, at: now) }
            }
        }
    }

    /// Marks an episode within a step.
    /// - Parameter event: what the history says of it.
    func mark(_ id: EpisodeID, played: Bool, as event: HistoryRecord.Event, at now: Timestamp) throws {
        let episode = try visible(id)
        try historyRows.add(event, of: id, episode.state.position, at: now)
        try run(
            """
            INSERT INTO playback(episode, position, marked) VALUES (\(id), 0, \(now))
            ON CONFLICT DO UPDATE SET position = 0, marked = excluded.marked
            """)
        try setSection(isPlayed: played, of: id)
        if played, !episode.state.isStarred { try downloadRows.drop(id) }
    }

    /// Moves an episode between the views of new, started and played ones; its position is stored already.
    func setSection(isPlayed: Bool, of id: EpisodeID) throws {
        let section: SQL = isPlayed ? "\(Section.played)" : "\(raw: Section.unplayed)"
        try run("UPDATE episode AS e SET section = \(section) WHERE id = \(id) AND section <> \(section)")
    }

    func setStarred(_ starred: Bool, _ ids: [EpisodeID]) throws(LibraryError) {
        try write(.synced) {
            let changed = try ids.map(visible).filter { $0.state.isStarred != starred }
            if changed.isEmpty { return }
            try historyRows.recording(starred ? .starred : .unstarred) {
                for episode in changed { try run("UPDATE episode SET starred = \(starred) WHERE id = \(episode.id)") }
            }
        }
    }

    func setNote(_ note: String?, of id: EpisodeID) throws(LibraryError) {
        try write(.synced) {
            let episode = try visible(id)
            if (note ?? "") == (episode.state.note ?? "") { return }
            try historyRows.recording(.noted) { try writeNote(note, of: id) }
        }
    }

    /// Writes a note, or removes it if it is nil or empty.
    func writeNote(_ note: String?, of id: EpisodeID) throws {
        guard let note, !note.isEmpty else { return try run("DELETE FROM note WHERE episode = \(id)") }
        try run(
            """
            INSERT INTO note(episode, text) VALUES (\(id), \(note)) ON CONFLICT DO UPDATE SET text = excluded.text
            """)
    }

    /// A position that is not durable still waits for the disk every ten seconds, so that a power cut costs little more.
    /// An episode that was played stays so.
    func savePosition(
        _ position: MediaTime, of id: EpisodeID, at now: Timestamp, isDurable: Bool, isHeard: Bool
    ) throws(LibraryError) {
        let instant = library.clock.now
        let synced = library.positionSynced
        let isDue = synced?.episode != id || instant - (synced?.at ?? .distantPast) >= LibraryStore.positionSyncInterval
        let isSynced = isDurable || isDue
        try write(isSynced ? .synced : .relaxed, maximumWait: isDurable ? nil : LibraryDatabase.shortWait) {
            _ = try visible(id)
            try run(
                """
                INSERT INTO playback(episode, position, last_played) VALUES (\(id), \(max(.zero, position)), \(now))
                ON CONFLICT DO UPDATE SET position = excluded.position, last_played = excluded.last_played
                """)
            if isHeard { try historyRows.add(.heard, of: id, position, at: now) }
        }
        if isSynced { library.positionSynced = (id, instant) }
    }

    func loudness(of id: EpisodeID) throws(LibraryError) -> Int? {
        try read { try connection.value("SELECT hundredths FROM loudness WHERE episode = \(id)") }
    }

    func setLoudness(_ hundredths: Int, of id: EpisodeID) throws(LibraryError) {
        try write(.relaxed) {
            _ = try visible(id)
            try run("INSERT OR REPLACE INTO loudness(episode, hundredths) VALUES (\(id), \(hundredths))")
        }
    }

    func setMeasuredDuration(_ duration: MediaTime, of id: EpisodeID) throws(LibraryError) {
        try write(.relaxed) {
            _ = try visible(id)
            try run(
                """
                UPDATE episode SET measured_duration = \(duration)
                WHERE id = \(id) AND measured_duration IS NOT \(duration)
                """)
        }
    }

    func forgetMeasurements(of id: EpisodeID) throws(LibraryError) {
        try write(.relaxed) {
            try run("UPDATE episode SET measured_duration = NULL WHERE id = \(id) AND measured_duration IS NOT NULL")
            try run("DELETE FROM loudness WHERE episode = \(id)")
        }
    }

    func page(
        _ filter: EpisodeFilter, order: EpisodeOrder, at anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> EpisodePage {
        try library.finder.page(library.lookingUpTags(filter), order: order, at: anchor, limit: limit)
    }

    func serialOrder(of feed: FeedID) throws(LibraryError) -> [(id: EpisodeID, isPlayed: Bool)]? {
        try read {
            guard try connection.exists("SELECT 1 FROM feed WHERE id = \(feed) AND type = 'serial'") else { return nil }
            // Trailers and bonus episodes without a season come last. An episode without a season may be of the first one.
            return try connection.all(
                """
                SELECT e.id, e.section = \(literal: Section.played) AS played
                FROM episode e\(raw: EpisodeRow.visibility)
                WHERE e.feed = \(feed) AND e.visibility = \(literal: Visibility.visible)
                ORDER BY e.season IS NULL AND coalesce(e.episode_type, '') IN ('trailer', 'bonus'), coalesce(e.season, 0),
                  e.number IS NULL, e.number, e.published, e.id
                """
            ) { (id: $0["id"], isPlayed: $0["played"]) }
        }
    }

    func count(_ filter: EpisodeFilter, upTo bound: Int) throws(LibraryError) -> RowCount {
        try library.finder.count(library.lookingUpTags(filter), upTo: bound)
    }

    func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID] {
        try library.finder.matching(library.lookingUpTags(filter), among: ids)
    }

    func resolveEpisode(_ what: String, isExact: Bool) throws(LibraryError) -> Episode {
        let found = try library.names.resolve(Name(what, number: .episode), word: what, .episode, isExact: isExact)
        guard case .episode(let id)? = found.first, found.count == 1 else {
            throw LibraryError.refused("'\(what)' names several episodes; only one can be named here")
        }
        return try episode(id)
    }

    /// A visible episode, nil when there is none.
    func stored(_ id: EpisodeID) throws -> Episode? { try library.database.stored(id) }

    func visible(_ id: EpisodeID) throws -> Episode { try library.database.visible(id) }
}
