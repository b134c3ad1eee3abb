public import PodcastModel

/// What the player needs of the library. Methods may block; each runs on the implementation's own thread.
public protocol PlaybackStore: Sendable {
    /// Looks up an episode's media and its saved position.
    /// - Throws: `MediaFailure` if the episode cannot be played, another error if the store failed.
    func media(of episode: EpisodeID) async throws -> PlaybackMedia
    /// As `media`, after the host has refused the address: refreshes the feed first, unless that was done a short time ago.
    func renewedMedia(of episode: EpisodeID) async throws -> PlaybackMedia
    /// Saves a position; it is on disk when this returns.
    /// - Parameter isHeard: whether listening came to rest there, which the history lists.
    func savePosition(_ position: MediaTime, of episode: EpisodeID, isHeard: Bool) async throws
    /// Records the position of the episode being played every `interval` from now on, without further calls; nil stops
    /// it. Returns at once. A new call replaces the older one: after it returns, no record for the older one begins, and
    /// a record in progress is written before any position that is saved later.
    func follow(_ sounding: SoundingEpisode?, every interval: Duration)
    /// Marks the entry's episode as played and, unless the queue keeps played entries, removes the entry.
    /// - Parameter heard: the position that undo restores; nil for the saved one.
    func finish(_ entry: QueueEntry, heard: MediaTime?) async throws
    /// Removes the entry's episode with its entries if it is a single file that was never heard and that cannot be played.
    /// - Parameter isWithdrawn: whether another episode's entry is removed, too.
    func discard(_ entry: QueueEntry, isWithdrawn: Bool) async throws
    func setMeasuredDuration(_ duration: MediaTime, of episode: EpisodeID) async throws
    /// Forgets what was measured of a file that its host has replaced.
    func forgetMeasurements(of episode: EpisodeID) async throws
}

extension PlaybackStore {
    public func renewedMedia(of episode: EpisodeID) async throws -> PlaybackMedia { try await media(of: episode) }
}

/// The episode being played, for a store that records its position.
public struct SoundingEpisode: Sendable {
    public let episode: EpisodeID
    public private(set) var parameters = PlaybackParameters.neutral
    /// Whether its position means something later; false for a live stream.
    public private(set) var keepsPosition = true
    /// What is heard; nil once something else is played. Any thread; only reads a clock.
    public let place: @Sendable () -> HeardPlace?
    /// Called after a failed record, unless the one before it failed too. Any thread; must return at once.
    public let recordFailed: @Sendable (any Error) -> Void
    /// Called after the first successful record after a failed one. Any thread; must return at once.
    private(set) var recordRecovered: @Sendable () -> Void = {}
}

/// What is heard of an episode.
public struct HeardPlace: Equatable, Sendable {
    public var position: MediaTime
    /// Media time that was left out since the sound began, see `Playhead.omitted`.
    var omitted = MediaTime.zero
}

/// What is known about an episode before its media is opened.
public struct PlaybackMedia: Equatable, Sendable {
    /// URL or path, as `MediaOpening` expects it.
    public var url: String
    public var title: String
    public var feed: FeedID?
    public var feedTitle: String?
    /// The saved position, at which playback starts.
    var resumePosition: MediaTime
    /// The best known duration; nil if none is known.
    public var duration: MediaTime?
    /// Whether its length is unknown: neither the feed nor the server states a duration or a size.
    public var isOfUnknownSize = false
    /// Whether `duration` was measured from the file. A duration announced by the feed can be wrong by any amount.
    public var isDurationMeasured = false
    /// Chapters from the feed; the file's own are preferred if it has some.
    public var chapters: [Chapter] = []
    /// The feed's volume as a percentage of the user's; nil for no difference.
    public var volume: Int?
    public var sound = FeedSound()
    public var isMusic = false
    /// Parts that the user has marked to be skipped.
    public var skips: [Range<MediaTime>] = []
    /// The recording's loudness in hundredths of LUFS, if it was measured.
    public var loudness: Int?

    public init(url: String, title: String, resumePosition: MediaTime = .zero) {
        self.url = url
        self.title = title
        self.resumePosition = resumePosition
    }
}

/// What the player needs of the queue: the next and previous entries, and where to store which entry is current.
public protocol PlayQueue: Sendable {
    /// The entry that is played or was played last; the first entry if none was. nil if the queue is empty.
    func currentEntry() async throws -> QueueEntry?
    /// The entry after `entry`, or after the current one if nil; nil at the end.
    func entry(after entry: EntryID?) async throws -> QueueEntry?
    /// The episode of the entry that `entry(after:)` would return now; changes nothing.
    func nextEpisode(after entry: EntryID) async throws -> EpisodeID?
    /// The entry before `entry`, or the current one if nil; a removed one that was played is restored. Nil at the beginning.
    func entry(before entry: EntryID?) async throws -> QueueEntry?
    func setCurrentEntry(_ entry: QueueEntry) async throws
    /// The entry that the user asked for cannot be played. What follows is as before the request. Returns at once.
    func requestFailed(_ entry: QueueEntry)
}

extension PlayQueue {
    public func nextEpisode(after entry: EntryID) async throws -> EpisodeID? {
        try await self.entry(after: entry)?.episode
    }

    /// A request changes only a queue with a play context.
    public func requestFailed(_ entry: QueueEntry) {}
}

/// A command that cannot be executed in the player's current state.
public enum PlayerError: Error, Equatable, CustomStringConvertible {
    /// Nothing that could be sought in is being played.
    case nothingPlaying
    case queueIsEmpty, noNextEntry, noPreviousEntry
    /// A start position or an absolute seek is after the end of the episode.
    case beyondEnd(duration: MediaTime)
    case noChapters, liveStream
    /// The sleep timer has no such time left to take away.
    case nothingToShorten(left: Duration)
    /// A seek to a share of a duration that is not known yet.
    case durationUnknown
    case shuttingDown

    /// One line for users, with what to do.
    public var description: String {
        switch self {
        case .nothingPlaying: "nothing is playing; start an episode first"
        case .queueIsEmpty: "nothing is left in the queue; add an episode first"
        case .noNextEntry: "this is the last entry of the queue"
        case .noPreviousEntry: "this is the first entry of the queue"
        case .beyondEnd(let duration): "the episode is only \(duration) long"
        case .noChapters: "the episode has no chapters"
        case .liveStream: "this is a live stream: you cannot seek in it"
        case .nothingToShorten(.zero): "no sleep timer with a time is set"
        case .nothingToShorten(let left):
            "the sleep timer has only \(MediaTime(milliseconds: left.nanoseconds / 1_000_000)) left"
        case .durationUnknown: "the duration of this episode is not known yet; name a time"
        case .shuttingDown: "the player is shutting down"
        }
    }
}

/// A command was executed, but the resulting position could not be saved.
public struct PositionNotSaved: Error { public let cause: any Error }

/// Settings that users can change, and limits.
public struct PlaybackSettings: Equatable, Sendable {
    /// Playing time decoded before the first sound.
    var prebuffer = Duration.seconds(0.2)
    /// Playing time decoded before playback continues after an underrun.
    public var rebuffer = Duration.seconds(3)
    /// After a pause of this length, the network connection is closed.
    public var suspendDelay = Duration.seconds(30)
    /// After a pause of a day playback continues this much earlier; after a shorter one less, see `rewind(after:)`.
    public var rewind = MediaTime.zero
    /// An episode that is left this close to its measured end counts as played.
    public var playedBeforeEnd = MediaTime.zero
    /// Between two records of the position: less than the playback time that may be lost, because a commit takes time.
    var recordInterval = Duration.milliseconds(950)
    /// How long `shutdown` waits for pending writes.
    var shutdownLimit = Duration.seconds(2)
    public var sleepFade = Duration.seconds(10)
    public var sound = SoundSettings()
    /// Whether an episode whose start position is after its end begins at the beginning; else it fails.
    public var startsOverPastEnd = true
    /// Whether an entry whose host cannot be reached is tried forever if nothing else can be played; else it fails.
    public var waitsForHosts = true

    public init() {}

    /// How much earlier playback continues: after a minute a sixth of `rewind`, after an hour half, after a day all of it.
    func rewind(after pause: Duration) -> MediaTime {
        switch pause {
        case ..<Duration.seconds(60): .zero
        case ..<Duration.seconds(3600): MediaTime(nanoseconds: rewind.nanoseconds / 6)
        case ..<Duration.seconds(86_400): MediaTime(nanoseconds: rewind.nanoseconds / 2)
        default: rewind
        }
    }
}
