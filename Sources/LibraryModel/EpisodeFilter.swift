public import EpisodeRules
public import PodcastModel

/// Which episodes a view shows; conditions that are set must all hold.
public struct EpisodeFilter: Hashable, Sendable {
    /// Of this feed only.
    public var feed: FeedID?
    public var isPlayed: Bool?
    public var isStarred: Bool?
    /// Begun and not finished.
    public var isInProgress: Bool?
    /// Kept on disk as a whole.
    public var isDownloaded: Bool?
    /// Dropped by its feed, or listed still.
    public var isGone: Bool?
    /// What is searched for in titles, notes and transcripts: words, "phrases" and -words that must not occur; the last word
    /// may be the beginning of one.
    public var text: String?
    /// Whether words of `text` may also occur in the title of the feed.
    public var searchesFeedTitles = false
    /// Further conditions, as people write them; its words are those of `text`.
    public var expression: EpisodeExpression?
    /// The instant from which the expression counts ages.
    public var now = Timestamp(milliseconds: 0)
    /// Whether hidden episodes are shown too. An expression that names hidden episodes does not need it.
    public var includesHidden = false

    /// A filter; without conditions it lets everything through.
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

    /// The filter that an expression means. What can be said by this value's own members, for which stores have indexes
    /// and counters, is said so.
    public init(_ expression: EpisodeExpression, at now: Timestamp) {
        self.init(text: expression.words.isEmpty ? nil : expression.words.joined(separator: " "))
        // What is new or unplayed is not hidden; these members alone do not say that.
        let saysAll = !expression.asksForHidden
        let rest = expression.terms.filter { !takes($0, saysAll: saysAll) }
        if !rest.isEmpty {
            self.expression = EpisodeExpression(terms: rest)
            self.now = now
        }
    }

    /// Takes a term over into the other members, if they can say it and do not say something else yet.
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

    /// Adds the conditions of another filter, but those of an expression; where both say something, the other's holds.
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

    /// The new episodes, of one feed or of all.
    public static func new(of feed: FeedID?) -> EpisodeFilter { EpisodeFilter(feed: feed).narrowedToNew() }

    /// Those of its episodes that are new.
    public func narrowedToNew() -> EpisodeFilter {
        var narrowed = self
        let isNew = EpisodeExpression.Term(.state([.new]))
        narrowed.expression = EpisodeExpression(terms: (expression?.terms ?? []) + [isNew])
        return narrowed
    }

    /// Whether it lets hidden episodes through.
    public var showsHidden: Bool { includesHidden || expression?.asksForHidden == true }

    /// Whether an episode fits, as far as its row tells: words are looked for in the title alone.
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

/// The order of a view of episodes; ties are broken by number, so a key names exactly one place.
public enum EpisodeOrder: Hashable, Sendable {
    /// By date of publication, latest first.
    case newestFirst
    /// By date of publication, earliest first.
    case oldestFirst
    /// What fits a search best first: titles before notes before transcripts, then by how much is found, then the latest.
    /// Without a search it is the newest first.
    case bestFirst
}

/// One place in an ordered view of episodes. A page is asked for by the key it follows or precedes, not by a
/// row number: SQLite's trees have no rank, and a key stays right while rows come and go.
public struct EpisodeKey: Hashable, Sendable {
    /// Publication time of the episode there.
    public var published: Timestamp
    public var id: EpisodeID
    /// The place of an episode.
    public init(published: Timestamp, id: EpisodeID) {
        self.published = published
        self.id = id
    }
}

/// Which rows of a view are asked for.
public enum PageAnchor: Hashable, Sendable {
    /// From the beginning.
    case first
    /// Up to the end.
    case last
    /// Directly after a place.
    case after(EpisodeKey)
    /// Directly before a place.
    case before(EpisodeKey)
}

/// Rows of a view, in the view's order.
public struct EpisodePage: Equatable, Sendable {
    public var episodes: [Episode]
    /// Whether there are rows before these.
    public var hasBefore: Bool
    /// Whether there are rows after these.
    public var hasAfter: Bool
    /// Where looking on begins, in the direction that was asked, when that is not at the outermost row: a page of a
    /// filter without an index may end before it is full, and its neighbours may turn out to be empty.
    public var resumption: EpisodeKey?
    /// Of a search: the words around what was found, where that is in notes or a transcript.
    public var excerpts: [EpisodeID: Excerpt]
    /// Rows and what lies around them.
    public init(
        episodes: [Episode], hasBefore: Bool, hasAfter: Bool, resumption: EpisodeKey? = nil,
        excerpts: [EpisodeID: Excerpt] = [:]
    ) {
        self.episodes = episodes
        self.hasBefore = hasBefore
        self.hasAfter = hasAfter
        self.resumption = resumption
        self.excerpts = excerpts
    }
}
