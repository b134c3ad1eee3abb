internal import Glibc

/// A condition of a filter. A condition with several values is true if one of them matches.
public enum EpisodeCondition: Hashable, Sendable {
    case title([TitlePattern])
    case feed([FeedName])
    /// The episode's feed has one of these tags, or a nested one. `feeds` must be looked up before evaluation.
    case tag([String], feeds: [FeedID] = [])
    /// The duration is known and longer than the value.
    case longer(MediaTime)
    /// The duration is known and shorter than the value.
    case shorter(MediaTime)
    /// Published before `now` minus the age.
    case older(Age)
    /// Published after `now` minus the age.
    case newer(Age)
    /// Published on one of these days in the machine's time zone.
    case weekday([Weekday])
    case season([ClosedRange<Int>])
    /// The publisher's type of the episode; `full` if there is none.
    case kind([EpisodeKind])
    case state([EpisodeCondition.State])
    /// All terms of at least one alternative are true.
    case either([[EpisodeExpression.Term]])

    public enum FeedName: Hashable, Sendable {
        case id(FeedID)
        /// The text that the user wrote, which must be looked up before the condition is evaluated.
        case name(String)
    }

    public enum State: String, CaseIterable, Sendable {
        /// Neither started nor played, and not hidden.
        case new
        case inProgress = "in-progress"
        case played
        /// Not played, and not hidden.
        case unplayed
        case starred, downloaded, noted, skipped, archived
        /// No longer listed by its feed.
        case gone

        /// True if an episode is in this state; `duration` and `isGone` are the episode's.
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

    /// True if an episode matches. A feed that is not looked up yet matches no episode.
    func holds(for episode: Episode, at now: Timestamp) -> Bool {
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
        case .either(let alternatives): alternatives.contains { $0.allSatisfy { $0.holds(for: episode, at: now) } }
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

/// An age as written in filters: `12h`, `30d`, `4w`, `1y`.
public struct Age: Hashable, Sendable, CustomStringConvertible {
    public enum Unit: Character, CaseIterable, Sendable {
        case hours = "h"
        /// Days of 24 hours.
        case days = "d"
        case weeks = "w"
        /// Years of 365 days.
        case years = "y"

        var seconds: Int64 {
            switch self {
            case .hours: 3_600
            case .days: 86_400
            case .weeks: 7 * 86_400
            case .years: 365 * 86_400
            }
        }
    }

    let count: Int64
    let unit: Unit

    /// Nil for invalid text and for more than a hundred years.
    init?(parsing text: String) {
        guard let last = text.last, let unit = Unit(rawValue: last), let count = Int64(text.dropLast()), count >= 0,
            text.first != "+", count <= 100 * Unit.years.seconds / unit.seconds
        else { return nil }
        self.count = count
        self.unit = unit
    }

    /// Text that parses to the same age.
    public var description: String { "\(count)\(unit.rawValue)" }

    public func before(_ now: Timestamp) -> Timestamp { now.adding(seconds: -count * unit.seconds) }
}

/// A day of the week, with the names that filters use.
public enum Weekday: String, CaseIterable, Sendable {
    case mon, tue, wed, thu, fri, sat, sun

    /// The day in the machine's time zone, by localtime_r(3).
    public init(of instant: Timestamp) {
        var seconds = time_t(instant.seconds)
        var fields = tm()
        localtime_r(&seconds, &fields)
        // C weeks begin on Sunday.
        self = Self.allCases[(Int(fields.tm_wday) + 6) % 7]
    }
}
