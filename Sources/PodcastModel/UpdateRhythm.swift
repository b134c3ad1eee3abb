/// What a document says of when it is worth asking for it again.
public struct UpdateRhythm: Equatable, Sendable {
    /// Seconds for which asking again is no use: `ttl` of RSS 2.0, `sy:updatePeriod` with `sy:updateFrequency`.
    public var patience: Int64?
    /// Seconds between two episodes as the publisher plans them: `podcast:updateFrequency`.
    public var plannedGap: Int64?
    /// Hours of the day, GMT, in which nothing changes; bit 0 is the one from midnight. `skipHours` of RSS 2.0.
    public var quietHours: UInt32 = 0
    /// Days of the week, GMT, on which nothing changes; bit 0 is Sunday. `skipDays` of RSS 2.0.
    public var quietDays: UInt8 = 0
    /// No episode will follow: `itunes:complete`, `podcast:updateFrequency complete`.
    public var isComplete = false

    /// Nothing is said.
    public init() {}
}

/// How often a feed's episodes came, as its document shows.
public struct Cadence: Equatable, Sendable {
    /// Seconds between two episodes, usually.
    public var gap: Int64
    /// When the newest was published.
    public var newest: Timestamp

    /// A gap, up to the newest episode.
    public init(gap: Int64, newest: Timestamp) {
        self.gap = gap
        self.newest = newest
    }

    /// The cadence of episodes published at these instants, in any order; those after `now` do not count. Nil for fewer
    /// than three.
    public init?(of published: some Sequence<Timestamp>, at now: Timestamp) {
        let latest = published.filter { $0 <= now }.sorted(by: >).prefix(10)
        guard latest.count >= 3, let newest = latest.first else { return nil }
        let gaps = zip(latest, latest.dropFirst()).map { $0.seconds - $1.seconds }.sorted()
        self.init(gap: gaps[gaps.count / 2], newest: newest)
    }
}
