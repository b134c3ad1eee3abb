public import MediaPorts
public import PodcastModel

/// The player's status at one point in time.
public struct PlayerStatus: Equatable, Sendable {
    public var state: PlayerState = .stopped
    /// Why the player waits or stopped, in one line for users; nil without a reason to report.
    public var reason: String?
    /// Why the player is silent; nil while playing, paused or stopped, and until the episode's media was looked up.
    public var cause: BufferingCause?
    /// Why the player is stopped; nil in other states.
    public var stopReason: StopReason? = .neverStarted
    public var entry: QueueEntry?
    public var title: String?
    /// The message that plays now, for which playback is interrupted; there is no entry then.
    public var announcement: String?
    public var feed: FeedID?
    public var feedTitle: String?
    /// The playhead position; while silent, the position at which sound will start.
    public var position: MediaTime = .zero
    public var instant = Instant(nanoseconds: 0)
    /// Rate at which `position` grows, in media seconds per second: 0 while silent.
    public var pace: Double = 0
    public var duration: MediaTime?
    /// 0 to 100.
    public var volume: Int = 100
    /// The volume of the episode's feed, as a percentage of the user's; nil without one.
    public var feedVolume: Int?
    /// Nil if the sleep timer is off.
    public var sleep: SleepStatus?
    /// Playback speed, in media seconds per second while there is sound.
    public var speed: Double = 1
    /// Seconds decoded ahead of the playhead.
    public var bufferSeconds: Double = 0
    /// `bufferSeconds` as a share of the seconds needed to start or resume, 0 to 1.
    public var bufferFill: Double = 0
    /// Transfer rate of the source in bytes per second.
    public var bufferRate: Double = 0
    public var parameters = PlaybackParameters.neutral
    public var chapter: Chapter?
    /// All chapters of the episode, in the order of their times.
    public var chapters: [Chapter] = []
    /// The last failure; cleared when a user starts or stops playback.
    public var error: MediaFailure?
    public var info: StreamInfo?

    /// Where playback left an entry last; nil before it left one.
    public var left: LeftEntry?

    public init() {}
}

/// An entry that playback has left before its end.
public struct LeftEntry: Equatable, Sendable {
    public var entry: QueueEntry
    public var position: MediaTime
    /// Differs each time that an entry is left.
    var generation: UInt32
}

/// The volume scale that users see.
public enum Volume {
    static func clamped(_ volume: Int) -> Int { min(max(volume, 0), 100) }

    /// Linear gain, 0 to 1: the cube of the volume, so that equal steps sound equally large. Volumes and products are clamped.
    /// - Parameters:
    ///   - feed: a feed's volume as a percentage of the user's.
    ///   - fade: share of the volume, 0 to 1.
    public static func gain(of volume: Int, feed: Int? = nil, fade: Double = 1) -> Float {
        let own = Float(clamped(volume)) / 100
        let share = min(own * Float(max(feed ?? 100, 0)) / 100, 1) * Float(min(max(fade, 0), 1))
        return share * share * share
    }
}
