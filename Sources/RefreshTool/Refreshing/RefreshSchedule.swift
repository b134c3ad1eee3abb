internal import Library
internal import PodcastModel

/// Decides when a feed is tried next, and why. A pure value.
///
/// Refreshes never stop silently. A failing feed is tried less and less often, but at least daily; if the publisher
/// says that the feed is gone (410), refreshes stop and the user is notified. A working feed is tried according to its
/// own rhythm. The intervals are a little shorter than whole hours and days, so that a cron job at whole hours finds
/// each feed due.
struct RefreshSchedule: Equatable {
    /// Minimum seconds between two attempts for a working feed.
    let shortest: Int64 = 50 * 60
    /// Maximum seconds between two attempts for any feed that is not gone.
    let longest: Int64 = 23 * 3600
    /// Seconds between two attempts for a feed of unknown rhythm.
    let usual: Int64 = 4 * 3600
    /// Seconds between attempts for a complete feed, and between full responses; also the limit of `Retry-After`.
    let weekly: Int64 = 7 * 86_400

    enum Outcome: Equatable {
        case read, unchanged
        /// `inARow` includes this failure.
        case failed(FetchFailure, inARow: Int)
    }

    struct ServerHints: Equatable {
        /// `Retry-After` in seconds from now, RFC 9110 section 10.2.3.
        var retryAfter: Int64?
        /// `max-age` of `Cache-Control` in seconds, RFC 9111 section 5.2.2.1.
        var maxAge: Int64?
    }

    /// Knowledge about a feed besides the result of the attempt.
    struct Knowledge: Equatable {
        var hints = ServerHints()
        var rhythm = UpdateRhythm()
        /// Publishing frequency; nil if unknown.
        var cadence: Cadence?
        /// The interval in seconds that was planned before this attempt, if any.
        var previous: Int64?
    }

    struct Plan: Equatable {
        var due: Timestamp
        var reason: DueReason
    }

    /// When to try next.
    /// - Parameters:
    ///   - feed: each feed has its own constant offset, so that not all of them are due at the same time.
    ///   - now: end of the attempt.
    func next(
        _ feed: FeedID, after outcome: Outcome, knowing known: Knowledge = Knowledge(), at now: Timestamp
    ) -> Plan {
        var (interval, reason): (Int64, DueReason)
        switch outcome {
        case .failed(let failure, let inARow):
            interval = self.interval(after: failure, inARow: inARow)
            reason = .failure
            if failure == .status(410) { reason = .gone }
            if let wanted = known.hints.retryAfter, min(wanted, weekly) > interval {
                interval = min(wanted, weekly)
                reason = .server
            }
            return Plan(due: now.adding(seconds: interval + jitter(feed, within: interval)), reason: reason)
        case .read: (interval, reason) = ownInterval(known, drift: nil, at: now)
        case .unchanged: (interval, reason) = ownInterval(known, drift: known.previous, at: now)
        }
        for (hint, whose) in [(known.rhythm.patience, DueReason.publisher), (known.hints.maxAge, .server)] {
            if let hint, min(hint, longest) > interval {
                interval = min(hint, longest)
                reason = whose
            }
        }
        let due = now.adding(seconds: interval + jitter(feed, within: interval))
        let loud = known.rhythm.end(ofQuietAt: due)
        if loud == due { return Plan(due: due, reason: reason) }
        return Plan(due: loud.adding(seconds: jitter(feed, within: 3 * 3600)), reason: .quietTime)
    }

    /// True if the next request should be unconditional, because some hosts answer "not modified" for hours after the
    /// feed has changed: weekly, on a day of the feed's own; daily after a wrong "not modified" or if an episode is
    /// overdue.
    /// - Parameters:
    ///   - last: time of the last response with a body.
    ///   - falseUnchanged: number of wrong "not modified" responses.
    func isFullFetchDue(
        _ feed: FeedID, last: Timestamp?, falseUnchanged: Int = 0, cadence: Cadence? = nil, at now: Timestamp
    ) -> Bool {
        guard let last, last <= now else { return true }
        return now >= nextFullFetch(feed, last: last, falseUnchanged: falseUnchanged, cadence: cadence, at: now)
    }

    /// Time from which `isFullFetchDue` is true.
    func nextFullFetch(
        _ feed: FeedID, last: Timestamp, falseUnchanged: Int = 0, cadence: Cadence? = nil, at now: Timestamp
    ) -> Timestamp {
        let isSuspect = falseUnchanged > 0 || (cadence?.isOverdue(at: now) ?? false)
        let interval = isSuspect ? longest : weekly
        return last.adding(seconds: interval - offset(feed, below: interval / 7))
    }

    /// The interval that the feed itself suggests: a twenty-fourth of the usual gap between episodes, so hourly for a
    /// daily show, every seven hours for a weekly one. If a show has been silent for longer than its gap, the silence
    /// counts instead.
    private func ownInterval(_ known: Knowledge, drift: Int64?, at now: Timestamp) -> (Int64, DueReason) {
        if known.rhythm.isComplete { return (weekly, .complete) }
        var interval = usual
        var reason = DueReason.usual
        if let cadence = known.cadence {
            let gap = min(cadence.gap, known.rhythm.plannedGap ?? .max)
            interval = max(gap, now.seconds - cadence.newest.seconds) / 24
            reason = .cadence
        } else if let planned = known.rhythm.plannedGap {
            interval = planned / 24
            reason = .publisher
        } else if let drift {
            // Slowly longer: a show that ended drifts to daily within weeks.
            interval = drift + drift / 20
            reason = .unchanged
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
            } else if !failure.reachedServer {
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

    /// A constant offset per feed, below `range`.
    private func offset(_ feed: FeedID, below range: Int64) -> Int64 {
        guard range > 0 else { return 0 }
        var mixed = UInt64(bitPattern: feed.rawValue) &* 0x9E37_79B9_7F4A_7C15
        mixed ^= mixed >> 32
        return Int64(mixed % UInt64(range))
    }
}

extension Cadence {
    /// True if an episode should have appeared by now, for a show that has not ended.
    func isOverdue(at now: Timestamp) -> Bool {
        let silence = now.seconds - newest.seconds
        return silence > gap + gap / 2 && silence / 10 < gap
    }
}

extension UpdateRhythm {
    /// The time itself or, if it is in quiet hours or days, their end.
    func end(ofQuietAt instant: Timestamp) -> Timestamp {
        guard quietHours != 0 || quietDays != 0 else { return instant }
        let first = (instant.seconds - modulo(instant.seconds, 3600)) / 3600
        // Not every hour of every day is quiet, so within eight days one is not.
        let loud = (first...first + 8 * 24).first { !isQuiet(inHour: $0) }
        return loud.flatMap { $0 == first ? nil : Timestamp(seconds: $0 * 3600) } ?? instant
    }

    /// Hours are counted since 1970, which began on a Thursday.
    private func isQuiet(inHour hour: Int64) -> Bool {
        let ofDay = modulo(hour, 24)
        let day = modulo((hour - ofDay) / 24 + 4, 7)
        return quietHours >> UInt32(ofDay) & 1 == 1 || quietDays >> UInt8(day) & 1 == 1
    }

    private func modulo(_ value: Int64, _ divisor: Int64) -> Int64 { (value % divisor + divisor) % divisor }
}
