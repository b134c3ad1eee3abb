internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Milliseconds within which what rules do counts as one act: a refresh brings feeds one after another.
    private static let ruleGap: Int64 = 60_000

    /// The step that what rules do now belongs to; not outside a transaction.
    func ruleStep(at now: Timestamp) throws -> Int64 {
        let query = try connection.statement("SELECT id, kind, ?1 - time FROM undo_step ORDER BY id DESC LIMIT 1")
        defer { query.reset() }
        try query.bind(1, now.milliseconds)
        guard try query.step(), query.int(1) == UndoneStep.Kind.ruled.rawValue,
            (0..<Self.ruleGap).contains(query.int64(2))
        else {
            query.reset()
            return try beginStep(.ruled, at: now)
        }
        let step = query.int64(0)
        let update = try connection.statement("UPDATE undo_step SET time = ?2 WHERE id = ?1")
        try update.bind(1, step)
        try update.bind(2, now.milliseconds)
        try update.run()
        return step
    }

    /// Keeps entries that were made, so that they can be taken out again.
    func keep(_ entries: [QueueEntry], madeIn step: Int64) throws {
        let insert = try connection.statement(
            """
            INSERT INTO undo_entry(step, "index", entry, episode, is_current)
            SELECT ?1, (SELECT coalesce(max("index"), -1) + 1 FROM undo_entry WHERE step = ?1), ?2, ?3, 0
            """)
        for entry in entries {
            try insert.bind(1, step)
            try insert.bind(2, entry.id.rawValue)
            try insert.bind(3, entry.episode.rawValue)
            try insert.run()
        }
    }

    /// Takes back what rules did: what they queued leaves the queue, but for the entry that plays; what they marked as
    /// played or set aside is new again, unless the listener did something with it since. Rules do not look at it again.
    func takeBackRules(of step: Int64) throws -> [EpisodeID] {
        let query = try connection.statement("SELECT episode FROM undo_episode WHERE step = ? ORDER BY episode")
        defer { query.reset() }
        try query.bind(1, step)
        var ids: [Int64] = []
        while try query.step() { ids.append(query.int64(0)) }
        try run(
            """
            DELETE FROM queue_entry WHERE id IN (SELECT entry FROM undo_entry WHERE step = ?)
              AND id IS NOT (SELECT current FROM queue_state)
            """, step)
        for id in ids {
            try run(
                """
                UPDATE episode SET section = 0, aside = 0 WHERE id = ? AND (aside = 1 OR section = 2 AND EXISTS
                  (SELECT 1 FROM rule_act a WHERE a.episode = episode.id AND a.action = 'played'))
                  AND NOT EXISTS (SELECT 1 FROM playback p WHERE p.episode = episode.id
                    AND (p.position > 0 OR p.last_played IS NOT NULL OR p.marked IS NOT NULL))
                """, id)
            if try wasDownloadedByRule(id) { try dropDownload(of: EpisodeID(id)) }
            try run("DELETE FROM rule_act WHERE episode = ?", id)
        }
        return try ids.map { EpisodeID($0) }.filter { try storedEpisode($0) != nil }
    }

    /// Whether a rule asked for an episode's file; the listener's own wish is not the rule's to take back.
    private func wasDownloadedByRule(_ id: Int64) throws -> Bool {
        let query = try connection.statement(
            "SELECT 1 FROM rule_act WHERE episode = ? AND action LIKE '%download%'")
        defer { query.reset() }
        try query.bind(1, id)
        return try query.step()
    }
}
