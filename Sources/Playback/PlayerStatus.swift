public import MediaPorts
public import PodcastModel

/// What the player tells of itself at one instant.
public struct PlayerStatus: Equatable, Sendable {
    /// What it does.
    public var state: PlayerState.Kind = .stopped
    /// Why it waits or stopped, in one line for people.
    public var reason: String?
    /// Why there is no sound although there should be; nil while there is none to be or some.
    public var cause: BufferingCause?
    /// Why it is stopped; nil while it is not.
    public var stopReason: StopReason? = .neverStarted
    /// The queue's entry under way.
    public var entry: QueueEntry?
    /// The episode's title.
    public var title: String?
    /// Its feed.
    public var feed: FeedID?
    /// That feed's title.
    public var feedTitle: String?
    /// What is audible now; where sound will begin while there is none.
    public var position: MediaTime = .zero
    /// When that was so.
    public var instant = Instant(nanoseconds: 0)
    /// Media seconds per second at which `position` grows now: 0 while nothing sounds.
    public var pace: Double = 0
    /// Total time, once known.
    public var duration: MediaTime?
    /// Loudness as listeners set it, 0 to 100.
    public var volume: Int = 100
    /// Media seconds per second while it sounds.
    public var speed: Double = 1
    /// Decoded seconds ahead of what is heard.
    public var bufferSeconds: Double = 0
    /// How full that is compared with what sound waits for, 0 to 1.
    public var bufferFill: Double = 0
    /// Bytes per second that come in.
    public var bufferRate: Double = 0
    /// The chapter at `position`.
    public var chapter: Chapter?
    /// What went wrong last; goes when somebody starts or stops something.
    public var error: MediaFailure?
    /// What the decoder knows of the file.
    public var info: StreamInfo?

    /// A player that was never started.
    public init() {}
}

/// Loudness as people set it.
public enum Volume {
    /// What may be set.
    public static let range = 0...100

    /// Linear gain of a volume: its third power, so that equal steps sound alike and 0 is silence.
    public static func gain(of volume: Int) -> Float {
        let share = Float(min(max(volume, range.lowerBound), range.upperBound)) / 100
        return share * share * share
    }
}
