internal import EpisodeRules
public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Brings back what was dropped and is kept by the policies as they are now, feed by feed, after they were changed.
    /// One short commit.
    /// - Returns: the episodes, and whether more may come.
    public func restoreKept(at now: Timestamp) throws(LibraryError) -> (episodes: [EpisodeID], hasMore: Bool) {
        guard try read({ try restoreStart() }) != nil else { return ([], false) }
        return try write(.relaxed) {
            guard let start = try restoreStart() else { return ([], false) }
            guard let feed = try feedWithArchived(from: start) else {
                try connection.execute("UPDATE retention_run SET restore_from = NULL")
                return ([], false)
            }
            let ids = try kept(of: feed, by: try policy(of: FeedID(feed)) ?? RetentionPolicy(), at: now)
            for id in ids { try run("UPDATE episode SET aside = 0 WHERE id = ?", id) }
            let isDone = ids.count < Self.archivedPerCommit
            try run("UPDATE retention_run SET restore_from = ?", isDone ? feed + 1 : feed)
            return (ids.map { EpisodeID($0) }, true)
        }
    }

    private func restoreStart() throws -> Int64? {
        let query = try connection.statement("SELECT restore_from FROM retention_run")
        defer { query.reset() }
        return try query.step() ? query.optionalInt64(0) : nil
    }

    private func feedWithArchived(from start: Int64) throws -> Int64? {
        let query = try connection.statement(
            """
            SELECT f.id FROM feed f WHERE f.id >= ? AND f.kind = 0 AND EXISTS
              (SELECT 1 FROM episode e INDEXED BY episode_feed WHERE e.feed = f.id AND e.aside = 2)
            ORDER BY f.id LIMIT 1
            """)
        defer { query.reset() }
        try query.bind(1, start)
        return try query.step() ? query.int64(0) : nil
    }

    /// Dropped episodes of a feed that no limit of a policy drops, some.
    private func kept(of feed: Int64, by policy: RetentionPolicy, at now: Timestamp) throws -> [Int64] {
        var conditions = ["e.feed = :feed AND e.aside = 2"]
        if policy.isUntilPlayed { conditions.append("e.section <> 2") }
        if policy.age != nil { conditions.append("(e.published >= :age OR e.first_seen >= :age)") }
        if policy.newest != nil {
            // The latest that stays, of those that are shown and those that were dropped.
            let all = [0, 2].flatMap { aside in
                (0...2).map { section in
                    """
                    SELECT e.published AS published, e.id AS id FROM episode e INDEXED BY episode_feed
                    WHERE e.feed = :feed AND e.aside = \(aside) AND e.section = \(section)
                    """
                }
            }.joined(separator: " UNION ALL ")
            conditions.append(
                """
                (e.published, e.id) >= (SELECT published, id FROM
                  (SELECT published, id FROM (\(all)) ORDER BY 1 DESC, 2 DESC LIMIT :newest)
                  ORDER BY 1, 2 LIMIT 1)
                """)
        }
        let query = try connection.statement(
            """
            SELECT e.id FROM episode e INDEXED BY episode_feed CROSS JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode
            WHERE \(conditions.joined(separator: " AND ")) LIMIT \(Self.archivedPerCommit)
            """)
        defer { query.reset() }
        try query.bind(":feed", feed)
        if let age = policy.age { try query.bind(":age", age.before(now).milliseconds) }
        if let newest = policy.newest { try query.bind(":newest", Int64(newest)) }
        var ids: [Int64] = []
        while try query.step() { ids.append(query.int64(0)) }
        return ids
    }
}
