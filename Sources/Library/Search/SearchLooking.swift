internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Nanoseconds of work that a search goes on when it has enough for a page.
    private static let searchPatience: UInt64 = 2_000_000
    /// Nanoseconds of work after which it gives what it has, and goes on when it is asked again.
    private static let searchLimit: UInt64 = 3_500_000
    /// Nanoseconds that may pass meanwhile, for a slow disk.
    private static let searchWait: UInt64 = 50_000_000
    /// Rows between two looks at what was used of the processor, which ask the system.
    private static let rowsBetweenLooks = 16
    /// Episodes that are ranked together, and found for one question.
    static let hitsPerRound = 500
    /// Candidates of which it is known which passages of transcripts are theirs.
    private static let candidatesWithPassages = 1_000

    /// Goes on until so many episodes were found, all was looked through, or it took too long; then a little longer, so that
    /// a search that does not find much is complete.
    func look(_ run: SearchRun, toHave wanted: Int) throws {
        guard !run.isDone, run.ids.count < wanted else { return }
        let (start, begin) = (workTime(), clock())
        if !run.isPrepared {
            run.candidates = try searchCandidates(of: run.filter)
            run.isPrepared = true
        }
        var hits: [SearchRun.Hit] = []
        var found: Set<Int64> = []
        func isTime() -> Bool {
            let isEnough = run.ids.count + hits.count >= wanted
            return clock() &- begin >= Self.searchWait
                || workTime() &- start >= (isEnough ? Self.searchPatience : Self.searchLimit)
        }
        var rows = 0
        // At least one range, so that whoever asks again and again comes to the end.
        var isBegun = false
        while run.stage != nil, hits.count < Self.hitsPerRound, !isBegun || !isTime() {
            isBegun = true
            try lookThroughRange(of: run, isTime) { hit in
                if !run.isKnown(hit.id), try !isExcluded(hit, run), found.insert(hit.id).inserted { hits.append(hit) }
                rows += 1
                return hits.count < Self.hitsPerRound && (rows % Self.rowsBetweenLooks != 0 || !isTime())
            }
        }
        run.add(hits)
    }

    /// Looks through the next range of the run's stage; the run is then after what was looked at.
    ///
    /// - Parameters:
    ///   - isTime: whether to end after an episode that was asked for by its number.
    ///   - take: returns whether more is wanted.
    private func lookThroughRange(
        of run: SearchRun, _ isTime: () -> Bool, _ take: (SearchRun.Hit) throws -> Bool
    ) throws {
        guard let stage = run.stage, let view = ViewQuery(run.filter) else { return run.end() }
        let rest = try run.rest ?? rows(of: stage, run)
        if rest.isEmpty { return run.endStage() }
        let expression = try expression(of: run, in: stage)
        // The beginning of a word costs the same in any range.
        let width = expression.hasSuffix("*") ? Int64(rest.count) : min(run.pace.width, Int64(rest.count))
        let range =
            run.isAscending
            ? rest.lowerBound..<rest.lowerBound + width : rest.upperBound - width..<rest.upperBound
        var reached: Int64?
        if let members = try candidates(of: run, in: stage) {
            candidates.members = members
            let inRange = members[members.places(of: range)]
            if run.pace.isSoonerAsked(inRange.count, of: width) {
                for id in run.isAscending ? Array(inRange) : inRange.reversed() where reached == nil {
                    let isStopped = try scan(id..<id + 1, of: run, stage, view, isLimited: false, take) != nil
                    if isStopped || isTime() { reached = id }
                }
            } else if !inRange.isEmpty {
                reached = try scan(range, of: run, stage, view, isLimited: true, take)
            }
        } else {
            reached = try scan(range, of: run, stage, view, isLimited: false, take)
        }
        let left =
            run.isAscending
            ? (reached.map { $0 + 1 } ?? range.upperBound)..<rest.upperBound
            : rest.lowerBound..<(reached ?? range.lowerBound)
        if left.isEmpty { run.endStage() } else { run.leave(left) }
    }

    /// Gives what a range of a stage has.
    ///
    /// - Parameter isLimited: whether rows that are not the candidates' are passed over.
    /// - Returns: the row at which it was told to stop; nil at the end.
    private func scan(
        _ range: Range<Int64>, of run: SearchRun, _ stage: SearchRun.Stage, _ view: ViewQuery, isLimited: Bool,
        _ take: (SearchRun.Hit) throws -> Bool
    ) throws -> Int64? {
        let rows = try connection.rows(try searchSQL(range, of: run, stage, view, isLimited: isLimited))
        let start = workTime()
        candidates.asked = 0
        var reached: Int64?
        while reached == nil, let row = try rows.next() {
            guard view.expression?.fits(row) ?? true else { continue }
            let hit = SearchRun.Hit(
                id: row["id"], published: row["published"], stage: stage, relevance: row["relevance"])
            if try !take(hit) { reached = row["place"] }
        }
        if range.count > 1 {
            let looked = reached.map { run.isAscending ? $0 - range.lowerBound + 1 : range.upperBound - $0 }
            run.pace.note(
                looked ?? Int64(range.count), rows: isLimited ? candidates.asked : nil, nanoseconds: workTime() &- start
            )
        }
        return reached
    }

    private func searchSQL(
        _ range: Range<Int64>, of run: SearchRun, _ stage: SearchRun.Stage, _ view: ViewQuery, isLimited: Bool
    ) throws -> SQL {
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
        let limitation = isLimited ? "AND among(\(table).rowid) " : ""
        return """
            SELECT \(columns), CAST(\(raw: relevance) AS INTEGER) AS relevance, \(raw: table).rowid AS place
            FROM \(raw: episode)\(raw: EpisodeRow.visibility)
            WHERE \(raw: table) MATCH \(try expression(of: run, in: stage))
              AND \(raw: table).rowid >= \(range.lowerBound) AND \(raw: table).rowid < \(range.upperBound)
              \(raw: limitation)AND \(view.allConditions)
            ORDER BY \(raw: table).rowid \(raw: run.isAscending ? "ASC" : "DESC")
            """
    }

    /// What is looked for in a stage.
    private func expression(of run: SearchRun, in stage: SearchRun.Stage) throws -> String {
        if let known = run.expressions[stage] { return known }
        // A transcript stands in many rows: that one of them lacks a word says nothing.
        let query = stage == .spoken ? run.query.withoutExclusions : run.query
        let expression = try expression(of: query, in: stage)
        run.expressions[stage] = expression
        return expression
    }

    /// Whether an episode that has what must occur has what must not, where its stage has not looked.
    private func isExcluded(_ hit: SearchRun.Hit, _ run: SearchRun) throws -> Bool {
        guard let words = run.query.exclusion else { return false }
        if hit.stage == .spoken, try has(words, in: .notes, of: hit.id) { return true }
        return try has(words, in: .spoken, of: hit.id)
    }

    private func has(_ words: String, in stage: SearchRun.Stage, of id: Int64) throws -> Bool {
        // Most episodes have no transcript here.
        if stage == .spoken {
            let query = try connection.statement("SELECT 1 FROM passage WHERE episode = ?")
            defer { query.reset() }
            try query.bind(1, id)
            if try !query.step() { return false }
        }
        return try relevance(of: words, in: stage, of: id) != nil
    }

    /// The rows in which a stage can have what is looked for.
    private func rows(of stage: SearchRun.Stage, _ run: SearchRun) throws -> Range<Int64> {
        if let candidates = try candidates(of: run, in: stage) {
            return candidates.first.flatMap { first in candidates.last.map { first..<$0 + 1 } } ?? 0..<0
        }
        let query = try connection.statement("SELECT \(stage.index.mark) FROM index_state")
        defer { query.reset() }
        return 0..<(try query.step() ? query.int64(0) : 0) + 1
    }

    /// The rows of a stage that can be the candidates'; nil when all can be, or are too many to be kept.
    private func candidates(of run: SearchRun, in stage: SearchRun.Stage) throws -> [Int64]? {
        guard stage == .spoken, let episodes = run.candidates else { return run.candidates }
        if let known = run.passages { return known }
        guard episodes.count <= Self.candidatesWithPassages else { return nil }
        let query = try connection.statement("SELECT id FROM passage WHERE episode = ?")
        var passages: [Int64] = []
        for episode in episodes {
            defer { query.reset() }
            try query.bind(1, episode)
            while try query.step() { passages.append(query.int64(0)) }
        }
        run.passages = passages.sorted()
        return run.passages
    }

    /// Where an episode has what is searched for; nil when it has not.
    func hit(_ id: Int64, _ published: Int64, _ run: SearchRun) throws -> SearchRun.Hit? {
        for stage in run.stages {
            guard let relevance = try relevance(of: try expression(of: run, in: stage), in: stage, of: id) else {
                continue
            }
            let hit = SearchRun.Hit(id: id, published: published, stage: stage, relevance: relevance)
            return try isExcluded(hit, run) ? nil : hit
        }
        return nil
    }

    /// How much of some words an episode has; nil when it has not all of them.
    private func relevance(of words: String, in stage: SearchRun.Stage, of id: Int64) throws -> Int? {
        let table = stage.index.table
        let relevance = stage == .notes ? "4 * relevance(search, 8, 1, 1)" : "0"
        let rows =
            stage == .spoken
            ? "BETWEEN (SELECT min(id) FROM passage WHERE episode = ?2) AND (SELECT max(id) FROM passage WHERE episode = ?2)"
            : "= ?2"
        let statement = try connection.statement(
            "SELECT CAST(\(relevance) AS INTEGER) FROM \(table) WHERE \(table) MATCH ?1 AND rowid \(rows) LIMIT 1")
        defer { statement.reset() }
        try statement.bind(1, words)
        try statement.bind(2, id)
        return try statement.step() ? statement.int(0) : nil
    }
}
