public import PodcastModel

/// One thing that a filter asks of an episode. A condition with several values holds when one of them does.
public enum EpisodeCondition: Hashable, Sendable {
    /// The title looks like one of these.
    case title([TitlePattern])
    /// It is of one of these feeds.
    case feed([FeedName])
    /// Its duration is known, and longer than this.
    case longer(MediaTime)
    /// Its duration is known, and shorter than this.
    case shorter(MediaTime)
    /// It was published longer ago than this.
    case older(Age)
    /// It was published less long ago than this.
    case newer(Age)
    /// It was published on one of these days, by the machine's time zone.
    case weekday([Weekday])
    /// Its season number lies in one of these ranges.
    case season([ClosedRange<Int>])
    /// The publisher calls it one of these; full unless told otherwise.
    case kind([EpisodeKind])
    /// It is in one of these states.
    case state([EpisodeCondition.State])

    /// A feed in a filter.
    public enum FeedName: Hashable, Sendable {
        /// By its number.
        case id(FeedID)
        /// By what the listener wrote; it has to be looked up before episodes are asked.
        case name(String)
    }

    /// What became of an episode, as a filter calls it.
    public enum State: String, CaseIterable, Sendable {
        /// Neither begun nor played, and not set aside.
        case new
        /// Begun and not finished.
        case inProgress = "in-progress"
        /// Heard to the end, or marked so.
        case played
        /// Not played, and not set aside.
        case unplayed
        /// Starred.
        case starred
        /// Kept on disk as a whole.
        case downloaded
        /// The listener wrote a note.
        case noted
        /// Set aside by a rule.
        case skipped
        /// Set aside by retention.
        case archived
        /// Not listed by its feed any more.
        case gone
    }

    /// Whether an episode is so. A feed that is not looked up yet is none.
    public func holds(for episode: Episode, at now: Timestamp) -> Bool {
        switch self {
        case .title(let patterns): patterns.contains { $0.fits(episode.title) }
        case .feed(let names): names.contains(.id(episode.feed))
        case .longer(let limit): episode.duration.map { $0 > limit } ?? false
        case .shorter(let limit): episode.duration.map { $0 < limit } ?? false
        case .older(let age): episode.published < age.before(now)
        case .newer(let age): episode.published > age.before(now)
        case .weekday(let days): days.contains(Weekday(of: episode.published))
        case .season(let ranges): episode.season.map { season in ranges.contains { $0.contains(season) } } ?? false
        case .kind(let kinds): kinds.contains(episode.kind)
        case .state(let states): states.contains { $0.holds(for: episode.state, isGone: episode.isGone) }
        }
    }
}

extension EpisodeCondition.State {
    /// Whether an episode is in it; `isGone` is what its feed says.
    public func holds(for state: EpisodeState, isGone: Bool) -> Bool {
        switch self {
        case .new: !state.isPlayed && !state.isInProgress && state.setAside == nil
        case .inProgress: state.isInProgress
        case .played: state.isPlayed
        case .unplayed: !state.isPlayed && state.setAside == nil
        case .starred: state.isStarred
        case .downloaded: state.isDownloaded
        case .noted: state.note != nil
        case .skipped: state.setAside == .skipped
        case .archived: state.setAside == .archived
        case .gone: isGone
        }
    }
}

/// A span of the calendar as a filter writes it: `12h`, `30d`, `4w`, `1y`.
public struct Age: Hashable, Sendable, CustomStringConvertible {
    /// What it is counted in.
    public enum Unit: Character, CaseIterable, Sendable {
        /// Hours.
        case hours = "h"
        /// Days of 24 hours.
        case days = "d"
        /// Weeks.
        case weeks = "w"
        /// Years of 365 days.
        case years = "y"

        /// Seconds in one.
        var seconds: Int64 {
            switch self {
            case .hours: 3_600
            case .days: 86_400
            case .weeks: 7 * 86_400
            case .years: 365 * 86_400
            }
        }
    }

    /// How many.
    public let count: Int64
    /// Of what.
    public let unit: Unit

    /// Reads an age; nil for what is none, and for more than a hundred years.
    public init?(parsing text: String) {
        guard let last = text.last, let unit = Unit(rawValue: last), let count = Int64(text.dropLast()), count >= 0,
            text.first != "+", count <= 100 * Unit.years.seconds / unit.seconds
        else { return nil }
        self.count = count
        self.unit = unit
    }

    /// As it is read.
    public var description: String { "\(count)\(unit.rawValue)" }

    /// The instant that lies this long before another.
    public func before(_ now: Timestamp) -> Timestamp { now.adding(seconds: -count * unit.seconds) }
}
