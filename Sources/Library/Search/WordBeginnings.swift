internal import SQLite

extension LibraryStore {
    /// Pages of an index that the beginning of a word may make a question read; about two milliseconds. The index merges
    /// the places of all words with that beginning before it gives the first.
    private static let beginningPages: Int64 = 40

    /// A query's expression for an index. The beginning of a word that too many words have is looked for as a word of its
    /// own: while somebody types it, the next letter makes it rarer.
    func expression(of query: SearchQuery, in stage: SearchRun.Stage) throws -> String {
        guard let beginning = query.beginning else { return query.expression }
        let isCheap = try pages(withWordsFrom: beginning, in: stage.index.table) <= Self.beginningPages
        return isCheap ? query.expression : query.withWholeWords.expression
    }

    /// How many pages of an index hold words with a beginning, about: from the index's own list of the first word of each
    /// page, a row of `_idx` for each in each of its segments. Words stand there with a `0` before them.
    private func pages(withWordsFrom beginning: String, in table: String) throws -> Int64 {
        let segments = try connection.statement("SELECT min(segid) FROM \(table)_idx WHERE segid > ?")
        defer { segments.reset() }
        // pgno holds the page's number and, in its lowest bit, something else.
        let first = try connection.statement(
            "SELECT pgno / 2 FROM \(table)_idx WHERE segid = ?1 AND term <= ?2 ORDER BY term DESC LIMIT 1")
        let last = try connection.statement(
            "SELECT pgno / 2 FROM \(table)_idx WHERE segid = ?1 AND term > ?2 ORDER BY term LIMIT 1")
        let latest = try connection.statement(
            "SELECT pgno / 2 FROM \(table)_idx WHERE segid = ?1 ORDER BY term DESC LIMIT 1")
        var (pages, segment): (Int64, Int64) = (0, 0)
        while true {
            try segments.bind(1, segment)
            guard try segments.step(), let next = segments.optionalInt64(0) else { return pages }
            segments.reset()
            segment = next
            func page(_ statement: Statement, _ bound: [UInt8]?) throws -> Int64? {
                defer { statement.reset() }
                try statement.bind(1, segment)
                if let bound { try statement.bind(2, blob: bound) }
                return try statement.step() ? statement.int64(0) : nil
            }
            let start = try page(first, Array("0\(beginning)".utf8)) ?? 1
            let end = try page(last, Array("0\(beginning)".utf8) + [0xFF]) ?? page(latest, nil) ?? start
            pages += end - start
        }
    }
}
