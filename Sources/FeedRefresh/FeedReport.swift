public import Library
public import PodcastModel

/// The result for one feed in a run.
public struct FeedReport: Equatable, Sendable {
    public enum Outcome: Equatable, Sendable {
        case merged(MergeResult)
        case unchanged
        /// The refresh failed; the feed's episodes stay.
        case failed(FetchFailure)
        /// No request was sent, because the host accepts none for this number of seconds.
        case postponed(seconds: Int64)
    }

    public var target: RefreshTarget
    public var outcome: Outcome
    /// HTTP status of the final response.
    public var httpStatus: Int?
    /// Target of permanent redirects.
    public var movedTo: String?
    public var move: MoveNews?
    /// The digest of the newest page's body.
    var newestDigest: String?
    /// True if the target of the move must still be checked for a feed.
    var awaitsVerification = false
    /// Progress through older pages, if they were read in this run.
    public var pages: PageWalk?
    /// True if the document ends before its root element.
    public var isTruncated = false
    /// Nil if automatic refreshes stopped.
    public var nextDue: Timestamp?

    public init(
        target: RefreshTarget, outcome: Outcome, httpStatus: Int?, movedTo: String? = nil, move: MoveNews? = nil,
        nextDue: Timestamp?
    ) {
        self.target = target
        self.outcome = outcome
        self.httpStatus = httpStatus
        self.movedTo = movedTo
        self.move = move
        self.nextDue = nextDue
    }
}

extension FeedReport {
    /// Result of a refresh about the feed's URL.
    public enum MoveNews: Equatable, Sendable {
        /// The feed has moved and is fetched from its new URL from now on.
        case followed(FeedMove)
        /// The new subscription duplicated an existing feed and was merged into it.
        case joined(Feed, FeedMove)
        /// An announced move that is not confirmed yet or cannot be followed.
        case pending(FeedMove)
    }

    public var isHealthChanged: Bool {
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
public struct RefreshSummary: Equatable, Sendable {
    /// Feeds that were requested or postponed.
    public var feeds = 0
    public var changed = 0
    /// Feeds that failed or were postponed.
    public var failed = 0
    public var newEpisodes = 0
    public init() {}

    mutating func count(_ report: FeedReport) {
        feeds += 1
        switch report.outcome {
        case .merged(let merge):
            newEpisodes += merge.added.count
            if !merge.added.isEmpty || !merge.changed.isEmpty { changed += 1 }
        case .unchanged: break
        case .failed, .postponed:
            failed += 1
            return
        }
        if report.pages?.problem != nil { failed += 1 }
    }
}
