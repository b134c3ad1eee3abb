public import LibraryModel
internal import PodcastModel
internal import SQLite

extension LibraryStore {
    /// One page of a view; `limit` is 1 to 1000, others are brought into that range.
    public func page(
        _ filter: EpisodeFilter, order: EpisodeOrder, at anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> EpisodePage {
        guard let query = ViewQuery(filter) else { return EpisodePage(episodes: [], hasBefore: false, hasAfter: false) }
        let limit = min(max(limit, 1), 1000)
        if let text = filter.text { return try searchPage(filter, text, order: order, at: anchor, limit: limit) }
        // In the view's order `forward` runs to later rows; on disk newest first runs down.
        let isDown = order != .oldestFirst
        return try read {
            if query.expression != nil { return try scannedPage(query, order: order, at: anchor, limit: limit) }
            switch anchor {
            case .first:
                let (rows, hasMore) = try rows(query, .none, nil, descending: isDown, limit: limit)
                return EpisodePage(episodes: rows, hasBefore: false, hasAfter: hasMore)
            case .last:
                let (rows, hasMore) = try rows(query, .none, nil, descending: !isDown, limit: limit)
                return EpisodePage(episodes: rows.reversed(), hasBefore: hasMore, hasAfter: false)
            case .after(let key):
                let (rows, hasMore) = try rows(query, isDown ? .below : .above, key, descending: isDown, limit: limit)
                let hasBefore = try hasRow(query, isDown ? .atOrAbove : .atOrBelow, key, descending: !isDown)
                return EpisodePage(episodes: rows, hasBefore: hasBefore, hasAfter: hasMore)
            case .before(let key):
                let (rows, hasMore) = try rows(query, isDown ? .above : .below, key, descending: !isDown, limit: limit)
                let hasAfter = try hasRow(query, isDown ? .atOrBelow : .atOrAbove, key, descending: isDown)
                return EpisodePage(episodes: rows.reversed(), hasBefore: hasMore, hasAfter: hasAfter)
            }
        }
    }

    /// Rows of a view: exact from a counter for all episodes, one feed, and one condition of either; others are
    /// counted up to `bound`, and those of an expression as far as a page of it looks. What was counted last is not counted
    /// again while nothing changes.
    public func count(_ filter: EpisodeFilter, upTo bound: Int) throws(LibraryError) -> RowCount {
        guard let query = ViewQuery(filter) else { return .exactly(0) }
        if let text = filter.text { return try searchCount(filter, text, upTo: bound) }
        return try read {
            if let counter = counterSQL(filter) {
                let statement = try connection.statement(counter)
                defer { statement.reset() }
                if let feed = filter.feed { try statement.bind(1, feed.rawValue) }
                return .exactly(try statement.step() ? statement.int(0) : 0)
            }
            let bound = min(max(bound, 0), 1_000_000_000)
            if query.expression != nil { return try scannedCount(query, upTo: bound) }
            let view = CountedView(
                filter: filter, bound: bound, version: try dataVersion(), changes: connection.totalChanges)
            if let counted, counted.isSame(as: view) { return counted.count }
            let statement = try connection.statement(query.countSQL)
            defer { statement.reset() }
            try query.bind(statement, key: nil, limit: bound + 1)
            let found = try statement.step() ? statement.int(0) : 0
            counted = view
            counted?.count = found > bound ? .atLeast(bound) : .exactly(found)
            return counted?.count ?? .exactly(found)
        }
    }

    /// Changes with what other processes commit; not outside a transaction.
    func dataVersion() throws -> Int {
        let query = try connection.statement("PRAGMA data_version")
        defer { query.reset() }
        return try query.step() ? query.int(0) : 0
    }

    private func rows(
        _ query: ViewQuery, _ bound: ViewQuery.Bound, _ key: EpisodeKey?, descending: Bool, limit: Int
    ) throws -> ([Episode], hasMore: Bool) {
        let statement = try connection.statement(query.pageSQL(bound, descending: descending))
        defer { statement.reset() }
        try query.bind(statement, key: key, limit: limit + 1)
        var episodes: [Episode] = []
        while try statement.step() {
            if episodes.count == limit { return (episodes, true) }
            episodes.append(EpisodeRow.read(statement))
        }
        return (episodes, false)
    }

    private func hasRow(
        _ query: ViewQuery, _ bound: ViewQuery.Bound, _ key: EpisodeKey, descending: Bool
    ) throws -> Bool {
        let statement = try connection.statement(
            query.pageSQL(bound, descending: descending, columns: "e.id, e.published"))
        defer { statement.reset() }
        try query.bind(statement, key: key, limit: 1)
        return try statement.step()
    }

    /// The counter that holds a filter's rows, if one does.
    func counterSQL(_ filter: EpisodeFilter) -> String? {
        if filter.expression != nil || filter.includesSetAside || filter.isGone != nil { return nil }
        let sum: String
        switch (filter.isPlayed, filter.isStarred, filter.isInProgress, filter.isDownloaded, filter.text) {
        case (nil, nil, nil, nil, nil): sum = "new + in_progress + played"
        case (true, nil, nil, nil, nil), (true, nil, false, nil, nil): sum = "played"
        case (false, nil, nil, nil, nil): sum = "new + in_progress"
        case (nil, nil, true, nil, nil), (false, nil, true, nil, nil): sum = "in_progress"
        case (nil, nil, false, nil, nil): sum = "new + played"
        case (false, nil, false, nil, nil): sum = "new"
        case (nil, true, nil, nil, nil): sum = "starred"
        case (nil, false, nil, nil, nil): sum = "new + in_progress + played - starred"
        case (nil, nil, nil, true, nil): sum = "downloaded"
        case (nil, nil, nil, false, nil): sum = "new + in_progress + played - downloaded"
        case (_, _, _, _, _): return nil
        }
        return filter.feed == nil
            ? "SELECT \(sum) FROM library_count" : "SELECT \(sum) FROM feed_count WHERE feed = ?"
    }
}

/// A view that was counted, and what the library was like then.
struct CountedView {
    let filter: EpisodeFilter
    let bound: Int
    /// What other processes had committed.
    let version: Int
    /// What this one had changed.
    let changes: Int64
    var count = RowCount.exactly(0)

    /// Whether counting would find the same.
    func isSame(as other: CountedView) -> Bool {
        filter == other.filter && bound == other.bound && version == other.version && changes == other.changes
    }
}
