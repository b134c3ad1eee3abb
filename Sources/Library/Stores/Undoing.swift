internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension HistoryRows {
    /// Steps of which nothing is left, because their feeds were removed, are skipped.
    func undoLast() throws(LibraryError) -> UndoneStep? {
        try write(.synced) {
            while let (step, kind) = try lastStep() {
                let ids: [EpisodeID] =
                    switch kind {
                    case .seek: try restorePositions(of: step)
                    case .markedPlayed: try restoreHeard(of: step)
                    case .markedUnplayed: try restoreMarks(of: step)
                    case .removed, .cleared, .moved, .shuffled: try restoreQueue(kind, of: step)
                    case .ruled: try undoRules(of: step)
                    case .added: try removeEntries(of: step)
                    case .starred: try restoreStars(of: step, to: false)
                    case .unstarred: try restoreStars(of: step, to: true)
                    case .noted: try restoreNotes(of: step)
                    case .unsubscribed, .deleted, .joined: []
                    }
                try run("DELETE FROM undo_step WHERE id = \(step)")
                if !ids.isEmpty || kind.isFinal {
                    return UndoneStep(kind: kind, episodes: try ids.compactMap(episodeRows.stored))
                }
            }
            return nil
        }
    }

    func recordFinalAct(_ kind: UndoneStep.Kind) throws(LibraryError) {
        try write(.synced) { _ = try beginStep(kind) }
    }

    func undoableSteps() throws(LibraryError) -> [UndoableStep] {
        try read {
            try connection.all(
                """
                SELECT s.kind, count(e.id) AS count, min(u.place) AS place, e.title AS title
                FROM undo_step s LEFT JOIN (
                  SELECT step, episode, episode AS place FROM undo_episode
                  UNION ALL SELECT n.step, n.episode, n."index" FROM undo_entry n
                    WHERE NOT EXISTS (SELECT 1 FROM undo_episode x WHERE x.step = n.step)
                ) u ON u.step = s.id LEFT JOIN episode e ON e.id = u.episode GROUP BY s.id ORDER BY s.id DESC
                """
            ) { row in
                (row["kind"] as UndoneStep.Kind?).map {
                    UndoableStep(kind: $0, count: row["count"], title: row["title"])
                }
            }.compactMap(\.self).filter { $0.count > 0 || $0.kind.isFinal }
        }
    }

    private func lastStep() throws -> (id: Int64, kind: UndoneStep.Kind)? {
        try connection.first("SELECT id, kind FROM undo_step ORDER BY id DESC LIMIT 1") { row in
            (row["kind"] as UndoneStep.Kind?).map { (row["id"], $0) }
        }.flatMap(\.self)
    }

    // MARK: Episodes

    private struct KeptEpisode: FetchableRecord {
        let id: EpisodeID
        let section: Section
        let position: MediaTime
        let marked: Timestamp?
        let note: String?

        init(row: Row) {
            (id, section) = (row["episode"], row["section"] ?? .new)
            (position, marked, note) = (row["position"], row["marked"], row["note"])
        }
    }

    private func keptEpisodes(of step: Int64) throws -> [KeptEpisode] {
        try connection.all("SELECT * FROM undo_episode WHERE step = \(step) ORDER BY episode", as: KeptEpisode.self)
            .filter { try episodeRows.stored($0.id) != nil }
    }

    private func restorePositions(of step: Int64) throws -> [EpisodeID] {
        try keptEpisodes(of: step).map {
            try run("UPDATE playback SET position = \($0.position) WHERE episode = \($0.id)")
            return $0.id
        }
    }

    private func restoreMarks(of step: Int64) throws -> [EpisodeID] {
        try keptEpisodes(of: step).map {
            try run("UPDATE playback SET position = \($0.position), marked = \($0.marked) WHERE episode = \($0.id)")
            // After the position, whose trigger sets the section too.
            try episodeRows.setSection($0.section, of: $0.id)
            return $0.id
        }
    }

    private func restoreStars(of step: Int64, to starred: Bool) throws -> [EpisodeID] {
        try keptEpisodes(of: step).map {
            try run("UPDATE episode SET starred = \(starred) WHERE id = \($0.id)")
            return $0.id
        }
    }

    private func restoreNotes(of step: Int64) throws -> [EpisodeID] {
        try keptEpisodes(of: step).map {
            try episodeRows.writeNote($0.note, of: $0.id)
            return $0.id
        }
    }

    /// Restores marks, and the entry that left the queue when it was heard to its end.
    private func restoreHeard(of step: Int64) throws -> [EpisodeID] {
        _ = try restoreQueue(.removed, of: step)
        return try restoreMarks(of: step)
    }

    // MARK: The queue

    /// Removes entries that a step added, except the current one: it may be playing.
    /// - Returns: the episodes of the removed entries.
    private func removeEntries(of step: Int64) throws -> [EpisodeID] {
        let entries: [QueueEntry] = try connection.all(
            """
            SELECT q.id, q.episode FROM undo_entry u JOIN queue_entry q ON q.id = u.entry
            WHERE u.step = \(step) AND q.id IS NOT (SELECT current FROM queue_state) ORDER BY u."index"
            """)
        for entry in entries { try queueRows.delete(entry.id) }
        return entries.map(\.episode)
    }

    /// Brings entries back to their indexes, under their numbers. Entries that were added since keep their order.
    private func restoreQueue(_ kind: UndoneStep.Kind, of step: Int64) throws -> [EpisodeID] {
        var kept = try connection.all("SELECT * FROM undo_entry WHERE step = \(step) ORDER BY \"index\"") {
            (
                index: $0["index"] as Int, id: $0["entry"] as EntryID, episode: $0["episode"] as EpisodeID,
                isCurrent: $0["is_current"] as Bool
            )
        }.filter { try episodeRows.stored($0.episode) != nil }
        if kept.isEmpty { return [] }
        var order = try queueRows.order()
        let present = Set(order)
        if kind == .removed || kind == .cleared {
            for entry in kept where !present.contains(entry.id) {
                try run("INSERT INTO queue_entry(id, place, episode) VALUES (\(entry.id), 0, \(entry.episode))")
            }
            if let current = kept.first(where: \.isCurrent) {
                try run("UPDATE queue_state SET current = \(current.id) WHERE current IS NULL")
            }
        } else {
            kept.removeAll { !present.contains($0.id) }
        }
        let moving = Set(kept.map(\.id))
        order.removeAll { moving.contains($0) }
        for entry in kept { order.insert(entry.id, at: min(entry.index, order.count)) }
        try queueRows.spread(order)
        return kept.map(\.episode)
    }

    // MARK: Rules

    /// Undoes what rules did: what they queued leaves the queue, except the entry that plays; what they marked as played
    /// or skipped is new again, unless the user did something with it since. Rules do not look at it again.
    private func undoRules(of step: Int64) throws -> [EpisodeID] {
        let ids: [EpisodeID] = try connection.column(
            "SELECT episode FROM undo_episode WHERE step = \(step) ORDER BY episode")
        try run(
            """
            DELETE FROM queue_entry WHERE id IN (SELECT entry FROM undo_entry WHERE step = \(step))
              AND id IS NOT (SELECT current FROM queue_state)
            """)
        for id in ids {
            try run(
                """
                UPDATE episode SET section = 0, aside = 0 WHERE id = \(id) AND (aside = 1 OR section = 2 AND EXISTS
                  (SELECT 1 FROM rule_act a WHERE a.episode = episode.id AND a.action = 'played'))
                  AND NOT EXISTS (SELECT 1 FROM playback p WHERE p.episode = episode.id
                    AND (p.position > 0 OR p.last_played IS NOT NULL OR p.marked IS NOT NULL))
                """)
            // A download that the user requested is not the rule's.
            if try connection.exists("SELECT 1 FROM rule_act WHERE episode = \(id) AND action LIKE '%download%'") {
                try downloadRows.drop(id)
            }
            try run("DELETE FROM rule_act WHERE episode = \(id)")
        }
        return try ids.filter { try episodeRows.stored($0) != nil }
    }
}
