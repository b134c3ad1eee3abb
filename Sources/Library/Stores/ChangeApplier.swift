internal import PodcastModel
internal import SQLite

/// Writes changes that undo an act or do it again.
///
/// The library may have changed since, by playing and by refreshes. Then:
/// - Changes by rules and imports stay where the user has changed the row since; all other acts restore their own values,
///   because the user asks for them.
/// - The entry that plays stays in the queue if an addition is undone, and stays the current entry. A current entry that an import
///   brought is removed, unless the entry's episode was heard since.
/// - Rows of deleted episodes and feeds are skipped.
/// - An episode that an addition by URL made is hidden when that is undone, unless it was used since.
/// - If another object has the name or address by now, nothing is undone (`refused`).
struct ChangeApplier: LibraryPart {
    let library: LibraryStore
    let kind: Act
    /// True if the act is undone; false if it is redone.
    let isUndo: Bool
    /// When the act took place.
    let done: Timestamp
    let now: Timestamp
    private(set) var requested: [EpisodeID] = []
    /// Episodes whose files are deleted at once. Files that other acts release stay until the cache needs the room.
    private(set) var dropped: [EpisodeID] = []
    /// True if the current entry stays although the changes remove it.
    private(set) var keepsPlaying = false
    /// Episodes that were used since.
    private(set) var used: Set<EpisodeID> = []

    /// True if rows stay that were changed after the act.
    private var leavesLaterChanges: Bool { isUndo && (kind == .ruled || kind == .imported) }

    mutating func apply(_ rows: [RecordedRow]) throws {
        let tables = Dictionary(grouping: rows, by: \.table)
        for table in RecordedTable.allCases {
            let rows = tables[table] ?? []
            // A row may give back a name that another one has until then.
            for kind in [ChangedRow.Kind.deleted, .updated, .inserted] {
                for row in rows where row.kind == kind { try apply(row) }
            }
        }
        if tables[.retention] != nil { try library.retention.scheduleRound() }
    }

    private mutating func apply(_ row: RecordedRow) throws {
        switch row.table {
        case .clientSetting, .rule, .ruleBacklog, .retention, .smartPlaylist, .feedSetting, .feedTag, .formerURL,
            .importedEpisode, .note, .bookmark, .ruleAct, .history, .listening:
            try write(row)
        case .feed: try applyFeed(row)
        case .playback: try applyPlayback(row)
        case .queueEntry: try applyEntry(row)
        case .queueState: try applyCurrent(row)
        case .downloadRequest: try applyRequest(row)
        case .episode: try applyEpisode(row)
        case .removedFeed: try applyRemoval(row)
        }
    }

    // MARK: Tables with special rules

    /// Only what users change: title and address.
    private func applyFeed(_ row: RecordedRow) throws {
        guard row.kind == .updated, let id = row.key.map({ FeedID($0) }) else { return }
        if let title = row.after["title"]?.text {
            try run("UPDATE feed SET title = \(title), digest = 0 WHERE id = \(id)")
            try library.feeds.forgetValidators(of: id)
        }
        // Without an address before or after it is a feed that was hidden or came back.
        if row.before["url"]?.text != nil, let url = row.after["url"]?.text {
            if let other = try library.feeds.id(url: url), other != id {
                throw LibraryError.refused("feed \(other.label) has the URL \(url) now")
            }
            try run("DELETE FROM former_url WHERE url = \(url)")
            try run("UPDATE feed SET url = \(url) WHERE id = \(id) AND kind = \(literal: FeedKind.subscribed)")
            try library.feeds.forgetFetches(of: id)
        }
    }

    private mutating func applyPlayback(_ row: RecordedRow) throws {
        guard let episode = row.key.map({ EpisodeID($0) }) else { return }
        // An episode that was heard again since its end keeps its present position.
        if kind == .markedPlayed, isUndo, try wasHeardSince(episode) { return }
        if row.kind == .deleted, !leavesLaterChanges, try !isAsBefore(row, "last_played") {
            // The episode was played since.
            return try run("UPDATE playback SET position = 0, marked = NULL WHERE episode = \(episode)")
        }
        if try !write(row) { used.insert(episode) }
    }

    private func wasHeardSince(_ episode: EpisodeID) throws -> Bool {
        try connection.exists("SELECT 1 FROM playback WHERE episode = \(episode) AND last_played > \(done)")
    }

    /// True if an entry is current, and not only because the import that is undone made the entry current.
    private func isPlaying(_ entry: Int64) throws -> Bool {
        try connection.exists(
            """
            SELECT 1 FROM queue_state s JOIN queue_entry q ON q.id = s.current LEFT JOIN playback p USING (episode)
            WHERE q.id = \(entry) AND (\(kind != .imported) OR p.last_played > \(done))
            """)
    }

    private mutating func applyEntry(_ row: RecordedRow) throws {
        guard let id = row.key else { return }
        switch row.kind {
        case .deleted:
            if isUndo, try isPlaying(id) {
                keepsPlaying = true
                return
            }
            try run("DELETE FROM queue_entry WHERE id = \(id)")
        case .updated: try write(row)
        case .inserted:
            // An entry that is in the queue again stays where it is.
            if try connection.exists("SELECT 1 FROM queue_entry WHERE id = \(id)") { return }
            guard let episode = row.after["episode"]?.integer.map({ EpisodeID($0) }),
                try library.episodes.stored(episode) != nil
            else { return }
            // An episode that ended and was queued again since.
            if kind == .markedPlayed, row.after["list"]?.text == nil, try library.queue.isQueued(episode) { return }
            try write(row)
        }
    }

    private func applyCurrent(_ row: RecordedRow) throws {
        guard let entry = row.after["current"]?.integer else { return }
        try run(
            """
            UPDATE queue_state SET current = \(entry)
            WHERE current IS NULL AND EXISTS (SELECT 1 FROM queue_entry WHERE id = \(entry))
            """)
    }

    private mutating func applyRequest(_ row: RecordedRow) throws {
        guard let episode = row.key.map({ EpisodeID($0) }) else { return }
        switch row.kind {
        // The file may have come since.
        case .deleted: try drop(episode)
        case .updated: break
        case .inserted: try request(episode)
        }
    }

    private mutating func applyEpisode(_ row: RecordedRow) throws {
        guard row.kind == .updated, let id = row.key.map({ EpisodeID($0) }) else { return }
        if let isDownloaded = row.after["downloaded"]?.integer {
            if isDownloaded == 0 { try drop(id) } else { try request(id) }
        }
        if try used.contains(id) || isUsed(id) { return }
        var rest = row
        // Publishers change their data independently.
        rest.before = row.before.filter { Self.episodeColumns.contains($0.key) }
        rest.after = row.after.filter { Self.episodeColumns.contains($0.key) }
        try write(rest)
        if row.after["section"] != nil {
            // The duration may have changed since.
            try run(
                """
                UPDATE episode AS e SET section = \(raw: Section.unplayed)
                WHERE id = \(id) AND section NOT IN (\(Section.played), \(raw: Section.unplayed))
                """)
        }
        if let new = row.after["visibility"], new != Visibility.visible.sqlValue { try showIfHeld(id) }
    }

    /// Shows a hidden episode that the user holds by now. One that was added by URL is held by any use.
    private func showIfHeld(_ id: EpisodeID) throws {
        try run(
            """
            UPDATE episode AS e SET visibility = \(Visibility.visible) WHERE id = \(id) AND visibility <> \(Visibility.visible)
              AND (\(raw: UserData.isHeld) OR \(DownloadStore.isLoose) AND \(raw: UserData.isUsed))
            """)
    }

    private static let episodeColumns: Set<String> = [
        "id", "feed", "section", "starred", "visibility", "guid_key", "title_key", "url_key", "media_key",
    ]

    /// True if the user used an episode after rules marked or hid the episode.
    private func isUsed(_ id: EpisodeID) throws -> Bool {
        guard kind == .ruled, isUndo else { return false }
        return try connection.exists(
            """
            SELECT 1 FROM playback WHERE episode = \(id)
              AND (position > 0 OR last_played IS NOT NULL OR marked IS NOT NULL)
            """)
    }

    private func applyRemoval(_ row: RecordedRow) throws {
        guard let id = row.key.map({ FeedID($0) }) else { return }
        switch row.kind {
        case .deleted: try library.feeds.bringBack(id)
        case .updated: break
        case .inserted: try library.feeds.hide(id, at: now)
        }
    }

    // MARK: Downloads

    private mutating func request(_ id: EpisodeID) throws {
        guard let episode = try library.episodes.stored(id), !episode.state.isDownloaded else { return }
        try library.downloads.request(id, at: now)
        requested.append(id)
    }

    private mutating func drop(_ id: EpisodeID) throws {
        try library.downloads.drop(id)
        if kind == .deleted || kind == .downloaded { dropped.append(id) }
    }

    // MARK: Rows

    /// - Returns: false if the row stays, because it was changed since.
    @discardableResult
    private func write(_ row: RecordedRow) throws -> Bool {
        if leavesLaterChanges, row.kind != .inserted, try !isAsBefore(row) { return false }
        let table = row.table.rawValue
        do throws(SQLiteError) {
            switch row.kind {
            case .deleted: try connection.run("DELETE FROM \(raw: table) WHERE \(isSame(row.keys))")
            case .updated:
                let values = row.after.inOrder.map { name, value -> SQL in "\"\(raw: name)\" = \(value)" }
                if values.isEmpty { return true }
                try connection.run("UPDATE \(raw: table) SET \(values.joined(", ")) WHERE \(isSame(row.keys))")
            case .inserted:
                let (values, keys) = (row.after.inOrder, row.keys.inOrder.map(\.key))
                let names = values.map { "\"\($0.key)\"" }.joined(separator: ", ")
                let changes = values.filter { row.keys[$0.key] == nil }
                    .map { "\"\($0.key)\" = excluded.\"\($0.key)\"" }.joined(separator: ", ")
                try connection.run(
                    """
                    INSERT INTO \(raw: table)(\(raw: names)) VALUES (\(values.map { row -> SQL in "\(row.value)" }.joined(", ")))
                    ON CONFLICT(\(raw: keys.joined(separator: ", "))) DO \(raw: changes.isEmpty ? "NOTHING" : "UPDATE SET " + changes)
                    """)
            }
            return true
        } catch {
            switch error.constraint {
            // The episode or feed of the row was deleted since.
            case .foreignKey: return true
            case .unique: throw LibraryError.refused("there is another of that name now")
            case nil: throw error
            }
        }
    }

    /// SQL for the row with these values.
    private func isSame(_ values: [String: SQLValue]) -> SQL {
        values.inOrder.map { name, value -> SQL in "\"\(raw: name)\" IS \(value)" }.joined(" AND ")
    }

    /// True if the stored row has the values before the change, in one column or in all.
    private func isAsBefore(_ row: RecordedRow, _ name: String? = nil) throws -> Bool {
        let values = row.before.filter { name == nil || $0.key == name || row.keys[$0.key] != nil }
        return try connection.exists("SELECT 1 FROM \(raw: row.table.rawValue) WHERE \(isSame(values))")
    }
}

extension [String: SQLValue] {
    /// Sorted, so that the same columns make the same text of a statement.
    fileprivate var inOrder: [(key: String, value: SQLValue)] { sorted { $0.key < $1.key } }
}
