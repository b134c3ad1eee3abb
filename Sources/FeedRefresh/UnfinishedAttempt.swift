public import LibraryModel
public import PodcastModel

/// Handles the document that was being parsed when the last run ended.
public struct UnfinishedAttempt {
    private let schedule: RefreshSchedule
    private let now: Timestamp

    public init(schedule: RefreshSchedule = RefreshSchedule(), at now: Timestamp) {
        self.schedule = schedule
        self.now = now
    }

    /// Records a failure of the document's feed, or of the feed's older page, before anything is fetched.
    /// - Returns: the feed with its failure; nil if the last run did not end while parsing.
    public func settle(in store: any RefreshStore) throws(LibraryError) -> (feed: RefreshTarget, failure: FetchFailure)?
    {
        guard let attempts = store.attempts, let attempt = attempts.unfinished else { return nil }
        let failure = FetchFailure.brokenOff
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
                let plan = schedule.next(target.id, after: .failed(failure, inARow: target.failures + 1), at: now)
                var record = FetchRecord(time: now, error: failure.description, nextDue: plan.due)
                record.dueReason = plan.reason
                record.isBrokenOff = true
                try store.recordFailure(target.id, record)
            }
        }
        attempts.end()
        return target.map { ($0, failure) }
    }
}
