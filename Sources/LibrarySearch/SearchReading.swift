internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension EpisodeFinder {
    /// CPU time, from the first row of an index on, after which a search with enough results returns them.
    private static let searchWork = Duration.milliseconds(2)
    /// CPU time after which it returns what it has found.
    private static let longestWork = Duration.milliseconds(4)
    /// Real time after which it does, for a slow disk.
    private static let searchWait = Duration.milliseconds(50)
    /// Rows between two checks of the time, each of which is a system call.
    private static let rowsBetweenChecks = 16
    /// Episodes that are found and ranked at a time.
    static let hitsAtATime = 500
    /// A filter that leaves at most this many episodes is evaluated before the words.
    private static let fewEpisodes = 10_000
    /// At most this many episodes are looked up one by one, which takes 20 µs each.
    private static let singleEpisodes = 500

    /// Continues a search that has found fewer episodes than are wanted, until it is complete, has found `hitsAtATime`
    /// or has used its time.
    func continueSearch(_ results: SearchResults, to wanted: Int) throws {
        guard !results.isComplete, results.ids.count < wanted else { return }
        if results.episodes == nil { results.episodes = try fewest(results.filter) }
        let end = clock.now + Self.searchWait
        var hits: [SearchResults.Hit] = []
        var known: Set<Int64> = []
        while let index = results.index {
            var (rows, start) = (0, Duration.zero)
            func isTime() -> Bool {
                let isEnough = results.ids.count + hits.count >= wanted
                return workTime() - start >= (isEnough ? Self.searchWork : Self.longestWork)
                    || clock.now >= end
            }
            let isStopped = try read(index, results) { hit in
                if rows == 0 { start = workTime() }
                rows += 1
                if let hit, results.places[hit.id] == nil, !known.contains(hit.id), try !isExcluded(hit, results) {
                    known.insert(hit.id)
                    hits.append(hit)
                }
                return hits.count < Self.hitsAtATime && (rows % Self.rowsBetweenChecks != 0 || !isTime())
            }
            if isStopped { break }
            results.endIndex()
        }
        results.add(hits)
    }

    /// Reads the next rows of an index that have the words.
    ///
    /// - Parameter take: receives each row's episode, nil if the filter excludes it, and returns whether to continue.
    /// - Returns: whether `take` stopped it.
    private func read(
        _ index: WordIndex, _ results: SearchResults, _ take: (SearchResults.Hit?) throws -> Bool
    ) throws -> Bool {
        guard let view = ViewQuery(results.filter) else { return false }
        let words = try words(of: results.query, in: index)
        let rows = try connection.rows(searchSQL(index, view, words, results))
        while let row = try rows.next() {
            results.lastRow = row["place"]
            var hit: SearchResults.Hit?
            if let relevance: Int = row["relevance"], view.expression?.fits(row) ?? true {
                hit = SearchResults.Hit(id: row["id"], published: row["published"], index: index, relevance: relevance)
            }
            if try !take(hit) { return true }
        }
        return false
    }

    /// How the filter restricts the rows before the words do.
    private enum Restriction {
        case none, scan, singleEpisodes
    }

    private func restriction(_ results: SearchResults, _ words: String) -> Restriction {
        guard let episodes = results.episodes, episodes <= Self.fewEpisodes else { return .none }
        // For a prefix, FTS5 would merge its words again for each episode.
        return episodes <= Self.singleEpisodes && !words.contains("*") ? .singleEpisodes : .scan
    }

    private func searchSQL(_ index: WordIndex, _ view: ViewQuery, _ words: String, _ results: SearchResults) -> SQL {
        let table = index.table
        let isAscending = results.isAscending
        let restriction = restriction(results, words)
        let (join, episode) =
            index == .spoken
            ? (" CROSS JOIN passage p ON p.id = \(table).rowid", "p.episode") : ("", "\(table).rowid")
        // Rows that the filter excludes are returned too, so that the time can be checked. Ranks that differ by less than a
        // quarter are equal. A unary plus decides whether SQLite scans the rows with the words, in order, or looks up each
        // episode and sorts.
        let relevance = index == .notes ? "CAST(4 * relevance(search, 8, 1, 1) AS INTEGER)" : "0"
        let row = (restriction == .singleEpisodes ? "+" : "") + "\(table).rowid"
        let among: SQL =
            switch restriction {
            case .none: ""
            case .scan: "AND +\(raw: episode) IN (\(view.numbers))"
            case .singleEpisodes: "AND \(raw: episode) IN (\(view.numbers))"
            }
        return """
            SELECT \(view.expression?.columns ?? "e.id, e.published"),
              CASE WHEN e.id <= f.last_episode AND \(view.allConditions) THEN \(raw: relevance) END AS relevance,
              \(raw: table).rowid AS place
            FROM \(raw: table)\(raw: join) CROSS JOIN episode e ON e.id = \(raw: episode)
            CROSS JOIN feed f ON f.id = e.feed
            WHERE \(raw: table) MATCH \(words)
              AND \(raw: row) \(raw: isAscending ? ">" : "<") \(results.lastRow ?? (isAscending ? .min : .max))
              \(among)
            ORDER BY \(raw: row) \(raw: isAscending ? "ASC" : "DESC")
            """
    }

    /// For MATCH. A transcript has many rows, so that one of them lacks an excluded word says nothing.
    private func words(of query: SearchQuery, in index: WordIndex) throws -> String {
        try expression(of: index == .spoken ? query.withoutExclusions : query, in: index)
    }

    /// The fewest episodes that one condition of a filter leaves by itself, as the counters say.
    private func fewest(_ filter: EpisodeFilter) throws -> Int {
        if filter.showsHidden { return .max }
        var conditions: [EpisodeFilter] = []
        if let feed = filter.feed { conditions.append(EpisodeFilter(feed: feed)) }
        if filter.isStarred == true { conditions.append(EpisodeFilter(isStarred: true)) }
        if filter.isDownloaded == true { conditions.append(EpisodeFilter(isDownloaded: true)) }
        if filter.isInProgress == true { conditions.append(EpisodeFilter(isInProgress: true)) }
        if let isPlayed = filter.isPlayed { conditions.append(EpisodeFilter(isPlayed: isPlayed)) }
        return try conditions.map { condition in
            try Self.counter(condition).flatMap { try connection.value($0) } ?? .max
        }.min() ?? .max
    }

    // MARK: Single episodes

    /// Whether an episode has all words of a search, and none that it excludes.
    func isFound(_ id: Int64, _ query: SearchQuery) throws -> Bool {
        let found = try WordIndex.allCases.first { index in
            if index == .titles, !query.excluded.isEmpty { return false }
            return try has(try words(of: query, in: index), in: index, of: id)
        }
        return try found.map { try !isExcluded(id, foundIn: $0, query) } ?? false
    }

    private func isExcluded(_ hit: SearchResults.Hit, _ results: SearchResults) throws -> Bool {
        try isExcluded(hit.id, foundIn: hit.index, results.query)
    }

    /// Whether an excluded word occurs where the index that found the episode does not look: titles and notes exclude it
    /// themselves, but a transcript has many rows.
    private func isExcluded(_ id: Int64, foundIn index: WordIndex, _ query: SearchQuery) throws -> Bool {
        guard let words = query.exclusion else { return false }
        if index == .spoken, try has(words, in: .notes, of: id) { return true }
        return try has(words, in: .spoken, of: id)
    }

    private func has(_ words: String, in index: WordIndex, of id: Int64) throws -> Bool {
        let rows: SQL =
            index == .spoken
            ? "passage p CROSS JOIN spoken_search ON spoken_search.rowid = p.id WHERE p.episode = \(id)"
            : "\(raw: index.table) WHERE rowid = \(id)"
        return try connection.exists("SELECT 1 FROM \(rows) AND \(raw: index.table) MATCH \(words) LIMIT 1")
    }
}
