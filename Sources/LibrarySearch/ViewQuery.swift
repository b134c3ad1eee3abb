internal import EpisodeRules
internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

/// How a filtered view is read: the index ranges with its rows in order, and the remaining checks for each row.
///
/// Every view walks a few ranges of one index, merged in order, and stops when the page is full: it neither sorts nor
/// scans rows that are not shown. Conditions of an expression are checked row by row (`ExpressionQuery`) for a limited
/// number of rows. `SearchResults` searches for a filter's words.
struct ViewQuery {
    /// A contiguous range of the indexes by date.
    private struct Range {
        let visibility: Int
        let section: Int
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

    /// Nil if no episode can match the filter.
    init?(_ filter: EpisodeFilter) {
        let ranges = Self.ranges(filter)
        if ranges.isEmpty { return nil }
        expression = filter.expression.map { ExpressionQuery($0, now: filter.now) }
        let places = Self.condition(ranges)
        let feed = filter.feed.map { "e.feed = \($0)" as SQL }
        let starred = filter.isStarred.map { "e.starred = \(literal: $0 ? 1 : 0)" as SQL }
        let downloaded = filter.isDownloaded.map { "e.downloaded = \(literal: $0 ? 1 : 0)" as SQL }
        let gone = filter.isGone.map { "e.gone = \(literal: $0 ? 1 : 0)" as SQL }
        let kind: String
        var conditions: [SQL?]
        if filter.isStarred == true {
            kind = "starred"
            conditions = [feed, places, downloaded, gone]
        } else if filter.isDownloaded == true {
            kind = "downloaded"
            conditions = [feed, places, starred, gone]
        } else if filter.isGone == true {
            kind = "gone"
            conditions = [feed, places, starred, downloaded]
        } else {
            kind = ""
            conditions = [feed, starred, downloaded, gone]
        }
        if kind.isEmpty {
            index = feed == nil ? "episode_section" : "episode_feed"
            self.ranges = ranges.map(\.condition)
        } else {
            index = (feed == nil ? "episode_" : "episode_feed_") + kind
            self.ranges = ["e.\(raw: kind) = 1"]
        }
        let dates = expression?.dates ?? []
        self.conditions = conditions.compactMap(\.self) + dates
        allConditions = ([places, starred, downloaded, gone, feed].compactMap(\.self) + dates).joined(" AND ")
    }

    private static func ranges(_ filter: EpisodeFilter) -> [Range] {
        var ranges: [Range] = []
        for visibility in 0...2 where visibility == 0 || filter.showsHidden {
            for section in 0...2 {
                if let isPlayed = filter.isPlayed, (section == 2) != isPlayed { continue }
                if let isInProgress = filter.isInProgress, (section == 1) != isInProgress { continue }
                if let expression = filter.expression, !expression.mayHold(visibility: visibility, section: section) {
                    continue
                }
                ranges.append(Range(visibility: visibility, section: section))
            }
        }
        return ranges
    }

    private static func condition(_ ranges: [Range]) -> SQL {
        let groups = Dictionary(grouping: ranges, by: \.visibility).sorted { $0.key < $1.key }.map {
            visibility, ranges in
            "e.visibility = \(visibility) AND e.section IN (\(ranges.map { "\($0.section)" }.joined(separator: ",")))"
        }
        return "(\(raw: groups.joined(separator: " OR ")))"
    }

    /// The start of a page, relative to a key.
    enum Bound: String {
        case none = ""
        case below = "<"
        case above = ">"
        case atOrBelow = "<="
        case atOrAbove = ">="
    }

    /// Rows in one direction from a bound.
    func page(
        _ bound: Bound, _ key: EpisodeKey?, descending: Bool, limit: Int, columns: String = EpisodeRow.columns
    ) -> SQL {
        let rows = branches(SQL(raw: columns), joins: EpisodeRow.visibility + EpisodeRow.state, bound, key)
        return "\(rows)\(Self.order(descending, limit))"
    }

    /// Rows in one direction from a bound, with the columns for `ExpressionQuery.fits`.
    func scan(_ bound: Bound, _ key: EpisodeKey?, descending: Bool, limit: Int) -> SQL {
        let rows = branches(expression?.columns ?? "e.id, e.published", joins: EpisodeRow.visibility, bound, key)
        return "\(rows)\(Self.order(descending, limit))"
    }

    private static func order(_ descending: Bool, _ limit: Int) -> SQL {
        descending ? " ORDER BY 2 DESC, 1 DESC LIMIT \(limit)" : " ORDER BY 2 ASC, 1 ASC LIMIT \(limit)"
    }

    /// The ids of rows in no order, including invisible rows.
    var numbers: SQL { "\(branches("e.id", joins: "", .none, nil)) LIMIT -1" }

    func count(limit: Int) -> SQL {
        "SELECT count(*) FROM (\(branches("1", joins: EpisodeRow.visibility, .none, nil)) LIMIT \(limit))"
    }

    private func branches(_ columns: SQL, joins: String, _ bound: Bound, _ key: EpisodeKey?) -> SQL {
        let place = key.map {
            "(e.published, e.id) \(raw: bound.rawValue) (\($0.published), \($0.id))" as SQL
        }
        return ranges.map { range in
            let conditions = ([range] + conditions + [place].compactMap(\.self)).joined(" AND ")
            return "SELECT \(columns) FROM episode e INDEXED BY \(raw: index)\(raw: joins) WHERE \(conditions)"
        }.joined(" UNION ALL ")
    }
}
