/// An episode as the library stores it: an item that has an enclosure, and what the listener did with it.
public struct Episode: Equatable, Sendable {
    /// Its number.
    public var id: EpisodeID
    /// The feed it belongs to.
    public var feed: FeedID
    /// That feed's title, so that a list needs no second question.
    public var feedTitle: String
    /// The publisher's title, or the file's name when there is none.
    public var title: String
    /// The media file that is played.
    public var enclosure: Enclosure
    /// When it was published; the time of its first sight when the feed does not say.
    public var published: Timestamp
    /// What the feed announced; nil when it did not.
    public var announcedDuration: MediaTime?
    /// What was measured from the media file; nil until it was.
    public var measuredDuration: MediaTime?
    /// Season number.
    public var season: Int?
    /// Number within the season or feed.
    public var number: Int?
    /// The episode's web page.
    public var link: String?
    /// What the publisher calls it.
    public var kind: EpisodeKind
    /// Whether the feed does not list it any more.
    public var isGone: Bool
    /// What the listener did with it.
    public var state: EpisodeState

    /// An episode with everything that is known of it.
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
}

/// What a publisher calls an episode: `itunes:episodeType`.
public enum EpisodeKind: String, CaseIterable, Sendable {
    /// A whole episode.
    case full
    /// An announcement of some.
    case trailer
    /// Something beside the usual ones.
    case bonus
}

/// Why an episode is in the library but in none of its views.
public enum SetAside: String, CaseIterable, Sendable {
    /// A rule said so when it was new.
    case skipped
    /// Its feed keeps no more.
    case archived
}

/// What the listener did with an episode.
public struct EpisodeState: Equatable, Sendable {
    /// Where listening resumes.
    public var position: MediaTime
    /// Heard to the end, or marked so.
    public var isPlayed: Bool
    /// Marked as a favourite.
    public var isStarred: Bool
    /// Whether the whole file is kept on disk.
    public var isDownloaded: Bool
    /// The listener's note.
    public var note: String?
    /// When it was last heard.
    public var lastPlayed: Timestamp?
    /// Why it is kept out of the views; nil while it is not.
    public var setAside: SetAside?

    /// An untouched episode, or one with a history.
    public init(
        position: MediaTime = .zero, isPlayed: Bool = false, isStarred: Bool = false, isDownloaded: Bool = false,
        note: String? = nil, lastPlayed: Timestamp? = nil, setAside: SetAside? = nil
    ) {
        self.position = position
        self.isPlayed = isPlayed
        self.isStarred = isStarred
        self.isDownloaded = isDownloaded
        self.note = note
        self.lastPlayed = lastPlayed
        self.setAside = setAside
    }

    /// Begun and not finished.
    public var isInProgress: Bool { !isPlayed && position > .zero }
}

/// One place in the queue.
public struct QueueEntry: Equatable, Sendable {
    /// Its number: stable while entries around it come and go.
    public var id: EntryID
    /// What is played there.
    public var episode: EpisodeID
    /// An entry for an episode.
    public init(id: EntryID, episode: EpisodeID) {
        self.id = id
        self.episode = episode
    }
}
