internal import Library
internal import PodcastModel

struct FeedReport: Equatable {
    enum Outcome: Equatable {
        case merged(MergeResult)
        case unchanged
        /// The refresh failed; the feed's episodes stay.
        case failed(FetchFailure)
        /// No request was sent, because the host accepts none for this number of seconds.
        case postponed(seconds: Int64)
    }

    var target: RefreshTarget
    var outcome: Outcome
    var httpStatus: Int?
    /// Target of permanent redirects.
    var movedTo: String?
    var move: MoveNews?
    var newestDigest: String?
    /// Progress through older pages, if they were read in this run.
    var pages: PageWalk?
    /// True if the document ends before its root element.
    var isTruncated = false
    /// Nil if automatic refreshes stopped.
    var nextDue: Timestamp?

    /// Result of a refresh about the feed's URL.
    enum MoveNews: Equatable {
        /// The feed has moved and is fetched from its new URL from now on.
        case followed(FeedMove)
        /// The new subscription duplicated an existing feed and was merged into it.
        case joined(Feed, FeedMove)
        /// An announced move that is not confirmed yet or cannot be followed.
        case pending(FeedMove)
        /// A move that was announced twice, whose URL must still be checked for a feed.
        case unverified(FeedMove)
    }

    var isHealthChanged: Bool {
        if case .followed = move { return true }
        if let pages, pages.problem != target.pageWalk?.problem { return true }
        switch outcome {
        case .merged, .unchanged: return target.error != nil || target.isStopped
        case .failed(let failure): return failure.description != target.error
        case .postponed: return false
        }
    }
}

/// The result of a run.
struct RefreshSummary: Equatable {
    /// Feeds that were requested or postponed.
    var feeds = 0
    var changed = 0
    /// Feeds that failed or were postponed.
    var failed = 0
    var newEpisodes = 0

    mutating func count(_ report: FeedReport) {
        feeds += 1
        switch report.outcome {
        case .merged(let merge):
            newEpisodes += merge.added.count
            if !merge.added.isEmpty || !merge.changed.isEmpty { changed += 1 }
            if report.pages?.problem != nil { failed += 1 }
        case .unchanged: if report.pages?.problem != nil { failed += 1 }
        case .failed, .postponed: failed += 1
        }
    }
}
