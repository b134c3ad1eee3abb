public import LibraryModel
public import PodcastModel

/// Decides when a feed is tried next. A pure value: what is known goes in, an instant comes out, and what decided.
///
/// A feed is never given up silently. One that fails is tried less and less often, but at least daily; one whose
/// publisher says that it is gone (410) is stopped, and told. One that works is tried as often as its own rhythm
/// suggests. The intervals stay a little under the whole hour and day, so that a cron job at whole hours meets each feed
/// that is due.
public struct RefreshSchedule: Equatable, Sendable {
    /// Between two tries of a feed that works; seconds.
    public var shortest: Int64
    /// Between two tries of any feed that is not gone; seconds.
    public var longest: Int64
    /// Between two tries of a feed of unknown rhythm; seconds.
    public var usual: Int64
    /// Between two tries of a feed that is complete, and between two whole answers; also the most that a `Retry-After` is
    /// believed; seconds.
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
        /// A document was read.
        case read
        case unchanged
        /// It failed; `inARow` counts this failure too.
        case failed(FetchFailure, inARow: Int)
    }

    /// What a server asks for.
    public struct ServerHints: Equatable, Sendable {
        /// `Retry-After` in seconds from now, RFC 9110 section 10.2.3.
        public var retryAfter: Int64?
        /// `max-age` of `Cache-Control` in seconds, RFC 9111 section 5.2.2.1.
        public var maxAge: Int64?
        /// The hints of a response, or none.
        public init(retryAfter: Int64? = nil, maxAge: Int64? = nil) {
            self.retryAfter = retryAfter
            self.maxAge = maxAge
        }
    }

    /// What is known of a feed besides how the try ended.
    public struct Knowledge: Equatable, Sendable {
        /// What the server asked for.
        public var hints: ServerHints
        /// What the document asks for.
        public var rhythm: UpdateRhythm
        /// How often episodes came; nil when that is not known.
        public var cadence: Cadence?
        /// The interval that was planned before this try, in seconds, if there was one.
        public var previous: Int64?
        /// What is known, or nothing.
        public init(
            hints: ServerHints = ServerHints(), rhythm: UpdateRhythm = UpdateRhythm(), cadence: Cadence? = nil,
            previous: Int64? = nil
        ) {
            self.hints = hints
            self.rhythm = rhythm
            self.cadence = cadence
            self.previous = previous
        }
    }

    /// When to try next.
    public struct Plan: Equatable, Sendable {
        public var due: Timestamp
        public var reason: DueReason
        /// An instant with what decided it.
        public init(due: Timestamp, reason: DueReason) {
            self.due = due
            self.reason = reason
        }
    }

    /// When to try again.
    ///
    /// - Parameters:
    ///   - feed: each feed has its own steady offset, so that not all of them come due at one instant.
    ///   - outcome: how the try ended.
    ///   - known: what else is known.
    ///   - now: when the try ended.
    public func next(
        _ feed: FeedID, after outcome: Outcome, knowing known: Knowledge = Knowledge(), at now: Timestamp
    ) -> Plan {
        var (interval, reason): (Int64, DueReason)
        switch outcome {
        case .failed(let failure, let inARow):
            (interval, reason) = (self.interval(after: failure, inARow: inARow), .failure)
            if failure == .status(410) { reason = .gone }
            if let wanted = known.hints.retryAfter, min(wanted, weekly) > interval {
                (interval, reason) = (min(wanted, weekly), .server)
            }
            return Plan(due: now.adding(seconds: interval + jitter(feed, within: interval)), reason: reason)
        case .read: (interval, reason) = ownInterval(known, drift: nil, at: now)
        case .unchanged: (interval, reason) = ownInterval(known, drift: known.previous, at: now)
        }
        for (hint, whose) in [(known.rhythm.patience, DueReason.publisher), (known.hints.maxAge, .server)] {
            if let hint, min(hint, longest) > interval { (interval, reason) = (min(hint, longest), whose) }
        }
        let due = now.adding(seconds: interval + jitter(feed, within: interval))
        let loud = known.rhythm.end(ofQuietAt: due)
        if loud == due { return Plan(due: due, reason: reason) }
        return Plan(due: loud.adding(seconds: jitter(feed, within: 3 * 3600)), reason: .quietTime)
    }

    /// Whether the next request should be unconditional: some hosts answer "not modified" for
    /// hours after the feed has changed. Weekly, on a day of the feed's own; daily where that host was found out, or where
    /// an episode is overdue.
    ///
    /// - Parameters:
    ///   - feed: whose day it is.
    ///   - last: the last answer with a body.
    ///   - falseUnchanged: how often the host was found to be wrong.
    ///   - cadence: how often episodes came.
    ///   - now: the present.
    public func isFullFetchDue(
        _ feed: FeedID, last: Timestamp?, falseUnchanged: Int = 0, cadence: Cadence? = nil, at now: Timestamp
    ) -> Bool {
        guard let last, last <= now else { return true }
        return now >= nextFullFetch(feed, last: last, falseUnchanged: falseUnchanged, cadence: cadence, at: now)
    }

    /// From when on that is so; see `isFullFetchDue`.
    public func nextFullFetch(
        _ feed: FeedID, last: Timestamp, falseUnchanged: Int = 0, cadence: Cadence? = nil, at now: Timestamp
    ) -> Timestamp {
        let isSuspect = falseUnchanged > 0 || (cadence?.isOverdue(at: now) ?? false)
        let interval = isSuspect ? longest : weekly
        return last.adding(seconds: interval - offset(feed, below: interval / 7))
    }

    /// The interval that the feed itself suggests.
    ///
    /// A twenty-fourth of the usual gap between episodes: hourly for a daily show, every seven hours for a weekly one. A
    /// show that has been silent for longer than its gap counts by its silence.
    private func ownInterval(_ known: Knowledge, drift: Int64?, at now: Timestamp) -> (Int64, DueReason) {
        if known.rhythm.isComplete { return (weekly, .complete) }
        var interval = usual
        var reason = DueReason.usual
        if let cadence = known.cadence {
            let gap = min(cadence.gap, known.rhythm.plannedGap ?? .max)
            (interval, reason) = (max(gap, now.seconds - cadence.newest.seconds) / 24, .cadence)
        } else if let planned = known.rhythm.plannedGap {
            (interval, reason) = (planned / 24, .publisher)
        } else if let drift {
            // Slowly longer: a show that ended drifts to daily within weeks.
            (interval, reason) = (drift + drift / 20, .unchanged)
        }
        if interval > longest { return (longest, .daily) }
        if interval < shortest { return (shortest, .hourly) }
        return (interval, reason)
    }

    private func interval(after failure: FetchFailure, inARow: Int) -> Int64 {
        if failure == .status(410) { return weekly }
        // A server that denies access gets no request for hours.
        let first: Int64 =
            if [.status(403), .status(401), .loginRejected].contains(failure) {
                usual
            } else if failure.costNobody {
                shortest / 5
            } else {
                shortest
            }
        let doublings = min(max(inARow - 1, 0), 16)
        return min(first << Int64(doublings), longest)
    }

    /// Up to a tenth of the interval, at most half an hour.
    private func jitter(_ feed: FeedID, within interval: Int64) -> Int64 {
        offset(feed, below: min(interval / 10, 1800))
    }

    /// The same for a feed in every run.
    private func offset(_ feed: FeedID, below range: Int64) -> Int64 {
        guard range > 0 else { return 0 }
        var mixed = UInt64(bitPattern: feed.rawValue) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed >> 32
        return Int64(mixed % UInt64(range))
    }
}

extension Cadence {
    /// Whether an episode should have come by now, of a show that has not ended.
    func isOverdue(at now: Timestamp) -> Bool {
        let silence = now.seconds - newest.seconds
        return silence > gap + gap / 2 && silence / 10 < gap
    }
}

extension UpdateRhythm {
    /// The instant itself or, if it is in quiet hours or days, their end.
    func end(ofQuietAt instant: Timestamp) -> Timestamp {
        guard quietHours != 0 || quietDays != 0 else { return instant }
        let first = (instant.seconds - Self.modulo(instant.seconds, 3600)) / 3600
        // Not every hour of every day is quiet, so within eight days one is not.
        let loud = (first...first + 8 * 24).first { !isQuiet(inHour: $0) }
        return loud.flatMap { $0 == first ? nil : Timestamp(seconds: $0 * 3600) } ?? instant
    }

    /// Hours are counted since 1970, which began on a Thursday.
    private func isQuiet(inHour hour: Int64) -> Bool {
        let ofDay = Self.modulo(hour, 24)
        let day = Self.modulo((hour - ofDay) / 24 + 4, 7)
        return quietHours >> UInt32(ofDay) & 1 == 1 || quietDays >> UInt8(day) & 1 == 1
    }

    private static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 { (value % divisor + divisor) % divisor }
}
