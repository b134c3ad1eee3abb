/// An episode as stored in the library: an item that has an enclosure, with the user's data about it.
@dynamicMemberLookup
public struct Episode: Equatable, Sendable {
    /// Maximum length of the user's note.
    public static let maximumNoteBytes = 65_536

    public var id: EpisodeID
    public var feed: FeedID
    /// Redundant, so that lists need no second query.
    public var feedTitle: String
    /// The publisher's title, or the file name if there is none.
    public var title: String
    public var enclosure: Enclosure
    /// Publication date; if the feed gives none, the time of the first refresh that saw the episode.
    public var published: Timestamp
    public var announcedDuration: MediaTime?
    public var measuredDuration: MediaTime?
    /// What lists show besides.
    public var facts: EpisodeFacts
    /// Whether the feed no longer lists it.
    public var isGone: Bool
    public var state: EpisodeState

    public init(
        id: EpisodeID, feed: FeedID, feedTitle: String, title: String, enclosure: Enclosure, published: Timestamp,
        announcedDuration: MediaTime? = nil, measuredDuration: MediaTime? = nil,
        facts: EpisodeFacts = EpisodeFacts(), isGone: Bool = false, state: EpisodeState = EpisodeState()
    ) {
        self.id = id
        self.feed = feed
        self.feedTitle = feedTitle
        self.title = title
        self.enclosure = enclosure
        self.published = published
        self.announcedDuration = announcedDuration
        self.measuredDuration = measuredDuration
        self.facts = facts
        self.isGone = isGone
        self.state = state
    }

    public subscript<Value>(dynamicMember path: WritableKeyPath<EpisodeFacts, Value>) -> Value {
        get { facts[keyPath: path] }
        set { facts[keyPath: path] = newValue }
    }

    /// Full episode, trailer or bonus, according to the publisher.
    public var kind: EpisodeKind {
        get { facts.type.flatMap(EpisodeKind.init) ?? .full }
        set { facts.type = newValue == .full ? nil : newValue.rawValue }
    }

    /// The best known total time: measured, else announced.
    public var duration: MediaTime? { measuredDuration ?? announcedDuration }

    public var isInProgress: Bool { state.isInProgress(of: duration) }
}

/// Kind of an episode, according to its publisher: `itunes:episodeType`.
public enum EpisodeKind: String, CaseIterable, Sendable {
    case full
    case trailer
    case bonus
}

/// Why an episode is hidden from all lists.
public enum HiddenReason: String, CaseIterable, Sendable {
    /// A rule skipped it when it was new.
    case skipped
    /// A retention policy archived it.
    case archived
}

/// The user's data about an episode.
public struct EpisodeState: Equatable, Sendable {
    /// Where playback starts. The end and a mark set it to zero, so a played episode with a position is heard again.
    public var position: MediaTime
    /// Played to the end, or marked as played.
    public var isPlayed: Bool
    public var isStarred: Bool
    public var isDownloaded: Bool
    public var note: String?
    public var lastPlayed: Timestamp?
    /// Nil if the episode is visible.
    public var hiddenReason: HiddenReason?
    /// True if the episode came after subscribing, or was the newest one at that time.
    var isRecent: Bool

    /// The defaults describe an episode without user data.
    public init(
        position: MediaTime = .zero, isPlayed: Bool = false, isStarred: Bool = false, isDownloaded: Bool = false,
        note: String? = nil, lastPlayed: Timestamp? = nil, hiddenReason: HiddenReason? = nil,
        isRecent: Bool = true
    ) {
        self.position = position
        self.isPlayed = isPlayed
        self.isStarred = isStarred
        self.isDownloaded = isDownloaded
        self.note = note
        self.lastPlayed = lastPlayed
        self.hiddenReason = hiddenReason
        self.isRecent = isRecent
    }

    /// Unplayed, and not at the beginning: lists show the position.
    public var hasBegun: Bool { !isPlayed && position > .zero }
    /// Unfinished, and played to 30 seconds or 1 % of the duration, whichever is less. Must match database triggers.
    public func isInProgress(of duration: MediaTime?) -> Bool {
        var whole: Int64 = 3_000_000
        if let duration, duration > .zero { whole = min(whole, duration.milliseconds) }
        return !isPlayed && position.milliseconds * 100 >= whole
    }
    public var isNew: Bool { !isPlayed && hiddenReason == nil && isRecent }
}

/// An entry of the queue.
public struct QueueEntry: Equatable, Sendable {
    /// Stays the same while other entries are added and removed.
    public var id: EntryID
    public var episode: EpisodeID
    public init(id: EntryID, episode: EpisodeID) {
        self.id = id
        self.episode = episode
    }
}
