public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Episodes a part of a title is looked for in when it is not the beginning of words: the latest so many. About
    /// ten milliseconds.
    static let titleScanLimit: Int64 = 20_000

    /// Does a small piece of what may wait: rows of removed feeds, then words of new episodes. One commit, of at most
    /// 200 rows or about 50 ms.
    ///
    /// The daemon calls it when it is idle after a refresh or an unsubscription, until it says false; a search does
    /// what is left of the words.
    /// - Returns: whether there is more to do.
    public func performMaintenance() throws(LibraryError) -> Bool {
        if try hasRemovedFeed() {
            try write(.relaxed) { try sweepRemovedFeed() }
            return true
        }
        return try indexNextEpisodes()
    }

    /// The episode that `what` names: an id, an enclosure URL, or a part of the title; a whole title goes before a
    /// part, and the beginning of words before a part inside a word, which is looked for in the latest 20,000
    /// episodes only.
    public func resolveEpisode(_ what: String) throws(LibraryError) -> Episode {
        let exact = try read { () -> Episode? in
            if let number = Int64(what), let episode = try storedEpisode(EpisodeID(number)) { return episode }
            guard what.contains("://") else { return nil }
            let found = try episodes(url: what, limit: 6)
            if found.count > 1 { throw LibraryError.ambiguous(what, candidates: found.prefix(5).map(\.title)) }
            return found.first
        }
        if let exact { return exact }
        guard !what.isEmpty else { throw LibraryError.notFound(what) }
        try finishIndex()
        return try read {
            var matches = try titleMatchesByWords(what)
            if matches.isEmpty { matches = try titleMatchesByScan(what) }
            return try visibleEpisode(EpisodeID(try matches.only(for: what)))
        }
    }

    private func titleMatchesByWords(_ what: String) throws -> TitleMatches {
        let words = SearchText.matchExpression(for: what, column: "title")
        let query = try connection.statement(
            """
            SELECT e.id, e.title, e.title = ?1 COLLATE NOCASE FROM search CROSS JOIN episode e ON e.id = search.rowid\
            \(EpisodeRow.visibility) WHERE search MATCH ?2 AND e.title LIKE ?3 ESCAPE '\\' \
            ORDER BY 3 DESC, e.published DESC LIMIT 6
            """)
        defer { query.reset() }
        try query.bind(1, what)
        try query.bind(2, words ?? "\"\"")
        try query.bind(3, likePattern(containing: what))
        return try TitleMatches(reading: query)
    }

    private func titleMatchesByScan(_ what: String) throws -> TitleMatches {
        let query = try connection.statement(
            """
            SELECT e.id, e.title, e.title = ?1 COLLATE NOCASE FROM episode e\(EpisodeRow.visibility) \
            WHERE e.id > (SELECT max(id) FROM episode) - ?2 AND e.title LIKE ?3 ESCAPE '\\' \
            ORDER BY 3 DESC, e.published DESC LIMIT 6
            """)
        defer { query.reset() }
        try query.bind(1, what)
        try query.bind(2, Self.titleScanLimit)
        try query.bind(3, likePattern(containing: what))
        return try TitleMatches(reading: query)
    }

    /// Indexes what is left, for a search. A library that cannot be written now is searched as far as it is indexed.
    func finishIndex() throws(LibraryError) {
        do {
            while try indexNextEpisodes() {}
        } catch .diskFull, .readOnly, .busy {
            return
        }
    }

    private func indexNextEpisodes() throws(LibraryError) -> Bool {
        guard try read({ try unindexedRange() }) != nil else { return false }
        return try write(.relaxed) {
            guard let (first, last) = try unindexedRange() else { return false }
            let query = try connection.statement(
                "SELECT id FROM episode WHERE id >= ?1 ORDER BY id LIMIT \(Self.rowsPerCommit)")
            try query.bind(1, first)
            var ids: [Int64] = []
            while try query.step() { ids.append(query.int64(0)) }
            let insert = try connection.statement(
                """
                INSERT INTO search(rowid, title, summary, content)
                SELECT id, title, summary, content FROM search_text WHERE id = ?
                """)
            let start = clock()
            var indexed = first - 1
            for id in ids {
                try insert.bind(1, id)
                try insert.run()
                indexed = id
                if clock() &- start >= Self.commitInterval { break }
            }
            try run("UPDATE search_state SET indexed_through = ?", indexed)
            return indexed < last
        }
    }

    /// The first and the last episode that are not indexed yet.
    private func unindexedRange() throws -> (first: Int64, last: Int64)? {
        let query = try connection.statement(
            "SELECT indexed_through, (SELECT max(id) FROM episode) FROM search_state")
        defer { query.reset() }
        guard try query.step() else { return nil }
        let (indexed, last) = (query.int64(0), query.int64(1))
        return indexed < last ? (indexed + 1, last) : nil
    }

    private func hasRemovedFeed() throws(LibraryError) -> Bool {
        try read { try removedFeed() != nil }
    }

    private func removedFeed() throws -> Int64? {
        let query = try connection.statement("SELECT id FROM feed INDEXED BY feed_removed WHERE kind = 2 LIMIT 1")
        defer { query.reset() }
        return try query.step() ? query.int64(0) : nil
    }

    private func sweepRemovedFeed() throws {
        guard let feed = try removedFeed() else { return }
        if try deleteEpisodes(above: 0, of: feed) == 0 { try run("DELETE FROM feed WHERE id = ?", feed) }
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
