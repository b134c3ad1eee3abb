internal import PodcastModel
internal import SQLite

/// The terms of an expression as conditions on a row of `episode e`.
struct ExpressionQuery {
    /// Conditions on the date, which limit the index range.
    let dates: [SQL]
    private let conditions: [SQL]

    init(_ expression: EpisodeExpression, now: Timestamp) {
        dates = expression.terms.filter(\.condition.isDate).map { $0.sql(at: now) }
        conditions = expression.terms.filter { !$0.condition.isDate }.map { $0.sql(at: now) }
    }

    /// The columns that `fits` reads, after the id and date.
    var columns: SQL {
        let fits: SQL = conditions.isEmpty ? "1" : conditions.map { "(\($0))" }.joined(" AND ")
        return "e.id, e.published, coalesce(\(fits), 0) AS fits"
    }

    func fits(_ row: Row) -> Bool { row["fits"] }
}

extension EpisodeExpression.Term {
    fileprivate func sql(at now: Timestamp) -> SQL {
        // An unknown value does not match a condition, so it matches the negated condition.
        isNegated ? "NOT coalesce(\(condition.sql(at: now)), 0)" : condition.sql(at: now)
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
    func mayHold(_ visibility: Visibility, _ section: Section) -> Bool {
        let state = EpisodeState(
            position: MediaTime(seconds: section == .inProgress ? 30 : 0), isPlayed: section == .played,
            hiddenReason: HiddenReason(stored: visibility.rawValue))
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

    fileprivate func sql(at now: Timestamp) -> SQL {
        switch self {
        case .title(let patterns): patterns.map { "title_fits(e.title, \($0.text))" }.joined(" OR ")
        case .weekday(let days):
            """
            strftime('%w', e.published / 1000, 'unixepoch', 'localtime') IN (\(days.map { "\($0.digit)" }.joined(",")))
            """
        case .feed(let names):
            "e.feed IN (\(names.compactMap { if case .id(let id) = $0 { "\(id)" as SQL } else { nil } }.joined(",")))"
        case .tag(_, let feeds): "e.feed IN (\(feeds.map { "\($0)" as SQL }.joined(",")))"
        case .longer(let time): "coalesce(e.measured_duration, e.duration) > \(time)"
        case .shorter(let time): "coalesce(e.measured_duration, e.duration) < \(time)"
        case .older(let age): "e.published < \(age.before(now))"
        case .newer(let age): "e.published > \(age.before(now))"
        case .season(let ranges):
            ranges.map { "e.season BETWEEN \($0.lowerBound) AND \($0.upperBound)" }.joined(" OR ")
        case .kind(let kinds):
            kinds.map { kind in
                switch kind {
                case .full: "coalesce(e.episode_type, '') NOT IN ('trailer', 'bonus')"
                case .trailer, .bonus: "e.episode_type = \(kind.rawValue)"
                }
            }.joined(" OR ")
        case .state(let states): SQL(raw: states.map(\.sql).joinedText(" OR "))
        case .either(let alternatives):
            alternatives.map { terms in
                "(\(terms.map { "(\($0.sql(at: now)))" as SQL }.joined(" AND ")))"
            }.joined(" OR ")
        }
    }
}

extension Weekday {
    /// The day in strftime(3)'s `%w`, whose weeks begin on Sunday.
    fileprivate var digit: String { "\(((Self.allCases.firstIndex(of: self) ?? 0) + 1) % 7)" }
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

extension EpisodeStore {
    /// Maximum rows that a page of an expression examines: a few milliseconds.
    static let scanLimit = 1_000
    /// Maximum rows that a count examines.
    static let countScanLimit = 10_000

    func scannedPage(_ query: ViewQuery, _ start: PageStart, limit: Int) throws -> EpisodePage {
        let scan = try scan(query, start, limit: limit)
        return EpisodePage(
            try scan.fitting.compactMap { try stored($0) }, from: start,
            hasMore: scan.resumption != nil,
            resumption: scan.resumption)
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
            let key = EpisodeKey(published: row[start.isByHearing ? "heard" : "published"], id: row["id"])
            if expression.fits(row) { fitting.append(key.id) }
            last = key
        }
        return (fitting, nil)
    }
}
