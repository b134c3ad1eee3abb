public import LibraryModel
internal import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Takes back the last step that was not taken back yet; steps of which nothing is left, since their feeds went,
    /// are passed over. Committed before it returns.
    /// - Returns: what was taken back; nil when there was nothing.
    public func undoLast() throws(LibraryError) -> UndoneStep? {
        try write(.synced) {
            while let (step, kind) = try lastStep() {
                let ids =
                    switch kind {
                    case .seek: try restorePositions(of: step)
                    case .markedPlayed, .markedUnplayed: try restoreMarks(of: step)
                    case .removed, .cleared, .moved, .shuffled: try restoreQueue(kind, of: step)
                    case .ruled: try takeBackRules(of: step)
                    case .added: try takeOutEntries(of: step)
                    }
                try run("DELETE FROM undo_step WHERE id = ?", step)
                if !ids.isEmpty { return UndoneStep(kind: kind, episodes: try ids.compactMap(storedEpisode)) }
            }
            return nil
        }
    }

    private func lastStep() throws -> (id: Int64, kind: UndoneStep.Kind)? {
        let query = try connection.statement("SELECT id, kind FROM undo_step ORDER BY id DESC LIMIT 1")
        defer { query.reset() }
        guard try query.step(), let kind = UndoneStep.Kind(rawValue: query.int(1)) else { return nil }
        return (query.int64(0), kind)
    }

    // MARK: Episodes

    private struct KeptEpisode {
        var id: Int64
        var section: Int
        var position: Int64
        var marked: Int64?
    }

    private func keptEpisodes(of step: Int64) throws -> [KeptEpisode] {
        let query = try connection.statement(
            "SELECT episode, section, position, marked FROM undo_episode WHERE step = ? ORDER BY episode")
        defer { query.reset() }
        try query.bind(1, step)
        var kept: [KeptEpisode] = []
        while try query.step() {
            kept.append(
                KeptEpisode(
                    id: query.int64(0), section: query.int(1), position: query.int64(2),
                    marked: query.optionalInt64(3)))
        }
        return try kept.filter { try storedEpisode(EpisodeID($0.id)) != nil }
    }

    private func restorePositions(of step: Int64) throws -> [EpisodeID] {
        let kept = try keptEpisodes(of: step)
        let update = try connection.statement("UPDATE playback SET position = ?2 WHERE episode = ?1")
        for episode in kept {
            try update.bind(1, episode.id)
            try update.bind(2, episode.position)
            try update.run()
        }
        return kept.map { EpisodeID($0.id) }
    }

    private func restoreMarks(of step: Int64) throws -> [EpisodeID] {
        let kept = try keptEpisodes(of: step)
        let update = try connection.statement("UPDATE playback SET position = ?2, marked = ?3 WHERE episode = ?1")
        let move = try connection.statement("UPDATE episode SET section = ?2 WHERE id = ?1 AND section <> ?2")
        for episode in kept {
            try update.bind(1, episode.id)
            try update.bind(2, episode.position)
            try update.bind(3, episode.marked)
            try update.run()
            // After the position, whose trigger has an opinion on the section too.
            try move.bind(1, episode.id)
            try move.bind(2, episode.section)
            try move.run()
        }
        return kept.map { EpisodeID($0.id) }
    }

    // MARK: The queue

    private struct KeptEntry {
        var index: Int
        var id: Int64
        var episode: EpisodeID
        var isCurrent: Bool
    }

    private func keptEntries(of step: Int64) throws -> [KeptEntry] {
        let query = try connection.statement(
            "SELECT \"index\", entry, episode, is_current FROM undo_entry WHERE step = ? ORDER BY \"index\"")
        defer { query.reset() }
        try query.bind(1, step)
        var kept: [KeptEntry] = []
        while try query.step() {
            kept.append(
                KeptEntry(
                    index: query.int(0), id: query.int64(1), episode: EpisodeID(query.int64(2)),
                    isCurrent: query.bool(3)))
        }
        return try kept.filter { try storedEpisode($0.episode) != nil }
    }

    /// Takes entries out that a step put in, but for the current one: what plays stays.
    /// - Returns: the episodes of those that went.
    private func takeOutEntries(of step: Int64) throws -> [EpisodeID] {
        let query = try connection.statement(
            """
            SELECT q.id, q.episode FROM undo_entry u JOIN queue_entry q ON q.id = u.entry
            WHERE u.step = ? AND q.id IS NOT (SELECT current FROM queue_state) ORDER BY u."index"
            """)
        defer { query.reset() }
        try query.bind(1, step)
        var entries: [QueueEntry] = []
        while try query.step() {
            entries.append(QueueEntry(id: EntryID(query.int64(0)), episode: EpisodeID(query.int64(1))))
        }
        for entry in entries { try run("DELETE FROM queue_entry WHERE id = ?", entry.id.rawValue) }
        return entries.map(\.episode)
    }

    /// Brings entries back to their indexes, under their numbers. Entries that came since keep their order.
    private func restoreQueue(_ kind: UndoneStep.Kind, of step: Int64) throws -> [EpisodeID] {
        var kept = try keptEntries(of: step)
        var order = try queueOrder()
        if kind == .removed || kind == .cleared {
            let insert = try connection.statement("INSERT INTO queue_entry(id, place, episode) VALUES (?, 0, ?)")
            for entry in kept {
                try insert.bind(1, entry.id)
                try insert.bind(2, entry.episode.rawValue)
                try insert.run()
            }
            if let current = kept.first(where: \.isCurrent) {
                try run("UPDATE queue_state SET current = ? WHERE current IS NULL", current.id)
            }
        } else {
            let present = Set(order)
            kept.removeAll { !present.contains($0.id) }
        }
        let moving = Set(kept.map(\.id))
        order.removeAll { moving.contains($0) }
        for entry in kept { order.insert(entry.id, at: min(entry.index, order.count)) }
        try spreadEntries(order)
        return kept.map(\.episode)
    }
}
