public import EpisodeRules
public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore: RetentionStore {
    /// Milliseconds between two rounds.
    private static let retentionInterval: Int64 = 3_600_000
    /// Episodes that are dropped in one commit.
    static let archivedPerCommit = 200

    /// What is kept of all feeds (nil) and of single ones, by title.
    public func retention() throws(LibraryError) -> [(feed: FeedID?, policy: RetentionPolicy)] {
        try read { try storedPolicies() }
    }

    /// Says what is kept of a feed, or of all without their own; nil takes the word back. Committed before it returns.
    public func setRetention(_ policy: RetentionPolicy?, of feed: FeedID?) throws(LibraryError) {
        try write(.synced) {
            if let feed { _ = try storedFeed(feed) }
            let delete = try connection.statement("DELETE FROM retention WHERE feed IS ?")
            try delete.bind(1, feed?.rawValue)
            try delete.run()
            if let policy { try insertPolicy(policy, of: feed) }
            try markPoliciesChanged()
        }
    }

    /// Has policies looked after soon: what they drop, and what they give back; not outside a transaction.
    func markPoliciesChanged() throws {
        try connection.execute("UPDATE retention_run SET time = 0, restore_from = 0")
    }

    /// Says what is kept of a feed, or of all, of which nothing is said yet; not outside a transaction.
    func insertPolicy(_ policy: RetentionPolicy, of feed: FeedID?) throws {
        let insert = try connection.statement("INSERT INTO retention(feed, policy) VALUES (?, ?)")
        try insert.bind(1, feed?.rawValue)
        try insert.bind(2, policy.description)
        try insert.run()
    }

    /// Feeds of which something may be dropped now: none while the last round was less than an hour ago.
    public func feedsUnderRetention(at now: Timestamp) throws(LibraryError) -> [FeedID] {
        let (isDue, feeds) = try read { () -> (Bool, [FeedID]) in
            let policies = try storedPolicies()
            if policies.isEmpty { return (false, []) }
            let query = try connection.statement("SELECT time FROM retention_run")
            defer { query.reset() }
            let last = try query.step() ? query.int64(0) : 0
            if (0..<Self.retentionInterval).contains(now.milliseconds - last) { return (false, []) }
            return (true, try governedFeeds(by: policies).map(\.feed))
        }
        if isDue { try write(.relaxed) { try run("UPDATE retention_run SET time = ?", now.milliseconds) } }
        return feeds
    }

    /// Sets episodes of a feed aside that its policy drops. One short commit.
    /// - Returns: them; there may be more when the list is not empty.
    public func archiveDropped(of feed: FeedID, at now: Timestamp) throws(LibraryError) -> [EpisodeID] {
        func dropped() throws -> [EpisodeID] {
            guard let policy = try policy(of: feed) else { return [] }
            return try self.dropped(of: feed, by: policy, at: now, limit: Self.archivedPerCommit).map(\.id)
        }
        if try read({ try dropped() }).isEmpty { return [] }
        return try write(.relaxed) {
            let ids = try dropped()
            for id in ids {
                // Nobody would find the file among what is kept.
                try dropDownload(of: id)
                try run("UPDATE episode SET aside = 2 WHERE id = ?", id.rawValue)
            }
            return ids
        }
    }

    /// What the policies would drop now, feed by feed; nothing is changed.
    public func tryRetention(
        feed: FeedID?, at now: Timestamp, limit: Int
    ) throws(LibraryError) -> [(episode: Episode, reason: RetentionReason)] {
        try read {
            var trials: [(episode: Episode, reason: RetentionReason)] = []
            for (id, policy) in try governedFeeds(by: try storedPolicies()) where feed == nil || feed == id {
                if trials.count >= limit { break }
                for (id, reason) in try dropped(of: id, by: policy, at: now, limit: limit - trials.count) {
                    trials.append((try visibleEpisode(id), reason))
                }
            }
            return trials
        }
    }

    /// What is kept of all feeds (nil) and of single ones; not outside a transaction.
    func storedPolicies() throws -> [(feed: FeedID?, policy: RetentionPolicy)] {
        let query = try connection.statement(
            """
            SELECT r.feed, r.policy FROM retention r LEFT JOIN feed f ON f.id = r.feed
            WHERE r.feed IS NULL OR f.kind = 0 ORDER BY r.feed IS NOT NULL, f.title COLLATE NOCASE
            """)
        defer { query.reset() }
        var policies: [(feed: FeedID?, policy: RetentionPolicy)] = []
        while try query.step() {
            guard let policy = try? RetentionPolicy(parsing: query.text(1)) else { continue }
            policies.append((query.optionalInt64(0).map(FeedID.init), policy))
        }
        return policies
    }

    /// The policy that holds for a feed; not outside a transaction.
    func policy(of feed: FeedID) throws -> RetentionPolicy? {
        let policies = try storedPolicies()
        return (policies.first { $0.feed == feed } ?? policies.first { $0.feed == nil })?.policy
    }

    /// Feeds with the policies that hold for them, but those that drop nothing.
    private func governedFeeds(
        by policies: [(feed: FeedID?, policy: RetentionPolicy)]
    ) throws -> [(feed: FeedID, policy: RetentionPolicy)] {
        var own: [FeedID: RetentionPolicy] = [:]
        var general: RetentionPolicy?
        for (feed, policy) in policies { if let feed { own[feed] = policy } else { general = policy } }
        guard let general else { return own.sorted { $0.key < $1.key }.filter { !$0.value.keepsAll }.map { ($0, $1) } }
        let query = try connection.statement("SELECT id FROM feed WHERE kind = 0 ORDER BY id")
        defer { query.reset() }
        var feeds: [(feed: FeedID, policy: RetentionPolicy)] = []
        while try query.step() {
            let id = FeedID(query.int64(0))
            let policy = own[id] ?? general
            if !policy.keepsAll { feeds.append((id, policy)) }
        }
        return feeds
    }

    // MARK: what is dropped

    /// What the listener holds on to stays: what is starred, noted, queued or begun, and what was marked as unplayed.
    private static let isFree = """
        e.section <> 1 AND e.starred = 0 AND NOT EXISTS (SELECT 1 FROM note n WHERE n.episode = e.id)
          AND NOT EXISTS (SELECT 1 FROM queue_entry q WHERE q.episode = e.id)
          AND NOT (e.section = 0 AND EXISTS
            (SELECT 1 FROM playback p WHERE p.episode = e.id AND (p.marked IS NOT NULL OR p.last_played IS NOT NULL)))
        """

    private func dropped(
        of feed: FeedID, by policy: RetentionPolicy, at now: Timestamp, limit: Int
    ) throws -> [(id: EpisodeID, reason: RetentionReason)] {
        var found: [(id: EpisodeID, reason: RetentionReason)] = []
        var seen: Set<EpisodeID> = []
        func add(_ reason: RetentionReason, _ sql: String, _ argument: Int64?) throws {
            let query = try connection.statement(sql)
            defer { query.reset() }
            try query.bind(1, feed.rawValue)
            try query.bind(2, limit)
            if let argument { try query.bind(3, argument) }
            while try query.step(), found.count < limit {
                let id = EpisodeID(query.int64(0))
                if seen.insert(id).inserted { found.append((id, reason)) }
            }
        }
        if let newest = policy.newest { try add(.notNewest, Self.beyondNewest, Int64(newest)) }
        if let age = policy.age { try add(.tooOld, Self.olderThan, age.before(now).milliseconds) }
        if policy.isUntilPlayed { try add(.played, Self.played, nil) }
        return found
    }

    private static func branch(_ section: Int, _ columns: String, _ conditions: String) -> String {
        """
        SELECT \(columns) FROM episode e INDEXED BY episode_feed\(EpisodeRow.visibility)
        WHERE e.feed = ?1 AND e.aside = 0 AND e.section = \(section)\(conditions)
        """
    }

    private static let beyondNewest = """
        SELECT e.id FROM
          (\((0...2).map { branch($0, "e.id AS ranked, e.published AS published", "") }.joined(separator: " UNION ALL "))
          ORDER BY 2 DESC, 1 DESC LIMIT -1 OFFSET ?3) r CROSS JOIN episode e ON e.id = r.ranked
        WHERE \(isFree) LIMIT ?2
        """
    private static let olderThan =
        [0, 2].map { branch($0, "e.id", " AND e.published < ?3 AND e.first_seen < ?3 AND \(isFree)") }
        .joined(separator: " UNION ALL ") + " LIMIT ?2"
    private static let played = branch(2, "e.id", " AND \(isFree)") + " LIMIT ?2"
}
