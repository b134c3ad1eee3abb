public import LibraryModel
public import PodcastModel
internal import SQLite

/// The columns and tables from which an `Episode` is read, and the only place that knows their order.
enum EpisodeRow {
    /// What is selected; `e` is the episode, `f` its feed.
    static let columns = """
        e.id, e.published, e.feed, f.title, e.title, e.url, e.type, e.length, e.duration, e.measured_duration,
          e.season, e.number, e.link, e.section, e.starred, e.downloaded, p.position, p.last_played, n.text,
          e.aside, e.episode_type, e.gone
        """
    /// The feed, which says whether the episode is visible yet; CROSS keeps this order of the joins.
    static let visibility = " CROSS JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode"
    /// What the listener did.
    static let state = " LEFT JOIN playback p ON p.episode = e.id LEFT JOIN note n ON n.episode = e.id"

    /// One episode by its number, if it is visible.
    static let queryByID = "SELECT \(columns) FROM episode e\(visibility)\(state) WHERE e.id = ?"

    /// Reads the current row, whose first columns are `columns`.
    static func read(_ row: Statement) -> Episode {
        let section = row.int(13)
        return Episode(
            id: EpisodeID(row.int64(0)), feed: FeedID(row.int64(2)), feedTitle: row.text(3), title: row.text(4),
            enclosure: Enclosure(url: row.text(5), type: row.optionalText(6), length: row.optionalInt64(7)),
            published: Timestamp(milliseconds: row.int64(1)), announcedDuration: row.optionalMediaTime(8),
            measuredDuration: row.optionalMediaTime(9), season: row.optionalInt(10), number: row.optionalInt(11),
            link: row.optionalText(12),
            kind: row.optionalText(20).flatMap(EpisodeKind.init) ?? .full, isGone: row.bool(21),
            state: EpisodeState(
                position: MediaTime(milliseconds: row.int64(16)), isPlayed: section == 2,
                isStarred: row.bool(14), isDownloaded: row.bool(15), note: row.optionalText(18),
                lastPlayed: row.optionalTime(17), setAside: SetAside(stored: row.int(19))))
    }
}

extension SetAside {
    /// As `episode.aside` has it: 0 for what is not set aside.
    init?(stored: Int) {
        switch stored {
        case 1: self = .skipped
        case 2: self = .archived
        case _: return nil
        }
    }

    /// The number in `episode.aside`.
    var stored: Int {
        switch self {
        case .skipped: 1
        case .archived: 2
        }
    }
}

extension LibraryStore: EpisodeStore {
    /// One episode.
    public func episode(_ id: EpisodeID) throws(LibraryError) -> Episode {
        try read { try visibleEpisode(id) }
    }

    /// Several, in the order asked; missing ones are left out.
    public func episodes(_ ids: [EpisodeID]) throws(LibraryError) -> [Episode] {
        try read { try ids.compactMap { try storedEpisode($0) } }
    }

    /// Marks played or not; both lose the position. The file of what was played need not be kept any more, unless it is
    /// starred. Committed before it returns.
    public func setPlayed(_ played: Bool, _ ids: [EpisodeID], at now: Timestamp) throws(LibraryError) {
        try write(.synced) {
            let mark = try connection.statement(
                """
                INSERT INTO playback(episode, position, marked) VALUES (?1, 0, ?2)
                ON CONFLICT DO UPDATE SET position = 0, marked = excluded.marked
                """)
            let move = try connection.statement("UPDATE episode SET section = ?2 WHERE id = ?1 AND section <> ?2")
            let step = ids.isEmpty ? 0 : try beginStep(played ? .markedPlayed : .markedUnplayed)
            for id in ids {
                let episode = try visibleEpisode(id)
                try keep(episode, position: episode.state.position, in: step)
                try addHistory(played ? .played : .unplayed, of: id, episode.state.position, at: now)
                try mark.bind(1, id.rawValue)
                try mark.bind(2, now.milliseconds)
                try mark.run()
                try move.bind(1, id.rawValue)
                try move.bind(2, played ? 2 : 0)
                try move.run()
                if played, !episode.state.isStarred { try dropDownload(of: id) }
            }
        }
    }

    /// Stars or not. Committed before it returns.
    public func setStarred(_ starred: Bool, _ ids: [EpisodeID]) throws(LibraryError) {
        try setFlag("UPDATE episode SET starred = ?2 WHERE id = ?1 AND starred <> ?2", starred, ids)
    }

    private func setFlag(_ sql: String, _ value: Bool, _ ids: [EpisodeID]) throws(LibraryError) {
        try write(.synced) {
            let update = try connection.statement(sql)
            for id in ids {
                _ = try visibleEpisode(id)
                try update.bind(1, id.rawValue)
                try update.bind(2, value)
                try update.run()
            }
        }
    }

    /// Writes the listener's note; nil or an empty text takes it away. Committed before it returns.
    public func setNote(_ note: String?, of id: EpisodeID) throws(LibraryError) {
        try write(.synced) {
            _ = try visibleEpisode(id)
            guard let note, !note.isEmpty else { return try run("DELETE FROM note WHERE episode = ?", id.rawValue) }
            let insert = try connection.statement(
                "INSERT INTO note(episode, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text")
            try insert.bind(1, id.rawValue)
            try insert.bind(2, note)
            try insert.run()
        }
    }

    /// Remembers where listening stopped: one small commit. A position that is not durable still waits for the disk
    /// every ten seconds, so that a power cut costs little more. An episode that was played stays so.
    public func savePosition(
        _ position: MediaTime, of id: EpisodeID, at now: Timestamp, isDurable: Bool
    ) throws(LibraryError) {
        let instant = clock()
        let synced = positionSynced
        let isDue = synced?.episode != id.rawValue || instant &- (synced?.at ?? 0) >= Self.positionSyncInterval
        let isSynced = isDurable || isDue
        try write(isSynced ? .synced : .relaxed, patience: isDurable ? nil : Self.recordPatience) {
            _ = try visibleEpisode(id)
            let save = try connection.statement(
                """
                INSERT INTO playback(episode, position, last_played) VALUES (?1, ?2, ?3)
                ON CONFLICT DO UPDATE SET position = excluded.position, last_played = excluded.last_played
                """)
            try save.bind(1, id.rawValue)
            try save.bind(2, max(0, position.milliseconds))
            try save.bind(3, now.milliseconds)
            try save.run()
            if isDurable { try addHistory(.heard, of: id, position, at: now) }
        }
        if isSynced { positionSynced = (id.rawValue, instant) }
    }

    /// Remembers a duration measured from the file.
    public func setMeasuredDuration(_ duration: MediaTime, of id: EpisodeID) throws(LibraryError) {
        try write(.relaxed) {
            _ = try visibleEpisode(id)
            let update = try connection.statement(
                "UPDATE episode SET measured_duration = ?2 WHERE id = ?1 AND measured_duration IS NOT ?2")
            try update.bind(1, id.rawValue)
            try update.bind(2, duration.milliseconds)
            try update.run()
        }
    }

    /// A visible episode, nil when there is none; not outside a transaction.
    func storedEpisode(_ id: EpisodeID) throws -> Episode? {
        let query = try connection.statement(EpisodeRow.queryByID)
        defer { query.reset() }
        try query.bind(1, id.rawValue)
        return try query.step() ? EpisodeRow.read(query) : nil
    }

    /// A visible episode; not outside a transaction.
    func visibleEpisode(_ id: EpisodeID) throws -> Episode {
        guard let episode = try storedEpisode(id) else { throw LibraryError.notFound("episode \(id)") }
        return episode
    }
}
