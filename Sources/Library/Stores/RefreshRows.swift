public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore: RefreshStore {
    /// Tries the refresh log keeps, of all feeds together.
    static let refreshLogLength: Int64 = 50_000

    private static let targetSQL = """
        SELECT f.id, f.url, f.title, s.etag, s.last_modified, s.body_digest, s.failures,
          (s.next_due - s.last_try) / 1000
        FROM fetch_state s JOIN feed f ON f.id = s.feed WHERE f.kind = 0
        """

    /// Feeds whose time has come, the longest overdue first; all of them when `isForced`. A last try that lies
    /// more than a day ahead says that the clock went back since, and that what was planned by it means nothing.
    public func dueFeeds(at now: Timestamp, isForced: Bool) throws(LibraryError) -> [RefreshTarget] {
        try read {
            let query = try connection.statement(
                Self.targetSQL + " AND (?1 OR s.next_due IS NULL OR s.next_due <= ?2 OR s.last_try > ?2 + 86400000)"
                    + " ORDER BY s.next_due, f.id")
            defer { query.reset() }
            try query.bind(1, isForced)
            try query.bind(2, now.milliseconds)
            var targets: [RefreshTarget] = []
            while try query.step() { targets.append(RefreshTarget(row: query)) }
            return targets
        }
    }

    /// Those of the given feeds that are subscribed to, due or not.
    public func refreshTargets(_ ids: [FeedID]) throws(LibraryError) -> [RefreshTarget] {
        try read {
            let query = try connection.statement(Self.targetSQL + " AND f.id = ?")
            defer { query.reset() }
            var targets: [RefreshTarget] = []
            for id in ids {
                query.reset()
                try query.bind(1, id.rawValue)
                if try query.step() { targets.append(RefreshTarget(row: query)) }
            }
            return targets
        }
    }

    /// Nothing new: only health and validators are written; validators that the answer lacks stay.
    public func recordUnchanged(_ id: FeedID, _ fetch: FetchRecord) throws(LibraryError) {
        try write(.relaxed) {
            guard try record(fetch, of: id.rawValue, .unchanged, newEpisodes: 0) else {
                throw LibraryError.notFound("feed \(id)")
            }
        }
    }

    /// Several feeds with nothing new, 200 in a commit; feeds that are gone are passed over.
    public func recordUnchanged(_ fetches: [(feed: FeedID, fetch: FetchRecord)]) throws(LibraryError) {
        var rest = fetches[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.rowsPerCommit / 2)
            rest = rest.dropFirst(batch.count)
            try write(.relaxed) {
                for (feed, fetch) in batch { _ = try record(fetch, of: feed.rawValue, .unchanged, newEpisodes: 0) }
            }
        }
    }

    /// A failure: everything the feed had stays.
    public func recordFailure(_ id: FeedID, _ fetch: FetchRecord) throws(LibraryError) {
        try write(.relaxed) {
            guard try record(fetch, of: id.rawValue, .failed, newEpisodes: 0) else {
                throw LibraryError.notFound("feed \(id)")
            }
        }
    }

    /// The last entries of the refresh log of one feed, latest first; 50,000 of all feeds are
    /// kept.
    public func refreshLog(_ id: FeedID, limit: Int) throws(LibraryError) -> [FetchRecord] {
        try read {
            _ = try storedFeed(id)
            let query = try connection.statement(
                """
                SELECT time, http_status, etag, last_modified, body_digest, moved_to, error, next_due, bytes,
                  new_episodes
                FROM refresh_log WHERE feed = ? ORDER BY id DESC LIMIT ?
                """)
            defer { query.reset() }
            try query.bind(1, id.rawValue)
            try query.bind(2, max(limit, 0))
            var records: [FetchRecord] = []
            while try query.step() {
                records.append(
                    FetchRecord(
                        time: Timestamp(milliseconds: query.int64(0)), httpStatus: query.optionalInt(1),
                        etag: query.optionalText(2), lastModified: query.optionalText(3),
                        bodyDigest: query.optionalText(4), movedTo: query.optionalText(5),
                        error: query.optionalText(6), nextDue: Timestamp(milliseconds: query.int64(7)),
                        bytes: query.int64(8), newEpisodes: query.int(9)))
            }
            return records
        }
    }

    /// How a try ended.
    enum FetchOutcome {
        case merged
        case unchanged
        case failed
    }

    /// Writes health, validators and the log's row; not outside a transaction.
    /// - Returns: false when the feed is not subscribed to.
    func record(_ fetch: FetchRecord, of feed: Int64, _ outcome: FetchOutcome, newEpisodes: Int) throws -> Bool {
        if outcome != .failed, let target = fetch.movedTo { try follow(target, feed) }
        let sql =
            switch outcome {
            case .merged: Self.mergedSQL
            case .unchanged: Self.unchangedSQL
            case .failed: Self.failedSQL
            }
        let update = try connection.statement(sql)
        try update.bind(1, feed)
        try update.bind(2, fetch.time.milliseconds)
        try update.bind(3, fetch.nextDue.milliseconds)
        try update.bind(4, fetch.httpStatus)
        try update.bind(5, outcome == .failed ? fetch.error ?? "failed" : nil)
        if outcome != .failed {
            try update.bind(6, fetch.etag)
            try update.bind(7, fetch.lastModified)
            try update.bind(8, fetch.bodyDigest)
            try update.bind(9, fetch.movedTo)
        }
        try update.run()
        guard connection.changedRows == 1 else { return false }
        try log(fetch, of: feed, newEpisodes: newEpisodes)
        return true
    }

    private static let guardSQL = " WHERE feed = ?1 AND (SELECT kind FROM feed WHERE id = ?1) = 0"
    private static let healthSQL = """
        UPDATE fetch_state SET last_try = ?2, next_due = ?3, http_status = ?4, error = ?5
        """
    private static let mergedSQL =
        healthSQL + """
            , failures = 0, last_success = ?2, etag = ?6, last_modified = ?7, body_digest = ?8, moved_to = ?9
            """ + guardSQL
    private static let unchangedSQL =
        healthSQL + """
            , failures = 0, last_success = ?2, etag = coalesce(?6, etag), last_modified = coalesce(?7, last_modified),
              body_digest = coalesce(?8, body_digest), moved_to = ?9
            """ + guardSQL
    private static let failedSQL = healthSQL + ", failures = failures + 1" + guardSQL

    private func log(_ fetch: FetchRecord, of feed: Int64, newEpisodes: Int) throws {
        let insert = try connection.statement(
            """
            INSERT INTO refresh_log(feed, time, next_due, http_status, bytes, new_episodes, etag, last_modified,
              body_digest, moved_to, error)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        try insert.bind(1, feed)
        try insert.bind(2, fetch.time.milliseconds)
        try insert.bind(3, fetch.nextDue.milliseconds)
        try insert.bind(4, fetch.httpStatus)
        try insert.bind(5, fetch.bytes)
        try insert.bind(6, newEpisodes)
        try insert.bind(7, fetch.etag)
        try insert.bind(8, fetch.lastModified)
        try insert.bind(9, fetch.bodyDigest)
        try insert.bind(10, fetch.movedTo)
        try insert.bind(11, fetch.error)
        try insert.run()
        let surplus = connection.lastInsertedRow - Self.refreshLogLength
        if surplus > 0 { try run("DELETE FROM refresh_log WHERE id <= ?", surplus) }
    }

    /// A permanent redirect that was seen before moves the feed, unless its target is another feed's. Once is not
    /// enough: hotel networks and broken hosts send them too.
    private func follow(_ target: String, _ feed: Int64) throws {
        let query = try connection.statement("SELECT moved_to = ?2 FROM fetch_state WHERE feed = ?1")
        defer { query.reset() }
        try query.bind(1, feed)
        try query.bind(2, target)
        guard try query.step(), query.bool(0), try feedID(url: target) == nil else { return }
        try move(feed, to: target)
    }

    /// Gives a feed another address; the old one still finds it.
    func move(_ feed: Int64, to url: String) throws {
        let keep = try connection.statement(
            "INSERT OR IGNORE INTO former_url(url, feed) SELECT url, id FROM feed WHERE id = ?")
        try keep.bind(1, feed)
        try keep.run()
        let move = try connection.statement("UPDATE feed SET url = ?2 WHERE id = ?1")
        try move.bind(1, feed)
        try move.bind(2, url)
        try move.run()
    }
}

extension RefreshTarget {
    fileprivate init(row: Statement) {
        self.init(
            id: FeedID(row.int64(0)), url: row.text(1), title: row.text(2), etag: row.optionalText(3),
            lastModified: row.optionalText(4), bodyDigest: row.optionalText(5), failures: row.int(6),
            interval: row.optionalInt64(7))
    }
}
