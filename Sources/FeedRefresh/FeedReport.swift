public import LibraryModel
public import PodcastModel

/// What became of one feed in a run.
public struct FeedReport: Equatable, Sendable {
    /// What came of it.
    public enum Outcome: Equatable, Sendable {
        /// A document was merged.
        case merged(MergeResult)
        case unchanged
        /// It could not be refreshed; its episodes stay.
        case failed(FetchFailure)
        /// No request was sent, because its host accepts none for this number of seconds.
        case postponed(seconds: Int64)
    }

    /// The feed before the refresh.
    public var target: RefreshTarget
    /// What came of it.
    public var outcome: Outcome
    /// HTTP status of the final answer.
    public var httpStatus: Int?
    /// Where permanent redirects led.
    public var movedTo: String?
    /// Where the feed has moved by this refresh, or is said to have moved.
    public var move: MoveNews?
    /// The digest of the newest page's body.
    var newestDigest: String?
    /// Whether somebody still has to look whether there is a feed where the move leads.
    var awaitsVerification = false
    /// How far its older pages were followed, if they were in this run.
    public var pages: PageWalk?
    /// Whether the document ends before its root element does.
    public var isTruncated = false
    /// When it is tried next; nil when it is stopped.
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
    /// What a refresh found out about where a feed is.
    public enum MoveNews: Equatable, Sendable {
        /// It has moved: the feed is fetched from there from now on.
        case followed(FeedMove)
        /// It is a new subscription of a feed that was subscribed already, and became part of that.
        case joined(Feed, FeedMove)
        /// It is said to have moved, and that is not believed yet or cannot be followed.
        case pending(FeedMove)
    }

    /// Whether lists show another health of the feed than before.
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
