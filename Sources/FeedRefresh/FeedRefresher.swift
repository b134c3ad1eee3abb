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
///
/// Feeds with nothing new are recorded together, at the latest a second after the first of them came: a commit for
/// each would cost more than fetching it. A kill in between loses only the knowledge that they were looked at.
public final class FeedRefresher {
    private static let largestBatch = 100
    private static let longestDelay: Int64 = 1000

    private let store: any RefreshStore
    private let fetcher: FeedFetcher
    private let clock: any RefreshClock
    private let activities: any ActivityReporting
    private let schedule: RefreshSchedule
    private let limits: RefreshPlan.Limits
    private var unwritten: [(report: FeedReport, fetch: FetchRecord)] = []
    private var unwrittenSince: Int64 = 0

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

    /// Brings feeds up to date. Feeds that somebody unsubscribes from meanwhile are passed over.
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
        unwritten.removeAll()
        var ended = 0
        var told: Int64 = 0
        let requests = targets.map { target in
            FeedRequest(
                url: target.url, etag: target.etag, lastModified: target.lastModified, knownDigest: target.bodyDigest)
        }
        func count(_ feedReport: FeedReport) {
            summary.count(feedReport)
            report(feedReport)
        }
        try fetcher.fetchAll(requests, limits: limits, clock: clock, tick: tick) {
            (index, result) throws(LibraryError) in
            ended += 1
            let now = clock.monotonicMilliseconds
            switch result {
            case .fetched(let result):
                if let record = unchanged(result, targets[index]) {
                    if unwritten.isEmpty { unwrittenSince = now }
                    unwritten.append(record)
                } else if let feedReport = try store(result, of: targets[index]) {
                    count(feedReport)
                }
            case .postponed(let seconds):
                if let feedReport = try postpone(targets[index], seconds: seconds) { count(feedReport) }
            }
            if unwritten.count >= Self.largestBatch || now - unwrittenSince >= Self.longestDelay {
                try writeUnchanged(count)
            }
            if now - told >= 100 {
                told = now
                activity.update(
                    subject: "\(ended) of \(targets.count)", progress: Double(ended) / Double(targets.count))
            }
        }
        try writeUnchanged(count)
        return summary
    }

    /// Writes what a fetch of a feed brought, and says when it is due again.
    ///
    /// - Returns: nil when the feed is not in the library any more.
    public func store(_ result: FeedFetchResult, of target: RefreshTarget) throws(LibraryError) -> FeedReport? {
        if let unchanged = unchanged(result, target) {
            return try written { () throws(LibraryError) in
                try store.recordUnchanged(target.id, unchanged.fetch)
                return unchanged.report
            }
        }
        var record = record(result, target)
        let wishes = result.answer?.wishes ?? RefreshSchedule.ServerWishes()
        return try written { () throws(LibraryError) in
            switch result.outcome {
            case .notModified, .sameBody: return nil
            case .document(let document):
                var contents = document.contents
                if document.isTruncated {
                    // Its last item may be half of one, and what follows is unknown: the next try has to fetch it all.
                    if !contents.items.isEmpty { contents.items.removeLast() }
                    (record.etag, record.lastModified, record.bodyDigest) = (nil, nil, nil)
                }
                record.nextDue = schedule.nextDue(
                    target.id, after: .read(published: contents.items.compactMap(\.published)), wishes: wishes,
                    at: record.time)
                return report(target, record, .merged(try store.merge(contents, into: target.id, record)))
            case .failed(let failure):
                record.movedTo = nil
                record.error = failure.description
                record.nextDue = schedule.nextDue(
                    target.id, after: .failed(failure, inARow: target.failures + 1), wishes: wishes, at: record.time)
                try store.recordFailure(target.id, record)
                return report(target, record, .failed(failure))
            }
        }
    }

    private func writeUnchanged(_ count: (FeedReport) -> Void) throws(LibraryError) {
        if unwritten.isEmpty { return }
        try store.recordUnchanged(unwritten.map { ($0.report.target.id, $0.fetch) })
        for (report, _) in unwritten { count(report) }
        unwritten.removeAll(keepingCapacity: true)
    }

    /// What is to be written for a feed with nothing new; nil for any other.
    private func unchanged(
        _ result: FeedFetchResult, _ target: RefreshTarget
    ) -> (report: FeedReport, fetch: FetchRecord)? {
        switch result.outcome {
        case .document, .failed: return nil
        case .notModified, .sameBody: break
        }
        var record = record(result, target)
        // A 304 need not repeat what still holds (RFC 9110 section 15.4.5).
        record.etag = record.etag ?? target.etag
        record.lastModified = record.lastModified ?? target.lastModified
        record.bodyDigest = target.bodyDigest
        record.nextDue = schedule.nextDue(
            target.id, after: .unchanged, wishes: result.answer?.wishes ?? .init(), previous: target.interval,
            at: record.time)
        return (report(target, record, .unchanged), record)
    }

    private func postpone(_ target: RefreshTarget, seconds: Int64) throws(LibraryError) -> FeedReport? {
        let now = clock.now
        let due = schedule.nextDue(
            target.id, after: .failed(.status(429), inARow: 1), wishes: .init(retryAfter: seconds), at: now)
        let record = FetchRecord(time: now, error: "put off: its host wants fewer requests", nextDue: due)
        return try written { () throws(LibraryError) in
            try store.recordFailure(target.id, record)
            return report(target, record, .postponed(seconds: seconds))
        }
    }

    /// A feed that is gone needs no record.
    private func written(_ body: () throws(LibraryError) -> FeedReport?) throws(LibraryError) -> FeedReport? {
        do throws(LibraryError) {
            return try body()
        } catch {
            guard case .notFound = error else { throw error }
            return nil
        }
    }

    private func record(_ result: FeedFetchResult, _ target: RefreshTarget) -> FetchRecord {
        let now = clock.now
        return FetchRecord(
            time: now, httpStatus: result.answer?.status, etag: result.answer?.etag,
            lastModified: result.answer?.lastModified, bodyDigest: result.digest,
            movedTo: result.permanentURL(from: target.url), nextDue: now, bytes: result.bytes)
    }

    private func report(
        _ target: RefreshTarget, _ record: FetchRecord, _ outcome: FeedReport.Outcome
    ) -> FeedReport {
        FeedReport(
            target: target, outcome: outcome, httpStatus: record.httpStatus, movedTo: record.movedTo,
            nextDue: record.nextDue)
    }
}
