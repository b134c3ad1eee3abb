internal import HTTP
public import LibraryModel
internal import PodcastModel
internal import Reporting

extension FeedRefresher {
    /// Follows the older pages of feeds whose newest ones are in the library, a page of each feed at a time, and merges
    /// each as it comes: memory holds a page or two, and whatever came stays when a later one fails.
    ///
    /// - Parameters:
    ///   - reports: what is known of the feeds; those without waiting pages are reported as they are.
    ///   - tick: called after each wait, at least every half second.
    ///   - report: called for each feed once its walk has ended or is put off.
    public func followPages(
        of reports: [FeedReport], tick: () -> Void = {}, report: (FeedReport) -> Void
    ) throws(LibraryError) {
        var trails: [PageTrail] = []
        for feedReport in reports {
            guard let walk = feedReport.pages else {
                report(feedReport)
                continue
            }
            trails.append(PageTrail(feedReport, walk, newestDigest: feedReport.newestDigest, limits: pageLimits))
        }
        if trails.isEmpty { return }
        let activity = activities.begin(
            .refreshing, "Fetching older episodes", subject: reports.count == 1 ? reports[0].target.title : nil)
        defer { activity.end() }
        while !trails.isEmpty {
            for trail in trails where trail.nextURL == nil {
                try store.recordPageWalk(trail.walk, of: trail.report.target.id)
                report(trail.finalReport)
            }
            trails.removeAll { $0.nextURL == nil }
            try readPages(&trails, activity, tick)
        }
    }

    /// The pages of a feed that an earlier run left; nil when there are none, or their time has not come.
    func waitingPages(of target: RefreshTarget) -> PageWalk? {
        guard let walk = target.pageWalk, walk.isDue(isForced: isForced, at: clock.wallTime) else { return nil }
        return walk
    }

    /// Fetches and merges the next page of each feed.
    private func readPages(
        _ trails: inout [PageTrail], _ activity: ActivityHandle, _ tick: () -> Void
    ) throws(LibraryError) {
        if trails.isEmpty { return }
        let requests = trails.map { trail in
            var request = FeedRequest(url: trail.nextURL ?? "")
            request.attempt = DocumentAttempt(feed: trail.report.target.id, isOlderPage: true)
            request.access = access(trail.report.target)
            // The page's URL comes from the feed, not the user, so it may be on a private host only if the feed is on that host.
            request.access.namedHosts = [HTTPURL.host(of: trail.report.target.url) ?? ""]
            return request
        }
        let work: () throws(LibraryError) -> Void = { tick() }
        var followed = trails
        try fetcher.fetchAll(requests, limits: limits, pausedHosts: try pausedHosts(), clock: clock, tick: work) {
            (index, result) throws(LibraryError) in
            let now = clock.wallTime
            switch result {
            case .postponed(let seconds): followed[index].postponed(until: now.adding(seconds: seconds))
            case .fetched(let fetched):
                try noteRetryAfter(fetched, wantedBy: requests[index].url)
                try take(fetched, of: &followed[index])
            }
            activity.update(
                subject: "\(followed[index].report.target.title), page \(followed[index].walk.pages + 1)", progress: nil
            )
        }
        trails = followed
    }

    private func take(_ result: FeedFetchResult, of trail: inout PageTrail) throws(LibraryError) {
        let (now, feed) = (clock.wallTime, trail.report.target.id)
        let due: (FetchFailure) -> (Int) -> Timestamp = { [schedule] failure in
            { schedule.next(feed, after: .failed(failure, inARow: $0), at: now).due }
        }
        switch result.outcome {
        case .document(let document):
            guard let merge = trail.read(document, result, at: now) else { return }
            // Nil: somebody has unsubscribed meanwhile.
            guard let merged = try store.merge([merge])[0] else {
                return trail.failed(.empty, at: now, due: due(.empty))
            }
            trail.merged(merged)
            if trail.isBroken { trail.failed(.truncated, at: now, due: due(.truncated)) }
            // A kill costs no page that was read.
            if trail.nextURL != nil { try store.recordPageWalk(trail.walk, of: feed) }
        case .failed(let failure): trail.failed(failure, at: now, due: due(failure))
        case .notModified, .sameBody:
            let failure = FetchFailure.transfer("the server answered 'not modified' to an unconditional request")
            trail.failed(failure, at: now, due: due(failure))
        }
    }
}
