public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Remembers how far older pages were followed; a page that waits to be tried again makes the feed due then.
    public func recordPageWalk(_ walk: PageWalk, of id: FeedID) throws(LibraryError) {
        try write(.relaxed) {
            try storePageWalk(walk, of: id.rawValue)
            guard let due = walk.pending?.due else { return }
            let update = try connection.statement(
                "UPDATE fetch_state SET next_due = ?2, due_reason = ?3 WHERE feed = ?1 AND stopped = 0 AND next_due > ?2"
            )
            try update.bind(1, id.rawValue)
            try update.bind(2, due.milliseconds)
            try update.bind(3, DueReason.olderPage.rawValue)
            try update.run()
        }
    }

    /// Writes a walk; not outside a transaction. Nothing happens to a feed that is gone.
    func storePageWalk(_ walk: PageWalk, of feed: Int64) throws {
        let insert = try connection.statement(
            """
            INSERT OR REPLACE INTO page_walk(feed, reason, time, pages, episodes, since, ending, next_url, next_place,
              next_oldest, failures, error, due)
            SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 FROM feed WHERE id = ?1 AND kind = 0
            """)
        let pending = walk.pending
        try insert.bind(1, feed)
        try insert.bind(2, walk.reason.rawValue)
        try insert.bind(3, walk.time.milliseconds)
        try insert.bind(4, walk.pages)
        try insert.bind(5, walk.episodes)
        try insert.bind(6, walk.since?.rawValue)
        try insert.bind(7, walk.end?.rawValue)
        try insert.bind(8, pending?.url)
        try insert.bind(9, pending?.place ?? 0)
        try insert.bind(10, pending?.oldest?.milliseconds)
        try insert.bind(11, pending?.failures ?? 0)
        try insert.bind(12, pending?.error)
        try insert.bind(13, pending?.due?.milliseconds)
        try insert.run()
    }

    /// Has no rule look at the episodes of a back catalogue that has just become visible; not outside a transaction. What
    /// waits for rules from before goes on waiting.
    func passOverRules(_ feed: Int64, after mark: Int64) throws {
        for sql in [
            "DELETE FROM unjudged WHERE feed = ?1 AND after = ?2",
            "UPDATE unjudged SET through = ?2 WHERE feed = ?1 AND through IS NULL",
        ] {
            let change = try connection.statement(sql)
            try change.bind(1, feed)
            try change.bind(2, mark)
            try change.run()
        }
    }
}

extension PageWalk {
    /// What a query asks for, of `page_walk w`.
    static let columns = """
        w.reason, w.time, w.pages, w.episodes, w.since, w.ending, w.next_url, w.next_place, w.next_oldest, w.failures,
          w.error, w.due
        """

    /// Reads `columns`; nil when there is no walk.
    init?(row: Statement, from first: Int32) {
        guard let reason = row.optionalText(first).flatMap(Reason.init), let time = row.optionalTime(first + 1) else {
            return nil
        }
        self.init(
            reason: reason, time: time, pages: row.int(first + 2), episodes: row.int(first + 3),
            since: row.optionalInt64(first + 4).map(EpisodeID.init), end: row.optionalText(first + 5).flatMap(End.init))
        pending = row.optionalText(first + 6).map { url in
            Pending(
                url: url, place: row.int(first + 7), oldest: row.optionalTime(first + 8), failures: row.int(first + 9),
                error: row.optionalText(first + 10), due: row.optionalTime(first + 11))
        }
    }
}
