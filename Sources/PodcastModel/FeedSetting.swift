/// A setting of one feed, declared once for stores, the control protocol and clients.
public enum FeedSetting: String, CaseIterable, Sendable {
    case title
    case url
    case userAgent = "user_agent"
    case username
    case password
    case tags
    case loginHosts = "login_hosts"
    case refresh
    case volume
    case speed
    case silence
    case loudness
    case voiceBoost = "voice_boost"
    case mono
    case skipStart = "skip_start"
    case skipEnd = "skip_end"
    case skipChapters = "skip_chapters"

    /// Name for people: `User agent`.
    public var label: String { SettingName.label(rawValue) }

    public var kind: ValueKind {
        switch self {
        case .title, .userAgent, .username, .skipChapters: .text
        case .url: ValueKind(.url)
        case .password: .secret
        case .tags: ValueKind(.tags)
        case .loginHosts: ValueKind(.hosts)
        case .refresh: .interval
        case .volume: .percent
        case .speed: .speed
        case .silence, .voiceBoost, .mono: .flag
        case .loudness: .loudness
        case .skipStart, .skipEnd: .duration(FeedSound.skippable, step: 5)
        }
    }

    /// Meaning of a missing value, for people.
    public var defaultMeaning: String {
        switch self {
        case .title: "the publisher's title"
        case .url: "none; a feed always has a URL"
        case .userAgent: "podcastd's own"
        case .username, .password: "no login"
        case .tags: "none"
        case .loginHosts: "only the feed's host"
        case .refresh: "as often as the feed suggests"
        case .volume: "100"
        case .speed, .silence, .loudness, .voiceBoost, .mono, .skipStart, .skipEnd, .skipChapters:
            "playback.\(rawValue), but music is unchanged"
        }
    }

    public var help: String {
        switch self {
        case .title: "Title shown instead of the publisher's."
        case .url: "Where the feed is fetched from; its episodes and their state stay."
        case .userAgent: "The User-Agent that is sent to the feed's hosts."
        case .username: "Name for logging in to the feed's host; without a colon (RFC 7617)."
        case .password: "Password for logging in to the feed's host."
        case .tags: "Your tags, separated by commas."
        case .loginHosts: "Other hosts that may receive the login, separated by spaces."
        case .refresh: "How often it is refreshed automatically: off, or a time from 5m to 365d such as 6h."
        case .volume:
            "Its volume as a percentage of yours, from 1 to 200; yours does not change. More than yours at 100 % is not possible."
        case .speed: "Playback speed from 0.5 to 4, such as 1.5."
        case .silence: "Whether long pauses are shortened: yes or no."
        case .loudness: "Loudness of all episodes in LUFS, such as -16, or off."
        case .voiceBoost: "Whether voices are emphasized: yes or no."
        case .mono: "Whether all channels play the same: yes or no."
        case .skipStart: "Time left out at the beginning of each episode, such as 30 or 1:30."
        case .skipEnd: "Time left out at the end of each episode."
        case .skipChapters: "Titles of chapters that are left out, separated by semicolons; * stands for any text."
        }
    }

    /// Why a value is invalid by itself; nil if it is valid.
    public func objection(to value: String) -> String? {
        let kind = kind
        if kind.syntax == .text || kind.syntax == .secret {
            if !SafeText.isOneLine(value) { return "\(rawValue) must be one line of text" }
            if self == .userAgent, value.isEmpty { return "user_agent must not be empty" }
            if self == .username, value.utf8.contains(UInt8(ascii: ":")) {
                return "username must not contain a colon (RFC 7617)"
            }
        }
        return kind.canonical(value) == nil ? "\(rawValue) must be \(kind.form)" : nil
    }

    /// A valid value in the form in which it is stored and shown.
    public func canonical(_ value: String) -> String { kind.canonical(value) ?? value }
}
