internal import FeedMerging
internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension IdentityRows {
    /// What the items of merged episodes are recognized by, as further keys of the episodes that they were merged into.
    func aliases(of feed: FeedID) throws -> [StoredEpisode] {
        let found = try connection.all(
            """
            SELECT a.*, j.kept, j.absorbed FROM episode_alias a JOIN joined_episode j ON j.decision = a.decision
            WHERE a.feed = \(feed)
            """
        ) {
            (
                kept: $0["kept"] as Int64, absorbed: $0["absorbed"] as Int64, decision: $0["decision"] as Int64,
                keys: ItemKeys(row: $0)
            )
        }
        // An episode that others were merged into may have been merged into a third.
        let kept = Dictionary(found.map { ($0.absorbed, $0.kept) }) { $1 }
        return found.map { alias in
            var episode = alias.kept
            while let into = kept[episode] { episode = into }
            return StoredEpisode(
                id: episode, keys: alias.keys, digest: 0, notesDigest: 0, isGone: false, alias: alias.decision)
        }
    }

    /// Stores what merged episodes' items are recognized by now.
    func updateAliases(_ updates: [MergePlan.AliasUpdate]) throws {
        for alias in updates {
            let keys = alias.keys
            try run(
                """
                UPDATE episode_alias SET guid_key = \(keys.guid), title_key = \(keys.title), url_key = \(keys.url),
                  media_key = \(keys.media), published = \(keys.published), duration = \(keys.duration),
                  swapped = iif(\(alias.isSwap), 1 - swapped, swapped)
                WHERE decision = \(alias.decision)
                """)
        }
    }

    // MARK: Joining

    /// The URL of the hidden feed of episodes that were merged into others.
    private static let mergedFeedURL = "shelf:"

    /// The kept episode is played if one of them was, and gets the further position, the star, both notes and the other's
    /// queue entries and download; the other is hidden until the merge is split.
    func join(_ kept: EpisodeID, with other: EpisodeID, at now: Timestamp) throws(LibraryError) -> DecisionID {
        try write(.synced) {
            let (keeps, goes) = (try episodeRows.visible(kept), try episodeRows.visible(other))
            if kept == other { throw LibraryError.refused("cannot merge episode \(kept.label) with itself") }
            if keeps.feed != goes.feed {
                throw LibraryError.refused("episodes \(kept) and \(other) belong to different feeds")
            }
            return try historyRows.recording(.joined) {
                let decision = try recordAct(.joined, kept, other, at: now)
                try run(
                    """
                    INSERT INTO joined_episode(decision, kept, absorbed, section, starred, position, last_played, marked, note)
                    SELECT d.id, e.id, d.other, e.section, e.starred, p.position, p.last_played, p.marked, n.text
                    FROM identity_decision d JOIN episode e ON e.id = d.episode LEFT JOIN playback p ON p.episode = e.id
                    LEFT JOIN note n ON n.episode = e.id WHERE d.id = \(decision)
                    """)
                try run(
                    """
                    INSERT INTO episode_alias(decision, feed, guid_key, title_key, url_key, media_key, published, duration)
                    SELECT d.id, e.feed, e.guid_key, e.title_key, e.url_key, e.media_key, iif(e.dated, e.published, NULL),
                      e.duration
                    FROM identity_decision d JOIN episode e ON e.id = d.other WHERE d.id = \(decision)
                    """)
                try run(
                    """
                    INSERT INTO joined_entry(decision, entry) SELECT \(decision), id FROM queue_entry WHERE episode = \(other)
                    """)
                try run("UPDATE queue_entry SET episode = \(kept) WHERE episode = \(other)")
                try run(
                    """
                    INSERT INTO joined_bookmark(decision, bookmark) SELECT \(decision), id FROM bookmark
                    WHERE episode = \(other)
                    """)
                try run("UPDATE bookmark SET episode = \(kept) WHERE episode = \(other)")
                try mergeStates(keeps, goes)
                try downloadRows.move(from: other, to: kept, at: now)
                try run("UPDATE episode SET feed = \(try mergedFeed(at: now)) WHERE id = \(other)")
                return decision
            }
        }
    }

    private func mergeStates(_ kept: Episode, _ other: Episode) throws {
        let merged = kept.state.joined(with: other.state)
        try run(
            """
            INSERT INTO playback(episode, position, last_played, marked)
            SELECT \(kept.id), position, last_played, marked FROM playback WHERE episode = \(other.id)
            ON CONFLICT DO UPDATE SET position = max(position, excluded.position),
              last_played = nullif(max(coalesce(last_played, 0), coalesce(excluded.last_played, 0)), 0),
              marked = nullif(max(coalesce(marked, 0), coalesce(excluded.marked, 0)), 0)
            """)
        try episodeRows.setSection(isPlayed: merged.isPlayed, of: kept.id)
        // If views show one of them, they show the merged one.
        if other.state.hiddenReason == nil && kept.state.hiddenReason != nil {
            try run("UPDATE episode SET aside = \(Visibility.visible) WHERE id = \(kept.id)")
        }
        if merged.isStarred { try run("UPDATE episode SET starred = 1 WHERE id = \(kept.id) AND starred = 0") }
        if merged.note != kept.state.note { try episodeRows.writeNote(merged.note, of: kept.id) }
    }

    /// The hidden feed of merged episodes; it is made when it is needed first.
    private func mergedFeed(at now: Timestamp) throws -> FeedID {
        if let feed = try feedRows.id(url: Self.mergedFeedURL) { return feed }
        try run(
            """
            INSERT INTO feed(kind, url, title, subscribed)
            VALUES (\(literal: FeedKind.hidden), \(Self.mergedFeedURL), '', \(now))
            """)
        return FeedID(connection.lastInsertedRow)
    }

    // MARK: Separating

    /// Makes two of two that were merged. The kept one gets its own state of before back where it is still as the merge
    /// left it.
    func separate(_ decision: IdentityDecision, _ kept: Episode, at now: Timestamp) throws -> EpisodeSplit {
        let id = decision.id
        let found = try connection.first(
            """
            SELECT j.*, coalesce(a.swapped, 0) AS swapped
            FROM joined_episode j LEFT JOIN episode_alias a ON a.decision = j.decision WHERE j.decision = \(id)
            """
        ) { row in
            let state = EpisodeState(
                position: row["position"], isPlayed: row["section"] == Section.played, isStarred: row["starred"],
                note: row["note"], lastPlayed: row["last_played"])
            return (state: state, marked: row["marked"] as Timestamp?, isSwapped: row["swapped"] as Bool)
        }
        guard let other = decision.other, let found else { throw LibraryError.notFound("the merged episode") }
        try run("UPDATE episode SET feed = \(decision.feed) WHERE id = \(other)")
        try run(
            """
            UPDATE queue_entry SET episode = \(other)
            WHERE id IN (SELECT entry FROM joined_entry WHERE decision = \(id))
            """)
        try run(
            """
            UPDATE bookmark SET episode = \(other)
            WHERE id IN (SELECT bookmark FROM joined_bookmark WHERE decision = \(id))
            """)
        let merged = found.state.joined(with: try episodeRows.visible(other).state)
        try restore(found.state, found.marked, to: kept, whereStill: merged)
        if found.isSwapped { try restoreNames(of: kept.id, from: id, at: now) }
        for table in ["joined_entry", "joined_bookmark", "episode_alias", "joined_episode"] {
            try run("DELETE FROM \(raw: table) WHERE decision = \(id)")
        }
        try feedRows.forgetValidators(of: decision.feed)
        return EpisodeSplit(kept: kept.id, other: other)
    }

    private func restore(
        _ before: EpisodeState, _ marked: Timestamp?, to kept: Episode, whereStill merged: EpisodeState
    ) throws {
        let (id, now) = (kept.id, kept.state)
        if now.position == merged.position && now.isPlayed == merged.isPlayed && now.lastPlayed == merged.lastPlayed {
            try run(
                """
                UPDATE playback SET position = \(before.position), last_played = \(before.lastPlayed),
                  marked = \(marked) WHERE episode = \(id)
                """)
            try episodeRows.setSection(isPlayed: before.isPlayed, of: id)
        }
        if now.isStarred == merged.isStarred && now.isStarred != before.isStarred {
            try run("UPDATE episode SET starred = 1 - starred WHERE id = \(id)")
        }
        if now.note == merged.note && now.note != before.note { try episodeRows.writeNote(before.note, of: id) }
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
