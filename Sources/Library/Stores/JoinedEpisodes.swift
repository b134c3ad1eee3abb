public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore {
    /// What the items of joined episodes are recognized by, as further keys of the episodes that they were joined into;
    /// not outside a transaction.
    func aliases(of feed: Int64) throws -> [StoredEpisode] {
        let query = try connection.statement(
            """
            SELECT a.decision, j.kept, j.absorbed, a.guid_key, a.title_key, a.url_key, a.media_key, a.published,
              a.duration
            FROM episode_alias a JOIN joined_episode j ON j.decision = a.decision WHERE a.feed = ?
            """)
        defer { query.reset() }
        try query.bind(1, feed)
        var found: [(episode: Int64, decision: Int64, keys: ItemKeys)] = []
        // One that others were joined into may have been joined into a third.
        var kept: [Int64: Int64] = [:]
        while try query.step() {
            kept[query.int64(2)] = query.int64(1)
            let keys = ItemKeys(
                guid: query.optionalInt64(3), title: query.int64(4), url: query.int64(5), media: query.int64(6),
                published: query.optionalInt64(7), duration: query.optionalInt64(8))
            found.append((query.int64(1), query.int64(0), keys))
        }
        return found.map { alias in
            var episode = alias.episode
            while let into = kept[episode] { episode = into }
            return StoredEpisode(
                id: episode, keys: alias.keys, digest: 0, notesDigest: 0, isGone: false, alias: alias.decision)
        }
    }

    /// Remembers what joined episodes' items are recognized by now; not outside a transaction.
    func updateAliases(_ updates: [MergePlan.AliasUpdate]) throws {
        if updates.isEmpty { return }
        let update = try connection.statement(
            """
            UPDATE episode_alias SET guid_key = ?2, title_key = ?3, url_key = ?4, media_key = ?5, published = ?6,
              duration = ?7, swapped = iif(?8, 1 - swapped, swapped)
            WHERE decision = ?1
            """)
        for alias in updates {
            try update.bind(1, alias.decision)
            try Self.bind(alias.keys, to: update)
            try update.bind(8, alias.isSwap)
            try update.run()
        }
    }

    /// Binds keys to the parameters 2 to 7.
    static func bind(_ keys: ItemKeys, to statement: Statement) throws {
        try statement.bind(2, keys.guid)
        try statement.bind(3, keys.title)
        try statement.bind(4, keys.url)
        try statement.bind(5, keys.media)
        try statement.bind(6, keys.published)
        try statement.bind(7, keys.duration)
    }

    // MARK: Joining

    /// The address of the shelf: the feed that nobody sees, of episodes that were joined into others.
    private static let shelfURL = "shelf:"

    /// Makes two episodes of one feed one. Committed before it returns.
    ///
    /// The kept one is played if one of them was, and gets the further position, the star, both notes and the other's
    /// queue entries and download; the other is out of sight until the join is split.
    public func join(
        _ kept: EpisodeID, with other: EpisodeID, at now: Timestamp
    ) throws(LibraryError) -> DecisionID {
        try write(.synced) {
            let (keeps, goes) = (try visibleEpisode(kept), try visibleEpisode(other))
            if kept == other { throw LibraryError.refused("both are episode \(kept)") }
            if keeps.feed != goes.feed {
                throw LibraryError.refused("episodes \(kept) and \(other) are of different feeds")
            }
            let decision = try recordAct(.joined, kept.rawValue, other.rawValue, at: now)
            try execute(Self.joining, decision)
            try moveEntries(of: other.rawValue, to: kept.rawValue, decision)
            try mergeStates(keeps, goes)
            try moveDownload(from: other.rawValue, to: kept.rawValue, at: now)
            try run("UPDATE episode SET feed = \(try shelf(at: now)) WHERE id = ?", other.rawValue)
            return DecisionID(decision)
        }
    }

    /// What keeps the state of the one, and the keys of the other.
    private static let joining = [
        """
        INSERT INTO joined_episode(decision, kept, absorbed, section, starred, position, last_played, marked, note)
        SELECT d.id, e.id, d.other, e.section, e.starred, p.position, p.last_played, p.marked, n.text
        FROM identity_decision d JOIN episode e ON e.id = d.episode LEFT JOIN playback p ON p.episode = e.id
        LEFT JOIN note n ON n.episode = e.id WHERE d.id = ?
        """,
        """
        INSERT INTO episode_alias(decision, feed, guid_key, title_key, url_key, media_key, published, duration)
        SELECT d.id, e.feed, e.guid_key, e.title_key, e.url_key, e.media_key, iif(e.dated, e.published, NULL), e.duration
        FROM identity_decision d JOIN episode e ON e.id = d.other WHERE d.id = ?
        """,
    ]

    private func execute(_ statements: [String], _ number: Int64) throws {
        for sql in statements { try run(sql, number) }
    }

    private func moveEntries(of other: Int64, to kept: Int64, _ decision: Int64) throws {
        let note = try connection.statement(
            "INSERT INTO joined_entry(decision, entry) SELECT ?1, id FROM queue_entry WHERE episode = ?2")
        try note.bind(1, decision)
        try note.bind(2, other)
        try note.run()
        try repoint("UPDATE queue_entry SET episode = ?2 WHERE episode = ?1", other, kept)
        try repoint("UPDATE undo_entry SET episode = ?2 WHERE episode = ?1", other, kept)
    }

    private func repoint(_ sql: String, _ from: Int64, _ to: Int64) throws {
        let update = try connection.statement(sql)
        try update.bind(1, from)
        try update.bind(2, to)
        try update.run()
    }

    private func mergeStates(_ kept: Episode, _ other: Episode) throws {
        let merged = kept.state.joined(with: other.state)
        try repoint(
            """
            INSERT INTO playback(episode, position, last_played, marked)
            SELECT ?2, position, last_played, marked FROM playback WHERE episode = ?1
            ON CONFLICT DO UPDATE SET position = max(position, excluded.position),
              last_played = nullif(max(coalesce(last_played, 0), coalesce(excluded.last_played, 0)), 0),
              marked = nullif(max(coalesce(marked, 0), coalesce(excluded.marked, 0)), 0)
            """, other.id.rawValue, kept.id.rawValue)
        let section: Int64 = merged.isPlayed ? 2 : merged.position > .zero ? 1 : 0
        try repoint("UPDATE episode SET section = ?2 WHERE id = ?1 AND section <> ?2", kept.id.rawValue, section)
        // What one of them has in the views stays there, with the queue entries that it brings.
        if other.state.setAside == nil && kept.state.setAside != nil {
            try run("UPDATE episode SET aside = 0 WHERE id = ?", kept.id.rawValue)
        }
        if merged.isStarred { try run("UPDATE episode SET starred = 1 WHERE id = ? AND starred = 0", kept.id.rawValue) }
        if merged.note != kept.state.note { try writeNote(merged.note, of: kept.id.rawValue) }
    }

    /// Writes or removes a note; not outside a transaction.
    private func writeNote(_ note: String?, of episode: Int64) throws {
        guard let note else { return try run("DELETE FROM note WHERE episode = ?", episode) }
        let insert = try connection.statement(
            "INSERT INTO note(episode, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text")
        try insert.bind(1, episode)
        try insert.bind(2, note)
        try insert.run()
    }

    /// The shelf's number; it is made when it is needed first.
    private func shelf(at now: Timestamp) throws -> Int64 {
        if let shelf = try feedID(url: Self.shelfURL) { return shelf }
        let insert = try connection.statement("INSERT INTO feed(kind, url, title, subscribed) VALUES (2, ?, '', ?)")
        try insert.bind(1, Self.shelfURL)
        try insert.bind(2, now.milliseconds)
        try insert.run()
        return connection.lastInsertedRow
    }

    // MARK: Separating

    /// Makes two of two that were joined; not outside a transaction. The kept one has its own state of before again
    /// where it is still as the join left it.
    func separate(_ decision: IdentityDecision, _ kept: Episode, at now: Timestamp) throws -> EpisodeSplit {
        guard let other = decision.other else { throw LibraryError.notFound("the joined episode") }
        let id = decision.id.rawValue
        let query = try connection.statement(
            """
            SELECT j.section, j.starred, j.position, j.last_played, j.marked, j.note, coalesce(a.swapped, 0)
            FROM joined_episode j LEFT JOIN episode_alias a ON a.decision = j.decision WHERE j.decision = ?
            """)
        defer { query.reset() }
        try query.bind(1, id)
        guard try query.step() else { throw LibraryError.notFound("the joined episode") }
        let before = EpisodeState(
            position: MediaTime(milliseconds: query.optionalInt64(2) ?? 0), isPlayed: query.int(0) == 2,
            isStarred: query.bool(1), note: query.optionalText(5), lastPlayed: query.optionalTime(3))
        let (marked, isSwapped) = (query.optionalInt64(4), query.bool(6))
        query.reset()
        try repoint("UPDATE episode SET feed = ?2 WHERE id = ?1", other.rawValue, decision.feed.rawValue)
        try repoint(
            "UPDATE queue_entry SET episode = ?2 WHERE id IN (SELECT entry FROM joined_entry WHERE decision = ?1)", id,
            other.rawValue)
        let merged = before.joined(with: try visibleEpisode(other).state)
        try restore(before, marked, to: kept, whereStill: merged)
        if isSwapped { try restoreNames(of: kept.id.rawValue, from: id, at: now) }
        for table in ["joined_entry", "episode_alias", "joined_episode"] {
            try run("DELETE FROM \(table) WHERE decision = ?", id)
        }
        try forgetValidators(of: decision.feed.rawValue)
        return EpisodeSplit(kept: kept.id, other: other)
    }

    private func restore(
        _ before: EpisodeState, _ marked: Int64?, to kept: Episode, whereStill merged: EpisodeState
    ) throws {
        let (id, now) = (kept.id.rawValue, kept.state)
        if now.position == merged.position && now.isPlayed == merged.isPlayed && now.lastPlayed == merged.lastPlayed {
            let update = try connection.statement(
                "UPDATE playback SET position = ?2, last_played = ?3, marked = ?4 WHERE episode = ?1")
            try update.bind(1, id)
            try update.bind(2, before.position.milliseconds)
            try update.bind(3, before.lastPlayed?.milliseconds)
            try update.bind(4, marked)
            try update.run()
            let section: Int64 = before.isPlayed ? 2 : before.position > .zero ? 1 : 0
            try repoint("UPDATE episode SET section = ?2 WHERE id = ?1 AND section <> ?2", id, section)
        }
        if now.isStarred == merged.isStarred && now.isStarred != before.isStarred {
            try run("UPDATE episode SET starred = 1 - starred WHERE id = ?", id)
        }
        if now.note == merged.note && now.note != before.note { try writeNote(before.note, of: id) }
    }

    /// Has the feed's next fetch be unconditional.
    func forgetValidators(of feed: Int64) throws {
        try run(
            "UPDATE fetch_state SET etag = NULL, last_modified = NULL, body_digest = NULL WHERE feed = ?", feed)
    }
}

extension EpisodeState {
    /// What two that are one have together.
    fileprivate func joined(with other: EpisodeState) -> EpisodeState {
        var joined = self
        joined.position = max(position, other.position)
        joined.isPlayed = isPlayed || other.isPlayed
        joined.isStarred = isStarred || other.isStarred
        joined.lastPlayed = [lastPlayed, other.lastPlayed].compactMap(\.self).max()
        if let note, let more = other.note, note != more {
            joined.note = note + "\n" + more
        } else {
            joined.note = note ?? other.note
        }
        return joined
    }
}
