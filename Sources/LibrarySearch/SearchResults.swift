internal import LibraryModel
internal import PodcastModel
internal import SQLite

/// Feeds whose titles have some words of a search, and what their episodes must have besides.
struct FeedWords {
    let feeds: [Int64]
    /// Without words if the titles have all of them.
    let rest: SearchQuery
    var needsWords: Bool { !rest.required.isEmpty }
    /// The condition on an episode `e`.
    var condition: SQL { "e.feed IN (\(feeds.map { "\($0)" as SQL }.joined(",")))" }
}

/// The rows of an index that have the words, as far as they were read: in the order of ids.
final class IndexPass {
    let index: WordIndex
    /// Of these feeds only; nil for all.
    let ofFeeds: FeedWords?
    /// For MATCH; nil before they were needed.
    var words: String?
    var isComplete = false
    /// The last row that was read.
    private(set) var lastRow = Int64.min
    private(set) var rows = 0
    /// Episodes of these rows, a bit each: 64 in a block.
    private var blocks: [Int64: UInt64] = [:]
    /// The block that is being filled.
    private var block: (number: Int64, bits: UInt64) = (0, 0)

    init(_ index: WordIndex, ofFeeds: FeedWords? = nil) { (self.index, self.ofFeeds) = (index, ofFeeds) }

    /// Whether the episodes of this condition are found without the index.
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
    /// Rows with the words; nil before all were read.
    var hits: Int? { passes.allSatisfy(\.isComplete) ? passes.reduce(0) { $0 + $1.rows } : nil }
}

/// What a search has found so far, in the order in which it is shown.
///
/// Best first, each index is a tier; by date, all of them are one. Few hits are read and sorted. Of many, only the ids are
/// collected, and episodes are read by date until the page is full: sorting all episodes that have a common word takes
/// half a second in a library of a million. If even collecting takes too long, the word is so common that looking up
/// the episodes one by one fills the page.
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
    /// Whether the filter leaves so few episodes that they are looked up one by one; nil before they were counted.
    var isNarrow: Bool?
    /// What is read now; nil when all was read.
    var tier: SearchTier?
    /// The tiers after it.
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
        // A title alone does not say whether an excluded word occurs. The index of notes contains titles, but if it is
        // large, not their prefixes.
        let hasTitles = query.excluded.isEmpty && (order == .bestFirst || query.required.contains(where: \.isPrefix))
        let passes = (hasTitles ? [.titles, .notes, .spoken] : [.notes, .spoken]).map { IndexPass($0) }
        let ofFeeds = feeds.map { IndexPass(query.excluded.isEmpty ? .titles : .notes, ofFeeds: $0) }
        let tiers =
            order == .bestFirst
            ? passes.map { SearchTier(passes: [$0]) } + (ofFeeds.isEmpty ? [] : [SearchTier(passes: ofFeeds)])
            : [SearchTier(passes: passes + ofFeeds)]
        (tier, nextTiers) = (tiers.first, Array(tiers.dropFirst()))
    }

    var isComplete: Bool { tier == nil }

    /// Goes to the next tier, or ends the search.
    func endTier() {
        lastRead = nil
        tier = nextTiers.isEmpty ? nil : nextTiers.removeFirst()
    }

    /// Adds all hits of a tier, sorted.
    func add(_ hits: [Hit]) {
        let sorted = hits.sorted { left, right in
            switch order {
            case .newestFirst: (left.published, left.id) > (right.published, right.id)
            case .oldestFirst: (left.published, left.id) < (right.published, right.id)
            case .bestFirst: (left.relevance, left.published, left.id) > (right.relevance, right.published, right.id)
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
