internal import Library
internal import PodcastModel
internal import Reporting

extension FeedRefresher {
    /// Reads the older pages of feeds whose newest pages are in the library, one page of each feed at a time, and
    /// merges each when it arrives: memory holds a page or two, and earlier pages stay if a later one fails.
    /// - Parameters:
    ///   - reports: reports on the feeds; feeds without pending pages are reported unchanged.
    ///   - tick: called after each wait, at least every half second.
    ///   - report: called for each feed when its walk has ended or is postponed.
    func followPages(
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
            if !trails.isEmpty { try readPages(&trails, activity, tick) }
        }
    }

    /// The pages of a feed that an earlier run left; nil if there are none or they are not due.
    func waitingPages(of target: RefreshTarget) -> PageWalk? {
        guard let walk = target.pageWalk, walk.isDue(isForced: isForced, at: clock.wallTime) else { return nil }
        return walk
    }

    private func readPages(
        _ trails: inout [PageTrail], _ activity: ActivityHandle, _ tick: () -> Void
    ) throws(LibraryError) {
        let requests = trails.map { trail in
            var request = request(for: trail.nextURL ?? "", namedBy: trail.report.target)
            request.attempt = DocumentAttempt(feed: trail.report.target.id, isOlderPage: true)
            return request
        }
        var followed = trails
        try fetchAll(requests, tick: tick) { (index, result) throws(LibraryError) in
            try recordRetryAfter(result, wantedBy: requests[index].url)
            try record(result, of: &followed[index])
            activity.update(
                subject: "\(followed[index].report.target.title), page \(followed[index].walk.pages + 1)", progress: nil
            )
        }
        trails = followed
    }

    private func record(_ result: FeedFetchResult, of trail: inout PageTrail) throws(LibraryError) {
        let now = clock.wallTime
        let feed = trail.report.target.id
        let due: (FetchFailure) -> (Int) -> Timestamp = { [schedule] failure in
            { schedule.next(feed, after: .failed(failure, inARow: $0), at: now).due }
        }
        switch result.outcome {
        case .document(let document):
            guard let merge = trail.read(document, result, at: now) else { return }
            // Nil: the feed was unsubscribed meanwhile.
            guard let merged = try store.merge([merge])[0] else {
                return trail.failed(.empty, at: now, due: due(.empty))
            }
            trail.merged(merged)
            if trail.isBroken { trail.failed(.truncated, at: now, due: due(.truncated)) }
            // Record progress, so that a killed process does not lose pages that were read.
            if trail.nextURL != nil { try store.recordPageWalk(trail.walk, of: feed) }
        case .failed(.postponed(let seconds)): trail.postponed(until: now.adding(seconds: seconds))
        case .failed, .notModified, .sameBody:
            let failure = result.failure ?? .falselyUnchanged
            trail.failed(failure, at: now, due: due(failure))
        }
    }
}
