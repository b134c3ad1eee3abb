public import PodcastModel

/// What the player needs of the library. Every method may take its time: it waits on nobody's thread but its own.
public protocol PlaybackStore: Sendable {
    /// Where an episode's media is, and where listening resumes.
    /// - Throws: `MediaFailure` for an episode that cannot be played, anything else for a store that failed.
    func media(of episode: EpisodeID) async throws -> PlaybackMedia
    /// Remembers where listening stopped; it is safe on disk when this returns.
    func savePosition(_ position: MediaTime, of episode: EpisodeID) async throws
    /// Records the position of what sounds, by itself, each `interval` seconds from now on; nil ends that. Returns at once.
    /// The newest call holds: once it returned no record of an older one begins, and what is saved afterwards is saved
    /// after the one under way.
    func follow(_ sounding: SoundingEpisode?, every interval: Duration)
    /// Marks an entry's episode as heard to its end and, unless the queue keeps played entries, removes the entry.
    /// - Parameter heard: the position that undo brings back; nil for the saved one.
    func finish(_ entry: QueueEntry, heard: MediaTime?) async throws
    /// Remembers a duration measured from the file.
    func setMeasuredDuration(_ duration: MediaTime, of episode: EpisodeID) async throws
}

/// An episode that is being heard, for a store that records how far.
public struct SoundingEpisode: Sendable {
    /// Which one.
    public let episode: EpisodeID
    /// What of it is heard now; nil once something else is heard. From any thread; reads no more than a clock.
    public let position: @Sendable () -> MediaTime?
    /// Told of a record that failed, unless the one before it failed too. From any thread; returns at once.
    public let recordFailed: @Sendable (any Error) -> Void
    /// Told of the first record after one that failed. From any thread; returns at once.
    public let recordRecovered: @Sendable () -> Void

    /// An episode that is being heard.
    public init(
        episode: EpisodeID, position: @escaping @Sendable () -> MediaTime?,
        recordFailed: @escaping @Sendable (any Error) -> Void, recordRecovered: @escaping @Sendable () -> Void = {}
    ) {
        self.episode = episode
        self.position = position
        self.recordFailed = recordFailed
        self.recordRecovered = recordRecovered
    }
}

/// What is known of an episode before its media was opened.
public struct PlaybackMedia: Equatable, Sendable {
    /// URL or path; what `MediaOpening` takes.
    public var url: String
    /// The episode's title, for people.
    public var title: String
    /// Its feed.
    public var feed: FeedID?
    /// That feed's title.
    public var feedTitle: String?
    /// Where listening resumes.
    public var resumePosition: MediaTime
    /// The best known total time.
    public var duration: MediaTime?
    /// Whether that was measured from the file; what a feed announces can be wrong by any amount.
    public var isDurationMeasured: Bool
    /// Chapters from the feed; the file's own are preferred when it has some.
    public var chapters: [Chapter]

    /// An episode's media.
    public init(
        url: String, title: String, feed: FeedID? = nil, feedTitle: String? = nil, resumePosition: MediaTime = .zero,
        duration: MediaTime? = nil, isDurationMeasured: Bool = false, chapters: [Chapter] = []
    ) {
        self.url = url
        self.title = title
        self.feed = feed
        self.feedTitle = feedTitle
        self.resumePosition = resumePosition
        self.duration = duration
        self.isDurationMeasured = isDurationMeasured
        self.chapters = chapters
    }
}

/// What the player needs of the queue: which entry comes next, and a place to note which one plays.
public protocol PlayQueue: Sendable {
    /// The entry that plays or played last; the first when none did. Nil when the queue is empty.
    func currentEntry() async throws -> QueueEntry?
    /// The entry after the given one, or after the current one for nil; nil at the end.
    func entry(after entry: EntryID?) async throws -> QueueEntry?
    /// The entry before the given one, or before the current one for nil; nil at the beginning. One that was heard to its end
    /// and left the queue comes back to its place.
    func entry(before entry: EntryID?) async throws -> QueueEntry?
    /// Notes which entry plays from now on.
    func setCurrentEntry(_ entry: QueueEntry) async throws
}

/// A command that cannot be carried out in the player's state.
public enum PlayerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Nothing plays that could be sought in.
    case nothingPlaying
    /// The queue is empty.
    case queueIsEmpty
    /// There is no entry after this one.
    case noNextEntry
    /// There is no entry before this one.
    case noPreviousEntry
    /// A start or an absolute seek is beyond the end of the episode.
    case beyondEnd(duration: MediaTime)
    /// The player is going down.
    case shuttingDown

    /// One line for people, with what to do.
    public var description: String {
        switch self {
        case .nothingPlaying: "nothing is playing; start an episode first"
        case .queueIsEmpty: "nothing is left in the queue; add an episode first"
        case .noNextEntry: "this is the last entry of the queue"
        case .noPreviousEntry: "this is the first entry of the queue"
        case .beyondEnd(let duration): "the episode is only \(duration) long"
        case .shuttingDown: "the player is shutting down"
        }
    }
}

/// A command was carried out, but the position that it leads to could not be saved.
public struct PositionNotSaved: Error {
    /// What the store threw.
    public let cause: any Error
}

/// Figures of the player that its owner may set.
public struct PlaybackSettings: Equatable, Sendable {
    /// Seconds decoded before the first sound.
    public var prebuffer: Double
    /// Seconds decoded before playback continues after an underrun.
    public var rebuffer: Double
    /// The network is released after a pause of this length.
    public var suspendDelay: Duration
    /// Time between two records of the position during playback. A little less than what a kill may cost, because a commit
    /// takes time.
    public var recordInterval: Duration
    /// How long `shutdown` waits for the last position to be on disk.
    public var shutdownLimit: Duration

    /// The figures, with what suits a listener.
    public init(
        prebuffer: Double = 0.2, rebuffer: Double = 3, suspendDelay: Duration = .seconds(30),
        recordInterval: Duration = .milliseconds(950), shutdownLimit: Duration = .seconds(2)
    ) {
        self.prebuffer = prebuffer
        self.rebuffer = rebuffer
        self.suspendDelay = suspendDelay
        self.recordInterval = recordInterval
        self.shutdownLimit = shutdownLimit
    }
}
