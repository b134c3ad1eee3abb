internal import EpisodeRules
internal import PodcastModel
internal import SQLite

/// Evaluates the terms of an expression for a row: SQL evaluates most terms; Swift evaluates the terms that SQL cannot.
struct ExpressionQuery {
    /// Conditions on the date, which limit the index range.
    let dates: [SQL]
    private let conditions: [SQL]
    /// Conditions that the database evaluates as parts of `checks`: the bits of a number, from the lowest.
    private let bits: [SQL]
    /// The terms that SQL alone cannot evaluate.
    private let checks: [Check]

    /// A term that is evaluated row by row.
    private enum Check {
        case title([TitlePattern], isNegated: Bool)
        case weekday([Weekday], isNegated: Bool)
        /// A condition that the database has evaluated.
        case bit(Int)
        case either([[Check]], isNegated: Bool)

        init(_ term: EpisodeExpression.Term, at now: Timestamp, bits: inout [SQL]) {
            switch term.condition {
            case .title(let patterns): self = .title(patterns, isNegated: term.isNegated)
            case .weekday(let days): self = .weekday(days, isNegated: term.isNegated)
            case .either(let alternatives) where term.sql(at: now) == nil:
                self = .either(
                    alternatives.map { $0.map { Check($0, at: now, bits: &bits) } }, isNegated: term.isNegated)
            case .feed, .tag, .longer, .shorter, .older, .newer, .season, .kind, .state, .either:
                self = .bit(bits.count)
                bits.append(term.sql(at: now) ?? "0")
            }
        }

        func holds(for row: Row, bits: Int64) -> Bool {
            switch self {
            case .title(let patterns, let isNegated):
                let title: String = row["title"]
                return patterns.contains { $0.fits(title) } != isNegated
            case .weekday(let days, let isNegated):
                return days.contains(Weekday(of: row["published"])) != isNegated
            case .bit(let index): return bits & 1 << Int64(index) != 0
            case .either(let alternatives, let isNegated):
                return alternatives.contains { $0.allSatisfy { $0.holds(for: row, bits: bits) } } != isNegated
            }
        }
    }

    init(_ expression: EpisodeExpression, now: Timestamp) {
        var (dates, conditions, bits, checks): ([SQL], [SQL], [SQL], [Check]) = ([], [], [], [])
        for term in expression.terms {
            guard let sql = term.sql(at: now) else {
                checks.append(Check(term, at: now, bits: &bits))
                continue
            }
            if term.condition.isDate { dates.append(sql) } else { conditions.append(sql) }
        }
        (self.dates, self.conditions, self.bits, self.checks) = (dates, conditions, bits, checks)
    }

    /// The columns that `fits` reads, after the id and date.
    var columns: SQL {
        let fits: SQL = conditions.isEmpty ? "1" : conditions.map { "(\($0))" }.joined(" AND ")
        let number = bits.enumerated().map { "(coalesce(\($1), 0) << \(literal: $0))" as SQL }.joined(" | ")
        return "e.id, e.published, coalesce(\(fits), 0) AS fits, e.title, \(bits.isEmpty ? "0" : number) AS bits"
    }

    func fits(_ row: Row) -> Bool {
        guard row["fits"] as Bool else { return false }
        let bits: Int64 = row["bits"]
        return checks.allSatisfy { $0.holds(for: row, bits: bits) }
    }
}

extension EpisodeExpression.Term {
    /// The term as a condition on a row of `episode e`; nil if SQL cannot evaluate the term.
    fileprivate func sql(at now: Timestamp) -> SQL? {
        // An unknown value does not match a condition, so it matches the negated condition.
        condition.sql(at: now).map { isNegated ? "NOT coalesce(\($0), 0)" : $0 }
    }

    /// True if an episode in a range of the indexes by date can match; `state` is the range's state.
    fileprivate func mayHold(_ state: EpisodeState) -> Bool {
        switch condition {
        case .state(let states) where states.allSatisfy(\.isOfRange):
            // `is:unplayed` covers new and other unplayed episodes.
            if isNegated, states.contains(.new), !state.isPlayed, state.hiddenReason == nil { return true }
            return states.contains { $0.holds(for: state, of: nil, isGone: false) } != isNegated
        case .either(let alternatives) where !isNegated:
            return alternatives.contains { $0.allSatisfy { $0.mayHold(state) } }
        case _: return true
        }
    }
}

extension EpisodeExpression {
    /// True if episodes in a range of the indexes by date can match all terms about their state.
    func mayHold(visibility: Int, section: Int) -> Bool {
        let state = EpisodeState(
            position: MediaTime(seconds: section == 1 ? 30 : 0), isPlayed: section == 2,
            hiddenReason: HiddenReason(stored: visibility))
        return terms.allSatisfy { $0.mayHold(state) }
    }
}

extension EpisodeCondition {
    /// True for a condition on the date, by which all indexes are ordered.
    fileprivate var isDate: Bool {
        switch self {
        case .older, .newer: true
        case .title, .feed, .tag, .longer, .shorter, .weekday, .season, .kind, .state, .either: false
        }
    }

    /// The condition on a row of `episode e`; nil if SQL cannot evaluate the condition.
    fileprivate func sql(at now: Timestamp) -> SQL? {
        switch self {
        case .title, .weekday: return nil
        case .feed(let names):
            let ids = names.compactMap { if case .id(let id) = $0 { "\(id)" as SQL } else { nil } }
            return "e.feed IN (\(ids.joined(",")))"
        case .tag(_, let feeds): return "e.feed IN (\(feeds.map { "\($0)" as SQL }.joined(",")))"
        case .longer(let time): return "coalesce(e.measured_duration, e.duration) > \(time)"
        case .shorter(let time): return "coalesce(e.measured_duration, e.duration) < \(time)"
        case .older(let age): return "e.published < \(age.before(now))"
        case .newer(let age): return "e.published > \(age.before(now))"
        case .season(let ranges):
            return ranges.map { "e.season BETWEEN \($0.lowerBound) AND \($0.upperBound)" }.joined(" OR ")
        case .kind(let kinds):
            return kinds.map { kind in
                switch kind {
                case .full: "coalesce(e.episode_type, '') NOT IN ('trailer', 'bonus')"
                case .trailer, .bonus: "e.episode_type = \(kind.rawValue)"
                }
            }.joined(" OR ")
        case .state(let states): return SQL(raw: states.map(\.sql).joined(separator: " OR "))
        case .either(let alternatives):
            var branches: [SQL] = []
            for terms in alternatives {
                var conditions: [SQL] = []
                for term in terms {
                    guard let sql = term.sql(at: now) else { return nil }
                    conditions.append("(\(sql))")
                }
                branches.append("(\(conditions.joined(" AND ")))")
            }
            return branches.joined(" OR ")
        }
    }
}

extension EpisodeCondition.State {
    /// True if the ranges of the indexes by date determine the state.
    fileprivate var isOfRange: Bool {
        switch self {
        case .new, .inProgress, .played, .unplayed, .skipped, .archived: true
        case .starred, .downloaded, .noted, .gone: false
        }
    }

    fileprivate var sql: String {
        switch self {
        case .new:
            "(e.section <> \(Section.played.rawValue) AND e.visibility = \(Visibility.visible.rawValue) AND \(EpisodeRow.recent))"
        case .inProgress: "e.section = \(Section.inProgress.rawValue)"
        case .played: "e.section = \(Section.played.rawValue)"
        case .unplayed: "(e.section <> \(Section.played.rawValue) AND e.visibility = \(Visibility.visible.rawValue))"
        case .starred: "e.starred = 1"
        case .downloaded: "e.downloaded = 1"
        case .noted: "EXISTS (SELECT 1 FROM note o WHERE o.episode = e.id)"
        case .skipped: "e.visibility = \(Visibility.skipped.rawValue)"
        case .archived: "e.visibility = \(Visibility.archived.rawValue)"
        case .gone: "e.gone = 1"
        }
    }
}

extension EpisodeFinder {
    /// Maximum rows that a page of an expression examines: a few milliseconds. Further rows belong to the next page.
    static let scanLimit = 1_000
    /// Maximum rows that a count examines. The count is kept until the library changes.
    static let countScanLimit = 10_000

    func scannedPage(_ query: ViewQuery, _ start: PageStart, limit: Int) throws -> EpisodePage {
        let scan = try scan(query, start, limit: limit)
        return EpisodePage(
            try scan.fitting.compactMap { try database.stored($0) }, from: start, hasMore: scan.resumption != nil,
            hasOthers: start.key != nil, resumption: scan.resumption)
    }

    /// Counts the rows of a filter with an expression, up to `countScanLimit`.
    func scannedCount(_ query: ViewQuery, upTo bound: Int) throws -> RowCount {
        let scan = try scan(query, PageStart(.first, .newestFirst), limit: bound, among: Self.countScanLimit)
        return scan.resumption == nil ? .exactly(scan.fitting.count) : .atLeast(scan.fitting.count)
    }

    /// Examines rows in one direction, until enough match or `most` were examined.
    /// - Returns: the matching rows, and where to continue; nil at the end.
    private func scan(
        _ query: ViewQuery, _ start: PageStart, limit: Int, among most: Int = scanLimit
    ) throws -> (fitting: [EpisodeID], resumption: EpisodeKey?) {
        guard let expression = query.expression else { return ([], nil) }
        let rows = try connection.rows(query.scan(start, limit: most + 1))
        var fitting: [EpisodeID] = []
        var last: EpisodeKey?
        var examined = 0
        while let row = try rows.next() {
            if examined == most || fitting.count == limit { return (fitting, last) }
            examined += 1
            let key = EpisodeKey(published: row["published"], id: row["id"])
            if expression.fits(row) { fitting.append(key.id) }
            last = key
        }
        return (fitting, nil)
    }
}
