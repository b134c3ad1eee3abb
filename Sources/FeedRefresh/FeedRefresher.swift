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
/// What came is written a little later, several feeds in a commit: a commit for each would cost more than fetching it.
/// A kill in between loses only what the next run fetches again.
public final class FeedRefresher {
    private let store: any RefreshStore
    private let fetcher: FeedFetcher
    private let clock: any RefreshClock
    private let activities: any ActivityReporting
    private let schedule: RefreshSchedule
    private let limits: RefreshPlan.Limits
    private var unwritten = Unwritten()

    /// What came and is not in the library yet.
    private struct Unwritten {
        static let mostFeeds = 100
        static let mostItems = 200
        static let longestDelay: Int64 = 500

        var unchanged: [(report: FeedReport, fetch: FetchRecord)] = []
        var documents: [(report: FeedReport, document: LibraryModel.FeedDocument)] = []
        var items = 0
        var since: Int64?

        func isDue(at now: Int64) -> Bool {
            guard let since else { return false }
            return unchanged.count >= Self.mostFeeds || items >= Self.mostItems || now - since >= Self.longestDelay
        }
    }

    /// What a fetch means for the library.
    private enum Settlement {
        case unchanged(FeedReport, FetchRecord)
        case document(FeedReport, LibraryModel.FeedDocument)
        case failed(FeedReport, FetchRecord)
    }

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
        unwritten = Unwritten()
        var ended = 0
        var told: Int64 = 0
        func done(_ feedReport: FeedReport) {
            summary.count(feedReport)
            report(feedReport)
        }
        func work() throws(LibraryError) {
            let now = clock.monotonicMilliseconds
            if unwritten.isDue(at: now) { try write(done) }
            if now - told >= 100 {
                told = now
                activity.update(
                    subject: "\(ended) of \(targets.count)", progress: Double(ended) / Double(targets.count))
            }
            tick()
        }
        let requests = targets.map { target in
            FeedRequest(
                url: target.url, etag: target.etag, lastModified: target.lastModified, knownDigest: target.bodyDigest)
        }
        try fetcher.fetchAll(requests, limits: limits, clock: clock, tick: work) {
            (index, result) throws(LibraryError) in
            ended += 1
            switch result {
            case .fetched(let result): try take(settlement(of: result, for: targets[index]), done)
            case .postponed(let seconds): try take(postponement(of: targets[index], seconds: seconds), done)
            }
        }
        try write(done)
        return summary
    }

    /// Writes what a fetch of a feed brought, and says when it is due again.
    ///
    /// - Returns: nil when the feed is not in the library any more.
    public func store(_ result: FeedFetchResult, of target: RefreshTarget) throws(LibraryError) -> FeedReport? {
        unwritten = Unwritten()
        var feedReport: FeedReport?
        try take(settlement(of: result, for: target)) { feedReport = $0 }
        try write { feedReport = $0 }
        return feedReport
    }

    // MARK: - Writing

    private func take(_ settlement: Settlement, _ done: (FeedReport) -> Void) throws(LibraryError) {
        switch settlement {
        case .unchanged(let report, let fetch): unwritten.unchanged.append((report, fetch))
        case .document(let report, let document):
            unwritten.documents.append((report, document))
            unwritten.items += document.contents.items.count
        case .failed(let report, let fetch):
            do throws(LibraryError) {
                try store.recordFailure(report.target.id, fetch)
                done(report)
            } catch {
                // A feed that somebody unsubscribed from needs no record.
                guard case .notFound = error else { throw error }
            }
            return
        }
        let now = clock.monotonicMilliseconds
        unwritten.since = unwritten.since ?? now
        if unwritten.isDue(at: now) { try write(done) }
    }

    private func write(_ done: (FeedReport) -> Void) throws(LibraryError) {
        let batch = unwritten
        unwritten = Unwritten()
        if !batch.documents.isEmpty {
            let results = try store.merge(batch.documents.map(\.document))
            for (merged, result) in zip(batch.documents, results) {
                guard let result else { continue }
                var report = merged.report
                report.outcome = .merged(result)
                done(report)
            }
        }
        if !batch.unchanged.isEmpty {
            try store.recordUnchanged(batch.unchanged.map { ($0.report.target.id, $0.fetch) })
            for (report, _) in batch.unchanged { done(report) }
        }
    }

    // MARK: - Deciding

    private func settlement(of result: FeedFetchResult, for target: RefreshTarget) -> Settlement {
        let now = clock.now
        let wishes = result.answer?.wishes ?? RefreshSchedule.ServerWishes()
        var record = FetchRecord(
            time: now, httpStatus: result.answer?.status, etag: result.answer?.etag,
            lastModified: result.answer?.lastModified, bodyDigest: result.digest,
            movedTo: result.permanentURL(from: target.url), nextDue: now, bytes: result.bytes)
        switch result.outcome {
        case .notModified, .sameBody:
            // What is as before need not be written again; the store keeps what the record leaves out.
            if record.etag == target.etag { record.etag = nil }
            if record.lastModified == target.lastModified { record.lastModified = nil }
            record.bodyDigest = nil
            record.nextDue = schedule.nextDue(
                target.id, after: .unchanged, wishes: wishes, previous: target.interval, at: now)
            return .unchanged(report(target, record, .unchanged), record)
        case .document(let document):
            let contents = document.contents
            if document.isTruncated {
                // What follows is unknown: the next try has to fetch all of it.
                (record.etag, record.lastModified, record.bodyDigest) = (nil, nil, nil)
            }
            record.nextDue = schedule.nextDue(
                target.id, after: .read(published: contents.items.compactMap(\.published)), wishes: wishes, at: now)
            return .document(
                report(target, record, .unchanged),
                LibraryModel.FeedDocument(feed: target.id, contents: contents, fetch: record))
        case .failed(let failure):
            record.movedTo = nil
            record.error = failure.description
            record.nextDue = schedule.nextDue(
                target.id, after: .failed(failure, inARow: target.failures + 1), wishes: wishes, at: now)
            return .failed(report(target, record, .failed(failure)), record)
        }
    }

    private func postponement(of target: RefreshTarget, seconds: Int64) -> Settlement {
        let now = clock.now
        let due = schedule.nextDue(
            target.id, after: .failed(.status(429), inARow: 1), wishes: .init(retryAfter: seconds), at: now)
        let record = FetchRecord(time: now, error: "put off: its host wants fewer requests", nextDue: due)
        return .failed(report(target, record, .postponed(seconds: seconds)), record)
    }

    private func report(
        _ target: RefreshTarget, _ record: FetchRecord, _ outcome: FeedReport.Outcome
    ) -> FeedReport {
        FeedReport(
            target: target, outcome: outcome, httpStatus: record.httpStatus, movedTo: record.movedTo,
            nextDue: record.nextDue)
    }
}
