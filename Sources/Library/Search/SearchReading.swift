internal import PodcastModel
internal import SQLite

extension EpisodeStore {
    /// CPU time of a call for collecting the rows of indexes.
    private static let collectingTime = Duration.milliseconds(25)
    static let searchTime = Duration.milliseconds(40)
    /// Wall-clock limit of a call, for a slow disk.
    private static let searchWait = Duration.milliseconds(50)
    /// Rows between two checks of the time, each of which is a system call.
    private static let rowsBetweenChecks = 16
    /// Maximum hits in notes that are ranked by relevance; more are ordered by date.
    private static let rankedHits = 1_000
    /// Maximum episodes of feeds to read at once, at 1 µs each.
    private static let episodesOfFeeds = 5_000

    /// Continues a search until `wanted` episodes are found, it is complete, or its time is up.
    func continueSearch(_ results: SearchResults, to wanted: Int, within time: Duration = searchTime) throws {
        let start = library.workTime()
        let end = library.clock.now + Self.searchWait
        func isTime(_ limit: Duration) -> Bool { library.workTime() - start >= limit || library.clock.now >= end }

        while let tier = results.tier, results.ids.count < wanted, let view = ViewQuery(results.filter) {
            for pass in tier.passes { try collect(pass, results) { isTime(min(time, Self.collectingTime)) } }
            if let hits = tier.hits, try hits <= Self.rankedHits || isSortingFaster(hits) {
                try sortHits(tier, view, results)
            } else if try readByDate(tier, view, results, to: wanted, { isTime(time) }) {
                return
            }
        }
    }

    /// True if sorting all hits (4 µs each) is faster than reading episodes (1 µs each) until a page of 50 is full.
    private func isSortingFaster(_ hits: Int) throws -> Bool {
        let episodes: Int = try connection.value("SELECT new + in_progress + played FROM library_count") ?? 0
        return hits * hits <= 12 * episodes
    }

    /// Reads matching rows of an index, ordered by id, until its end or the time.
    private func collect(_ pass: IndexPass, _ results: SearchResults, _ isTime: () -> Bool) throws {
        if pass.isComplete { return }
        if let feeds = pass.ofFeeds, !feeds.needsWords { return try collect(feeds, pass) }
        let table = pass.index.table
        let (source, episode) = pass.index.hits
        let ofFeeds: SQL =
            pass.ofFeeds.map {
                "AND EXISTS (SELECT 1 FROM episode e WHERE e.id = \(raw: table).rowid AND \($0.condition))"
            } ?? ""
        let rows = try connection.rows(
            """
            SELECT \(raw: episode) AS episode, \(raw: table).rowid AS place FROM \(raw: source)
            WHERE \(raw: table) MATCH \(try words(of: results.query, in: pass)) AND \(raw: table).rowid > \(pass.lastRow)
            \(ofFeeds) ORDER BY \(raw: table).rowid
            """)
        while let row = try rows.next() {
            pass.add(row["episode"], place: row["place"])
            if pass.rows % (Self.rowsBetweenChecks * 16) == 0, isTime() { return }
        }
        pass.isComplete = true
    }

    /// Reads all episodes of feeds, unless looking them up one by one is faster because the feeds have many.
    private func collect(_ feeds: FeedWords, _ pass: IndexPass) throws {
        let ids: [Int64] = try connection.all(
            "SELECT e.id FROM episode e WHERE \(feeds.condition) LIMIT \(literal: Self.episodesOfFeeds + 1)"
        ) { $0["id"] }
        if ids.count > Self.episodesOfFeeds { return }
        for id in ids { pass.add(id, place: id) }
        pass.isComplete = true
    }

    /// The feeds whose titles contain words of a search, by the remaining words; none unless the filter wants them.
    func feedWords(_ filter: EpisodeFilter, _ query: SearchQuery) throws -> [FeedWords] {
        guard filter.searchesFeedTitles, filter.feed == nil else { return [] }
        var feeds: [SearchQuery: [Int64]] = [:]
        let rows = try connection.rows("SELECT id, title FROM feed")
        while let row = try rows.next() {
            if let rest = query.remaining(besides: row["title"]) { feeds[rest, default: []].append(row["id"]) }
        }
        return feeds.map { FeedWords(feeds: $1, rest: $0) }
    }

    /// Reads the filter's episodes by date and appends those that contain the words.
    /// - Returns: true if the page is full or the time is up.
    private func readByDate(
        _ tier: SearchTier, _ view: ViewQuery, _ results: SearchResults, to wanted: Int, _ isTime: () -> Bool
    ) throws -> Bool {
        let start = PageStart(results.lastRead.map { .after($0) } ?? .first, results.order)
        let rows = try connection.rows(view.scan(start, limit: -1))
        var count = 0
        while results.ids.count < wanted, let row = try rows.next() {
            let key = EpisodeKey(published: row["published"], id: row["id"])
            let id = key.id.rawValue
            results.lastRead = key
            if view.expression?.fits(row) ?? true, results.places[id] == nil,
                let pass = try tier.passes.first(where: { try found(id, $0, results.query) }),
                try !isExcluded(id, foundBy: pass, results.query)
            {
                results.append(id, pass.index)
            }
            count += 1
            if count % Self.rowsBetweenChecks == 0, isTime() { return true }
        }
        if results.ids.count >= wanted { return true }
        results.endTier()
        return false
    }

    private func found(_ id: Int64, _ pass: IndexPass, _ query: SearchQuery) throws -> Bool {
        if pass.contains(id) { return true }
        if pass.isComplete { return false }
        if let feeds = pass.ofFeeds {
            let isOfFeed = try connection.exists("SELECT 1 FROM episode e WHERE e.id = \(id) AND \(feeds.condition)")
            if !isOfFeed || !feeds.needsWords { return isOfFeed }
        }
        return try has(words(of: query, in: pass), in: pass.index, of: id)
    }

    private func sortHits(_ tier: SearchTier, _ view: ViewQuery, _ results: SearchResults) throws {
        var hits: [SearchResults.Hit] = []
        var known: Set<Int64> = []
        let isRanked = results.order == .bestFirst && tier.hits.map { $0 <= Self.rankedHits } ?? true
        for pass in tier.passes {
            let rows = try connection.rows(hitsSQL(pass, view, isRanked: isRanked, results))
            while let row = try rows.next() {
                let id: Int64 = row["id"]
                guard let relevance: Int = row["relevance"], view.expression?.fits(row) ?? true,
                    results.places[id] == nil, !known.contains(id),
                    try !isExcluded(id, foundBy: pass, results.query)
                else { continue }
                known.insert(id)
                hits.append(.init(id: id, published: row["published"], index: pass.index, relevance: relevance))
            }
        }
        results.add(hits)
        results.endTier()
    }

    private func hitsSQL(_ pass: IndexPass, _ view: ViewQuery, isRanked: Bool, _ results: SearchResults) throws -> SQL {
        let index = pass.index
        // Ranks that differ by less than a quarter are equal.
        let relevance =
            index == .notes && isRanked && !pass.isOfWholeFeeds
            ? "CAST(4 * relevance(search, 8, 1, 1) AS INTEGER)" : "0"
        let ofFeeds: SQL = pass.ofFeeds.map { "AND \($0.condition)" } ?? ""
        let source: SQL =
            pass.isOfWholeFeeds
            ? "episode e" : "\(raw: index.hits.source) CROSS JOIN episode e ON e.id = \(raw: index.hits.episode)"
        let found: SQL =
            pass.isOfWholeFeeds ? "1" : "\(raw: index.table) MATCH \(try words(of: results.query, in: pass))"
        return """
            SELECT \(view.expression?.columns ?? "e.id, e.published"),
              CASE WHEN e.id <= f.last_episode AND \(view.allConditions) THEN \(raw: relevance) END AS relevance
            FROM \(source) CROSS JOIN feed f ON f.id = e.feed
            WHERE \(found) \(ofFeeds)
            """
    }

    /// For MATCH. Exclusions are omitted for transcripts: a row without the excluded word proves nothing there.
    func words(of query: SearchQuery, in index: WordIndex) throws -> String {
        try expression(of: index == .spoken ? query.withoutExclusions : query, in: index)
    }

    private func words(of query: SearchQuery, in pass: IndexPass) throws -> String {
        let words = try pass.words ?? words(of: pass.ofFeeds?.rest ?? query, in: pass.index)
        pass.words = words
        return words
    }

    // MARK: Single episodes

    /// True if an episode contains all words of a search and no excluded word. `words` are MATCH expressions.
    func isFound(_ id: Int64, _ query: SearchQuery, _ words: [WordIndex: String]) throws -> Bool {
        let found = try WordIndex.allCases.first { index in
            if index == .titles, !query.excluded.isEmpty { return false }
            return try words[index].map { try has($0, in: index, of: id) } ?? false
        }
        return try found.map { try !isExcluded(id, query, alsoInNotes: $0 == .spoken) } ?? false
    }

    /// True if an episode's title contains the words that its feed's title lacks.
    func isFound(_ id: Int64, besidesFeedTitle rest: SearchQuery) throws -> Bool {
        let hasRest =
            try rest.required.isEmpty || has(words(of: rest.withoutExclusions, in: .titles), in: .titles, of: id)
        return try hasRest && !isExcluded(id, rest, alsoInNotes: true)
    }

    private func isExcluded(_ id: Int64, foundBy pass: IndexPass, _ query: SearchQuery) throws -> Bool {
        try isExcluded(id, query, alsoInNotes: pass.index == .spoken || pass.isOfWholeFeeds)
    }

    /// True if an excluded word occurs outside of the index that found the episode: titles and notes evaluate
    /// exclusions themselves, but a transcript has many rows.
    private func isExcluded(_ id: Int64, _ query: SearchQuery, alsoInNotes: Bool) throws -> Bool {
        guard let words = query.exclusion else { return false }
        if alsoInNotes, try has(words, in: .notes, of: id) { return true }
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
