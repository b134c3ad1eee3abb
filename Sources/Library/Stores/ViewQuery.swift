internal import LibraryModel
internal import PodcastModel
internal import SQLite

/// How a filtered view is read: which index ranges hold its rows in order, and what is left to check for each row.
///
/// Every view without words walks at most three ranges of one index, merged in order, and stops when the page is full:
/// neither sorts nor scans what is not shown. With words the full-text index leads, and its hits are sorted.
struct ViewQuery {
    private enum Source {
        case sections([Int], index: String)
        case flag(index: String, condition: String)
        case words(String)
    }

    private let source: Source
    private let conditions: [String]
    private let feed: FeedID?

    /// The way to read a filter's rows; nil when no episode can fit it.
    init?(_ filter: EpisodeFilter) {
        var sections = [0, 1, 2]
        if let isPlayed = filter.isPlayed { sections.removeAll { ($0 == 2) != isPlayed } }
        if let isInProgress = filter.isInProgress { sections.removeAll { ($0 == 1) != isInProgress } }
        if sections.isEmpty { return nil }
        feed = filter.feed
        var conditions: [String] = []
        if feed != nil { conditions.append("e.feed = :feed") }
        let sectionCondition = "e.section IN (\(sections.map(String.init).joined(separator: ",")))"
        let starred = filter.isStarred.map { "e.starred = \($0 ? 1 : 0)" }
        let downloaded = filter.isDownloaded.map { "e.downloaded = \($0 ? 1 : 0)" }
        if let text = filter.text {
            guard let match = SearchText.matchExpression(for: text) else { return nil }
            source = .words(match)
            conditions += [sectionCondition, starred, downloaded].compactMap(\.self)
        } else if filter.isStarred == true {
            let index = feed == nil ? "episode_starred" : "episode_feed_starred"
            source = .flag(index: index, condition: "e.starred = 1")
            conditions += [sectionCondition, downloaded].compactMap(\.self)
        } else if filter.isDownloaded == true {
            let index = feed == nil ? "episode_downloaded" : "episode_feed_downloaded"
            source = .flag(index: index, condition: "e.downloaded = 1")
            conditions += [sectionCondition, starred].compactMap(\.self)
        } else {
            source = .sections(sections, index: feed == nil ? "episode_section" : "episode_feed")
            conditions += [starred, downloaded].compactMap(\.self)
        }
        self.conditions = conditions
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
        case .sections(let sections, let index):
            return sections.map { branch("episode e INDEXED BY \(index)", ["e.section = \($0)"]) }
                .joined(separator: " UNION ALL ")
        case .flag(let index, let condition):
            return branch("episode e INDEXED BY \(index)", [condition])
        case .words:
            return branch("search CROSS JOIN episode e ON e.id = search.rowid", ["search MATCH :words"])
        }
    }

    /// Binds what the SQL of this query names.
    func bind(_ statement: Statement, key: EpisodeKey?, limit: Int) throws {
        if let feed { try statement.bind(":feed", feed.rawValue) }
        if case .words(let words) = source { try statement.bind(":words", words) }
        if let key {
            try statement.bind(":published", key.published.milliseconds)
            try statement.bind(":id", key.id.rawValue)
        }
        try statement.bind(":limit", Int64(limit))
    }
}
