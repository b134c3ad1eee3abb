internal import HTTP
internal import FeedDocuments
internal import Library
internal import PodcastModel

/// Limits of one walk over a feed's older pages. The defaults suffice for the whole back catalogue of any podcast.
struct PageLimits: Equatable {
    var pages = 200
    var items = 100_000
    /// Bytes of all pages on the wire.
    var bytes: Int64 = 64 << 20
    /// Number of consecutive permanent failures after which a page counts as missing.
    var finalFailures = 5
}

extension PageWalk {
    /// The walk to begin at a feed's newest page; nil if the page links to no older one.
    /// - Parameters:
    ///   - target: the feed before the refresh.
    ///   - isForced: true if the user requested everything.
    ///   - isWeekly: true if the body was requested because a week has passed.
    /// - Returns: the walk, and true if it begins only if no episode of the page is known.
    static func beginning(
        from channel: Channel, of target: RefreshTarget, isForced: Bool, isWeekly: Bool, at now: Timestamp
    ) -> (walk: PageWalk, onlyOverGap: Bool)? {
        guard let url = channel.olderPage, StoredLimits.isStorable(url: url) else { return nil }
        func walk(_ reason: Reason) -> PageWalk { PageWalk(reason: reason, time: now, pending: Pending(url: url)) }
        guard let before = target.pageWalk else { return (walk(.first), false) }
        if isForced { return (walk(.forced), false) }
        // Archives do not change.
        if isWeekly && channel.nextPage != nil && before.end != nil { return (walk(.weekly), false) }
        // The unread pages follow the gap.
        return (walk(before.end == nil ? .first : .gap), true)
    }

    func isDue(isForced: Bool, at now: Timestamp) -> Bool {
        guard let pending else { return false }
        return isForced || pending.due.map { $0 <= now } ?? true
    }
}

/// Decides for each fetched older page of a feed what to merge and which page is next. No network, no library.
struct PageTrail {
    private(set) var report: FeedReport
    private(set) var walk: PageWalk
    /// True if no page remains to fetch in this run.
    private(set) var isOver = false

    private let limits: PageLimits
    private var visited: Set<String>
    private var digests: Set<String> = []
    private var bytes: Int64 = 0
    private var page = (items: 0, oldest: Timestamp?.none, next: String?.none, isWhole: true)

    /// A new trail, or the continuation of an earlier run's.
    init(_ report: FeedReport, _ walk: PageWalk, newestDigest: String?, limits: PageLimits) {
        self.report = report
        self.walk = walk
        self.limits = limits
        visited = [report.target.url]
        if let newestDigest { digests.insert(newestDigest) }
        if let url = walk.pending?.url, visited.contains(key(url)) { end(.circle) }
    }

    var nextURL: String? { isOver ? nil : walk.pending?.url }

    /// Handles a fetched page. Returns the document to merge; nil for a page that was read before.
    mutating func read(_ document: FeedDocument, _ result: FeedFetchResult, at now: Timestamp) -> FetchedDocument? {
        guard let pending = walk.pending else { return nil }
        walk.time = now
        bytes += result.bytes
        visited.insert(key(pending.url))
        if let answer = result.answer { visited.insert(key(answer.effectiveURL)) }
        if let digest = result.digest, !digests.insert(digest).inserted {
            end(.circle)
            return nil
        }
        let contents = document.contents
        let oldest = contents.items.compactMap(\.published).min()
        page = (
            contents.items.count, [pending.oldest, oldest].compactMap(\.self).min(),
            contents.channel.olderPage.flatMap { StoredLimits.isStorable(url: $0) ? $0 : nil }, !document.isTruncated
        )
        let place = OlderPage(
            place: pending.place, bound: pending.oldest, isLast: page.isWhole && page.next == nil, since: walk.since,
            isCatalogue: walk.reason != .gap)
        return FetchedDocument(
            feed: report.target.id, contents: contents, fetch: FetchRecord(time: now, nextDue: now),
            extent: .older(place))
    }

    mutating func merged(_ result: MergeResult) {
        walk.episodes += result.added.count
        report.add(result)
        // The link to the next page may be missing from a truncated page: read it again.
        guard page.isWhole else { return }
        walk.pages += 1
        let place = (walk.pending?.place ?? 0) + page.items
        guard let next = page.next else { return end(.last) }
        if walk.reason == .gap && result.reachesKnown { return end(.known) }
        if visited.contains(key(next)) { return end(.circle) }
        if walk.pages >= limits.pages || place >= limits.items || bytes >= limits.bytes { return end(.limit) }
        walk.pending = PageWalk.Pending(url: next, place: place, oldest: page.oldest)
    }

    /// True if the last merged page was incomplete.
    var isBroken: Bool { !page.isWhole }

    /// Called when the page failed. Earlier pages stay, and the page is retried later.
    /// - Parameter due: returns the time of the retry, from the number of consecutive failures.
    mutating func failed(_ failure: FetchFailure, at now: Timestamp, due: (_ inARow: Int) -> Timestamp) {
        guard var pending = walk.pending else { return }
        isOver = true
        walk.time = now
        pending.failures += 1
        if !failure.isTemporary && pending.failures >= limits.finalFailures { return end(.broken) }
        pending.error = failure.description
        pending.due = due(pending.failures)
        walk.pending = pending
    }

    /// Called when the host accepts no requests for a while: nothing is known about the page.
    mutating func postponed(until due: Timestamp) {
        isOver = true
        walk.pending?.due = due
    }

    var finalReport: FeedReport {
        var report = report
        report.pages = walk
        return report
    }

    private mutating func end(_ reason: PageWalk.End) {
        walk.pending = nil
        walk.end = reason
        isOver = true
    }

    /// A fragment names a part of the same document.
    private func key(_ url: String) -> String { String(url.prefix { $0 != "#" }) }
}

extension FeedReport {
    /// Adds the counts of older pages to those of the newest.
    fileprivate mutating func add(_ pages: MergeResult) {
        guard !pages.added.isEmpty || !pages.changed.isEmpty else { return }
        var whole = MergeResult()
        if case .merged(let newest) = outcome { whole = newest }
        whole.added += pages.added
        whole.changed += pages.changed
        whole.leftOut += pages.leftOut
        outcome = .merged(whole)
    }
}
