internal import PodcastModel
internal import SQLite

struct LibraryRefreshStore: RefreshStore, LibraryPart {
    let library: LibraryStore

    /// Maximum entries of the refresh log, of all feeds together.
    static let refreshLogLength: Int64 = 50_000

    private static let targets: SQL = """
        SELECT f.id, f.url, f.title, s.etag, s.last_modified, s.body_digest, s.failures,
          (s.next_due - s.last_try) / 1000 AS interval, s.error, s.stopped, s.last_full, s.false_304, s.patience,
          s.planned_gap, s.quiet_hours, s.quiet_days, s.complete, s.gap, s.newest, s.moved_to, s.move_reason,
          s.move_sightings, s.move_obstacle, s.due_reason, u.value AS user_agent, s.http_status, s.broken_off,
          \(raw: PageWalk.columns)
        FROM fetch_state s JOIN feed f ON f.id = s.feed
          LEFT JOIN feed_setting u ON u.feed = f.id AND u.name = '\(raw: FeedSetting.userAgent.rawValue)'
          LEFT JOIN page_walk w ON w.feed = f.id
        WHERE f.kind = \(literal: FeedKind.subscribed)
        """

    var attempts: (any AttemptRecorder)? { library.attempts }

    /// Feeds whose document ended a run come last. A last try more than a day ahead means that the clock was set back, so
    /// what was planned by it does not count. Older pages that were neither read nor postponed are left from a run that
    /// was killed: they are due, unless the feed itself has failed since.
    func dueFeeds(at now: Timestamp, isForced: Bool) throws(LibraryError) -> [RefreshTarget] {
        try read {
            try connection.all(
                Self.targets + """
                     AND s.stopped = 0
                      AND NOT EXISTS (SELECT 1 FROM feed_setting o
                        WHERE o.feed = f.id AND o.name = 'refresh' AND o.value = 'off')
                      AND (\(isForced) OR s.next_due IS NULL OR s.next_due <= \(now)
                      OR s.last_try > \(now) + 86400000 OR w.next_url IS NOT NULL AND w.due IS NULL AND s.failures = 0)
                    ORDER BY s.broken_off > 0, s.next_due, f.id
                    """)
        }
    }

    func refreshTargets(_ ids: [FeedID]) throws(LibraryError) -> [RefreshTarget] {
        try read { try ids.compactMap { try connection.first(Self.targets + " AND f.id = \($0)") } }
    }

    func recordUnchanged(_ fetches: [(feed: FeedID, fetch: FetchRecord)]) throws(LibraryError) {
        var rest = fetches[...]
        while !rest.isEmpty {
            let batch = rest.prefix(LibraryStore.rowsPerCommit / 2)
            rest = rest.dropFirst(batch.count)
            try write(.relaxed) {
                for (feed, fetch) in batch { _ = try record(fetch, of: feed, .unchanged, newEpisodes: 0) }
            }
        }
    }

    func recordFailure(_ id: FeedID, _ fetch: FetchRecord) throws(LibraryError) {
        try write(.relaxed) {
            guard try record(fetch, of: id, .failed, newEpisodes: 0) else {
                throw LibraryError.notFound("feed \(id.label)")
            }
        }
    }

    func subscriber(of url: String) throws(LibraryError) -> Feed? {
        try read { try library.feeds.exactID(url: url).map { try library.feeds.stored($0) } }
    }

    func absorb(_ id: FeedID, into kept: FeedID, at now: Timestamp) throws(LibraryError) {
        _ = try library.feeds.unite(id, with: kept, at: now) { (id) throws(LibraryError) in
            try library.feeds.discard(id)
        }
    }

    func postpone(_ id: FeedID, until due: Timestamp) throws(LibraryError) {
        try write(.relaxed) {
            try run(
                """
                UPDATE fetch_state SET next_due = max(coalesce(next_due, 0), \(due)), due_reason = \(DueReason.server)
                WHERE feed = \(id) AND stopped = 0
                """)
        }
    }

    func recordMove(_ announced: FeedMove, of id: FeedID, isFollowed: Bool) throws(LibraryError) {
        if isFollowed {
            do {
                return try write(.synced) { try library.feeds.relocate(id, to: announced.url) }
            } catch .notFound {
                return
            }
        }
        try write(.relaxed) {
            try run(
                """
                UPDATE fetch_state SET move_obstacle = \(announced.obstacle)
                WHERE feed = \(id) AND moved_to = \(announced.url)
                """)
        }
    }

    /// A time more than a day ahead was stored by a clock that was wrong.
    func pausedHosts(at now: Timestamp) throws(LibraryError) -> [String: Timestamp] {
        try read {
            try connection.dictionary(
                "SELECT host, until FROM host_pause WHERE until > \(now) AND noted <= \(now) + 86400000")
        }
    }

    func pauseHost(_ host: String, until end: Timestamp, at now: Timestamp) throws(LibraryError) {
        try write(.relaxed) {
            try run("DELETE FROM host_pause WHERE until <= \(now)")
            try run("INSERT OR REPLACE INTO host_pause(host, noted, until) VALUES (\(host), \(now), \(end))")
        }
    }

    func refreshLog(_ id: FeedID, limit: Int) throws(LibraryError) -> [FetchRecord] {
        try read {
            _ = try library.feeds.stored(id)
            return try connection.all(
                "SELECT * FROM refresh_log WHERE feed = \(id) ORDER BY id DESC LIMIT \(max(limit, 0))"
            ) { row in
                var record = FetchRecord(
                    time: row["time"], httpStatus: row["http_status"], error: row["error"], nextDue: row["next_due"])
                record.etag = row["etag"]
                record.lastModified = row["last_modified"]
                record.bodyDigest = row["body_digest"]
                record.movedTo = row["moved_to"]
                record.bytes = row["bytes"]
                record.newEpisodes = row["new_episodes"]
                return record
            }
        }
    }

    enum FetchOutcome {
        case merged, unchanged, failed
    }

    /// - Returns: false when the feed is not subscribed to.
    func record(_ fetch: FetchRecord, of feed: FeedID, _ outcome: FetchOutcome, newEpisodes: Int) throws -> Bool {
        if outcome != .failed, fetch.followsMove, let move = fetch.move { try follow(move, feed) }
        let error = outcome == .failed ? fetch.error ?? "failed" : nil
        // After a failure, the schedule may say later than the user does.
        let interval: Int64? = try connection.value(
            """
            SELECT CAST(value AS INTEGER) FROM feed_setting
            WHERE feed = \(feed) AND name = 'refresh' AND CAST(value AS INTEGER) >= 300
            """)
        var fetch = fetch
        if let interval, !fetch.isStopped {
            let wanted = fetch.time.adding(seconds: interval)
            if outcome != .failed || fetch.nextDue < wanted {
                fetch.nextDue = wanted
                fetch.dueReason = .setting
            }
        }
        let health: SQL = """
            UPDATE fetch_state SET last_try = \(fetch.time), next_due = \(fetch.isStopped ? nil : fetch.nextDue),
              http_status = \(fetch.httpStatus), error = \(error), stopped = \(fetch.isStopped),
              due_reason = \(fetch.dueReason)
            """
        let rest: SQL
        switch outcome {
        case .failed: rest = ", failures = failures + 1, broken_off = broken_off + \(fetch.isBrokenOff)"
        case .unchanged:
            rest = """
                \(success(fetch)), etag = coalesce(\(fetch.etag), etag),
                  last_modified = coalesce(\(fetch.lastModified), last_modified),
                  body_digest = coalesce(\(fetch.bodyDigest), body_digest)
                """
        case .merged:
            let rhythm = fetch.rhythm
            rest = """
                \(success(fetch)), etag = \(fetch.etag), last_modified = \(fetch.lastModified),
                  body_digest = \(fetch.bodyDigest),
                  false_304 = false_304 + \(fetch.contradictsValidators && newEpisodes > 0),
                  patience = \(rhythm.patience), planned_gap = \(rhythm.plannedGap),
                  quiet_hours = \(Int(rhythm.quietHours)), quiet_days = \(Int(rhythm.quietDays)),
                  complete = \(rhythm.isComplete), gap = \(fetch.cadence?.gap), newest = \(fetch.cadence?.newest)
                """
        }
        try run(
            """
            \(health)\(rest)
            WHERE feed IN (SELECT id FROM feed WHERE id = \(feed) AND kind = \(literal: FeedKind.subscribed))
            """)
        guard connection.changedRows == 1 else { return false }
        try log(fetch, of: feed, newEpisodes: newEpisodes)
        return true
    }

    private func success(_ fetch: FetchRecord) -> SQL {
        let move = fetch.followsMove ? nil : fetch.move
        return """
            , failures = 0, broken_off = 0, last_success = \(fetch.time), moved_to = \(move?.url),
              move_reason = \(move?.reason), move_sightings = \(move?.sightings ?? 0),
              move_obstacle = \(move?.obstacle), last_full = iif(\(fetch.isFull), \(fetch.time), last_full)
            """
    }

    private func log(_ fetch: FetchRecord, of feed: FeedID, newEpisodes: Int) throws {
        try run(
            """
            INSERT INTO refresh_log(feed, time, next_due, http_status, bytes, new_episodes, etag, last_modified,
              body_digest, moved_to, error)
            VALUES (\(feed), \(fetch.time), \(fetch.nextDue), \(fetch.httpStatus), \(fetch.bytes), \(newEpisodes),
              \(fetch.etag), \(fetch.lastModified), \(fetch.bodyDigest), \(fetch.movedTo), \(fetch.error))
            """)
        let surplus = connection.lastInsertedRow - Self.refreshLogLength
        if surplus > 0 { try run("DELETE FROM refresh_log WHERE id <= \(surplus)") }
    }

    /// Moves a feed, unless another feed has the address by now.
    private func follow(_ move: FeedMove, _ feed: FeedID) throws {
        if let other = try library.feeds.id(url: move.url) {
            guard other == feed else { return }
            // Back to where it was before.
            try library.feeds.forgetFormer(move.url, of: feed)
        }
        try library.feeds.move(feed, to: move.url)
    }

    // MARK: Older pages

    func recordPageWalk(_ walk: PageWalk, of id: FeedID) throws(LibraryError) {
        try write(.relaxed) {
            try store(walk, of: id)
            guard let due = walk.pending?.due else { return }
            try run(
                """
                UPDATE fetch_state SET next_due = \(due), due_reason = \(DueReason.olderPage)
                WHERE feed = \(id) AND stopped = 0 AND next_due > \(due)
                """)
        }
    }

    func store(_ walk: PageWalk, of feed: FeedID) throws {
        let pending = walk.pending
        try run(
            """
            INSERT OR REPLACE INTO page_walk(feed, reason, time, pages, episodes, since, ending, next_url, next_place,
              next_oldest, failures, error, due)
            SELECT id, \(walk.reason), \(walk.time), \(walk.pages), \(walk.episodes), \(walk.since), \(walk.end),
              \(pending?.url), \(pending?.place ?? 0), \(pending?.oldest), \(pending?.failures ?? 0),
              \(pending?.error), \(pending?.due)
            FROM feed WHERE id = \(feed) AND kind = \(literal: FeedKind.subscribed)
            """)
    }
}

extension RefreshTarget: Record {
    init(row: Row) {
        self.init(
            id: row["id"], url: row["url"], title: row["title"], etag: row["etag"], lastModified: row["last_modified"],
            bodyDigest: row["body_digest"], failures: row["failures"], interval: row["interval"])
        error = row["error"]
        isStopped = row["stopped"]
        lastFull = row["last_full"]
        falseUnchanged = row["false_304"]
        rhythm.patience = row["patience"]
        rhythm.plannedGap = row["planned_gap"]
        rhythm.quietHours = UInt32(clamping: row["quiet_hours"] as Int)
        rhythm.quietDays = UInt8(clamping: row["quiet_days"] as Int)
        rhythm.isComplete = row["complete"]
        if let gap: Int64 = row["gap"], let newest: Timestamp = row["newest"] {
            cadence = Cadence(gap: gap, newest: newest)
        }
        move = FeedMove(row: row)
        dueReason = row["due_reason"]
        userAgent = row["user_agent"]
        httpStatus = row["http_status"]
        isBrokenOff = row["broken_off"]
        pageWalk = PageWalk(row: row)
    }
}

extension FeedMove {
    /// The announced move that the feed has not followed; nil without one.
    init?(row: Row) {
        guard let url: String = row["moved_to"] else { return nil }
        self.init(
            url: url, reason: row["move_reason"] ?? .redirect, sightings: row["move_sightings"],
            obstacle: row["move_obstacle"])
    }
}

extension PageWalk {
    /// The columns of `page_walk w`.
    static let columns = """
        w.reason AS walk_reason, w.time AS walk_time, w.pages, w.episodes AS walk_episodes, w.since, w.ending,
          w.next_url, w.next_place, w.next_oldest, w.failures AS walk_failures, w.error AS walk_error, w.due AS walk_due
        """

    /// How far the feed's older pages were fetched; nil if the feed has none.
    init?(row: Row) {
        guard let reason: Reason = row["walk_reason"], let time: Timestamp = row["walk_time"] else { return nil }
        self.init(reason: reason, time: time)
        pages = row["pages"]
        episodes = row["walk_episodes"]
        since = row["since"]
        end = row["ending"]
        guard let url: String = row["next_url"] else { return }
        var next = Pending(url: url, place: row["next_place"], oldest: row["next_oldest"])
        next.failures = row["walk_failures"]
        next.error = row["walk_error"]
        next.due = row["walk_due"]
        pending = next
    }
}
