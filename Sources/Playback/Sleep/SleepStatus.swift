public import PodcastModel

/// What the sleep timer waits for.
public struct SleepStatus: Equatable, Sendable {
    public enum End: Equatable, Sendable {
        case time
        case episode(Int)
        case chapter
    }

    public var end: End
    /// Playing time left, or what is left of the fade; of a time that runs, when it is over.
    public var left: Left?
    /// The time of day at which playback ends; nil for a playing time.
    public var until: Timestamp?
    public var isFading = false

    public init(end: End, left: Left? = nil, until: Timestamp? = nil, isFading: Bool = false) {
        (self.end, self.left, self.until, self.isFading) = (end, left, until, isFading)
    }

    public enum Left: Equatable, Sendable {
        /// Nothing sounds, so the time does not run.
        case held(Duration)
        case until(Instant)
    }

    /// The playing time left; nil if it depends on the episode.
    public func left(at now: Instant) -> Duration? {
        switch left {
        case .held(let left): left
        case .until(let end): max(.zero, end - now)
        case nil: nil
        }
    }
}

/// The player's state, as input of the sleep timer.
struct SleepMoment: Equatable, Sendable {
    var now: Instant
    var time: Timestamp?
    var state: PlayerState
    /// Changes with each seek and episode; nil until the episode was looked up.
    var generation: UInt32?
    var position = MediaTime.zero
    /// Seconds of the episode per second of playing time.
    var pace = 1.0
    /// Where the chapter ends that is heard; nil in the last chapter and without chapters.
    var chapterEnd: MediaTime?
}

/// What the player must do for the sleep timer.
enum SleepAction: Equatable, Sendable {
    /// Share of the user's volume, 0 to 1.
    case fade(Double)
    /// Pause, so that playback resumes at this position.
    case fallAsleep(at: MediaTime)
}

/// What the player does at the end of an episode.
enum EndHold: Equatable, Sendable {
    case none
    /// Loads the next one and pauses before its first sound.
    case beforeNext
    /// Pauses at a position of the same episode, whose end was heard only softly.
    case back(to: MediaTime)
}
