internal import SQLite
public import PodcastModel

/// Retention: how many episodes of a feed stay in lists.
public struct RetentionStore: LibraryPart {
    let library: LibraryStore

    public typealias Policies = [(feed: FeedID?, policy: RetentionPolicy)]

    /// Milliseconds between two rounds.
    private static let retentionInterval: Int64 = 3_600_000
    static let archivedPerCommit = 200

    /// The default policy (feed nil) and the policies of single feeds, which take precedence.
    public func retention() throws(LibraryError) -> Policies {
        try read {
            try connection.all(
                """
                SELECT r.feed, r.policy FROM retention r LEFT JOIN feed f ON f.id = r.feed
                WHERE r.feed IS NULL OR f.kind = \(literal: FeedKind.subscribed)
                ORDER BY r.feed IS NOT NULL, f.title COLLATE NOCASE
                """
            ) { row in
                (try? RetentionPolicy(parsing: row["policy"])).map { (feed: row["feed"] as FeedID?, policy: $0) }
            }
        }
    }

    /// Sets the policy of a feed, or the default policy; nil removes the policy. Committed before it returns.
    /// `restoreKept` brings back episodes that only the former policy hid.
    public func setRetention(_ policy: RetentionPolicy?, of feed: FeedID?) throws(LibraryError) {
        try write(.synced) {
            let title = try feed.map { try library.feeds.stored($0).title } ?? "all feeds"
            try recording(.retention, title: title, feed: feed) { try write(policy, of: feed) }
        }
    }

    func write(_ policy: RetentionPolicy?, of feed: FeedID?) throws {
        try scheduleRound()
        guard let policy else { return try run("DELETE FROM retention WHERE feed IS \(feed)") }
        try run("UPDATE retention SET policy = \(policy.description) WHERE feed IS \(feed)")
        if connection.changedRows == 0 { try insert(policy, of: feed) }
    }

    /// Makes the next round due.
    func scheduleRound() throws { try run("UPDATE retention_run SET time = 0, restore_from = 0") }

    func insert(_ policy: RetentionPolicy, of feed: FeedID?) throws {
        try run("INSERT INTO retention(feed, policy) VALUES (\(feed), \(policy.description))")
    }

    /// Feeds with episodes that their policy may drop now. A returned feed is not returned again for an hour, so that
    /// calling this at every refresh costs nothing; a changed policy is due at once.
    func feedsUnderRetention(at now: Timestamp) throws(LibraryError) -> [FeedID] {
        let (isDue, feeds) = try read { () -> (Bool, [FeedID]) in
            let policies = try retention()
            if policies.isEmpty { return (false, []) }
            let last: Timestamp? = try connection.value("SELECT time FROM retention_run")
            if let last, (0..<Self.retentionInterval).contains(now.milliseconds - last.milliseconds) {
                return (false, [])
            }
            return (true, try governedFeeds(by: policies).map(\.feed))
        }
        if isDue { try write(.relaxed) { try run("UPDATE retention_run SET time = \(now)") } }
        return feeds
    }

    /// Hides episodes of a feed that its policy drops. One short commit.
    /// - Returns: the hidden episodes; if not empty, there may be more.
    func archiveDropped(of feed: FeedID, at now: Timestamp) throws(LibraryError) -> [EpisodeID] {
        func dropped() throws -> [EpisodeID]? {
            guard let policy = try policy(of: feed) else { return nil }
            return try self.dropped(of: feed, by: policy, at: now, limit: Self.archivedPerCommit).map(\.id).nonEmpty
        }
        return try library.write(ifAny: dropped, else: []) { ids in
            try releaseFiles(of: ids, by: feed)
            for id in ids {
                try run("UPDATE episode SET visibility = \(Visibility.archived) WHERE id = \(id)")
            }
            return ids
        }
    }

    /// Releases the files of archived episodes, which are no longer listed among the downloads. Undoing the policy requests the
    /// files again.
    private func releaseFiles(of ids: [EpisodeID], by feed: FeedID) throws {
        func release() throws { try ids.forEach(library.downloads.drop) }
        let step: Int64? = try connection.value(
            """
            SELECT max(id) FROM undo_step WHERE undone = 0 AND kind = \(Act.retention) AND obstacle IS NULL
              AND feed IS (SELECT max(feed) FROM retention WHERE feed = \(feed))
            """)
        guard let step else { return try release() }
        try recording(.retention, continuing: step, release)
    }

    /// The episodes that the policies would drop now, by feed; changes nothing.
    /// - Parameters:
    ///   - policies: policies to apply, as in `retention()`; nil for the stored policies.
    ///   - episode: the last episode of the previous page; nil for the first page.
    /// - Returns: at most `limit` episodes, the total number, and the number of those whose files are on disk.
    /// - Throws: `refused` if `episode` would no longer be dropped.
    public func tryRetention(
        feed: FeedID?, policies: Policies?, at now: Timestamp, after episode: EpisodeID?, limit: Int
    ) throws(LibraryError) -> (episodes: [(episode: Episode, reason: RetentionReason)], count: Int, files: Int) {
        try read {
            var trials: [(episode: Episode, reason: RetentionReason)] = []
            var count = 0
            var files = 0
            var isInPage = episode == nil
            for (id, policy) in try governedFeeds(by: try policies ?? retention()) where feed == nil || feed == id {
                let downloaded = Set<EpisodeID>(
                    try connection.column(
                        "SELECT id FROM episode INDEXED BY episode_feed_downloaded WHERE feed = \(id) AND downloaded = 1"
                    ))
                for (id, reason) in try dropped(of: id, by: policy, at: now, limit: .max) {
                    count += 1
                    if downloaded.contains(id) { files += 1 }
                    if isInPage, trials.count < limit { trials.append((try library.episodes.episode(id), reason)) }
                    if id == episode { isInPage = true }
                }
            }
            if !isInPage, let episode {
                throw LibraryError.refused("episode \(episode.label) is not in this list; list it again")
            }
            return (trials, count, files)
        }
    }

    func policy(of feed: FeedID) throws -> RetentionPolicy? {
        let policies = byFeed(try retention())
        return policies[feed] ?? policies[nil]
    }

    /// Feeds with the policies that apply to them, without those that archive nothing.
    private func governedFeeds(by policies: Policies) throws -> [(feed: FeedID, policy: RetentionPolicy)] {
        let policies = byFeed(policies)
        let feeds: [FeedID] = try connection.column(
            "SELECT id FROM feed WHERE kind = \(literal: FeedKind.subscribed) ORDER BY id")
        return feeds.compactMap { feed in (policies[feed] ?? policies[nil]).map { (feed, $0) } }
            .filter { !$0.1.keepsAll }
    }

    /// The default policy has the key nil.
    private func byFeed(_ policies: Policies) -> [FeedID?: RetentionPolicy] {
        Dictionary(policies.map { ($0.feed, $0.policy) }) { _, last in last }
    }

    // MARK: What a policy archives

    /// SQL: true if `episode e` may be archived: not starred, noted, bookmarked, queued, in progress or marked as unplayed.
    private static let isFree = """
        NOT \(UserData.isHeld) AND NOT (e.section = \(Section.new.rawValue) AND EXISTS
          (SELECT 1 FROM playback p WHERE p.episode = e.id AND p.marked IS NOT NULL))
        """

    private func dropped(
        of feed: FeedID, by policy: RetentionPolicy, at now: Timestamp, limit: Int
    ) throws -> [(id: EpisodeID, reason: RetentionReason)] {
        var found: [(id: EpisodeID, reason: RetentionReason)] = []
        var seen: Set<EpisodeID> = []
        func add(_ reason: RetentionReason, _ sql: SQL) throws {
            for id: EpisodeID in try connection.column(sql) where found.count < limit {
                if seen.insert(id).inserted { found.append((id, reason)) }
            }
        }
        func shown(_ section: Section, _ columns: SQL = "e.id") -> SQL {
            """
            SELECT \(columns) FROM episode e INDEXED BY episode_feed\(raw: EpisodeRow.visibility)
            WHERE e.feed = \(feed) AND e.visibility = \(literal: Visibility.visible) AND e.section = \(literal: section)
            """
        }
        if let newest = policy.newest {
            let columns: SQL = "e.id AS ranked, e.published AS published"
            try add(
                .notNewest,
                """
                SELECT e.id FROM (\(shown(.new, columns)) UNION ALL \(shown(.inProgress, columns))
                  UNION ALL \(shown(.played, columns)) ORDER BY 2 DESC, 1 DESC LIMIT -1 OFFSET \(newest)) r
                CROSS JOIN episode e ON e.id = r.ranked WHERE \(raw: Self.isFree) LIMIT \(limit)
                """)
        }
        if let age = policy.age {
            let end = age.before(now)
            let isOld: SQL = " AND e.published < \(end) AND e.first_seen < \(end) AND \(raw: Self.isFree)"
            try add(.tooOld, "\(shown(.new))\(isOld) UNION ALL \(shown(.played))\(isOld) LIMIT \(limit)")
        }
        if policy.isUntilPlayed { try add(.played, "\(shown(.played)) AND \(raw: Self.isFree) LIMIT \(limit)") }
        return found
    }

    // MARK: Restoring

    /// Brings back hidden episodes that the changed policies keep. One short commit.
    func restoreKept(at now: Timestamp) throws(LibraryError) -> (episodes: [EpisodeID], hasMore: Bool) {
        try library.write(ifAny: restoreStart, else: ([], false)) { start in
            guard let feed = try feedWithArchived(from: start) else {
                try run("UPDATE retention_run SET restore_from = NULL")
                return ([], false)
            }
            let ids = try kept(of: feed, by: try policy(of: feed) ?? RetentionPolicy(), at: now)
            for id in ids { try run("UPDATE episode SET visibility = \(Visibility.visible) WHERE id = \(id)") }
            let isDone = ids.count < Self.archivedPerCommit
            try run("UPDATE retention_run SET restore_from = \(isDone ? feed.rawValue + 1 : feed.rawValue)")
            return (ids, true)
        }
    }

    private func restoreStart() throws -> Int64? { try connection.value("SELECT restore_from FROM retention_run") }

    private func feedWithArchived(from start: Int64) throws -> FeedID? {
        try connection.value(
            """
            SELECT f.id FROM feed f WHERE f.id >= \(start) AND f.kind = \(literal: FeedKind.subscribed) AND EXISTS
              (SELECT 1 FROM episode e INDEXED BY episode_feed WHERE e.feed = f.id AND e.visibility = \(literal: Visibility.archived))
            ORDER BY f.id LIMIT 1
            """)
    }

    /// Archived episodes that the policy keeps, at most as many as fit into a commit.
    private func kept(of feed: FeedID, by policy: RetentionPolicy, at now: Timestamp) throws -> [EpisodeID] {
        var sql: SQL = """
            SELECT e.id FROM episode e INDEXED BY episode_feed\(raw: EpisodeRow.visibility)
            WHERE e.feed = \(feed) AND e.visibility = \(literal: Visibility.archived)
            """
        if policy.isUntilPlayed { sql = sql + " AND e.section <> \(literal: Section.played)" }
        if let start = policy.age?.before(now) {
            sql = sql + " AND (e.published >= \(start) OR e.first_seen >= \(start))"
        }
        if let newest = policy.newest {
            // The oldest episode to keep, of shown and archived episodes.
            sql =
                sql + """
                     AND (e.published, e.id) >= (SELECT published, id FROM (SELECT published, id
                      FROM episode INDEXED BY episode_feed WHERE feed = \(feed)
                        AND visibility IN (\(Visibility.visible), \(Visibility.archived))
                      ORDER BY 1 DESC, 2 DESC LIMIT \(newest)) ORDER BY 1, 2 LIMIT 1)
                    """
        }
        return try connection.column(sql + " LIMIT \(Self.archivedPerCommit)")
    }
}

/// A round of retention in short commits: restores the episodes that the policies keep, then archives those that the policies drop.
public struct RetentionRound: Sendable {
    private let time: Timestamp
    /// Feeds whose episodes are still to be archived; nil while hidden episodes come back.
    private var feeds: [FeedID]?

    public init(at time: Timestamp) { self.time = time }

    /// - Returns: the episodes that were changed in one commit; nil at the end.
    public mutating func advance(in library: LibraryStore) throws(LibraryError) -> [EpisodeID]? {
        guard let feed = feeds?.first else {
            if feeds != nil { return nil }
            let restored = try library.retention.restoreKept(at: time)
            if !restored.hasMore { feeds = try library.retention.feedsUnderRetention(at: time) }
            return restored.episodes
        }
        let dropped = try library.retention.archiveDropped(of: feed, at: time)
        if dropped.isEmpty { feeds?.removeFirst() }
        return dropped
    }
}
