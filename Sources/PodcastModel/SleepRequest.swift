/// When the sleep timer ends playback, as a user asks for it.
public enum SleepRequest: Equatable, Sendable {
    /// After this much playing time.
    case after(Duration)
    /// Adds to the time that is left, or subtracts if negative; without a time left, the same as `after`.
    case change(Duration)
    /// At the end of this number of episodes; the current one is the first.
    case endOfEpisode(Int)
    case endOfChapter
    case off

    /// The longest time, and the largest number of episodes.
    public static let longest = Duration.seconds(86_400)
    public static let mostEpisodes = 100

    /// Parses `off`, `end-of-episode`, `end-of-chapter`, or a time in the formats of `TimeArgument`.
    ///
    /// - Parameter episodes: with `end-of-episode`, their number (default: 1).
    /// - Returns: nil for any other text, a time of zero or above `longest`, and a number of episodes without
    ///   `end-of-episode`.
    public init?(parsing text: String, episodes: Int? = nil) {
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
            switch TimeArgument(parsing: text) {
            case .absolute(let time)?:
                guard time > .zero, time.duration <= Self.longest else { return nil }
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
}

extension MediaTime {
    fileprivate var duration: Duration { .nanoseconds(nanoseconds) }
}
