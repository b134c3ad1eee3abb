internal import PodcastModel
internal import SQLite

/// Feeds whose titles contain some words of a search, and the words that their episodes must contain besides.
struct FeedWords {
    let feeds: [Int64]
    /// Without words if the titles contain all words.
    let rest: SearchQuery
    var needsWords: Bool { !rest.required.isEmpty }
    /// The condition on an episode `e`.
    var condition: SQL { "e.feed IN (\(feeds.map { "\($0)" as SQL }.joined(",")))" }
}

/// The matching rows of an index read so far, ordered by id.
final class IndexPass {
    let index: WordIndex
    /// Only these feeds; nil for all.
    let ofFeeds: FeedWords?
    var words: String?
    var isComplete = false
    private(set) var lastRow = Int64.min
    private(set) var rows = 0
    /// The episodes of these rows as bits, 64 in a block.
    private var blocks: [Int64: UInt64] = [:]
    private var block: (number: Int64, bits: UInt64) = (0, 0)

    init(_ index: WordIndex, ofFeeds: FeedWords? = nil) {
        self.index = index
        self.ofFeeds = ofFeeds
    }

    /// True if the condition on feeds alone finds the episodes.
    var isOfWholeFeeds: Bool { ofFeeds.map { !$0.needsWords } ?? false }

    func add(_ episode: Int64, place: Int64) {
        rows += 1
        lastRow = place
        let number = episode >> 6
        if number != block.number {
            if block.bits != 0 { blocks[block.number] = block.bits }
            block = (number, blocks[number] ?? 0)
        }
        block.bits |= 1 << UInt64(episode & 63)
    }

    func contains(_ episode: Int64) -> Bool {
        let number = episode >> 6
        let bits = number == block.number ? block.bits : blocks[number] ?? 0
        return bits & 1 << UInt64(episode & 63) != 0
    }
}

/// Indexes whose hits are ordered together.
struct SearchTier {
    let passes: [IndexPass]
    /// Number of matching rows; nil before all were read.
    var hits: Int? { passes.allSatisfy(\.isComplete) ? passes.reduce(0) { $0 + $1.rows } : nil }
}

/// The results of a search so far, in display order.
///
/// With the best first, each index is a tier; by date, all indexes form one tier. Few hits are read and sorted. Of many
/// hits only the ids are collected, and episodes are read by date until the page is full: sorting all episodes with a
/// common word takes half a second in a library of a million. If even collecting takes too long, the word is so common
/// that looking up the episodes one by one fills the page.
final class SearchResults {
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
    /// True if the indexes were complete when the search began; directly after many new episodes they are not.
    let coversAll: Bool
    private(set) var ids: [Int64] = []
    private(set) var places: [Int64: Int] = [:]
    /// Episodes that contain the words only in their transcript.
    private(set) var spoken: Set<Int64> = []
    /// The tier being read; nil when all were read.
    var tier: SearchTier?
    private var nextTiers: [SearchTier]
    /// The last episode that was read by date in this tier; nil before the first.
    var lastRead: EpisodeKey?

    init(
        _ filter: EpisodeFilter, _ query: SearchQuery, order: EpisodeOrder, dataVersion: Int, coversAll: Bool,
        feeds: [FeedWords]
    ) {
        self.coversAll = coversAll
        self.dataVersion = dataVersion
        self.filter = filter
        self.query = query
        self.order = order
        // A title cannot prove that an excluded word is absent. The index of notes contains titles, but no prefixes.
        let hasTitles = query.excluded.isEmpty && (order == .bestFirst || query.required.contains(where: \.isPrefix))
        let passes = (hasTitles ? [.titles, .notes, .spoken] : [.notes, .spoken]).map { IndexPass($0) }
        let ofFeeds = feeds.map { IndexPass(query.excluded.isEmpty ? .titles : .notes, ofFeeds: $0) }
        let tiers =
            order == .bestFirst
            ? passes.map { SearchTier(passes: [$0]) } + (ofFeeds.isEmpty ? [] : [SearchTier(passes: ofFeeds)])
            : [SearchTier(passes: passes + ofFeeds)]
        tier = tiers.first
        nextTiers = Array(tiers.dropFirst())
    }

    var isComplete: Bool { tier == nil }

    func endTier() {
        lastRead = nil
        tier = nextTiers.isEmpty ? nil : nextTiers.removeFirst()
    }

    func add(_ hits: [Hit]) {
        let sorted = hits.sorted { left, right in
            switch order {
            case .newestFirst: (left.published, left.id) > (right.published, right.id)
            case .oldestFirst: (left.published, left.id) < (right.published, right.id)
            case .bestFirst, .lastHeardFirst, .shortestFirst, .byTitle, .byShow, .furthestFirst, .any:
                (left.relevance, left.published, left.id) > (right.relevance, right.published, right.id)
            }
        }
        for hit in sorted { append(hit.id, hit.index) }
    }

    func append(_ id: Int64, _ index: WordIndex) {
        places[id] = ids.count
        ids.append(id)
        if index == .spoken { spoken.insert(id) }
    }
}

/// The results of the latest searches, for requests of their next pages.
struct RecentSearches {
    private static let capacity = 4
    private var searches: [SearchResults] = []

    func results(_ filter: EpisodeFilter, _ order: EpisodeOrder) -> SearchResults? {
        searches.first { Self.isSame($0.filter, filter) && $0.order == order }
    }

    /// Ignores the filters' times, because the next page is requested later.
    private static func isSame(_ one: EpisodeFilter, _ other: EpisodeFilter) -> Bool {
        var other = other
        other.now = one.now
        return one == other
    }

    /// Replaces an earlier search with the same filter and order, or the oldest search.
    mutating func keep(_ results: SearchResults) {
        searches.removeAll { Self.isSame($0.filter, results.filter) && $0.order == results.order }
        if searches.count >= Self.capacity { searches.removeFirst() }
        searches.append(results)
    }

    mutating func removeAll() { searches = [] }
}
