internal import FeedDocuments
internal import HTTP
internal import Library
internal import PodcastModel

extension FeedRefresher {
    /// The request for a feed: conditional, unless its validators are unreliable or made the server fail.
    func request(for target: RefreshTarget) -> FeedRequest {
        var request = FeedRequest(url: target.url, knownDigest: target.bodyDigest)
        request.attempt = DocumentAttempt(feed: target.id)
        request.access = access(target)
        let isRefused = target.httpStatus.map { [400, 412, 413, 431].contains($0) } ?? false
        if !isRefused, !isFullFetchDue(target, at: clock.wallTime) {
            request.etag = target.etag
            request.lastModified = target.lastModified
        }
        return request
    }

    /// The request for a URL that a feed's document names: it may be on a private host only if the feed is on that host.
    func request(for url: String, namedBy target: RefreshTarget) -> FeedRequest {
        var request = FeedRequest(url: url)
        request.access = access(target)
        request.access.namedHosts = [HTTPURL.host(of: target.url) ?? ""]
        return request
    }

    private func isFullFetchDue(_ target: RefreshTarget, at now: Timestamp) -> Bool {
        schedule.isFullFetchDue(
            target.id, last: target.lastFull, falseUnchanged: target.falseUnchanged, cadence: target.cadence, at: now)
    }

    /// Stores the result of a fetch; several documents and unchanged feeds are written together later.
    func record(
        _ result: FeedFetchResult, of target: RefreshTarget, _ done: (FeedReport) -> Void
    ) throws(LibraryError) {
        try recordRetryAfter(result, wantedBy: target.url)
        if let report = try absorb(target, result) { return done(report) }
        let now = clock.wallTime
        var record = FetchRecord(time: now, httpStatus: result.answer?.status, nextDue: now)
        record.etag = result.answer?.etag
        record.lastModified = result.answer?.lastModified
        record.bodyDigest = result.digest
        record.bytes = result.bytes
        record.movedTo = storable(url: result.permanentURL(from: target.url))
        var known = RefreshSchedule.Knowledge(
            hints: result.answer?.hints ?? .init(), rhythm: target.rhythm, cadence: target.cadence,
            previous: target.interval)
        switch result.outcome {
        case .notModified, .sameBody:
            // Omit unchanged values; the store keeps its values for them.
            if record.etag == target.etag { record.etag = nil }
            if record.lastModified == target.lastModified { record.lastModified = nil }
            record.bodyDigest = nil
            record.isFull = result.outcome == .sameBody
            record.plan(schedule.next(target.id, after: .unchanged, knowing: known, at: now))
            // An unchanged document still makes its earlier announcement.
            let announced = target.move.flatMap { $0.reason == .announcement ? $0.url : nil }
            let move = try followMove(announced, of: target, in: &record)
            unwritten.unchanged.append((FeedReport(target, record, .unchanged, move), record))
        case .document(let document):
            record.describe(document, of: target, at: now)
            known.rhythm = record.rhythm
            known.cadence = record.cadence
            record.plan(schedule.next(target.id, after: .read, knowing: known, at: now))
            let channel = document.contents.channel
            let move = try followMove(storable(url: channel.newFeedURL), of: target, in: &record)
            var merge = FetchedDocument(
                feed: target.id, contents: document.contents, fetch: record,
                extent: DocumentExtent(of: channel, isTruncated: document.isTruncated))
            if !document.isTruncated,
                let (walk, onlyOverGap) = PageWalk.beginning(
                    from: channel, of: target, isForced: isForced, isWeekly: isFullFetchDue(target, at: now), at: now)
            {
                merge.walk = walk
                merge.walk?.pending?.place = document.contents.items.count
                merge.walk?.pending?.oldest = document.contents.items.compactMap(\.published).min()
                merge.walksOnlyOverGap = onlyOverGap
            }
            var report = FeedReport(target, record, .unchanged, move)
            report.isTruncated = document.isTruncated
            unwritten.documents.append((report, merge))
        case .failed(.postponed(let seconds)):
            // Nothing is known about the feed itself.
            known.hints.retryAfter = seconds
            let due = schedule.next(
                target.id, after: .failed(.postponed(seconds: seconds), inARow: 1), knowing: known, at: now
            ).due
            try store.postpone(target.id, until: due)
            done(FeedReport(target: target, outcome: .postponed(seconds: seconds), nextDue: due))
        case .failed(let failure):
            record.movedTo = nil
            record.error = failure.description
            let outcome = RefreshSchedule.Outcome.failed(failure, inARow: target.failures + 1)
            record.plan(schedule.next(target.id, after: outcome, knowing: known, at: now))
            do throws(LibraryError) {
                try store.recordFailure(target.id, record)
                done(FeedReport(target, record, .failed(failure)))
            } catch {
                // The feed was unsubscribed meanwhile.
                guard case .notFound = error else { throw error }
            }
        }
        try writeIfDue(done)
    }

    private func storable(url: String?) -> String? {
        url.flatMap { StoredLimits.isStorable(url: $0) ? $0 : nil }
    }

    /// If the last run ended while it parsed a document, records a failure of the document's feed, or of the feed's older
    /// page. Called before anything is fetched.
    /// - Returns: the feed with its failure; nil if the last run did not end while parsing.
    static func recordUnfinishedAttempt(
        in store: any RefreshStore, at now: Timestamp
    ) throws(LibraryError) -> (feed: RefreshTarget, failure: FetchFailure)? {
        guard let attempts = store.attempts, let attempt = attempts.unfinished else { return nil }
        let failure = FetchFailure.brokenOff
        let schedule = RefreshSchedule()
        let target = try store.refreshTargets([attempt.feed]).first
        if let target {
            if attempt.isOlderPage, var walk = target.pageWalk, var pending = walk.pending {
                pending.failures += 1
                pending.error = failure.description
                pending.due =
                    schedule.next(target.id, after: .failed(failure, inARow: pending.failures), at: now).due
                walk.pending = pending
                walk.time = now
                try store.recordPageWalk(walk, of: target.id)
            } else {
                var record = FetchRecord(time: now, error: failure.description, nextDue: now)
                record.plan(schedule.next(target.id, after: .failed(failure, inARow: target.failures + 1), at: now))
                record.isBrokenOff = true
                try store.recordFailure(target.id, record)
            }
        }
        attempts.end()
        return target.map { ($0, failure) }
    }
}

extension FeedReport {
    fileprivate init(_ target: RefreshTarget, _ record: FetchRecord, _ outcome: Outcome, _ move: MoveNews? = nil) {
        self.init(
            target: target, outcome: outcome, httpStatus: record.httpStatus, movedTo: record.movedTo, move: move,
            nextDue: record.isStopped ? nil : record.nextDue)
    }
}

extension FetchRecord {
    fileprivate mutating func plan(_ plan: RefreshSchedule.Plan) {
        nextDue = plan.due
        dueReason = plan.reason
        isStopped = plan.reason == .gone
    }

    fileprivate mutating func describe(_ document: FeedDocument, of target: RefreshTarget, at now: Timestamp) {
        isFull = true
        contradictsValidators =
            etag != nil && etag == target.etag
            || etag == nil && lastModified != nil && lastModified == target.lastModified
        // The rest of a truncated document is unknown: the next attempt has to fetch the whole document.
        if document.isTruncated {
            etag = nil
            lastModified = nil
            bodyDigest = nil
        }
        rhythm = document.contents.channel.rhythm
        cadence = Cadence(of: document.contents.items.compactMap(\.published), at: now)
    }
}
