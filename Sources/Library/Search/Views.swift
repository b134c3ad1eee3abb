internal import SQLite
public import PodcastModel

extension EpisodeStore {
    /// A page of a view; `limit` is 1 to 1000.
    public func page(
        _ filter: EpisodeFilter, order: EpisodeOrder, at anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> EpisodePage {
        let filter = try library.lookingUpTags(filter)
        guard let query = ViewQuery(filter) else { return EpisodePage(episodes: [], hasBefore: false, hasAfter: false) }
        let limit = min(max(limit, 1), 1000)
        if let text = filter.text {
            return try searchPage(filter, text, order: order, at: anchor, limit: limit)
        }
        let start = PageStart(anchor, order)
        return try read {
            if query.expression != nil { return try scannedPage(query, start, limit: limit) }
            let rows = try connection.all(query.page(start, limit: limit + 1), EpisodeRow.episode)
            return EpisodePage(Array(rows.prefix(limit)), from: start, hasMore: rows.count > limit)
        }
    }

    /// Number of rows of a view: exact from a counter for all episodes, one feed, and one condition of either; other
    /// views are counted up to `bound`, and expressions up to `countScanLimit` rows. The last count is reused until the
    /// library changes.
    public func count(_ filter: EpisodeFilter, upTo bound: Int) throws(LibraryError) -> RowCount {
        let filter = try library.lookingUpTags(filter)
        guard let query = ViewQuery(filter) else { return .exactly(0) }
        if let text = filter.text { return try searchCount(filter, text, upTo: bound) }
        return try read {
            if let counter = counter(filter) { return .exactly(try connection.value(counter) ?? 0) }
            let bound = min(max(bound, 0), 1_000_000_000)
            var kept = filter
            kept.now = Timestamp(seconds: filter.now.seconds / 60 * 60)
            let view = CountedView(
                filter: kept, bound: bound, version: try library.dataVersion(), changes: connection.totalChanges)
            if let counted = library.counted, counted.view == view { return counted.count }
            let count: RowCount
            if query.expression != nil {
                count = try scannedCount(query, upTo: bound)
            } else {
                let found: Int = try connection.value(query.count(limit: bound + 1)) ?? 0
                count = found > bound ? .atLeast(bound) : .exactly(found)
            }
            library.counted = (view, count)
            return count
        }
    }

    /// The counter with the number of a filter's rows, if there is one.
    private func counter(_ filter: EpisodeFilter) -> SQL? {
        var plain = filter
        plain.now = EpisodeFilter().now
        if plain == .new(of: filter.feed) {
            let all: SQL = """
                SELECT coalesce(sum(\(raw: NewEpisodes.count)), 0) FROM feed f WHERE f.kind = \(literal: FeedKind.subscribed)
                """
            return filter.feed.map { all + " AND f.id = \($0)" } ?? all
        }
        let states = filter.states
        if filter.expression != nil || filter.includesHidden || states[.gone] != nil { return nil }
        let sum: String
        switch (states[.played], states[.starred], states[.inProgress], states[.downloaded], filter.text) {
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
        guard let feed = filter.feed else { return "SELECT \(raw: sum) FROM library_count" }
        return "SELECT \(raw: sum) FROM feed_count WHERE feed = \(feed)"
    }
}

/// A requested count, with its time in minutes.
struct CountedView: Equatable {
    let filter: EpisodeFilter
    let bound: Int
    /// Changes with each commit of another process.
    let version: Int
    /// Number of rows that this process has changed.
    let changes: Int64
}
