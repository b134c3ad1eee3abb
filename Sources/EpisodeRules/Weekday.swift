internal import Glibc
public import PodcastModel

/// A day of the week, Monday first, as a filter writes it.
public enum Weekday: String, CaseIterable, Hashable, Sendable {
    // The names say all there is to say of them.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    case mon, tue, wed, thu, fri, sat, sun

    /// The day on which an instant falls here: in the machine's time zone, by localtime_r(3).
    public init(of instant: Timestamp) {
        var seconds = time_t(instant.seconds)
        var fields = tm()
        localtime_r(&seconds, &fields)
        // C begins its week on Sunday.
        self = Self.allCases[(Int(fields.tm_wday) + 6) % 7]
    }
}
