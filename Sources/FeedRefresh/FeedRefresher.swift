public import Activity
internal import FeedParsing
public import LibraryModel
public import PodcastModel

/// What became of one feed in a run.
public struct FeedReport: Equatable, Sendable {
    /// What came of it.
    public enum Outcome: Equatable, Sendable {
        /// A document was merged.
        case merged(MergeResult)
        /// Nothing was new.
        case unchanged
        /// It could not be brought up to date; all it had stays.
        case failed(FetchFailure)
        /// It was not asked for, because its host wants no requests for so many seconds.
        case postponed(seconds: Int64)
    }

    /// The feed as it was before.
    public var target: RefreshTarget
    /// What came of it.
    public var outcome: Outcome
    /// HTTP status of the final answer.
    public var httpStatus: Int?
    /// Where permanent redirects led.
    public var movedTo: String?
    /// When it is tried next.
    public var nextDue: Timestamp

    /// A report.
    public init(
        target: RefreshTarget, outcome: Outcome, httpStatus: Int?, movedTo: String? = nil, nextDue: Timestamp
    ) {
        self.target = target
        self.outcome = outcome
        self.httpStatus = httpStatus
        self.movedTo = movedTo
        self.nextDue = nextDue
    }
}

/// What became of a run.
public struct RefreshSummary: Equatable, Sendable {
    /// Feeds that were asked for or postponed.
    public var feeds = 0
    /// Feeds with new or changed rows.
    public var changed = 0
    /// Feeds that failed or were postponed.
    public var failed = 0
    /// New episodes of all feeds.
    public var newEpisodes = 0
    /// Nothing was done.
    public init() {}

    mutating func count(_ report: FeedReport) {
        feeds += 1
        switch report.outcome {
        case .merged(let merge):
            newEpisodes += merge.added.count
            if !merge.added.isEmpty || !merge.changed.isEmpty { changed += 1 }
        case .unchanged: break
        case .failed, .postponed: failed += 1
        }
    }
}

/// Brings feeds up to date: fetches what a plan says, merges what came, records how it went. Belongs to one thread and
/// does all on it: transfers, parsing and the library take turns, so that nothing waits for a lock.
public final class FeedRefresher {
    private let store: any RefreshStore
    private let fetcher: FeedFetcher
    private let clock: any RefreshClock
    private let activities: any ActivityReporting
    private let schedule: RefreshSchedule
    private let limits: RefreshPlan.Limits

    /// A refresher of its own parts.
    public init(
        store: any RefreshStore, fetcher: FeedFetcher, clock: any RefreshClock, activities: any ActivityReporting,
        schedule: RefreshSchedule = RefreshSchedule(), limits: RefreshPlan.Limits = RefreshPlan.Limits()
    ) {
        self.store = store
        self.fetcher = fetcher
        self.clock = clock
        self.activities = activities
        self.schedule = schedule
        self.limits = limits
    }

    /// Brings feeds up to date.
    ///
    /// - Parameters:
    ///   - targets: the feeds, the most urgent first.
    ///   - tick: called after each wait, at least every half second; what else the thread has to do.
    ///   - report: called for each feed once its outcome is in the library.
    /// - Throws: what the library throws. Feeds that were reported before are stored, the others stay as they were.
    public func refresh(
        _ targets: [RefreshTarget], tick: () -> Void = {}, report: (FeedReport) -> Void
    ) throws(LibraryError) -> RefreshSummary {
        var summary = RefreshSummary()
        if targets.isEmpty { return summary }
        let activity = activities.begin(
            .refreshing, "Refreshing feeds", subject: "0 of \(targets.count)", progress: 0, parent: nil)
        defer { activity.end() }
        var told: Int64 = 0
        let requests = targets.map { target in
            FeedRequest(
                url: target.url, etag: target.etag, lastModified: target.lastModified, knownDigest: target.bodyDigest)
        }
        try fetcher.fetchAll(requests, limits: limits, clock: clock, tick: tick) {
            (index, result) throws(LibraryError) in
            let feedReport =
                switch result {
                case .fetched(let result): try store(result, of: targets[index])
                case .postponed(let seconds): try postpone(targets[index], seconds: seconds)
                }
            summary.count(feedReport)
            report(feedReport)
            let now = clock.monotonicMilliseconds
            if now - told >= 100 {
                told = now
                activity.update(
                    subject: "\(summary.feeds) of \(targets.count)",
                    progress: Double(summary.feeds) / Double(targets.count))
            }
        }
        return summary
    }

    /// Writes what a fetch of a feed brought, and says when it is due again.
    public func store(_ result: FeedFetchResult, of target: RefreshTarget) throws(LibraryError) -> FeedReport {
        let now = clock.now
        let wishes = result.answer?.wishes ?? RefreshSchedule.ServerWishes()
        var record = FetchRecord(
            time: now, httpStatus: result.answer?.status, etag: result.answer?.etag,
            lastModified: result.answer?.lastModified, bodyDigest: result.digest,
            movedTo: result.permanentURL(from: target.url), nextDue: now, bytes: result.bytes)
        let outcome: FeedReport.Outcome
        switch result.outcome {
        case .notModified, .sameBody:
            // A 304 need not repeat what still holds (RFC 9110 section 15.4.5).
            record.etag = record.etag ?? target.etag
            record.lastModified = record.lastModified ?? target.lastModified
            record.bodyDigest = target.bodyDigest
            record.nextDue = schedule.nextDue(
                target.id, after: .unchanged, wishes: wishes, previous: target.interval, at: now)
            try store.recordUnchanged(target.id, record)
            outcome = .unchanged
        case .document(let document):
            var contents = document.contents
            if document.isTruncated {
                // Its last item may be half of one, and what follows is unknown: the next try has to fetch all of it.
                if !contents.items.isEmpty { contents.items.removeLast() }
                (record.etag, record.lastModified, record.bodyDigest) = (nil, nil, nil)
            }
            record.nextDue = schedule.nextDue(
                target.id, after: .read(published: contents.items.compactMap(\.published)), wishes: wishes, at: now)
            outcome = .merged(try store.merge(contents, into: target.id, record))
        case .failed(let failure):
            record.movedTo = nil
            record.error = failure.description
            record.nextDue = schedule.nextDue(
                target.id, after: .failed(failure, inARow: target.failures + 1), wishes: wishes, at: now)
            try store.recordFailure(target.id, record)
            outcome = .failed(failure)
        }
        return FeedReport(
            target: target, outcome: outcome, httpStatus: record.httpStatus, movedTo: record.movedTo,
            nextDue: record.nextDue)
    }

    private func postpone(_ target: RefreshTarget, seconds: Int64) throws(LibraryError) -> FeedReport {
        let now = clock.now
        let failure = FetchFailure.status(429)
        let due = schedule.nextDue(
            target.id, after: .failed(failure, inARow: 1), wishes: .init(retryAfter: seconds), at: now)
        try store.recordFailure(
            target.id, FetchRecord(time: now, error: "put off: its host wants fewer requests", nextDue: due))
        return FeedReport(target: target, outcome: .postponed(seconds: seconds), httpStatus: nil, nextDue: due)
    }
}
