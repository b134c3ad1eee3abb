public import EpisodeRules
public import PodcastModel

/// The episodes that a view shows. An episode must satisfy all conditions that are not nil.
public struct EpisodeFilter: Hashable, Sendable {
    public var feed: FeedID?
    public var isPlayed: Bool?
    public var isStarred: Bool?
    public var isInProgress: Bool?
    public var isDownloaded: Bool?
    /// True for episodes that are no longer in the feed's document.
    public var isGone: Bool?
    /// Query over titles, notes and transcripts: words, "phrases", excluded -words. The last word is a prefix.
    public var text: String?
    /// True if words of `text` may also match the feed's title.
    public var searchesFeedTitles = false
    /// Further conditions of an expression, without the expression's words, which are in `text`.
    public var expression: EpisodeExpression?
    /// Reference time for ages in the expression.
    public var now = Timestamp(milliseconds: 0)
    /// True to show hidden episodes too. Not needed for an expression that names hidden episodes.
    var includesHidden = false

    /// A filter without conditions accepts every episode.
    public init(
        feed: FeedID? = nil, isPlayed: Bool? = nil, isStarred: Bool? = nil, isInProgress: Bool? = nil,
        isDownloaded: Bool? = nil, isGone: Bool? = nil, text: String? = nil
    ) {
        self.feed = feed
        self.isPlayed = isPlayed
        self.isStarred = isStarred
        self.isInProgress = isInProgress
        self.isDownloaded = isDownloaded
        self.isGone = isGone
        self.text = text
    }

    /// Uses this type's own members for terms where possible, because stores have indexes and counters for them.
    public init(_ expression: EpisodeExpression, at now: Timestamp) {
        self.init(text: expression.words.isEmpty ? nil : expression.words.joined(separator: " "))
        // `is:new` and `is:unplayed` exclude hidden episodes; the members alone would include hidden episodes.
        let saysAll = !expression.asksForHidden
        let rest = expression.terms.filter { !takes($0, saysAll: saysAll) }
        if !rest.isEmpty {
            self.expression = EpisodeExpression(terms: rest)
            self.now = now
        }
    }

    /// Moves a term into the other members, if they can express the term and are not set yet.
    private mutating func takes(_ term: EpisodeExpression.Term, saysAll: Bool) -> Bool {
        if term.isNegated { return false }
        switch term.condition {
        case .feed(let names):
            guard names.count == 1, case .id(let id) = names[0] else { return false }
            return Self.set(&feed, id)
        case .state(let states):
            guard states.count == 1 else { return false }
            switch states[0] {
            case .unplayed where !saysAll: return false
            case .unplayed: return Self.set(&isPlayed, false)
            case .played: return Self.set(&isPlayed, true)
            case .inProgress: return Self.set(&isInProgress, true)
            case .starred: return Self.set(&isStarred, true)
            case .downloaded: return Self.set(&isDownloaded, true)
            case .gone: return Self.set(&isGone, true)
            case .new, .noted, .skipped, .archived: return false
            }
        case .title, .tag, .longer, .shorter, .older, .newer, .weekday, .season, .kind, .either: return false
        }
    }

    private static func set<Value>(_ member: inout Value?, _ value: Value) -> Bool {
        if member != nil { return false }
        member = value
        return true
    }

    /// Adds another filter's conditions except its expression; the other filter's values win.
    public mutating func narrow(to other: EpisodeFilter) {
        feed = other.feed ?? feed
        isPlayed = other.isPlayed ?? isPlayed
        isStarred = other.isStarred ?? isStarred
        isInProgress = other.isInProgress ?? isInProgress
        isDownloaded = other.isDownloaded ?? isDownloaded
        isGone = other.isGone ?? isGone
        text = other.text ?? text
        searchesFeedTitles = other.searchesFeedTitles
    }

    public static func new(of feed: FeedID?) -> EpisodeFilter { EpisodeFilter(feed: feed).narrowedToNew() }

    public func narrowedToNew() -> EpisodeFilter {
        var narrowed = self
        let isNew = EpisodeExpression.Term(.state([.new]))
        narrowed.expression = EpisodeExpression(terms: (expression?.terms ?? []) + [isNew])
        return narrowed
    }

    var showsHidden: Bool { includesHidden || expression?.asksForHidden == true }

    /// True if an episode matches, judged by the episode's row alone: words are searched for in the title only.
    public func accepts(_ episode: Episode) -> Bool {
        let state = episode.state
        if let feed, feed != episode.feed { return false }
        if let isPlayed, isPlayed != state.isPlayed { return false }
        if let isStarred, isStarred != state.isStarred { return false }
        if let isInProgress, isInProgress != episode.isInProgress { return false }
        if let isDownloaded, isDownloaded != state.isDownloaded { return false }
        if let isGone, isGone != episode.isGone { return false }
        if state.hiddenReason != nil && !showsHidden { return false }
        if let expression, !expression.accepts(episode, at: now) { return false }
        guard let text else { return true }
        let title = episode.title.lowercased()
        return text.lowercased().split(whereSeparator: \.isWhitespace).allSatisfy { title.contains($0) }
    }
}

/// The order of a view of episodes. Ties are ordered by id, so that a key identifies exactly one row.
public enum EpisodeOrder: Hashable, Sendable {
    case newestFirst
    case oldestFirst
    /// Titles first, then notes, transcripts; then by number of matches; then the newest. Without a search, the newest.
    case bestFirst
}

/// The key of a row in an ordered view of episodes. Pages are requested by key, not by row number: SQLite's B-trees
/// have no rank, and a key stays valid while rows are added and removed.
public struct EpisodeKey: Hashable, Sendable {
    public var published: Timestamp
    public var id: EpisodeID
    public init(published: Timestamp, id: EpisodeID) {
        self.published = published
        self.id = id
    }

    public init(of episode: Episode) { self.init(published: episode.published, id: episode.id) }
}

/// The place of the requested rows in a view.
public enum PageAnchor: Hashable, Sendable {
    case first
    case last
    case after(EpisodeKey)
    case before(EpisodeKey)
}

/// Rows of a view, in the view's order.
public struct EpisodePage: Equatable, Sendable {
    public var episodes: [Episode]
    public var hasBefore: Bool
    public var hasAfter: Bool
    /// Key from which to continue in the requested direction, if that is not the outermost row: without an index, a
    /// filtered page may end before it is full, and the next page may be empty.
    public var resumption: EpisodeKey?
    /// For a search: excerpts around matches in notes or transcripts.
    public var excerpts: [EpisodeID: Excerpt] = [:]
}
