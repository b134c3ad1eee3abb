internal import LibraryModel
internal import PodcastModel
internal import SQLite

/// The listening history, and the steps that can be undone.
struct HistoryRows: HistoryStore, StoreRows {
    let library: LibraryStore

    /// Lines of the listening history that are kept.
    static let historyLength: Int64 = 1_000
    /// Steps of the user's that can be undone.
    static let undoDepth = 50
    /// Steps of rules that can be undone.
    private static let undoableRuns = 10
    /// Milliseconds within which seeks of one episode count as one: a slider that is dragged, not keys that are pressed.
    private static let seekGap: Int64 = 300
    /// Milliseconds within which what rules do counts as one step: a refresh brings feeds one after another.
    private static let ruleGap: Int64 = 60_000

    func history(after key: HistoryKey?, limit: Int) throws(LibraryError) -> [HistoryRecord] {
        try read {
            let records = try heard(after: key, limit: limit) + queuedByRules(after: key, limit: limit)
            // What the user did comes before what rules did at the same time.
            return Array(
                records.enumerated().sorted { ($1.element.time, $0.offset) < ($0.element.time, $1.offset) }
                    .prefix(limit).map(\.element))
        }
    }

    private func heard(after key: HistoryKey?, limit: Int) throws -> [HistoryRecord] {
        var place: SQL = ""
        if let key {
            place =
                key.isOfRule
                ? "WHERE h.time < \(key.time)" : "WHERE (h.time, h.id) < (\(key.time), \(key.id))"
        }
        return try connection.all(
            """
            SELECT h.id, h.time, h.event, h.episode, e.title, h.position FROM history h
            JOIN episode e ON e.id = h.episode JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode
            \(place) ORDER BY h.time DESC, h.id DESC LIMIT \(limit)
            """
        ) { row in
            (row["event"] as HistoryRecord.Event?).map {
                HistoryRecord(
                    time: row["time"], event: $0, episode: row["episode"], title: row["title"],
                    position: row["position"], number: row["id"])
            }
        }.compactMap(\.self)
    }

    /// What rules put into the queue, the latest first, with the rule as it is now.
    private func queuedByRules(after key: HistoryKey?, limit: Int) throws -> [HistoryRecord] {
        var place: SQL = ""
        if let key {
            place =
                key.isOfRule
                ? "AND a.time <= \(key.time) AND (a.time, a.episode) < (\(key.time), \(key.id))"
                : "AND a.time <= \(key.time)"
        }
        return try connection.all(
            """
            SELECT a.time, a.episode, e.title, a.rule, coalesce(r.text, 'then ' || a.action) AS text
            FROM rule_act a INDEXED BY rule_act_queued CROSS JOIN episode e ON e.id = a.episode
            CROSS JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode LEFT JOIN rule r ON r.id = a.rule
            WHERE (a.action GLOB 'queue*' OR a.action GLOB 'next*') \(place)
            ORDER BY a.time DESC, a.episode DESC LIMIT \(limit)
            """
        ) {
            HistoryRecord(
                time: $0["time"], event: .queued, episode: $0["episode"], title: $0["title"], position: .zero,
                reason: "rule \($0["rule"] as RuleID): \($0["text"] as String)")
        }
    }

    /// A power cut may lose it; the seek's own target is synced.
    func recordSeek(of id: EpisodeID, from position: MediaTime, at now: Timestamp) throws(LibraryError) {
        try write(.relaxed) {
            let episode = try episodeRows.visible(id)
            try add(.left, of: id, position, at: now)
            if try continuesSeek(of: id, at: now) { return }
            try keep(episode, position: position, in: try beginStep(.seek, at: now))
        }
    }

    /// Adds a line to the history.
    func add(_ event: HistoryRecord.Event, of id: EpisodeID, _ position: MediaTime, at now: Timestamp) throws {
        try run(
            """
            INSERT INTO history(time, event, episode, position)
            VALUES (\(now), \(event), \(id), \(max(.zero, position)))
            """)
        try run("DELETE FROM history WHERE id <= \(connection.lastInsertedRow - Self.historyLength)")
    }

    // MARK: Steps that can be undone

    /// Begins a step that can be undone.
    func beginStep(_ kind: UndoneStep.Kind, at now: Timestamp? = nil) throws -> Int64 {
        try run("INSERT INTO undo_step(kind, time) VALUES (\(kind), \(now))")
        let step = connection.lastInsertedRow
        // Counted apart, so that what rules do at night does not replace what the user did by day.
        try run(
            """
            DELETE FROM undo_step WHERE id IN (SELECT id FROM undo_step
              WHERE kind <> \(literal: UndoneStep.Kind.ruled) ORDER BY id DESC LIMIT -1 OFFSET \(Self.undoDepth))
            """)
        try run(
            """
            DELETE FROM undo_step WHERE id IN (SELECT id FROM undo_step
              WHERE kind = \(literal: UndoneStep.Kind.ruled) ORDER BY id DESC LIMIT -1 OFFSET \(Self.undoableRuns))
            """)
        return step
    }

    /// The step that belongs to what rules do now.
    func ruleStep(at now: Timestamp) throws -> Int64 {
        let last = try connection.first("SELECT id, kind, time FROM undo_step ORDER BY id DESC LIMIT 1") {
            (id: $0["id"] as Int64, kind: $0["kind"] as UndoneStep.Kind?, time: $0["time"] as Timestamp)
        }
        guard let last, last.kind == .ruled, isRecent(last.time, now, Self.ruleGap) else {
            return try beginStep(.ruled, at: now)
        }
        try run("UPDATE undo_step SET time = \(now) WHERE id = \(last.id)")
        return last.id
    }

    /// Stores an episode as it is before a step changes it.
    func keep(_ episode: Episode, position: MediaTime, in step: Int64) throws {
        try run(
            """
            INSERT OR IGNORE INTO undo_episode(step, episode, section, position, marked, note)
            SELECT \(step), e.id, e.section, \(max(.zero, position)), p.marked, n.text
            FROM episode e LEFT JOIN playback p ON p.episode = e.id LEFT JOIN note n ON n.episode = e.id
            WHERE e.id = \(episode.id)
            """)
    }

    /// Stores entries of the queue, with their indexes, as they are before a step changes them; nil stores all.
    func keepEntries(_ ids: Set<EntryID>?, in step: Int64) throws {
        let entries = try connection.all(
            """
            SELECT q.id, q.episode, q.id IS (SELECT current FROM queue_state) AS is_current
            FROM queue_entry q ORDER BY q.place, q.id
            """
        ) { (entry: QueueEntry(row: $0), isCurrent: $0["is_current"] as Bool) }
        for (index, (entry, isCurrent)) in entries.enumerated() where ids?.contains(entry.id) ?? true {
            try run(
                """
                INSERT INTO undo_entry(step, "index", entry, episode, is_current)
                VALUES (\(step), \(index), \(entry.id), \(entry.episode), \(isCurrent))
                """)
        }
    }

    /// Stores entries that a step made, so that they can be removed again.
    func keep(_ entries: [QueueEntry], madeIn step: Int64) throws {
        for entry in entries {
            try run(
                """
                INSERT INTO undo_entry(step, "index", entry, episode, is_current) SELECT \(step),
                  (SELECT coalesce(max("index"), -1) + 1 FROM undo_entry WHERE step = \(step)), \(entry.id),
                  \(entry.episode), 0
                """)
        }
    }

    /// Whether the last step is a seek of this episode that ended a moment ago; then it is extended.
    private func continuesSeek(of id: EpisodeID, at now: Timestamp) throws -> Bool {
        let last = try connection.first(
            """
            SELECT s.id, s.time FROM undo_step s JOIN undo_episode u ON u.step = s.id
            WHERE s.id = (SELECT max(id) FROM undo_step) AND s.kind = \(UndoneStep.Kind.seek) AND u.episode = \(id)
            """
        ) { (id: $0["id"] as Int64, time: $0["time"] as Timestamp) }
        guard let last, isRecent(last.time, now, Self.seekGap) else { return false }
        try run("UPDATE undo_step SET time = \(now) WHERE id = \(last.id)")
        return true
    }

    private func isRecent(_ time: Timestamp, _ now: Timestamp, _ gap: Int64) -> Bool {
        (0..<gap).contains(now.milliseconds - time.milliseconds)
    }
}
