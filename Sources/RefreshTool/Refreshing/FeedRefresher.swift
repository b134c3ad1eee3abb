internal import HTTP
internal import Library
internal import PodcastModel
internal import Reporting

/// Refreshes feeds: fetches by plan, merges documents, records results. Belongs to one thread, on which transfers,
/// parsing and the library alternate, so that they need no locks.
///
/// Results are written with a short delay, several feeds in a commit, because a commit per feed would cost more than
/// fetching. If the process is killed in between, the next run fetches the unwritten feeds again.
final class FeedRefresher {
    let store: any RefreshStore
    let fetcher: FeedFetcher
    let clock: any RefreshClock
    let activities: ActivityBoard
    let schedule = RefreshSchedule()
    let limits: RefreshPlan.Limits
    let pageLimits: PageLimits
    let access: (RefreshTarget) -> HTTPAccess
    private(set) var isForced = false
    var unwritten = Unwritten()

    /// Results that are not in the library yet.
    struct Unwritten {
        static let mostFeeds = 100
        static let mostItems = 200
        static let longestDelay = Duration.milliseconds(500)

        var unchanged: [(report: FeedReport, fetch: FetchRecord)] = []
        var documents: [(report: FeedReport, document: FetchedDocument)] = []
        /// When the first of them came; nil without any.
        var since: Instant?

        func isDue(at now: Instant) -> Bool {
            guard let since else { return false }
            let items = documents.lazy.map(\.document.contents.items.count).reduce(0, +)
            return unchanged.count >= Self.mostFeeds || items >= Self.mostItems || now - since >= Self.longestDelay
        }
    }

    /// `access` returns user agent and login for each feed.
    init(
        store: any RefreshStore, fetcher: FeedFetcher, clock: any RefreshClock, activities: ActivityBoard,
        limits: RefreshPlan.Limits = RefreshPlan.Limits(), pageLimits: PageLimits = PageLimits(),
        access: @escaping (RefreshTarget) -> HTTPAccess = { HTTPAccess(userAgent: $0.userAgent) }
    ) {
        self.store = store
        self.fetcher = fetcher
        self.clock = clock
        self.activities = activities
        self.limits = limits
        self.pageLimits = pageLimits
        self.access = access
        fetcher.attempts = store.attempts
    }

    /// Refreshes feeds. Skips feeds that are unsubscribed meanwhile.
    /// - Parameters:
    ///   - targets: most urgent first.
    ///   - isForced: true if the user requested everything: older pages of changed feeds are read to the last.
    ///   - tick: called after each wait, at least every half second, for other work of the thread.
    ///   - report: called for each feed when its result is in the library.
    /// - Throws: errors of the library. Feeds that were reported before are stored, the others stay unchanged.
    func refresh(
        _ targets: [RefreshTarget], isForced: Bool = false, tick: () -> Void = {}, report: (FeedReport) -> Void
    ) throws(LibraryError) -> RefreshSummary {
        var summary = RefreshSummary()
        self.isForced = isForced
        if targets.isEmpty { return summary }
        let activity = activities.begin(
            .refreshing, "Refreshing feeds", subject: "0 of \(targets.count)", progress: 0, parent: nil)
        defer { activity.end() }
        unwritten = Unwritten()
        var ended = 0
        var lastUpdate = Instant.distantPast
        var unverified: [(report: FeedReport, move: FeedMove)] = []
        var paged: [FeedReport] = []
        func finish(_ feedReport: FeedReport) {
            summary.count(feedReport)
            report(feedReport)
        }
        func verify(_ feedReport: FeedReport) {
            if case .unverified(let move) = feedReport.move {
                unverified.append((feedReport, move))
            } else {
                finish(feedReport)
            }
        }
        func done(_ feedReport: FeedReport) {
            if feedReport.pages == nil { verify(feedReport) } else { paged.append(feedReport) }
        }
        func work() throws(LibraryError) {
            let now = clock.now
            try writeIfDue(done)
            if now - lastUpdate >= .milliseconds(100) {
                lastUpdate = now
                activity.update(
                    subject: "\(ended) of \(targets.count)", progress: Double(ended) / Double(targets.count))
            }
            tick()
        }
        // A document that crashed an earlier run may do so again: by then the results of the others are written.
        for group in [targets.filter { !$0.isBrokenOff }, targets.filter(\.isBrokenOff)] {
            try fetchAll(group.map(request), tick: work) { (index, result) throws(LibraryError) in
                ended += 1
                try record(result, of: group[index], done)
            }
            try write(done)
        }
        try followPages(of: paged, tick: tick, report: verify)
        try verifyMoves(of: unverified, tick: tick, finish)
        return summary
    }

    /// Fetches within the limits, and nothing from hosts that accept no requests at present.
    func fetchAll(
        _ requests: [FeedRequest], tick: () throws(LibraryError) -> Void,
        handle: (_ index: Int, _ result: FeedFetchResult) throws(LibraryError) -> Void
    ) throws(LibraryError) {
        try fetcher.fetchAll(
            requests, limits: limits, pausedHosts: try pausedHosts(), clock: clock, tick: tick, handle: handle)
    }

    /// Hosts (with ports) whose Retry-After of an earlier run is still valid, and the remaining seconds.
    func pausedHosts() throws(LibraryError) -> [String: Int64] {
        let now = clock.wallTime
        return try store.pausedHosts(at: now).mapValues { end in
            min(max(end.seconds - now.seconds, 1), schedule.weekly)
        }
    }

    /// Writes a fetch's result; returns when the feed is due, or nil if the library has the feed no more.
    func store(_ result: FeedFetchResult, of target: RefreshTarget) throws(LibraryError) -> FeedReport? {
        unwritten = Unwritten()
        var feedReport: FeedReport?
        try record(result, of: target) { feedReport = $0 }
        try write { feedReport = $0 }
        return feedReport
    }

    // MARK: - Writing

    /// Records that a host accepts no requests for a while.
    func recordRetryAfter(_ result: FeedFetchResult, wantedBy url: String) throws(LibraryError) {
        guard let seconds = result.retryAfter(of: url) else { return }
        let now = clock.wallTime
        try store.pauseHost(
            WebAddress.authority(of: url), until: now.adding(seconds: min(seconds, schedule.weekly)), at: now)
    }

    func writeIfDue(_ done: (FeedReport) -> Void) throws(LibraryError) {
        let now = clock.now
        if unwritten.since == nil, !unwritten.unchanged.isEmpty || !unwritten.documents.isEmpty {
            unwritten.since = now
        }
        if unwritten.isDue(at: now) { try write(done) }
    }

    private func write(_ done: (FeedReport) -> Void) throws(LibraryError) {
        let batch = exchange(&unwritten, with: Unwritten())
        if !batch.documents.isEmpty {
            let results = try store.merge(batch.documents.map(\.document))
            for (merged, result) in zip(batch.documents, results) {
                guard let result else { continue }
                var report = merged.report
                report.outcome = .merged(result)
                report.pages = result.walk ?? waitingPages(of: report.target)
                report.newestDigest = merged.document.fetch.bodyDigest
                done(report)
            }
        }
        if !batch.unchanged.isEmpty {
            try store.recordUnchanged(batch.unchanged.map { ($0.report.target.id, $0.fetch) })
            for var (report, _) in batch.unchanged {
                report.pages = waitingPages(of: report.target)
                report.newestDigest = report.target.bodyDigest
                done(report)
            }
        }
    }
}
