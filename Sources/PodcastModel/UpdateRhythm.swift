/// A document's statements about when to request it again.
public struct UpdateRhythm: Equatable, Sendable {
    /// Seconds during which another request is useless: `ttl` of RSS 2.0, `sy:updatePeriod` with `sy:updateFrequency`.
    public var patience: Int64?
    /// Seconds between two episodes, as planned by the publisher: `podcast:updateFrequency`.
    public var plannedGap: Int64?
    /// Hours of the day (GMT) without changes; bit 0 is the hour from midnight. `skipHours` of RSS 2.0.
    public var quietHours: UInt32 = 0
    /// Days of the week (GMT) without changes; bit 0 is Sunday. `skipDays` of RSS 2.0.
    public var quietDays: UInt8 = 0
    /// True if no more episodes will appear: `itunes:complete`, `podcast:updateFrequency complete`.
    public var isComplete = false

    public init() {}
}

/// Publishing frequency of a feed, according to its document.
public struct Cadence: Equatable, Sendable {
    /// Typical number of seconds between two episodes.
    public var gap: Int64
    public var newest: Timestamp

    public init(gap: Int64, newest: Timestamp) {
        self.gap = gap
        self.newest = newest
    }

    /// `published` may have any order; times after `now` are ignored. Nil for fewer than three times.
    public init?(of published: some Sequence<Timestamp>, at now: Timestamp) {
        let latest = published.filter { $0 <= now }.sorted(by: >).prefix(10)
        guard latest.count >= 3, let newest = latest.first else { return nil }
        let gaps = zip(latest, latest.dropFirst()).map { $0.seconds - $1.seconds }.sorted()
        self.init(gap: gaps[gaps.count / 2], newest: newest)
    }
}
