public import PodcastModel
internal import SQLite

/// Episodes with the user's data. Marks, stars and notes are committed when a method returns.
public struct EpisodeStore: LibraryPart {
    let library: LibraryStore

    public func episode(_ id: EpisodeID) throws(LibraryError) -> Episode {
        guard let episode = try read({ try stored(id) }) else { throw .notFound("episode \(id.label)") }
        return episode
    }

    /// Episodes in the order of `ids`; missing episodes are omitted.
    public func episodes(_ ids: [EpisodeID]) throws(LibraryError) -> [Episode] {
        try read { try ids.compactMap { try stored($0) } }
    }

    /// Marks episodes as played or unplayed, without a position. Releases files of played episodes that are not starred.
    public func setPlayed(_ played: Bool, _ ids: [EpisodeID], at now: Timestamp) throws(LibraryError) {
        try write(.synced) {
            try recording(played ? .markedPlayed : .markedUnplayed, at: now) {
                for id in ids { try mark(id, played: played, as: played ? .marked : .unplayed, at: now) }
            }
        }
    }

    /// - Parameter event: what the history says of the episode.
    func mark(_ id: EpisodeID, played: Bool, as event: HistoryRecord.Event, at now: Timestamp) throws {
        let episode = try episode(id)
        try library.history.add(event, of: id, episode.state.position, at: now)
        try run(
            """
            INSERT INTO playback(episode, position, marked) VALUES (\(id), 0, \(now))
            ON CONFLICT DO UPDATE SET position = 0, marked = excluded.marked
            """)
        try setSection(isPlayed: played, of: id)
        if played, !episode.state.isStarred { try library.downloads.drop(id) }
    }

    /// The position must be stored already.
    func setSection(isPlayed: Bool, of id: EpisodeID) throws {
        let section: SQL = isPlayed ? "\(Section.played)" : "\(raw: Section.unplayed)"
        try run("UPDATE episode AS e SET section = \(section) WHERE id = \(id) AND section <> \(section)")
    }

    public func setStarred(_ starred: Bool, _ ids: [EpisodeID]) throws(LibraryError) {
        try write(.synced) {
            let changed = try ids.map(episode).filter { $0.state.isStarred != starred }
            if changed.isEmpty { return }
            try recording(starred ? .starred : .unstarred) {
                for episode in changed { try run("UPDATE episode SET starred = \(starred) WHERE id = \(episode.id)") }
            }
        }
    }

    /// Nil or an empty note removes the note.
    public func setNote(_ note: String?, of id: EpisodeID) throws(LibraryError) {
        try write(.synced) {
            let episode = try episode(id)
            if (note ?? "") == (episode.state.note ?? "") { return }
            try recording(.noted) { try writeNote(note, of: id) }
        }
    }

    func writeNote(_ note: String?, of id: EpisodeID) throws {
        guard let note, !note.isEmpty else { return try run("DELETE FROM note WHERE episode = \(id)") }
        try run(
            """
            INSERT INTO note(episode, text) VALUES (\(id), \(note)) ON CONFLICT DO UPDATE SET text = excluded.text
            """)
    }

    /// A played episode stays played. `isDurable` waits for the disk, as pause, stop and seek require; otherwise this waits
    /// only every ten seconds. `isHeard` adds a line to the history, unless the last one of the episode is the same, as for a stop after a
    /// pause; by default, if the position is durable.
    public func savePosition(
        _ position: MediaTime, of id: EpisodeID, at now: Timestamp, isDurable: Bool, isHeard: Bool? = nil
    ) throws(LibraryError) {
        let instant = library.clock.now
        let synced = library.positionSynced
        let isDue = synced?.episode != id || instant - (synced?.at ?? .distantPast) >= LibraryStore.positionSyncInterval
        let isSynced = isDurable || isDue
        try write(isSynced ? .synced : .relaxed, maximumWait: isDurable ? nil : LibraryStore.shortWait) {
            try run(
                """
                INSERT INTO playback(episode, position, last_played)
                SELECT e.id, \(max(.zero, position)), \(now) FROM episode e\(raw: EpisodeRow.visibility) WHERE e.id = \(id)
                ON CONFLICT DO UPDATE SET position = excluded.position, last_played = excluded.last_played
                """)
            if connection.changedRows == 0 { throw LibraryError.notFound("episode \(id.label)") }
            let isNews: SQL = """
                SELECT event <> 'heard' OR position <> \(max(.zero, position))
                FROM history WHERE episode = \(id) ORDER BY id DESC LIMIT 1
                """
            if isHeard ?? isDurable, try connection.value(isNews) ?? true {
                try library.history.add(.heard, of: id, position, at: now)
            }
        }
        if isSynced { library.positionSynced = (id, instant) }
    }

    /// Loudness of an episode's recording in hundredths of LUFS; nil if not measured.
    public func loudness(of id: EpisodeID) throws(LibraryError) -> Int? {
        try read { try connection.value("SELECT hundredths FROM loudness WHERE episode = \(id)") }
    }

    public func setLoudness(_ hundredths: Int, of id: EpisodeID) throws(LibraryError) {
        try write(.relaxed) {
            _ = try episode(id)
            try run("INSERT OR REPLACE INTO loudness(episode, hundredths) VALUES (\(id), \(hundredths))")
        }
    }

    public func setMeasuredDuration(_ duration: MediaTime, of id: EpisodeID) throws(LibraryError) {
        try write(.relaxed) {
            _ = try episode(id)
            try run(
                """
                UPDATE episode SET measured_duration = \(duration)
                WHERE id = \(id) AND measured_duration IS NOT \(duration)
                """)
        }
    }

    /// Removes duration and loudness that were measured from a file which its host has replaced.
    public func forgetMeasurements(of id: EpisodeID) throws(LibraryError) {
        try write(.relaxed) {
            try run("UPDATE episode SET measured_duration = NULL WHERE id = \(id) AND measured_duration IS NOT NULL")
            try run("DELETE FROM loudness WHERE episode = \(id)")
        }
    }

    /// The visible episodes of a serial show (`itunes:type`) by season, number and date; nil for other feeds.
    public func serialOrder(of feed: FeedID) throws(LibraryError) -> [(id: EpisodeID, isPlayed: Bool)]? {
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

    /// The episode that `what` names (see `Name`, `TitleResolver`); a number is an id. `isExact` refuses part of a
    /// title.
    public func resolveEpisode(_ what: String, isExact: Bool = false) throws(LibraryError) -> Episode {
        let found = try library.names.resolve(Name(what, number: .episode), word: what, .episode, isExact: isExact)
        guard case .episode(let id)? = found.first, found.count == 1 else {
            throw LibraryError.refused("'\(what)' names several episodes; only one can be named here")
        }
        return try episode(id)
    }

    /// A visible episode; nil if there is none.
    func stored(_ id: EpisodeID) throws -> Episode? {
        try connection.first("\(raw: EpisodeRow.fromEpisode) WHERE e.id = \(id)", EpisodeRow.episode)
    }
}
