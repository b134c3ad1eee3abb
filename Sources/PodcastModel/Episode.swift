/// An episode as stored in the library: an item that has an enclosure, with the user's data about it.
public struct Episode: Equatable, Sendable {
    public var id: EpisodeID
    /// The feed it belongs to.
    public var feed: FeedID
    /// The feed's title, so that lists need no second query.
    public var feedTitle: String
    /// The publisher's title, or the file name if there is none.
    public var title: String
    /// The media file to play.
    public var enclosure: Enclosure
    /// Publication date; the time of the first refresh that saw it if the feed gives none.
    public var published: Timestamp
    /// Duration announced by the feed; nil if it gives none.
    public var announcedDuration: MediaTime?
    /// Duration measured from the media file; nil before that.
    public var measuredDuration: MediaTime?
    public var season: Int?
    /// Number within the season or feed.
    public var number: Int?
    /// The episode's web page.
    public var link: String?
    /// Full episode, trailer or bonus, according to the publisher.
    public var kind: EpisodeKind
    /// Whether the feed no longer lists it.
    public var isGone: Bool
    /// The user's data about it.
    public var state: EpisodeState

    public init(
        id: EpisodeID, feed: FeedID, feedTitle: String, title: String, enclosure: Enclosure, published: Timestamp,
        announcedDuration: MediaTime? = nil, measuredDuration: MediaTime? = nil, season: Int? = nil,
        number: Int? = nil, link: String? = nil, kind: EpisodeKind = .full, isGone: Bool = false,
        state: EpisodeState = EpisodeState()
    ) {
        self.id = id
        self.feed = feed
        self.feedTitle = feedTitle
        self.title = title
        self.enclosure = enclosure
        self.published = published
        self.announcedDuration = announcedDuration
        self.measuredDuration = measuredDuration
        self.season = season
        self.number = number
        self.link = link
        self.kind = kind
        self.isGone = isGone
        self.state = state
    }

    /// The best known total time: measured, else announced.
    public var duration: MediaTime? { measuredDuration ?? announcedDuration }

    /// Started but not finished; see `EpisodeState.isInProgress`.
    public var isInProgress: Bool { state.isInProgress(of: duration) }

    /// Where it continues when it is played. One that was played continues if it was begun again.
    public var resumePosition: MediaTime {
        guard state.isPlayed, let duration else { return state.isPlayed ? .zero : state.position }
        return state.position < duration - Self.end ? state.position : .zero
    }

    /// Other players keep the last position of what was played.
    private static let end = MediaTime(seconds: 60)
}

/// Kind of an episode, according to its publisher: `itunes:episodeType`.
public enum EpisodeKind: String, CaseIterable, Sendable {
    case full
    case trailer
    /// Extra material outside the regular episodes.
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
    /// Position at which playback resumes.
    public var position: MediaTime
    /// Heard to the end, or marked as played.
    public var isPlayed: Bool
    /// Starred by the user.
    public var isStarred: Bool
    /// Whether the complete file is kept on disk (downloaded).
    public var isDownloaded: Bool
    public var note: String?
    /// When it was last heard.
    public var lastPlayed: Timestamp?
    /// Why it is hidden from lists; nil if it is not.
    public var hiddenReason: HiddenReason?
    /// Whether it came after subscribing, or was the newest one at that time.
    public var isRecent: Bool

    /// Creates the data; the defaults describe an episode the user has not used.
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

    /// Not played, and not at its beginning: lists show its position.
    public var hasBegun: Bool { !isPlayed && position > .zero }
    /// Not finished, and heard to 30 seconds or 1 % of the duration, whichever is less. The library's triggers decide the same.
    public func isInProgress(of duration: MediaTime?) -> Bool {
        var whole: Int64 = 3_000_000
        if let duration, duration > .zero { whole = min(whole, duration.milliseconds) }
        return !isPlayed && position.milliseconds * 100 >= whole
    }
    /// Not played, not hidden, and recent.
    public var isNew: Bool { !isPlayed && hiddenReason == nil && isRecent }
}

/// An entry of the queue.
public struct QueueEntry: Equatable, Sendable {
    /// The entry's id, which stays the same while other entries are added and removed.
    public var id: EntryID
    /// The episode to play.
    public var episode: EpisodeID
    public init(id: EntryID, episode: EpisodeID) {
        self.id = id
        self.episode = episode
    }
}
