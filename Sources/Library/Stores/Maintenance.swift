public import LibraryModel
internal import SQLite

extension LibraryStore {
    /// Rows the index of addresses takes in at once; a few milliseconds.
    private static let addressesPerCommit = 1_000

    /// Does a small piece of what may wait: rows of removed feeds, then addresses and words of new episodes. One
    /// commit, short like all of them.
    ///
    /// The daemon calls it when it is idle after a refresh or an unsubscription, until it says false. Who asks for an
    /// URL or a word before that waits for what is left.
    /// - Returns: whether there is more to do.
    public func performMaintenance() throws(LibraryError) -> Bool {
        if try sweepRemovedFeeds() { return true }
        if try indexAddresses() { return true }
        for index in WordIndex.all where try extend(index) { return true }
        return false
    }

    /// Indexes what is left of the addresses, for a question by URL. A library that cannot be written now is
    /// asked as far as it is indexed.
    func finishAddresses() throws(LibraryError) {
        do {
            while try indexAddresses() {}
        } catch .diskFull, .readOnly, .busy {
            return
        }
    }

    private func indexAddresses() throws(LibraryError) -> Bool {
        try index(
            mark: "addressed_through", of: "episode", rows: Self.addressesPerCommit,
            """
            INSERT INTO episode_address(media_key, episode)
            SELECT media_key, id FROM episode WHERE id > ?1 AND id <= ?2 ORDER BY media_key
            """)
    }

    /// Takes the next rows after a mark into an index.
    func index(
        mark: String, of source: String, rows: Int, _ insertion: String
    ) throws(LibraryError) -> Bool {
        guard try read({ try nextRange(after: mark, of: source, rows: rows) }) != nil else { return false }
        return try write(.relaxed) {
            guard let range = try nextRange(after: mark, of: source, rows: rows) else { return false }
            let insert = try connection.statement(insertion)
            try insert.bind(1, range.after)
            try insert.bind(2, range.through)
            try insert.run()
            try run("UPDATE index_state SET \(mark) = ?", range.through)
            return try nextRange(after: mark, of: source, rows: rows) != nil
        }
    }

    /// The next so many rows after a mark; nil when there are none.
    private func nextRange(
        after mark: String, of source: String, rows: Int
    ) throws -> (after: Int64, through: Int64)? {
        let query = try connection.statement(
            """
            SELECT \(mark), (SELECT max(id) FROM (SELECT id FROM \(source) WHERE id > \(mark) ORDER BY id LIMIT ?))
            FROM index_state
            """)
        defer { query.reset() }
        try query.bind(1, rows)
        guard try query.step(), !query.isNull(1) else { return nil }
        return (query.int64(0), query.int64(1))
    }

    private func sweepRemovedFeeds() throws(LibraryError) -> Bool {
        guard try read({ try removedFeed() }) != nil else { return false }
        try write(.relaxed) {
            guard let feed = try removedFeed() else { return }
            if try deleteEpisodes(above: 0, of: feed) == 0 { try run("DELETE FROM feed WHERE id = ?", feed) }
        }
        return true
    }

    private func removedFeed() throws -> Int64? {
        let query = try connection.statement(
            "SELECT id FROM feed INDEXED BY feed_removed WHERE kind = 2 AND url IS NULL LIMIT 1")
        defer { query.reset() }
        return try query.step() ? query.int64(0) : nil
    }

    /// Deletes episodes of a feed with numbers above a mark, as many as one commit may; how many there were.
    func deleteEpisodes(above mark: Int64, of feed: Int64) throws -> Int {
        let query = try connection.statement(
            "SELECT id FROM episode INDEXED BY episode_feed WHERE feed = ?1 AND id > ?2 LIMIT \(Self.rowsPerCommit)")
        try query.bind(1, feed)
        try query.bind(2, mark)
        var ids: [Int64] = []
        while try query.step() { ids.append(query.int64(0)) }
        let start = clock()
        for id in ids {
            try run("DELETE FROM episode WHERE id = ?", id)
            if clock() &- start >= Self.commitInterval { break }
        }
        return ids.count
    }
}
