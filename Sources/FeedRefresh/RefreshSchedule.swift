public import PodcastModel

/// Decides when a feed is tried next. A pure value: what is known goes in, an instant comes out.
///
/// A feed is never given up silently. One that fails is tried less and less often, but at least daily; one whose
/// publisher says that it is gone (410), weekly. One that works is tried as often as its own rhythm suggests. The
/// intervals stay a little under the whole hour and day, so that a cron job at whole hours meets each feed that is due.
public struct RefreshSchedule: Equatable, Sendable {
    /// Between two tries of a feed that works; seconds.
    public var shortest: Int64
    /// Between two tries of any feed that is not gone; seconds.
    public var longest: Int64
    /// Between two tries of a feed of unknown rhythm; seconds.
    public var usual: Int64
    /// Between two tries of a feed that is gone; also the most that a `Retry-After` is believed; seconds.
    public var weekly: Int64

    /// The schedule everybody uses.
    public init(
        shortest: Int64 = 50 * 60, longest: Int64 = 23 * 3600, usual: Int64 = 4 * 3600, weekly: Int64 = 7 * 86_400
    ) {
        self.shortest = shortest
        self.longest = longest
        self.usual = usual
        self.weekly = weekly
    }

    /// How a try ended, as far as the schedule cares.
    public enum Outcome: Equatable, Sendable {
        /// A document was read; the instants at which its items were published, in any order.
        case read(published: [Timestamp])
        /// Nothing new.
        case unchanged
        /// It failed; `inARow` counts this failure too.
        case failed(FetchFailure, inARow: Int)
    }

    /// What a server asks for.
    public struct ServerWishes: Equatable, Sendable {
        /// `Retry-After` in seconds from now, RFC 9110 section 10.2.3.
        public var retryAfter: Int64?
        /// `max-age` of `Cache-Control` in seconds, RFC 9111 section 5.2.2.1.
        public var maxAge: Int64?
        /// Wishes, or none.
        public init(retryAfter: Int64? = nil, maxAge: Int64? = nil) {
            self.retryAfter = retryAfter
            self.maxAge = maxAge
        }
    }

    /// When to try again.
    ///
    /// - Parameters:
    ///   - feed: each feed has its own steady offset, so that not all of them come due at one instant.
    ///   - outcome: how the try ended.
    ///   - wishes: what the server asked for.
    ///   - previous: the interval that was planned before this try, in seconds, if there was one.
    ///   - now: when the try ended.
    public func nextDue(
        _ feed: FeedID, after outcome: Outcome, wishes: ServerWishes = ServerWishes(), previous: Int64? = nil,
        at now: Timestamp
    ) -> Timestamp {
        var interval: Int64
        switch outcome {
        case .read(let published):
            interval = cadence(of: published, at: now) ?? usual
            interval = max(interval, min(wishes.maxAge ?? 0, longest))
        case .unchanged:
            // Slowly longer: a show that ended drifts to daily within weeks, a weekly one hardly moves.
            interval = previous.map { $0 + $0 / 20 } ?? usual
            interval = max(interval, min(wishes.maxAge ?? 0, longest))
        case .failed(let failure, let inARow):
            interval = self.interval(after: failure, inARow: inARow)
            if let wanted = wishes.retryAfter { interval = max(interval, min(wanted, weekly)) }
            return now.adding(seconds: interval + jitter(feed, within: interval))
        }
        interval = min(max(interval, shortest), longest)
        return now.adding(seconds: interval + jitter(feed, within: interval))
    }

    private func interval(after failure: FetchFailure, inARow: Int) -> Int64 {
        if failure == .status(410) { return weekly }
        // A server that refuses us wants to be left alone for hours.
        let first: Int64 =
            if failure == .status(403) || failure == .status(401) {
                usual
            } else if failure.costNobody {
                shortest / 5
            } else {
                shortest
            }
        let doublings = min(max(inARow - 1, 0), 16)
        return min(first << Int64(doublings), longest)
    }

    /// A twenty-fourth of the usual gap between episodes: hourly for a daily show, every seven hours for a weekly one.
    /// A show that has been silent for longer than its gap counts by its silence.
    private func cadence(of published: [Timestamp], at now: Timestamp) -> Int64? {
        let latest = published.filter { $0 <= now }.sorted(by: >).prefix(10)
        guard latest.count >= 3, let newest = latest.first else { return nil }
        let gaps = zip(latest, latest.dropFirst()).map { $0.seconds - $1.seconds }.sorted()
        let silence = now.seconds - newest.seconds
        return max(gaps[gaps.count / 2], silence) / 24
    }

    /// Up to a tenth of the interval, at most half an hour, the same for a feed in every run.
    private func jitter(_ feed: FeedID, within interval: Int64) -> Int64 {
        let range = min(interval / 10, 1800)
        guard range > 0 else { return 0 }
        var mixed = UInt64(bitPattern: feed.rawValue) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed >> 32
        return Int64(mixed % UInt64(range))
    }
}
