internal import LibraryModel
internal import PodcastModel

/// What a search has found so far, in the order in which it is shown, and how far each index has been read.
///
/// The indexes are read in order, each from the latest row on, for a few milliseconds: sorting all episodes that have a
/// common word by FTS5's `rank` takes half a second in a library of a million. What is found at a time is ranked
/// together; a page beyond it continues the search.
final class SearchResults {
    /// An episode that was found.
    struct Hit {
        let id: Int64
        let published: Int64
        let index: WordIndex
        let relevance: Int
    }

    let filter: EpisodeFilter
    let order: EpisodeOrder
    let query: SearchQuery
    /// Changes with each commit of another process.
    let dataVersion: Int
    /// Whether the indexes were complete when the search began; right after many episodes came they are not yet.
    let coversAll: Bool
    private(set) var ids: [Int64] = []
    private(set) var places: [Int64: Int] = [:]
    /// Episodes that have the words only in their transcript.
    private(set) var spoken: Set<Int64> = []
    /// At most this many episodes match the filter without its words; nil before they were counted.
    var episodes: Int?
    /// The index to read next; nil when all were read.
    private(set) var index: WordIndex?
    /// The last row of it that was read; nil before the first.
    var lastRow: Int64?

    init(_ filter: EpisodeFilter, _ query: SearchQuery, order: EpisodeOrder, dataVersion: Int, coversAll: Bool) {
        self.coversAll = coversAll
        self.dataVersion = dataVersion
        self.filter = filter
        self.query = query
        self.order = order
        // By date, titles and notes are one list; the index of notes contains titles, but no prefix indexes.
        index = order == .bestFirst || query.hasShortPrefix ? indexes.first : .notes
    }

    var isComplete: Bool { index == nil }
    /// Whether the earliest rows are read first.
    var isAscending: Bool { order == .oldestFirst }

    /// The indexes that can find an episode. A title alone does not say whether an excluded word occurs.
    var indexes: [WordIndex] { query.excluded.isEmpty ? [.titles, .notes, .spoken] : [.notes, .spoken] }

    /// Goes to the next index, or ends the search.
    func endIndex() {
        lastRow = nil
        index = index.flatMap { WordIndex(rawValue: $0.rawValue + 1) }
    }

    /// Adds what was found at a time, ranked.
    func add(_ hits: [Hit]) {
        let sorted = hits.sorted { left, right in
            switch order {
            case .newestFirst: (left.published, left.id) > (right.published, right.id)
            case .oldestFirst: (left.published, left.id) < (right.published, right.id)
            case .bestFirst:
                (-left.index.rawValue, left.relevance, left.published, left.id)
                    > (-right.index.rawValue, right.relevance, right.published, right.id)
            }
        }
        for hit in sorted where places[hit.id] == nil {
            places[hit.id] = ids.count
            ids.append(hit.id)
            if hit.index == .spoken { spoken.insert(hit.id) }
        }
    }
}

/// The results of the latest searches, for clients that request their next pages.
struct RecentSearches {
    private static let capacity = 4
    private var searches: [SearchResults] = []

    func results(_ filter: EpisodeFilter, _ order: EpisodeOrder) -> SearchResults? {
        searches.first { Self.isSame($0.filter, filter) && $0.order == order }
    }

    /// Compares two filters without their instants: the next page is requested later.
    private static func isSame(_ one: EpisodeFilter, _ other: EpisodeFilter) -> Bool {
        var other = other
        other.now = one.now
        return one == other
    }

    /// Replaces an earlier search with the same filter and order, or the oldest.
    mutating func keep(_ results: SearchResults) {
        searches.removeAll { Self.isSame($0.filter, results.filter) && $0.order == results.order }
        if searches.count >= Self.capacity { searches.removeFirst() }
        searches.append(results)
    }

    mutating func removeAll() { searches = [] }
}
