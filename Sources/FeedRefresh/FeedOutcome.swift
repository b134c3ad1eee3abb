internal import FeedDocuments
internal import HTTP
internal import LibraryModel
internal import PodcastModel

/// The library's view of a fetch.
enum FeedOutcome {
    case unchanged(FeedReport, FetchRecord)
    case document(FeedReport, FetchedDocument)
    case failed(FeedReport, FetchRecord)
    /// The host accepts no requests at present; nothing is known about the feed itself.
    case postponed(FeedReport, until: Timestamp)
}

/// Converts the result of a fetch for the library; a value without library and network.
struct OutcomeRules {
    let schedule: RefreshSchedule
    let now: Timestamp
    /// True if the user requested everything.
    let isForced: Bool
    /// Identity, login and permitted hosts of a feed's requests.
    let access: (RefreshTarget) -> HTTPAccess
    let subscriber: (_ url: String) throws(LibraryError) -> Feed?

    /// The request for a feed: conditional, unless its validators are unreliable or made the server fail.
    func request(for target: RefreshTarget) -> FeedRequest {
        var request = FeedRequest(url: target.url, knownDigest: target.bodyDigest)
        request.attempt = DocumentAttempt(feed: target.id)
        request.access = access(target)
        let isFull =
            target.httpStatus.map { [400, 412, 413, 431].contains($0) } ?? false
            || isFullFetchDue(target)
        if !isFull { (request.etag, request.lastModified) = (target.etag, target.lastModified) }
        return request
    }

    private func isFullFetchDue(_ target: RefreshTarget) -> Bool {
        schedule.isFullFetchDue(
            target.id, last: target.lastFull, falseUnchanged: target.falseUnchanged, cadence: target.cadence, at: now)
    }

    func outcome(
        of result: FeedFetchResult, for target: RefreshTarget
    ) throws(LibraryError) -> FeedOutcome {
        var record = FetchRecord(
            time: now, httpStatus: result.answer?.status, etag: Self.storable(result.answer?.etag),
            lastModified: Self.storable(result.answer?.lastModified), bodyDigest: result.digest,
            movedTo: Self.storable(url: result.permanentURL(from: target.url)), nextDue: now, bytes: result.bytes)
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
            let news = try note(announced, for: target, in: &record)
            return .unchanged(report(target, record, .unchanged, news), record)
        case .document(let document):
            let contents = document.contents
            record.isFull = true
            record.contradictsValidators =
                record.etag != nil && record.etag == target.etag
                || record.etag == nil && record.lastModified != nil && record.lastModified == target.lastModified
            if document.isTruncated {
                // The rest is unknown: the next attempt has to fetch the whole document.
                (record.etag, record.lastModified, record.bodyDigest) = (nil, nil, nil)
            }
            record.rhythm = contents.channel.rhythm
            record.cadence = Cadence(of: contents.items.compactMap(\.published), at: now)
            (known.rhythm, known.cadence) = (record.rhythm, record.cadence)
            record.plan(schedule.next(target.id, after: .read, knowing: known, at: now))
            let news = try note(Self.storable(url: contents.channel.newFeedURL), for: target, in: &record)
            var merge = FetchedDocument(
                feed: target.id, contents: contents, fetch: record,
                extent: DocumentExtent(of: contents.channel, isTruncated: document.isTruncated))
            if !document.isTruncated,
                let (walk, onlyOverGap) = PageWalk.beginning(
                    from: contents.channel, of: target, isForced: isForced, isWeekly: isFullFetchDue(target), at: now)
            {
                merge.walk = walk
                merge.walk?.pending?.place = contents.items.count
                merge.walk?.pending?.oldest = contents.items.compactMap(\.published).min()
                merge.walksOnlyOverGap = onlyOverGap
            }
            var report = self.report(target, record, .unchanged, news)
            report.isTruncated = document.isTruncated
            return .document(report, merge)
        case .failed(let failure):
            record.movedTo = nil
            record.error = failure.description
            record.plan(
                schedule.next(
                    target.id, after: .failed(failure, inARow: target.failures + 1), knowing: known, at: now))
            return .failed(report(target, record, .failed(failure), nil), record)
        }
    }

    /// Records the observations about the feed's URL, and returns them with a flag: true if the move needs a check.
    private func note(
        _ announced: String?, for target: RefreshTarget, in record: inout FetchRecord
    ) throws(LibraryError) -> (FeedReport.MoveNews, isToVerify: Bool)? {
        let decision = MoveDecision(
            url: target.url, redirect: record.movedTo, announced: announced, before: target.move)
        let isToVerify: Bool
        switch decision {
        case .none: return nil
        case .wait(let move): (record.move, isToVerify) = (move, false)
        case .follow(var move):
            move.obstacle = try obstacle(to: move, of: target)
            record.followsMove = move.obstacle == nil
            (record.move, isToVerify) = (move, false)
        case .verify(var move):
            move.obstacle = try obstacle(to: move, of: target)
            (record.move, isToVerify) = (move, move.obstacle == nil)
        }
        return record.move.map { (record.followsMove ? .followed($0) : .pending($0), isToVerify) }
    }

    private static func storable(_ validator: String?) -> String? {
        (validator?.utf8.count ?? 0) > StoredLimits.validatorBytes ? nil : validator
    }

    private static func storable(url: String?) -> String? {
        url.flatMap { StoredLimits.isStorable(url: $0) ? $0 : nil }
    }

    private func obstacle(to move: FeedMove, of target: RefreshTarget) throws(LibraryError) -> String? {
        guard let feed = try subscriber(move.url) else { return nil }
        if feed.id != target.id { return "\(feed.title) (\(feed.id.label)) already has this URL" }
        // A redirect back is followed, an announcement is not: two documents that announce each other would loop.
        return move.reason == .announcement ? "the feed has moved away from this URL before" : nil
    }

    func postponement(of target: RefreshTarget, seconds: Int64) -> FeedOutcome {
        let hints = RefreshSchedule.ServerHints(retryAfter: seconds)
        let plan = schedule.next(
            target.id, after: .failed(.status(429), inARow: 1), knowing: .init(hints: hints), at: now)
        let report = FeedReport(
            target: target, outcome: .postponed(seconds: seconds), httpStatus: nil, nextDue: plan.due)
        return .postponed(report, until: plan.due)
    }

    private func report(
        _ target: RefreshTarget, _ record: FetchRecord, _ outcome: FeedReport.Outcome,
        _ news: (FeedReport.MoveNews, isToVerify: Bool)?
    ) -> FeedReport {
        var report = FeedReport(
            target: target, outcome: outcome, httpStatus: record.httpStatus, movedTo: record.movedTo, move: news?.0,
            nextDue: record.isStopped ? nil : record.nextDue)
        report.awaitsVerification = news?.isToVerify ?? false
        return report
    }
}

extension FetchRecord {
    fileprivate mutating func plan(_ plan: RefreshSchedule.Plan) {
        nextDue = plan.due
        dueReason = plan.reason
        isStopped = plan.reason == .gone
    }
}
