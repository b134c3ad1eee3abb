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

    public var kind: ValueKind { row.kind }

    /// Meaning of a missing value, for people.
    public var defaultMeaning: String { row.unset ?? "playback.\(rawValue), but music is unchanged" }

    public var help: String { row.help }

    /// `unset` is the meaning of a missing value; nil if the setting of the section `playback` with the same name applies.
    private var row: (kind: ValueKind, unset: String?, help: String) {
        switch self {
        case .title: (.text, "the publisher's title", "Title shown instead of the publisher's.")
        case .url:
            (
                ValueKind(.url), "none; a feed always has a URL",
                "Where the feed is fetched from; its episodes and their state stay."
            )
        case .userAgent: (.text, "podcastd's own", "The User-Agent that is sent to the feed's hosts.")
        case .username:
            (.text, "no login", "Name for logging in to the feed's host; without a colon (RFC 7617).")
        case .password: (.secret, "no login", "Password for logging in to the feed's host.")
        case .tags: (ValueKind(.tags), "none", "Your tags, separated by commas.")
        case .loginHosts:
            (
                ValueKind(.hosts), "only the feed's host",
                "Other hosts that may receive the login, separated by spaces."
            )
        case .refresh:
            (
                .interval, "as often as the feed suggests",
                "How often it is refreshed automatically: off, or a time from 5m to 365d such as 6h."
            )
        case .volume:
            (
                .percent, "100",
                "Its volume as a percentage of yours, from 1 to 200; yours does not change. More than yours at 100 % is not possible."
            )
        case .speed: (.speed, nil, "Playback speed from 0.5 to 4, such as 1.5.")
        case .silence: (.flag, nil, "Whether long pauses are shortened: yes or no.")
        case .loudness: (.loudness, nil, "Loudness of all episodes in LUFS, such as -16, or off.")
        case .voiceBoost: (.flag, nil, "Whether voices are emphasized: yes or no.")
        case .mono: (.flag, nil, "Whether all channels play the same: yes or no.")
        case .skipStart:
            (Self.skip, nil, "Time left out at the beginning of each episode, such as 30 or 1:30.")
        case .skipEnd: (Self.skip, nil, "Time left out at the end of each episode.")
        case .skipChapters:
            (.text, nil, "Titles of chapters that are left out, separated by semicolons; * stands for any text.")
        }
    }

    private static var skip: ValueKind { .duration(FeedSound.skippable, step: 5) }

    /// Why a value is invalid by itself; nil if it is valid.
    public func objection(to value: String) -> String? {
        let kind = kind
        if kind.syntax == .text || kind.syntax == .secret {
            if !SafeText.isOneLine(value) { return "\(rawValue) must be one line of text" }
            if self == .userAgent, value.isEmpty { return "user_agent must not be empty" }
            if self == .username, value.utf8.contains(.colon) {
                return "username must not contain a colon (RFC 7617)"
            }
        }
        return kind.canonical(value) == nil ? "\(rawValue) must be \(kind.form)" : nil
    }

    /// A valid value in the form in which it is stored and shown.
    public func canonical(_ value: String) -> String { kind.canonical(value) ?? value }
}
