public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Nanoseconds that a search goes on when it has enough for a page.
    private static let searchPatience: UInt64 = 2_000_000
    /// Episodes that are ranked together, and found for one question.
    private static let hitsPerRound = 500
    /// Numbers of rows that are looked through at once, at first.
    private static let firstRange: Int64 = 1 << 11
    /// Episodes that a filter may leave for it to be quicker to ask for each.
    private static let fewEpisodes = 100

    /// One page of a search.
    func searchPage(
        _ filter: EpisodeFilter, _ text: String, order: EpisodeOrder, at anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> EpisodePage {
        guard let query = SearchQuery(text) else { return EpisodePage(episodes: [], hasBefore: false, hasAfter: false) }
        let run = try run(of: filter, query, order, isNew: anchor == .first)
        return try read {
            let range: Range<Int>
            switch anchor {
            case .first:
                try look(run, toHave: limit + 1)
                range = 0..<min(limit, run.ids.count)
            case .last:
                try look(run, toHave: 10_000)
                range = max(0, run.ids.count - limit)..<run.ids.count
            case .after(let key):
                while !run.isDone, run.places[key.id.rawValue] == nil, run.ids.count < 10_000 {
                    try look(run, toHave: run.ids.count + Self.hitsPerRound)
                }
                let start = run.places[key.id.rawValue].map { $0 + 1 } ?? run.ids.count
                try look(run, toHave: start + limit + 1)
                range = start..<min(start + limit, run.ids.count)
            case .before(let key):
                let end = run.places[key.id.rawValue] ?? 0
                range = max(0, end - limit)..<end
            }
            // What changed since it was found may not fit any more.
            var conditions = filter
            conditions.text = nil
            let episodes = try run.ids[range].compactMap { try storedEpisode(EpisodeID($0)) }
                .filter { conditions.accepts($0) }
            return EpisodePage(
                episodes: episodes, hasBefore: range.lowerBound > 0,
                hasAfter: range.upperBound < run.ids.count || !run.isDone,
                excerpts: try excerpts(of: episodes.map(\.id), run))
        }
    }

    /// How many episodes a search finds, as far as it went.
    func searchCount(_ filter: EpisodeFilter, _ text: String, upTo bound: Int) throws(LibraryError) -> RowCount {
        guard let query = SearchQuery(text) else { return .exactly(0) }
        // The rows are the same in each order; a page was asked for just before, as a rule.
        let version = try dataVersion()
        let known = [EpisodeOrder.bestFirst, .newestFirst, .oldestFirst].lazy.compactMap { [searches] in
            searches.run(filter, $0)
        }.first { $0.dataVersion == version }
        let run = if let known { known } else { try run(of: filter, query, .bestFirst, isNew: true) }
        return try read {
            try look(run, toHave: 1)
            if run.ids.count > bound { return .atLeast(bound) }
            return run.isDone ? .exactly(run.ids.count) : .atLeast(run.ids.count)
        }
    }

    /// Those of the given episodes that fit a filter, in the order asked.
    public func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID] {
        var conditions = filter
        conditions.text = nil
        var run: SearchRun?
        if let text = filter.text {
            guard let query = SearchQuery(text) else { return [] }
            try bringUpToDate(WordIndex.all)
            run = SearchRun(filter, query, order: .bestFirst, dataVersion: 0)
        }
        return try read {
            try ids.filter { id in
                guard let episode = try storedEpisode(id), conditions.accepts(episode) else { return false }
                guard let run else { return true }
                return try hit(id.rawValue, episode.published.milliseconds, run) != nil
            }
        }
    }

    private func run(
        of filter: EpisodeFilter, _ query: SearchQuery, _ order: EpisodeOrder, isNew: Bool
    ) throws(LibraryError) -> SearchRun {
        if !isNew, let run = searches.run(filter, order) { return run }
        try bringUpToDate(WordIndex.all)
        let run = SearchRun(filter, query, order: order, dataVersion: try dataVersion())
        searches.keep(run)
        return run
    }

    private func dataVersion() throws(LibraryError) -> Int {
        try read {
            let query = try connection.statement("PRAGMA data_version")
            defer { query.reset() }
            return try query.step() ? query.int(0) : 0
        }
    }

    // MARK: Looking

    /// Goes on until so many episodes were found, or all was looked through; then a little longer, so that a search that
    /// does not find much is complete.
    private func look(_ run: SearchRun, toHave wanted: Int) throws {
        guard !run.isDone, run.ids.isEmpty || run.ids.count < wanted else { return }
        let start = clock()
        var hits: [SearchRun.Hit] = []
        var found: Set<Int64> = []
        if run.ids.isEmpty, run.rest == nil, let few = try fewEpisodes(run.filter) {
            run.add(try few.compactMap { try hit($0.id, $0.published, run) })
            return run.end()
        }
        while let stage = run.stage {
            let isEnough = run.ids.count + hits.count >= wanted
            if hits.count >= Self.hitsPerRound || isEnough && clock() &- start >= Self.searchPatience { break }
            for hit in try nextHits(of: run, stage, limit: Self.hitsPerRound) where !run.isKnown(hit.id) {
                if found.insert(hit.id).inserted { hits.append(hit) }
            }
        }
        run.add(hits)
    }

    /// What one range of a stage has; the run is then after it.
    private func nextHits(of run: SearchRun, _ stage: SearchRun.Stage, limit: Int) throws -> [SearchRun.Hit] {
        let rest = try run.rest ?? rows(of: stage, run.filter)
        let expression = try expression(of: run, in: stage)
        // Ranges grow, so that rare words cost few questions. The beginning of a word costs the same in any range.
        let seen = try lastRow(of: stage) - Int64(rest.count)
        let width = expression.hasSuffix("*") ? Int64(rest.count) : max(Self.firstRange, seen)
        let range =
            run.isAscending
            ? rest.lowerBound..<min(rest.upperBound, rest.lowerBound + width)
            : max(rest.lowerBound, rest.upperBound - width)..<rest.upperBound
        guard let view = ViewQuery(run.filter) else {
            run.endStage()
            return []
        }
        let statement = try connection.statement(searchSQL(stage, view, isAscending: run.isAscending))
        defer { statement.reset() }
        try statement.bind(":words", expression)
        try statement.bind(":low", range.lowerBound)
        try statement.bind(":high", range.upperBound)
        try statement.bind(":limit", Int64(limit))
        if let feed = run.filter.feed { try statement.bind(":feed", feed.rawValue) }
        if let expression = view.expression, expression.countsAges {
            try statement.bind(":now", expression.now.milliseconds)
        }
        var hits: [SearchRun.Hit] = []
        var (rows, last): (Int, Int64?) = (0, nil)
        while try statement.step() {
            rows += 1
            last = statement.int64(5)
            guard view.expression?.fits(statement) ?? true else { continue }
            hits.append(
                SearchRun.Hit(
                    id: statement.int64(0), published: statement.int64(1), stage: stage, relevance: statement.int(4)))
        }
        let reached = rows < limit ? nil : last
        let left =
            run.isAscending
            ? (reached.map { $0 + 1 } ?? range.upperBound)..<rest.upperBound
            : rest.lowerBound..<(reached ?? range.lowerBound)
        if left.isEmpty { run.endStage() } else { run.leave(left) }
        return hits
    }

    private func expression(of run: SearchRun, in stage: SearchRun.Stage) throws -> String {
        if let known = run.expressions[stage] { return known }
        let expression = try expression(of: run.query, in: stage)
        run.expressions[stage] = expression
        return expression
    }

    private func searchSQL(_ stage: SearchRun.Stage, _ view: ViewQuery, isAscending: Bool) -> String {
        let table = stage.index.table
        let (episode, relevance): (String, String) =
            switch stage {
            case .titles: ("\(table) CROSS JOIN episode e ON e.id = \(table).rowid", "0")
            // Steps of a quarter: what differs by less goes by date.
            case .notes:
                ("\(table) CROSS JOIN episode e ON e.id = \(table).rowid", "4 * relevance(search, 8, 1, 1)")
            case .spoken:
                (
                    "\(table) CROSS JOIN passage p ON p.id = \(table).rowid CROSS JOIN episode e ON e.id = p.episode",
                    "0"
                )
            }
        let columns = view.expression?.columns ?? "e.id, e.published, 1, NULL"
        return """
            SELECT \(columns), CAST(\(relevance) AS INTEGER), \(table).rowid FROM \(episode)\(EpisodeRow.visibility)
            WHERE \(table) MATCH :words AND \(table).rowid >= :low AND \(table).rowid < :high
              AND \(view.allConditions.joined(separator: " AND "))
            ORDER BY \(table).rowid \(isAscending ? "ASC" : "DESC") LIMIT :limit
            """
    }

    /// The rows in which a filter's episodes can be.
    private func rows(of stage: SearchRun.Stage, _ filter: EpisodeFilter) throws -> Range<Int64> {
        if let feed = filter.feed, stage != .spoken {
            let query = try connection.statement(
                "SELECT min(id), max(id) FROM episode INDEXED BY episode_feed WHERE feed = ?")
            defer { query.reset() }
            try query.bind(1, feed.rawValue)
            guard try query.step(), !query.isNull(0) else { return 0..<0 }
            return query.int64(0)..<query.int64(1) + 1
        }
        return 0..<(try lastRow(of: stage) + 1)
    }

    private func lastRow(of stage: SearchRun.Stage) throws -> Int64 {
        let query = try connection.statement("SELECT \(stage.index.mark) FROM index_state")
        defer { query.reset() }
        return try query.step() ? query.int64(0) : 0
    }

    /// The episodes of a filter without its words, when they are few.
    private func fewEpisodes(_ filter: EpisodeFilter) throws -> [(id: Int64, published: Int64)]? {
        // A feed's rows lie close together, so that looking through them is quick.
        guard filter.feed == nil else { return nil }
        var conditions = filter
        conditions.text = nil
        guard let counter = counterSQL(conditions), let view = ViewQuery(conditions) else { return nil }
        let count = try connection.statement(counter)
        defer { count.reset() }
        guard try count.step(), count.int(0) <= Self.fewEpisodes else { return nil }
        let rows = try connection.statement(
            view.pageSQL(.none, descending: true, columns: "e.id, e.published"))
        defer { rows.reset() }
        try view.bind(rows, key: nil, limit: Self.fewEpisodes)
        var episodes: [(id: Int64, published: Int64)] = []
        while try rows.step() { episodes.append((rows.int64(0), rows.int64(1))) }
        return episodes
    }

    /// Where an episode has what is searched for; nil when it has not.
    private func hit(_ id: Int64, _ published: Int64, _ run: SearchRun) throws -> SearchRun.Hit? {
        for stage in run.stages {
            let table = stage.index.table
            let relevance = stage == .notes ? "4 * relevance(search, 8, 1, 1)" : "0"
            let rows =
                stage == .spoken
                ? "BETWEEN (SELECT min(id) FROM passage WHERE episode = ?2) AND (SELECT max(id) FROM passage WHERE episode = ?2)"
                : "= ?2"
            let statement = try connection.statement(
                "SELECT CAST(\(relevance) AS INTEGER) FROM \(table) WHERE \(table) MATCH ?1 AND rowid \(rows) LIMIT 1")
            defer { statement.reset() }
            try statement.bind(1, try expression(of: run, in: stage))
            try statement.bind(2, id)
            if try statement.step() {
                return SearchRun.Hit(id: id, published: published, stage: stage, relevance: statement.int(0))
            }
        }
        return nil
    }
}
