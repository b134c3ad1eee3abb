/// A user's request for the sleep timer.
public enum SleepRequest: Equatable, Sendable {
    case after(Duration)
    /// Adds to the remaining time, or subtracts if negative; the same as `after` if no timer is running.
    case change(Duration)
    /// At this time, even if playback is paused until then.
    case until(Timestamp)
    /// At the end of this number of episodes; the current one is the first.
    case endOfEpisode(Int)
    case endOfChapter
    case off

    /// Maximum time, and maximum number of episodes.
    public static let longest = Duration.seconds(86_400)
    public static let mostEpisodes = 100

    /// Parses `off`, `end-of-episode`, `end-of-chapter`, a time in the formats of `TimeArgument` (a number alone means
    /// minutes), or a time of day: `23:30`, `until 7:00`, `2026-11-21T22:30:00Z`.
    /// - Parameters:
    ///   - episodes: with `end-of-episode`, their number (default: 1).
    ///   - now: a time of day means the next such time after `now`.
    ///   - offset: returns the local time zone's offset at a time, in seconds east of UTC.
    /// - Returns: nil for other text, zero, times above `longest`, and `episodes` without `end-of-episode`.
    public init?(parsing text: String, episodes: Int? = nil, at now: Timestamp, offset: (Timestamp) -> Int) {
        if text == "end-of-episode" {
            let count = episodes ?? 1
            guard (1...Self.mostEpisodes).contains(count) else { return nil }
            self = .endOfEpisode(count)
            return
        }
        guard episodes == nil else { return nil }
        switch text {
        case "off": self = .off
        case "end-of-chapter": self = .endOfChapter
        default:
            let word = ["until ", "at "].first(where: text.hasPrefix).map { text.dropFirst($0.count) } ?? text[...]
            if let time = Timestamp(parsing: String(word)) ?? Self.time(ofDay: word, after: now, offset) {
                let left = Duration.milliseconds(time.milliseconds - now.milliseconds)
                // A day may have 25 hours.
                guard left > .zero, left <= Self.longest + .seconds(3_600) else { return nil }
                self = .until(time)
                return
            }
            guard word.count == text.count else { return nil }
            let isNumber = text.drop { $0 == "+" || $0 == "-" }.utf8.allSatisfy(\.isDigit)
            switch TimeArgument(parsing: isNumber ? text + "m" : text) {
            case .absolute(let time)?:
                // Times with one colon are times of day, but this one did not parse as such.
                guard text.count(where: { $0 == ":" }) != 1, time > .zero, time.duration <= Self.longest else {
                    return nil
                }
                self = .after(time.duration)
            case .relative(let time)?:
                guard time != .zero, time.duration <= Self.longest, .zero - time.duration <= Self.longest else {
                    return nil
                }
                self = .change(time.duration)
            case .share?, .relativeShare?, nil: return nil
            }
        }
    }

    /// The next time at which clocks show `H:MM`.
    private static func time(ofDay text: Substring, after now: Timestamp, _ offset: (Timestamp) -> Int) -> Timestamp? {
        let parts = text.fields(separatedBy: ":")
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.joined().utf8.allSatisfy(\.isDigit),
            let hour = Int64(parts[0]), let minutes = Int64(parts[1]), hour < 24, minutes < 60
        else { return nil }
        /// The number of days since 1970 on which clocks have shown the time, or have skipped it.
        func days(_ minute: Int64) -> Int64 {
            (minute + Int64(offset(Timestamp(seconds: minute * 60))) / 60 - hour * 60 - minutes) / 1440
        }
        let next = now.seconds / 60 + 1
        // A day may have 25 hours.
        return (next...next + 1500).first { days($0) > days($0 - 1) }.map { Timestamp(seconds: $0 * 60) }
    }
}

extension MediaTime {
    fileprivate var duration: Duration { .nanoseconds(nanoseconds) }
}
