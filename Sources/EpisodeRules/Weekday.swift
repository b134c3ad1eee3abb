internal import Glibc
public import PodcastModel

/// A day of the week, with the names that filters use.
public enum Weekday: String, CaseIterable, Hashable, Sendable {
    // The names need no documentation.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
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
