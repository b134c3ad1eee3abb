internal import LibraryModel
internal import PodcastModel
internal import SQLite

/// A search that is under way: what was found so far, in the order in which it is shown, and where to look on.
///
/// The best places come first: titles, then titles and notes together, then transcripts. In each of them the latest rows
/// are looked through first, in ranges of numbers, and looking ends when enough was found: nobody ranks a million episodes
/// that have a common word. What is found in one go is ranked together; a page beyond it makes the run go on.
final class SearchRun {
    /// Where words are looked for.
    enum Stage: Int {
        case titles, notes, spoken
        var index: WordIndex {
            switch self {
            case .titles: .titles
            case .notes: .notes
            case .spoken: .spoken
            }
        }
    }

    /// An episode that was found.
    struct Hit {
        let id: Int64
        let published: Int64
        let stage: Stage
        let relevance: Int
    }

    let filter: EpisodeFilter
    let order: EpisodeOrder
    let query: SearchQuery
    /// Changes with what other processes commit.
    let dataVersion: Int
    private(set) var ids: [Int64] = []
    private(set) var places: [Int64: Int] = [:]
    /// Those that only a transcript has.
    private(set) var spoken: Set<Int64> = []
    /// The numbers of the filter's episodes without its words, ascending, when they are few.
    var candidates: [Int64]?
    /// The numbers of their transcripts' passages, ascending, when they were looked for.
    var passages: [Int64]?
    /// Whether it is known what the candidates are.
    var isPrepared = false
    /// What looking through the stage costs.
    var pace = SearchPace()
    /// What is looked for in each stage, as soon as that is known.
    var expressions: [Stage: String] = [:]
    /// Where to look next; nil when all was looked through.
    private(set) var stage: Stage?
    /// Numbers of the stage that were not looked at, all below the upper bound once one is known.
    private(set) var rest: Range<Int64>?

    /// A search that begins; `query` is what the filter's text means.
    init(_ filter: EpisodeFilter, _ query: SearchQuery, order: EpisodeOrder, dataVersion: Int) {
        self.dataVersion = dataVersion
        self.filter = filter
        self.query = query
        self.order = order
        // What must not occur must not occur anywhere, which a title alone does not tell.
        stage = query.excluded.isEmpty && order == .bestFirst ? .titles : .notes
    }

    var isDone: Bool { stage == nil }
    /// Whether the earliest rows are looked through first.
    var isAscending: Bool { order == .oldestFirst }

    /// Where to look, in order.
    var stages: [Stage] { query.excluded.isEmpty ? [.titles, .notes, .spoken] : [.notes, .spoken] }

    /// Goes to the next stage, or to the end.
    func endStage() {
        rest = nil
        pace = SearchPace()
        switch stage {
        case .titles: stage = .notes
        case .notes: stage = .spoken
        case .spoken, nil: stage = nil
        }
    }

    /// Nothing is left to be looked at.
    func end() { (stage, rest) = (nil, nil) }

    /// Sets what of the stage was not looked at.
    func leave(_ rest: Range<Int64>) { self.rest = rest }

    /// Whether an episode was found already.
    func isKnown(_ id: Int64) -> Bool { places[id] != nil }

    /// Takes what was found in one go.
    func add(_ hits: [Hit]) {
        let sorted = hits.sorted { left, right in
            switch order {
            case .newestFirst: (left.published, left.id) > (right.published, right.id)
            case .oldestFirst: (left.published, left.id) < (right.published, right.id)
            case .bestFirst:
                (-left.stage.rawValue, left.relevance, left.published, left.id)
                    > (-right.stage.rawValue, right.relevance, right.published, right.id)
            }
        }
        for hit in sorted where places[hit.id] == nil {
            places[hit.id] = ids.count
            ids.append(hit.id)
            if hit.stage == .spoken { spoken.insert(hit.id) }
        }
    }
}

/// The searches that somebody is paging through; a few, so that memory stays small.
struct SearchRuns {
    private static let most = 4
    private var runs: [SearchRun] = []

    /// The run of a filter, if one is kept.
    func run(_ filter: EpisodeFilter, _ order: EpisodeOrder) -> SearchRun? {
        runs.first { Self.isSame($0.filter, filter) && $0.order == order }
    }

    /// Whether two filters ask for the same; somebody who pages on asks a little later.
    private static func isSame(_ one: EpisodeFilter, _ other: EpisodeFilter) -> Bool {
        var other = other
        other.now = one.now
        return one == other
    }

    /// Keeps a run in place of an older one of the same filter.
    mutating func keep(_ run: SearchRun) {
        runs.removeAll { Self.isSame($0.filter, run.filter) && $0.order == run.order }
        if runs.count >= Self.most { runs.removeFirst() }
        runs.append(run)
    }

    /// Forgets all.
    mutating func removeAll() { runs = [] }
}
