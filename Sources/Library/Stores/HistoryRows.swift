public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore: HistoryStore {
    /// Lines of the listening history that are kept.
    static let historyLength: Int64 = 1_000
    /// Steps that can be undone.
    static let undoDepth = 50
    /// Of these what rules did; the others are the listener's.
    private static let undoneRuns = 10
    /// Milliseconds within which seeks of one episode count as one: a slider that is drawn.
    private static let seekGap: Int64 = 2_000

    /// The last things that were heard or marked, the latest first.
    public func history(limit: Int) throws(LibraryError) -> [HistoryRecord] {
        try read {
            let records = try heardRecords(limit: limit) + queuedRecords(limit: limit)
            // Of one instant the listener's own acts come first.
            return Array(
                records.enumerated().sorted { ($1.element.time, $0.offset) < ($0.element.time, $1.offset) }
                    .prefix(limit).map(\.element))
        }
    }

    private func heardRecords(limit: Int) throws -> [HistoryRecord] {
        let query = try connection.statement(
            """
            SELECT h.time, h.event, h.episode, e.title, h.position FROM history h JOIN episode e ON e.id = h.episode
            JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode ORDER BY h.id DESC LIMIT ?
            """)
        defer { query.reset() }
        try query.bind(1, limit)
        var records: [HistoryRecord] = []
        while try query.step() {
            guard let event = HistoryRecord.Event(rawValue: query.int(1)) else { continue }
            records.append(
                HistoryRecord(
                    time: Timestamp(milliseconds: query.int64(0)), event: event,
                    episode: EpisodeID(query.int64(2)), title: query.text(3),
                    position: MediaTime(milliseconds: query.int64(4))))
        }
        return records
    }

    /// What rules put into the queue, the latest first, with the rule as it is now.
    private func queuedRecords(limit: Int) throws -> [HistoryRecord] {
        let query = try connection.statement(
            """
            SELECT a.time, a.episode, e.title, a.rule, coalesce(r.text, 'then ' || a.action)
            FROM rule_act a INDEXED BY rule_act_queued CROSS JOIN episode e ON e.id = a.episode
            CROSS JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode LEFT JOIN rule r ON r.id = a.rule
            WHERE a.action GLOB 'queue*' OR a.action GLOB 'next*' ORDER BY a.time DESC, a.episode DESC LIMIT ?
            """)
        defer { query.reset() }
        try query.bind(1, limit)
        var records: [HistoryRecord] = []
        while try query.step() {
            records.append(
                HistoryRecord(
                    time: Timestamp(milliseconds: query.int64(0)), event: .queued, episode: EpisodeID(query.int64(1)),
                    title: query.text(2), position: .zero, reason: "rule \(query.int64(3)): \(query.text(4))"))
        }
        return records
    }

    /// Remembers where a seek left from. It may go with a power cut; the seek's own target does not.
    public func recordSeek(
        of id: EpisodeID, from position: MediaTime, at now: Timestamp
    ) throws(LibraryError) {
        try write(.relaxed) {
            let episode = try visibleEpisode(id)
            try addHistory(.left, of: id, position, at: now)
            if try isDrawnOn(id, at: now) { return }
            let step = try beginStep(.seek, at: now)
            try keep(episode, position: position, in: step)
        }
    }

    /// Adds a line to the history; not outside a transaction.
    func addHistory(
        _ event: HistoryRecord.Event, of id: EpisodeID, _ position: MediaTime, at now: Timestamp
    ) throws {
        let insert = try connection.statement(
            "INSERT INTO history(time, event, episode, position) VALUES (?, ?, ?, ?)")
        try insert.bind(1, now.milliseconds)
        try insert.bind(2, event.rawValue)
        try insert.bind(3, id.rawValue)
        try insert.bind(4, max(0, position.milliseconds))
        try insert.run()
        try run("DELETE FROM history WHERE id <= ?", connection.lastInsertedRow - Self.historyLength)
    }

    /// Begins a step that can be undone; not outside a transaction.
    func beginStep(_ kind: UndoneStep.Kind, at now: Timestamp? = nil) throws -> Int64 {
        let insert = try connection.statement("INSERT INTO undo_step(kind, time) VALUES (?, ?)")
        try insert.bind(1, kind.rawValue)
        try insert.bind(2, now?.milliseconds)
        try insert.run()
        let step = connection.lastInsertedRow
        // What rules do at night must not use up what the listener did by day.
        try connection.execute(
            """
            DELETE FROM undo_step WHERE id IN (SELECT id FROM undo_step WHERE kind <> \(UndoneStep.Kind.ruled.rawValue)
              ORDER BY id DESC LIMIT -1 OFFSET \(Self.undoDepth));
            DELETE FROM undo_step WHERE id IN (SELECT id FROM undo_step WHERE kind = \(UndoneStep.Kind.ruled.rawValue)
              ORDER BY id DESC LIMIT -1 OFFSET \(Self.undoneRuns));
            """)
        return step
    }

    /// Keeps an episode as it is before a step changes it.
    func keep(_ episode: Episode, position: MediaTime, in step: Int64) throws {
        let insert = try connection.statement(
            """
            INSERT OR IGNORE INTO undo_episode(step, episode, section, position, marked)
            SELECT ?1, e.id, e.section, ?3, p.marked FROM episode e LEFT JOIN playback p ON p.episode = e.id
            WHERE e.id = ?2
            """)
        try insert.bind(1, step)
        try insert.bind(2, episode.id.rawValue)
        try insert.bind(3, max(0, position.milliseconds))
        try insert.run()
    }

    /// Keeps entries of the queue, with their indexes, as they are before a step changes them; nil keeps all.
    func keepEntries(_ ids: Set<Int64>?, in step: Int64) throws {
        let query = try connection.statement(
            """
            SELECT q.id, q.episode, q.id IS (SELECT current FROM queue_state) FROM queue_entry q ORDER BY q.place, q.id
            """)
        defer { query.reset() }
        let insert = try connection.statement(
            "INSERT INTO undo_entry(step, \"index\", entry, episode, is_current) VALUES (?, ?, ?, ?, ?)")
        var index = 0
        while try query.step() {
            defer { index += 1 }
            if let ids, !ids.contains(query.int64(0)) { continue }
            try insert.bind(1, step)
            try insert.bind(2, index)
            try insert.bind(3, query.int64(0))
            try insert.bind(4, query.int64(1))
            try insert.bind(5, query.bool(2))
            try insert.run()
        }
    }

    /// Whether the last step is a seek of this episode that ended a moment ago.
    private func isDrawnOn(_ id: EpisodeID, at now: Timestamp) throws -> Bool {
        let query = try connection.statement(
            """
            SELECT s.id, ?2 - s.time FROM undo_step s JOIN undo_episode u ON u.step = s.id
            WHERE s.id = (SELECT max(id) FROM undo_step) AND s.kind = 0 AND u.episode = ?1
            """)
        defer { query.reset() }
        try query.bind(1, id.rawValue)
        try query.bind(2, now.milliseconds)
        guard try query.step(), (0..<Self.seekGap).contains(query.int64(1)) else { return false }
        let step = query.int64(0)
        let update = try connection.statement("UPDATE undo_step SET time = ?2 WHERE id = ?1")
        try update.bind(1, step)
        try update.bind(2, now.milliseconds)
        try update.run()
        return true
    }
}
