public import PodcastModel

/// Which episodes a view shows; conditions that are set must all hold.
public struct EpisodeFilter: Hashable, Sendable {
    /// Of this feed only.
    public var feed: FeedID?
    /// Played or not.
    public var isPlayed: Bool?
    /// Starred or not.
    public var isStarred: Bool?
    /// Begun and not finished.
    public var isInProgress: Bool?
    /// Kept on disk as a whole.
    public var isDownloaded: Bool?
    /// Words that must all stand in title or notes; the last may be the beginning of one.
    public var text: String?

    /// A filter; without conditions it lets everything through.
    public init(
        feed: FeedID? = nil, isPlayed: Bool? = nil, isStarred: Bool? = nil, isInProgress: Bool? = nil,
        isDownloaded: Bool? = nil, text: String? = nil
    ) {
        self.feed = feed
        self.isPlayed = isPlayed
        self.isStarred = isStarred
        self.isInProgress = isInProgress
        self.isDownloaded = isDownloaded
        self.text = text
    }

    /// Whether an episode fits, as far as its row tells: words are looked for in the title alone.
    public func accepts(_ episode: Episode) -> Bool {
        let state = episode.state
        if let feed, feed != episode.feed { return false }
        if let isPlayed, isPlayed != state.isPlayed { return false }
        if let isStarred, isStarred != state.isStarred { return false }
        if let isInProgress, isInProgress != state.isInProgress { return false }
        if let isDownloaded, isDownloaded != state.isDownloaded { return false }
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
}

/// One place in an ordered view of episodes. A page is asked for by the key it follows or precedes, not by a
/// row number: SQLite's trees have no rank, and a key stays right while rows come and go.
public struct EpisodeKey: Hashable, Sendable {
    /// Publication time of the episode there.
    public var published: Timestamp
    /// The episode there.
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
    /// The rows.
    public var episodes: [Episode]
    /// Whether there are rows before these.
    public var hasBefore: Bool
    /// Whether there are rows after these.
    public var hasAfter: Bool
    /// Rows and what lies around them.
    public init(episodes: [Episode], hasBefore: Bool, hasAfter: Bool) {
        self.episodes = episodes
        self.hasBefore = hasBefore
        self.hasAfter = hasAfter
    }
}

/// How many rows a view has.
public enum RowCount: Equatable, Sendable {
    /// Counted.
    case exactly(Int)
    /// Counting was cut short.
    case atLeast(Int)
}
