internal import EpisodeRules
internal import LibraryModel
internal import PodcastModel
internal import SQLite

/// How a filtered view is read: which index ranges hold its rows in order, and what is left to check for each row.
///
/// Every view walks a few ranges of one index, merged in order, and stops when the page is full: it neither sorts nor scans
/// what is not shown. What only an expression says is looked at row by row (`ExpressionQuery`), a bounded number of them.
/// A filter's words are not looked at here: `SearchRun` does that.
struct ViewQuery {
    /// What stands together in the indexes by date: whether episodes were set aside, and how far they were heard.
    private struct Range {
        let aside: Int
        let section: Int
        var condition: String { "e.aside = \(aside) AND e.section = \(section)" }
    }

    private enum Source {
        case ranges([Range], index: String)
        case flag(index: String, condition: String)
    }

    private let source: Source
    private let conditions: [String]
    /// What an episode `e` must be, for a question that another index leads.
    let allConditions: [String]
    private let feed: FeedID?
    /// What is to be looked at for each row; nil when the ranges hold nothing else than what fits.
    let expression: ExpressionQuery?

    /// The way to read a filter's rows; nil when no episode can fit it.
    init?(_ filter: EpisodeFilter) {
        let ranges = Self.ranges(filter)
        if ranges.isEmpty { return nil }
        feed = filter.feed
        expression = filter.expression.map { ExpressionQuery($0, now: filter.now) }
        var conditions: [String] = []
        if feed != nil { conditions.append("e.feed = :feed") }
        let places = Self.condition(ranges)
        let starred = filter.isStarred.map { "e.starred = \($0 ? 1 : 0)" }
        let downloaded = filter.isDownloaded.map { "e.downloaded = \($0 ? 1 : 0)" }
        let gone = filter.isGone.map { "e.gone = \($0 ? 1 : 0)" }
        if filter.isStarred == true {
            let index = feed == nil ? "episode_starred" : "episode_feed_starred"
            source = .flag(index: index, condition: "e.starred = 1")
            conditions += [places, downloaded, gone].compactMap(\.self)
        } else if filter.isDownloaded == true {
            let index = feed == nil ? "episode_downloaded" : "episode_feed_downloaded"
            source = .flag(index: index, condition: "e.downloaded = 1")
            conditions += [places, starred, gone].compactMap(\.self)
        } else if filter.isGone == true {
            let index = feed == nil ? "episode_gone" : "episode_feed_gone"
            source = .flag(index: index, condition: "e.gone = 1")
            conditions += [places, starred, downloaded].compactMap(\.self)
        } else {
            source = .ranges(ranges, index: feed == nil ? "episode_section" : "episode_feed")
            conditions += [starred, downloaded, gone].compactMap(\.self)
        }
        let dates = expression?.dates ?? []
        self.conditions = conditions + dates
        allConditions =
            [places, starred, downloaded, gone].compactMap(\.self) + (feed == nil ? [] : ["e.feed = :feed"]) + dates
    }

    private static func ranges(_ filter: EpisodeFilter) -> [Range] {
        var ranges: [Range] = []
        for aside in 0...2 where aside == 0 || filter.showsSetAside {
            for section in 0...2 {
                if let isPlayed = filter.isPlayed, (section == 2) != isPlayed { continue }
                if let isInProgress = filter.isInProgress, (section == 1) != isInProgress { continue }
                if let expression = filter.expression, !expression.mayHold(aside: aside, section: section) { continue }
                ranges.append(Range(aside: aside, section: section))
            }
        }
        return ranges
    }

    private static func condition(_ ranges: [Range]) -> String {
        let groups = Dictionary(grouping: ranges, by: \.aside).sorted { $0.key < $1.key }.map { aside, ranges in
            "e.aside = \(aside) AND e.section IN (\(ranges.map { "\($0.section)" }.joined(separator: ",")))"
        }
        return "(\(groups.joined(separator: " OR ")))"
    }

    /// Where a page begins, relative to a key.
    enum Bound: String {
        case none = ""
        case below = "(e.published, e.id) < (:published, :id)"
        case above = "(e.published, e.id) > (:published, :id)"
        case atOrBelow = "(e.published, e.id) <= (:published, :id)"
        case atOrAbove = "(e.published, e.id) >= (:published, :id)"
    }

    /// SQL for rows in one direction from a bound.
    func pageSQL(_ bound: Bound, descending: Bool, columns: String = EpisodeRow.columns) -> String {
        let direction = descending ? "DESC" : "ASC"
        return branches(columns: columns, joins: EpisodeRow.visibility + EpisodeRow.state, bound)
            + " ORDER BY 2 \(direction), 1 \(direction) LIMIT :limit"
    }

    /// SQL for rows in one direction from a bound, with what `ExpressionQuery.fits` asks of them.
    func scanSQL(_ bound: Bound, descending: Bool) -> String {
        let direction = descending ? "DESC" : "ASC"
        return branches(columns: expression?.columns ?? "e.id, e.published", joins: EpisodeRow.visibility, bound)
            + " ORDER BY 2 \(direction), 1 \(direction) LIMIT :limit"
    }

    /// SQL for the numbers of up to `:limit` rows in no order, also of those that are not visible.
    var numbersSQL: String { branches(columns: "e.id", joins: "", .none) + " LIMIT :limit" }

    /// SQL that counts rows up to `:limit`.
    var countSQL: String {
        "SELECT count(*) FROM (\(branches(columns: "1", joins: EpisodeRow.visibility, .none)) LIMIT :limit)"
    }

    private func branches(columns: String, joins: String, _ bound: Bound) -> String {
        func branch(_ from: String, _ more: [String]) -> String {
            let all = more + conditions + (bound == .none ? [] : [bound.rawValue])
            return "SELECT \(columns) FROM \(from)\(joins) WHERE \(all.joined(separator: " AND "))"
        }
        switch source {
        case .ranges(let ranges, let index):
            return ranges.map { branch("episode e INDEXED BY \(index)", [$0.condition]) }
                .joined(separator: " UNION ALL ")
        case .flag(let index, let condition):
            return branch("episode e INDEXED BY \(index)", [condition])
        }
    }

    /// Binds what the SQL of this query names.
    func bind(_ statement: Statement, key: EpisodeKey?, limit: Int) throws {
        if let feed { try statement.bind(":feed", feed.rawValue) }
        if let key {
            try statement.bind(":published", key.published.milliseconds)
            try statement.bind(":id", key.id.rawValue)
        }
        if let expression, expression.countsAges { try statement.bind(":now", expression.now.milliseconds) }
        try statement.bind(":limit", Int64(limit))
    }
}
