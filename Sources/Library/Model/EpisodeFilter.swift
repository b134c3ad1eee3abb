public import PodcastModel

/// The conditions of a view; those that are not nil must all be satisfied.
public struct EpisodeFilter: Hashable, Sendable {
    public var feed: FeedID?
    /// States that an episode must be in, or must not be in. Only states of `indexedStates`.
    var states: [EpisodeCondition.State: Bool] = [:]
    /// Query over titles, notes and transcripts: words, "phrases", excluded -words. The last word is a prefix.
    public var text: String?
    /// True if words of `text` may also match the feed's title.
    public var searchesFeedTitles = false
    /// Further conditions of an expression, without the expression's words, which are in `text`.
    var expression: EpisodeExpression?
    /// Reference time for ages in the expression.
    var now = Timestamp(milliseconds: 0)
    /// True to show hidden episodes too. Not needed for an expression that names hidden episodes.
    var includesHidden = false

    public init(
        feed: FeedID? = nil, isPlayed: Bool? = nil, isStarred: Bool? = nil, isInProgress: Bool? = nil,
        isDownloaded: Bool? = nil, isGone: Bool? = nil, text: String? = nil
    ) {
        self.feed = feed
        let states: [EpisodeCondition.State: Bool?] = [
            .played: isPlayed, .starred: isStarred, .inProgress: isInProgress, .downloaded: isDownloaded, .gone: isGone,
        ]
        self.states = states.compactMapValues(\.self)
        self.text = text
    }

    public var isPlayed: Bool? {
        get { states[.played] }
        set { states[.played] = newValue }
    }

    public var isInProgress: Bool? {
        get { states[.inProgress] }
        set { states[.inProgress] = newValue }
    }

    /// States for which stores have indexes and counters.
    static let indexedStates: Set<EpisodeCondition.State> = [.played, .starred, .inProgress, .downloaded, .gone]

    /// Stores terms in `feed` and `states` where possible.
    public init(_ expression: EpisodeExpression, at now: Timestamp) {
        self.init(text: expression.words.joinedText(" ").nonEmpty)
        // `is:new` and `is:unplayed` exclude hidden episodes; `states` alone would include hidden episodes.
        let saysAll = !expression.asksForHidden
        let rest = expression.terms.filter { !takes($0, saysAll: saysAll) }
        if !rest.isEmpty {
            self.expression = EpisodeExpression(terms: rest)
            self.now = now
        }
    }

    /// Moves a term into `feed` or `states`, if these can express the term and are not set yet.
    private mutating func takes(_ term: EpisodeExpression.Term, saysAll: Bool) -> Bool {
        if term.isNegated { return false }
        switch term.condition {
        case .feed(let names):
            guard feed == nil, names.count == 1, case .id(let id) = names[0] else { return false }
            feed = id
            return true
        case .state(let named):
            guard named.count == 1 else { return false }
            let (state, value) = named[0] == .unplayed && saysAll ? (.played, false) : (named[0], true)
            guard Self.indexedStates.contains(state), states[state] == nil else { return false }
            states[state] = value
            return true
        case .title, .tag, .longer, .shorter, .older, .newer, .weekday, .season, .kind, .either: return false
        }
    }

    /// Adds another filter's conditions except its expression; the other filter's values win.
    public mutating func narrow(to other: EpisodeFilter) {
        feed = other.feed ?? feed
        states.merge(other.states) { $1 }
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
        guard
            states.allSatisfy({
                $0.key.holds(for: state, of: episode.duration, isGone: episode.isGone) == $0.value
            })
        else { return false }
        if state.hiddenReason != nil && !showsHidden { return false }
        if let expression, !expression.accepts(episode, at: now) { return false }
        guard let text else { return true }
        let title = FoldedText.letters(episode.title)
        return FoldedText.letters(text).split(whereSeparator: \.isWhitespace).allSatisfy { title.contains($0) }
    }
}

/// The key of a row in an ordered view: the time by which the view is ordered, and the episode. Pages are requested by key, because SQLite's B-trees have no rank and a key stays valid
/// while rows come and go.
public struct EpisodeKey: Hashable, Sendable {
    public var published: Timestamp
    public var id: EpisodeID
    public init(published: Timestamp, id: EpisodeID) {
        self.published = published
        self.id = id
    }

    public init(of episode: Episode, _ order: EpisodeOrder = .newestFirst) {
        let heard = episode.state.lastPlayed ?? Timestamp(milliseconds: 0)
        self.init(published: order == .lastHeardFirst ? heard : episode.published, id: episode.id)
    }
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
    /// Where to continue, if not at the outermost row: without an index, a page may end before it is full, and may be empty.
    public var resumption: EpisodeKey?
    /// For a search: around matches in notes or transcripts.
    public var excerpts: [EpisodeID: Excerpt] = [:]
}
