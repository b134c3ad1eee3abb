public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore: RefreshStore {
    /// Tries the refresh log keeps, of all feeds together.
    static let refreshLogLength: Int64 = 50_000

    private static let targetSQL = """
        SELECT f.id, f.url, f.title, s.etag, s.last_modified, s.body_digest, s.failures,
          (s.next_due - s.last_try) / 1000, s.error, s.stopped, s.last_full, s.false_304, s.patience, s.planned_gap,
          s.quiet_hours, s.quiet_days, s.complete, s.gap, s.newest, s.moved_to, s.move_reason, s.move_sightings,
          s.move_obstacle, s.due_reason, u.value, s.http_status, s.broken_off, \(PageWalk.columns)
        FROM fetch_state s JOIN feed f ON f.id = s.feed
          LEFT JOIN feed_setting u ON u.feed = f.id AND u.name = '\(FeedSetting.userAgent.rawValue)'
          LEFT JOIN page_walk w ON w.feed = f.id
        WHERE f.kind = 0
        """

    /// Feeds whose time has come, the longest overdue first, those whose document ended a run last; all of them when `isForced`, but for those that are stopped.
    /// A last try that lies more than a day ahead says that the clock went back since, and that what was planned by it
    /// means nothing. Older pages that were neither read nor put off are left from a run that was killed: they are due,
    /// unless the feed itself has failed since.
    public func dueFeeds(at now: Timestamp, isForced: Bool) throws(LibraryError) -> [RefreshTarget] {
        try read {
            let query = try connection.statement(
                Self.targetSQL
                    + " AND s.stopped = 0 AND (?1 OR s.next_due IS NULL OR s.next_due <= ?2 OR s.last_try > ?2 + 86400000"
                    + " OR w.next_url IS NOT NULL AND w.due IS NULL AND s.failures = 0)"
                    + " ORDER BY s.broken_off > 0, s.next_due, f.id")
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

    /// The feed that has an URL, now or formerly.
    public func subscriber(of url: String) throws(LibraryError) -> Feed? { try feed(url: url) }

    /// Has a feed wait until its host may be asked again; its health stays as it was.
    public func postpone(_ id: FeedID, until due: Timestamp) throws(LibraryError) {
        try write(.relaxed) {
            let update = try connection.statement(
                "UPDATE fetch_state SET next_due = max(coalesce(next_due, 0), ?2), due_reason = ?3"
                    + " WHERE feed = ?1 AND stopped = 0")
            try update.bind(1, id.rawValue)
            try update.bind(2, due.milliseconds)
            try update.bind(3, DueReason.server.rawValue)
            try update.run()
        }
    }

    /// Hosts that want no requests now, and until when. What was noted more than a day ahead of the clock was noted by a
    /// clock that was wrong.
    public func hostsAtPeace(at now: Timestamp) throws(LibraryError) -> [String: Timestamp] {
        try read {
            let query = try connection.statement(
                "SELECT host, until FROM host_peace WHERE until > ?1 AND noted <= ?1 + 86400000")
            defer { query.reset() }
            try query.bind(1, now.milliseconds)
            var hosts: [String: Timestamp] = [:]
            while try query.step() { hosts[query.text(0)] = Timestamp(milliseconds: query.int64(1)) }
            return hosts
        }
    }

    /// Remembers that a host wants no requests for a while; what is over is forgotten.
    public func leaveAlone(_ host: String, until end: Timestamp, at now: Timestamp) throws(LibraryError) {
        try write(.relaxed) {
            try run("DELETE FROM host_peace WHERE until <= ?", now.milliseconds)
            let insert = try connection.statement(
                "INSERT OR REPLACE INTO host_peace(host, noted, until) VALUES (?, ?, ?)")
            try insert.bind(1, host)
            try insert.bind(2, now.milliseconds)
            try insert.bind(3, end.milliseconds)
            try insert.run()
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
        if outcome != .failed, fetch.followsMove, let move = fetch.move { try follow(move, feed) }
        let sql =
            switch outcome {
            case .merged: Self.mergedSQL
            case .unchanged: Self.unchangedSQL
            case .failed: Self.failedSQL
            }
        let update = try connection.statement(sql)
        try update.bind(1, feed)
        try update.bind(2, fetch.time.milliseconds)
        try update.bind(3, fetch.isStopped ? nil : fetch.nextDue.milliseconds)
        try update.bind(4, fetch.httpStatus)
        try update.bind(5, outcome == .failed ? fetch.error ?? "failed" : nil)
        try update.bind(6, fetch.isStopped)
        try update.bind(7, fetch.dueReason?.rawValue)
        if outcome == .failed {
            try update.bind(8, fetch.isBrokenOff)
        } else {
            let move = fetch.followsMove ? nil : fetch.move
            try update.bind(8, fetch.etag)
            try update.bind(9, fetch.lastModified)
            try update.bind(10, fetch.bodyDigest)
            try update.bind(11, move?.url)
            try update.bind(12, move?.reason.rawValue)
            try update.bind(13, move?.sightings ?? 0)
            try update.bind(14, move?.obstacle)
            try update.bind(15, fetch.isFull)
        }
        if outcome == .merged {
            let rhythm = fetch.rhythm
            try update.bind(16, fetch.contradictsValidators && newEpisodes > 0)
            try update.bind(17, rhythm.patience)
            try update.bind(18, rhythm.plannedGap)
            try update.bind(19, Int64(rhythm.quietHours))
            try update.bind(20, Int64(rhythm.quietDays))
            try update.bind(21, rhythm.isComplete)
            try update.bind(22, fetch.cadence?.gap)
            try update.bind(23, fetch.cadence?.newest.milliseconds)
        }
        try update.run()
        guard connection.changedRows == 1 else { return false }
        try log(fetch, of: feed, newEpisodes: newEpisodes)
        return true
    }

    private static let guardSQL = " WHERE feed = ?1 AND (SELECT kind FROM feed WHERE id = ?1) = 0"
    private static let healthSQL = """
        UPDATE fetch_state SET last_try = ?2, next_due = ?3, http_status = ?4, error = ?5, stopped = ?6, due_reason = ?7
        """
    private static let successSQL =
        healthSQL + """
            , failures = 0, broken_off = 0, last_success = ?2, moved_to = ?11, move_reason = ?12, move_sightings = ?13,
              move_obstacle = ?14, last_full = iif(?15, ?2, last_full)
            """
    private static let mergedSQL =
        successSQL + """
            , etag = ?8, last_modified = ?9, body_digest = ?10, false_304 = false_304 + ?16, patience = ?17,
              planned_gap = ?18, quiet_hours = ?19, quiet_days = ?20, complete = ?21, gap = ?22, newest = ?23
            """ + guardSQL
    private static let unchangedSQL =
        successSQL + """
            , etag = coalesce(?8, etag), last_modified = coalesce(?9, last_modified),
              body_digest = coalesce(?10, body_digest)
            """ + guardSQL
    private static let failedSQL = healthSQL + ", failures = failures + 1, broken_off = broken_off + ?8" + guardSQL

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

    /// Moves a feed, unless another one has the address by now.
    private func follow(_ move: FeedMove, _ feed: Int64) throws {
        if let other = try feedID(url: move.url) {
            guard other == feed else { return }
            // Back to where it was before.
            try forgetFormer(move.url, of: feed)
        }
        try self.move(feed, to: move.url)
    }

    /// An address of now is no former one.
    func forgetFormer(_ url: String, of feed: Int64) throws {
        let forget = try connection.statement("DELETE FROM former_url WHERE url = ?2 AND feed = ?1")
        try forget.bind(1, feed)
        try forget.bind(2, url)
        try forget.run()
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
        error = row.optionalText(8)
        isStopped = row.bool(9)
        lastFull = row.optionalTime(10)
        falseUnchanged = row.int(11)
        rhythm.patience = row.optionalInt64(12)
        rhythm.plannedGap = row.optionalInt64(13)
        rhythm.quietHours = UInt32(clamping: row.int64(14))
        rhythm.quietDays = UInt8(clamping: row.int64(15))
        rhythm.isComplete = row.bool(16)
        if let gap = row.optionalInt64(17), let newest = row.optionalTime(18) {
            cadence = Cadence(gap: gap, newest: newest)
        }
        move = FeedMove(row: row, from: 19)
        dueReason = row.optionalText(23).flatMap(DueReason.init)
        userAgent = row.optionalText(24)
        httpStatus = row.optionalInt(25)
        isBrokenOff = row.bool(26)
        pageWalk = PageWalk(row: row, from: 27)
    }
}

extension FeedMove {
    /// From four columns: the URL, the reason, the sightings and the obstacle; nil when there is no move.
    init?(row: Statement, from first: Int32) {
        guard let url = row.optionalText(first) else { return nil }
        self.init(
            url: url, reason: row.optionalText(first + 1).flatMap(Reason.init) ?? .redirect,
            sightings: row.int(first + 2), obstacle: row.optionalText(first + 3))
    }
}
