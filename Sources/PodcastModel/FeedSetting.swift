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

    public enum Kind: String, CaseIterable, Sendable {
        case text
        /// An http or https URL.
        case url
        /// Words separated by commas.
        case tags
        /// Names of hosts separated by spaces.
        case hosts
        /// `off`, or a time such as 30m, 6h or 2d.
        case interval
        /// A whole number from 1 to 200.
        case percent
        /// A text that is never shown.
        case secret
        /// A number from 0.5 to 4.
        case speed
        /// `yes` or `no`.
        case flag
        /// `off`, or a whole number of LUFS such as -16.
        case loudness
        /// Whole seconds, or in another spelling of `SettingTime`.
        case time

        /// The type with the syntax of its values, for people.
        public var form: String {
            switch self {
            case .tags: "tags (separated by commas)"
            case .hosts: "hosts (separated by spaces)"
            case .interval: "interval (off, or a time such as 6h)"
            case .speed, .percent, .text, .url, .secret: rawValue
            case .flag: "flag (yes or no)"
            case .loudness: "loudness (off, or LUFS)"
            case .time: "time (seconds, or a time such as 1:30)"
            }
        }

        public var words: [String] {
            switch self {
            case .flag: ["yes", "no"]
            case .interval, .loudness: ["off"]
            case .text, .url, .tags, .hosts, .percent, .secret, .speed, .time: []
            }
        }

        /// Range, usual step and unit of numeric values; nil for other values. Intervals and times are in seconds.
        public var numbers: (range: ClosedRange<Double>, step: Double, unit: String)? {
            switch self {
            case .text, .url, .tags, .hosts, .secret, .flag: return nil
            case .interval:
                let range = RefreshInterval.range
                return (Double(range.lowerBound)...Double(range.upperBound), 3600, "")
            case .percent: return (1...200, 5, "%")
            case .speed: return (0.5...4, 0.05, "x")
            case .loudness:
                let range = PlaybackParameters.loudnesses
                return (Double(range.lowerBound)...Double(range.upperBound), 1, "LUFS")
            case .time:
                let range = FeedSound.skippable
                return (Double(range.lowerBound)...Double(range.upperBound), 5, "s")
            }
        }
    }

    /// Name for people: `User agent`.
    public var label: String { SettingName.label(rawValue) }

    public var kind: Kind {
        switch self {
        case .title, .userAgent, .username: .text
        case .url: .url
        case .password: .secret
        case .tags: .tags
        case .loginHosts: .hosts
        case .refresh: .interval
        case .volume: .percent
        case .speed: .speed
        case .silence, .voiceBoost, .mono: .flag
        case .loudness: .loudness
        case .skipStart, .skipEnd: .time
        case .skipChapters: .text
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

    /// Maximum length of a value in UTF-8 bytes.
    public static let maximumBytes = 4096

    /// Why a value is invalid by itself; nil if it is valid.
    public func objection(to value: String) -> String? {
        switch kind {
        case .text, .secret:
            if !SafeText.isOneLine(value) { return "\(rawValue) must be one line of text" }
            if self == .userAgent, value.isEmpty { return "user_agent must not be empty" }
            if self == .username, value.utf8.contains(UInt8(ascii: ":")) {
                return "username must not contain a colon (RFC 7617)"
            }
            return nil
        case .interval:
            return RefreshInterval(parsing: value) == nil
                ? "\(rawValue) must be 'off' or a time from 5m to 365d, such as 30m, 6h or 2d" : nil
        case .percent:
            return Self.percentage(value).map((1...200).contains) == true
                ? nil : "\(rawValue) must be a percentage of your volume from 1 to 200, without a sign"
        case .speed: return PlaybackSpeed(parsing: value) == nil ? "speed must be a number from 0.5 to 4" : nil
        case .flag: return value == "yes" || value == "no" ? nil : "\(rawValue) must be yes or no"
        case .loudness:
            let range = PlaybackParameters.loudnesses
            return FeedSound.Loudness(parsing: value) == nil
                ? "loudness must be 'off' or a whole number from \(range.lowerBound) to \(range.upperBound)" : nil
        case .time:
            let range = FeedSound.skippable
            return SettingTime.seconds(parsing: value).map(range.contains) == true
                ? nil : "\(rawValue) must be \(SettingTime.form(in: range))"
        case .url, .tags, .hosts: return nil
        }
    }

    /// `80` or `80%`; nil for other text, such as `+10`.
    public static func percentage(_ value: String) -> Int? {
        let digits = value.hasSuffix("%") ? value.dropLast() : value[...]
        return digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
    }

    /// A valid value in the form in which it is stored and shown.
    public func canonical(_ value: String) -> String {
        switch kind {
        case .text, .url, .tags, .hosts, .secret, .flag: value
        case .interval: RefreshInterval(parsing: value)?.description ?? value
        case .percent: Self.percentage(value).map(String.init) ?? value
        case .speed: PlaybackSpeed(parsing: value)?.description ?? value
        case .loudness: FeedSound.Loudness(parsing: value)?.description ?? value
        case .time: SettingTime.seconds(parsing: value).map(String.init) ?? value
        }
    }
}
