internal import PodcastModel
internal import SQLite

/// How a filtered view is read: the index ranges with its rows in order, and the remaining checks for each row.
///
/// Every view walks a few ranges of one index, merged in order, and stops when the page is full: it neither sorts nor
/// scans rows that are not shown. Conditions of an expression are checked row by row (`ExpressionQuery`) for a limited
/// number of rows. `SearchResults` searches for a filter's words.
struct ViewQuery {
    private struct Range {
        let visibility: Visibility
        let section: Section
        var condition: SQL { "e.visibility = \(literal: visibility) AND e.section = \(literal: section)" }
    }

    private let index: String
    /// Conditions that the index evaluates, one per range.
    private let ranges: [SQL]
    private let conditions: [SQL]
    /// All conditions on an episode `e`, for a query that uses another index.
    let allConditions: SQL
    /// Checks for each row; nil if all rows of the ranges match.
    let expression: ExpressionQuery?
    /// Whether the ranges have few heard rows, which can then be sorted.
    private let isOfProgress: Bool

    /// Nil if no episode can match the filter.
    init?(_ filter: EpisodeFilter) {
        let ranges = Self.ranges(filter)
        if ranges.isEmpty { return nil }
        expression = filter.expression.map { ExpressionQuery($0, now: filter.now) }
        isOfProgress = filter.isInProgress == true
        let places = Self.condition(ranges)
        let feed = filter.feed.map { "e.feed = \($0)" as SQL }
        let flags = [EpisodeCondition.State.starred, .downloaded, .gone].compactMap { state in
            filter.states[state].map { (name: state.rawValue, value: $0) }
        }
        // An index of one kind evaluates that kind's condition; the other indexes evaluate the ranges.
        let kind = flags.first(where: \.value)?.name ?? ""
        func condition(_ flag: (name: String, value: Bool)) -> SQL {
            "e.\(raw: flag.name) = \(literal: flag.value ? 1 : 0)"
        }
        let conditions = [feed, kind.isEmpty ? nil : places] + flags.filter { $0.name != kind }.map(condition)
        if kind.isEmpty {
            index = feed == nil ? "episode_section" : "episode_feed"
            self.ranges = ranges.map(\.condition)
        } else {
            index = (feed == nil ? "episode_" : "episode_feed_") + kind
            self.ranges = ["e.\(raw: kind) = 1"]
        }
        let dates = expression?.dates ?? []
        self.conditions = conditions.compactMap(\.self) + dates
        allConditions = ([places] + flags.map(condition) + [feed].compactMap(\.self) + dates).joined(" AND ")
    }

    private static func ranges(_ filter: EpisodeFilter) -> [Range] {
        var ranges: [Range] = []
        for visibility in Visibility.allCases where visibility == .visible || filter.showsHidden {
            for section in Section.allCases {
                if let isPlayed = filter.states[.played], (section == .played) != isPlayed { continue }
                if let isInProgress = filter.states[.inProgress], (section == .inProgress) != isInProgress { continue }
                if let expression = filter.expression, !expression.mayHold(visibility, section) { continue }
                ranges.append(Range(visibility: visibility, section: section))
            }
        }
        return ranges
    }

    private static func condition(_ ranges: [Range]) -> SQL {
        let groups = Dictionary(grouping: ranges, by: \.visibility.rawValue).sorted { $0.key < $1.key }.map {
            visibility, ranges in
            "e.visibility = \(visibility) AND e.section IN (\(ranges.map { "\($0.section.rawValue)" }.joinedText(",")))"
        }
        return "(\(raw: groups.joinedText(" OR ")))"
    }

    func page(_ start: PageStart, limit: Int) -> SQL {
        rows(SQL(raw: EpisodeRow.columns), joins: EpisodeRow.visibility + EpisodeRow.state, start, limit: limit)
    }

    /// With the columns for `ExpressionQuery.fits`.
    func scan(_ start: PageStart, limit: Int) -> SQL {
        rows(expression?.columns ?? "e.id, e.published", joins: EpisodeRow.visibility, start, limit: limit)
    }

    private func rows(_ columns: SQL, joins: String, _ start: PageStart, limit: Int) -> SQL {
        if start.isByHearing { return heardRows(columns, joins: joins, start, limit: limit) }
        if let rank = start.rank { return sortedRows(columns, joins: joins, start, by: rank, limit: limit) }
        return "\(branches(columns, joins: joins, start))\(raw: start.order) LIMIT \(limit)"
    }

    /// Reads all rows of the view for each page, because no index has them in this order.
    private func sortedRows(_ columns: SQL, joins: String, _ start: PageStart, by rank: String, limit: Int) -> SQL {
        let place = start.key.map {
            " AND (\(raw: rank), e.id) \(raw: start.isReversed ? "<" : ">") (SELECT \(raw: rank), e.id FROM episode e WHERE e.id = \($0.id))"
                as SQL
        }
        let direction = start.isReversed ? "DESC" : "ASC"
        return """
            SELECT \(columns) FROM episode e\(raw: joins) WHERE \(allConditions)\(place ?? "")
            ORDER BY \(raw: rank) \(raw: direction), e.id \(raw: direction) LIMIT \(limit)
            """
    }

    private func heardRows(_ columns: SQL, joins: String, _ start: PageStart, limit: Int) -> SQL {
        let source =
            isOfProgress
            ? "episode e CROSS JOIN playback h ON h.episode = e.id"
            : "playback h INDEXED BY playback_heard CROSS JOIN episode e ON e.id = h.episode"
        // An imported episode may be in progress without a time.
        let heard: SQL = isOfProgress ? "coalesce(h.last_played, 0)" : "h.last_played"
        let place = start.key.map {
            " AND (\(heard), e.id) \(raw: start.comparison) (\($0.published), \($0.id))" as SQL
        }
        let direction = start.isReversed ? "ASC" : "DESC"
        return """
            SELECT \(columns), \(heard) AS heard FROM \(raw: source)\(raw: joins)
            WHERE \(heard) IS NOT NULL AND \(allConditions)\(place ?? "")
            ORDER BY \(heard) \(raw: direction), e.id \(raw: direction) LIMIT \(limit)
            """
    }

    func count(limit: Int) -> SQL {
        "SELECT count(*) FROM (\(branches("1", joins: EpisodeRow.visibility)) LIMIT \(limit))"
    }

    private func branches(_ columns: SQL, joins: String, _ start: PageStart? = nil) -> SQL {
        let place = start.flatMap { start in
            start.key.map { "(e.published, e.id) \(raw: start.comparison) (\($0.published), \($0.id))" as SQL }
        }
        return ranges.map { range in
            let conditions = ([range] + conditions + [place].compactMap(\.self)).joined(" AND ")
            return "SELECT \(columns) FROM episode e INDEXED BY \(raw: index)\(raw: joins) WHERE \(conditions)"
        }.joined(" UNION ALL ")
    }
}

/// The start of a page, and the direction of reading in the indexes by date.
struct PageStart {
    /// The row beside the page; nil to begin at an end of the view.
    let key: EpisodeKey?
    private let isDescending: Bool
    /// True if the page is read from its last row to its first.
    let isReversed: Bool
    let isByHearing: Bool
    /// SQL that sorts the rows; nil if an index has the order.
    let rank: String?

    init(_ anchor: PageAnchor, _ order: EpisodeOrder) {
        switch anchor {
        case .first:
            key = nil
            isReversed = false
        case .last:
            key = nil
            isReversed = true
        case .after(let key):
            self.key = key
            isReversed = false
        case .before(let key):
            self.key = key
            isReversed = true
        }
        isDescending = (order != .oldestFirst) != isReversed
        isByHearing = order == .lastHeardFirst
        rank =
            switch order {
            case .bestFirst, .newestFirst, .oldestFirst, .lastHeardFirst: nil
            case .shortestFirst: "coalesce(e.measured_duration, e.duration, 9e18)"
            case .byTitle: "e.title COLLATE NOCASE"
            case .byShow: "(SELECT title COLLATE NOCASE FROM feed WHERE id = e.feed) COLLATE NOCASE"
            case .furthestFirst: "-coalesce((SELECT position FROM playback WHERE episode = e.id), 0)"
            case .any: "e.id * 2654435761 % 4294967291"
            }
    }

    fileprivate var comparison: String { isDescending ? "<" : ">" }
    fileprivate var order: String { isDescending ? " ORDER BY 2 DESC, 1 DESC" : " ORDER BY 2 ASC, 1 ASC" }
}

extension EpisodePage {
    /// - Parameters:
    ///   - rows: in the order of reading.
    ///   - hasMore: true if rows follow in the direction of reading.
    init(_ rows: [Episode], from start: PageStart, hasMore: Bool, resumption: EpisodeKey? = nil) {
        // The key's row was there when its page was read.
        let hasOthers = start.key != nil
        // A date beyond the range of times is read as another one, after which its row comes again.
        let order = start.isByHearing ? EpisodeOrder.lastHeardFirst : .newestFirst
        let hasMore = hasMore && (resumption ?? rows.last.map { EpisodeKey(of: $0, order) }) != start.key
        self.init(
            episodes: start.isReversed ? rows.reversed() : rows, hasBefore: start.isReversed ? hasMore : hasOthers,
            hasAfter: start.isReversed ? hasOthers : hasMore, resumption: resumption)
    }
}
