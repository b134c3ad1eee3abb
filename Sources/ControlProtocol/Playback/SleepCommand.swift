public import ControlLanguage
public import PodcastModel

public struct SetSleepTimer: Command {
    public var when: String?
    public var episodes: Int?

    public static let form = CommandForm<Self, SleepReply>(
        Self(), "playback.sleep",
        "Pause after a time, at a time of day, or at the end of the episode or chapter; without WHEN, show the sleep timer.",
        .control, verb: "sleep",
        details: [
            "A number alone means minutes. A time of day such as 23:30, 'until 7:00' or 2026-11-21T22:30:00Z ends playback then, "
                + "however long it was paused. podcastctl uses your time zone, the socket the daemon's.",
            "Otherwise only playing time counts: pausing, loading and buffering hold the countdown. 'stop' and the end of the queue "
                + "end the timer. A new WHEN replaces the old one; '+TIME' adds to the time that is left, and '-TIME' "
                + "subtracts from it.",
            "The sound fades out before a time is over, and after the end of a chapter; the setting playback.sleep_fade "
                + "says how long. The next 'play' starts where the fade began. 'sleep +10m' during the fade restores the "
                + "volume and continues for ten more minutes; 'sleep off' restores it and continues. Your volume does not "
                + "change. At the end of an episode nothing fades: the next one is loaded and paused before its first "
                + "sound.",
            "In the last chapter of an episode, end-of-chapter means the end of the episode. The timer survives a restart "
                + "of the daemon if playback does.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "when", &when, .string.offering(.sleep), spelling: .argument,
            help: "Minutes, TIME such as 1h30m, +TIME, -TIME, H:MM, end-of-episode, end-of-chapter or off.")
        parameters.declare(
            "episodes", &episodes, .integer(1...Int64(SleepRequest.mostEpisodes)), spelling: .argument,
            help: "With end-of-episode: the number of episodes, including the current one (default: 1).")
    }
}

public struct SleepReply: ReplyObject {
    /// Nil if the timer is off.
    public var sleep: SleepTimerReply?

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("sleep", &sleep) }
}

public struct SleepTimerReply: ReplyObject {
    public enum End: String, Sendable, CaseIterable, WireScalar {
        case time, episode, chapter
    }

    public var end = End.time
    public var remaining: MediaTime?
    public var until: Timestamp?
    public var episodes: Int?
    public var isFading = false

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("end", &end, "The end of playback: time, episode or chapter.")
        members.declare("remaining", &remaining, "Playing time left in seconds; null if it depends on the episode.")
        members.declare("until", &until, "When playback ends, if the timer was set to a time of day.")
        members.declare("episodes", &episodes, "Of episode: the number of episodes that are still played.")
        members.declare("fading", &isFading, "Whether the sound fades out now.")
    }
}
