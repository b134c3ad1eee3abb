public import PodcastModel

/// A condition of a filter. If it has several values, one of them must match.
public enum EpisodeCondition: Hashable, Sendable {
    /// The title matches one of these patterns.
    case title([TitlePattern])
    /// The episode belongs to one of these feeds.
    case feed([FeedName])
    /// The episode's feed has one of these tags, or one inside them. The feeds must be looked up before episodes are compared.
    case tag([String], feeds: [FeedID] = [])
    /// The duration is known and longer than this.
    case longer(MediaTime)
    /// The duration is known and shorter than this.
    case shorter(MediaTime)
    /// Published longer ago than this.
    case older(Age)
    /// Published less long ago than this.
    case newer(Age)
    /// Published on one of these days in the machine's time zone.
    case weekday([Weekday])
    /// The season number is in one of these ranges.
    case season([ClosedRange<Int>])
    /// The publisher gives it one of these types; `full` if the publisher gives none.
    case kind([EpisodeKind])
    /// The episode is in one of these states.
    case state([EpisodeCondition.State])
    /// All terms of at least one of these alternatives are true.
    case either([[EpisodeExpression.Term]])

    /// A feed in a filter.
    public enum FeedName: Hashable, Sendable {
        case id(FeedID)
        /// By the text that the user wrote; it must be resolved before episodes are compared.
        case name(String)
    }

    /// A state of an episode, as used in filters.
    public enum State: String, CaseIterable, Sendable {
        /// Neither started nor played, and not hidden.
        case new
        /// Started but not finished.
        case inProgress = "in-progress"
        /// Heard to the end, or marked as played.
        case played
        /// Not played, and not hidden.
        case unplayed
        case starred
        case downloaded
        /// Has a note of the user.
        case noted
        /// Hidden by a rule.
        case skipped
        case archived
        /// No longer listed by its feed.
        case gone
    }

    /// Whether the condition is true for an episode. A feed that is not resolved yet matches no episode.
    public func holds(for episode: Episode, at now: Timestamp) -> Bool {
        switch self {
        case .title(let patterns): patterns.contains { $0.fits(episode.title) }
        case .feed(let names): names.contains(.id(episode.feed))
        case .tag(_, let feeds): feeds.contains(episode.feed)
        case .longer(let limit): episode.duration.map { $0 > limit } ?? false
        case .shorter(let limit): episode.duration.map { $0 < limit } ?? false
        case .older(let age): episode.published < age.before(now)
        case .newer(let age): episode.published > age.before(now)
        case .weekday(let days): days.contains(Weekday(of: episode.published))
        case .season(let ranges): episode.season.map { season in ranges.contains { $0.contains(season) } } ?? false
        case .kind(let kinds): kinds.contains(episode.kind)
        case .state(let states):
            states.contains { $0.holds(for: episode.state, of: episode.duration, isGone: episode.isGone) }
        case .either(let alternatives):
            alternatives.contains { $0.allSatisfy { $0.holds(for: episode, at: now) } }
        }
    }

    /// The condition, with `change` applied to it or to each condition of its alternatives.
    func map<Failure: Error>(
        _ change: (EpisodeCondition) throws(Failure) -> EpisodeCondition
    ) throws(Failure) -> EpisodeCondition {
        guard case .either(var alternatives) = self else { return try change(self) }
        for index in alternatives.indices {
            for term in alternatives[index].indices {
                alternatives[index][term].condition = try alternatives[index][term].condition.map(change)
            }
        }
        return .either(alternatives)
    }

    /// The condition itself, or the conditions of its alternatives; without the negated ones unless `withNegated`.
    func parts(withNegated: Bool) -> [EpisodeCondition] {
        guard case .either(let alternatives) = self else { return [self] }
        return EpisodeExpression(terms: alternatives.flatMap(\.self)).conditions(withNegated: withNegated)
    }
}

extension EpisodeCondition.State {
    /// Whether an episode is in this state; `duration` and `isGone` are the episode's.
    public func holds(for state: EpisodeState, of duration: MediaTime?, isGone: Bool) -> Bool {
        switch self {
        case .new: state.isNew
        case .inProgress: state.isInProgress(of: duration)
        case .played: state.isPlayed
        case .unplayed: !state.isPlayed && state.hiddenReason == nil
        case .starred: state.isStarred
        case .downloaded: state.isDownloaded
        case .noted: state.note != nil
        case .skipped: state.hiddenReason == .skipped
        case .archived: state.hiddenReason == .archived
        case .gone: isGone
        }
    }
}

/// An age as written in filters: `12h`, `30d`, `4w`, `1y`.
public struct Age: Hashable, Sendable, CustomStringConvertible {
    /// Unit of an age.
    public enum Unit: Character, CaseIterable, Sendable {
        case hours = "h"
        /// Days of 24 hours.
        case days = "d"
        case weeks = "w"
        /// Years of 365 days.
        case years = "y"

        /// Length of the unit in seconds.
        var seconds: Int64 {
            switch self {
            case .hours: 3_600
            case .days: 86_400
            case .weeks: 7 * 86_400
            case .years: 365 * 86_400
            }
        }
    }

    public let count: Int64
    public let unit: Unit

    /// Parses an age; nil for invalid text and for more than a hundred years.
    public init?(parsing text: String) {
        guard let last = text.last, let unit = Unit(rawValue: last), let count = Int64(text.dropLast()), count >= 0,
            text.first != "+", count <= 100 * Unit.years.seconds / unit.seconds
        else { return nil }
        self.count = count
        self.unit = unit
    }

    /// The age as text that parses to the same value.
    public var description: String { "\(count)\(unit.rawValue)" }

    /// The time that is this long before another.
    public func before(_ now: Timestamp) -> Timestamp { now.adding(seconds: -count * unit.seconds) }
}
