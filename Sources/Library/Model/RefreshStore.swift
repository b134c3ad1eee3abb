public import PodcastModel

/// The library functions of podcast-refresh.
public protocol RefreshStore {
    /// Due feeds, the longest overdue first; all feeds if `isForced`.
    func dueFeeds(at now: Timestamp, isForced: Bool) throws(LibraryError) -> [RefreshTarget]
    /// The given feeds, due or not.
    func refreshTargets(_ ids: [FeedID]) throws(LibraryError) -> [RefreshTarget]
    /// Records unchanged feeds (304, or an identical body) in few commits, because the commit is the main cost of an
    /// unchanged feed. Skips feeds that were unsubscribed meanwhile.
    func recordUnchanged(_ fetches: [(feed: FeedID, fetch: FetchRecord)]) throws(LibraryError)
    /// Writes rows that differ, flags episodes that a document lacks, and never touches user data. Small feeds share a
    /// commit, a large one has several; each feed becomes visible whole. Merging again after an error is harmless.
    /// - Returns: a result for each document, nil where the feed is not subscribed to.
    func merge(_ documents: [FetchedDocument]) throws(LibraryError) -> [MergeResult?]
    /// Remembers how far a feed's older pages were followed; a page that waits for another try makes the feed due then.
    /// Skips a feed that is unsubscribed.
    func recordPageWalk(_ walk: PageWalk, of id: FeedID) throws(LibraryError)
    func recordFailure(_ id: FeedID, _ fetch: FetchRecord) throws(LibraryError)
    /// Sets only the due time of a feed that was not requested because of its host's Retry-After.
    func postpone(_ id: FeedID, until due: Timestamp) throws(LibraryError)
    /// Moves a feed, without its validators, if the announced move is followed; otherwise stores the obstacle. Skips a
    /// feed that is unsubscribed.
    func recordMove(_ move: FeedMove, of id: FeedID, isFollowed: Bool) throws(LibraryError)
    func subscriber(of url: String) throws(LibraryError) -> Feed?
    /// Merges a feed without episodes into another that now has its URL, including data that waits for its episodes.
    func absorb(_ id: FeedID, into kept: FeedID, at now: Timestamp) throws(LibraryError)
    func pausedHosts(at now: Timestamp) throws(LibraryError) -> [String: Timestamp]
    func pauseHost(_ host: String, until end: Timestamp, at now: Timestamp) throws(LibraryError)
    /// A feed's refresh log, newest first.
    func refreshLog(_ id: FeedID, limit: Int) throws(LibraryError) -> [FetchRecord]
    var attempts: (any AttemptRecorder)? { get }
}

/// A document that was fetched for a feed.
public struct FetchedDocument: Equatable, Sendable {
    var feed: FeedID
    public var contents: FeedContents
    /// The fetch of the document. For an older page only the time counts.
    public var fetch: FetchRecord
    var extent: DocumentExtent
    /// The walk over older pages to begin in the same commit as the merge.
    public var walk: PageWalk?
    /// True to begin the walk only if no episode of the document is known.
    public var walksOnlyOverGap = false
    public init(
        feed: FeedID, contents: FeedContents, fetch: FetchRecord, extent: DocumentExtent? = nil, walk: PageWalk? = nil
    ) {
        self.feed = feed
        self.contents = contents
        self.fetch = fetch
        self.extent = extent ?? DocumentExtent(of: contents.channel)
        self.walk = walk
    }
}

/// A feed to refresh, with the validators for a conditional request.
public struct RefreshTarget: Equatable, Sendable {
    public var id: FeedID
    public var url: String
    public var title: String
    /// `ETag` of the last full response, opaque bytes with their quotes.
    public var etag: String?
    /// `Last-Modified` of the last full response, opaque bytes.
    public var lastModified: String?
    /// Digest of the last body; an identical body is not parsed again.
    public var bodyDigest: String?
    public var failures = 0
    /// Seconds that were planned between the last attempt and the attempt due now; nil before the first.
    public var interval: Int64?
    /// Failure of the last attempt; nil after a success.
    public var error: String?
    public var httpStatus: Int?
    /// True if the feed is refreshed only by hand.
    public var isStopped = false
    /// True if the last run died while parsing this feed. Such feeds are parsed last.
    public var isBrokenOff = false
    /// Time of the last response with a body; nil before the first.
    public var lastFull: Timestamp?
    /// Number of "not modified" responses that were found to be wrong.
    public var falseUnchanged = 0
    /// The last document's statements about its update times.
    public var rhythm = UpdateRhythm()
    public var cadence: Cadence?
    public var move: FeedMove?
    public var dueReason: DueReason?
    /// The feed's `User-Agent`, if not the default.
    public var userAgent: String?
    /// Progress through the feed's older pages.
    public var pageWalk: PageWalk?
}

extension RefreshTarget {
    public init(id: FeedID, url: String, title: String) { self.init(id: id, url: url, title: title, failures: 0) }
}

/// Reason for the due time of a feed.
public enum DueReason: String, CaseIterable, Sendable {
    /// Nothing is known about the feed yet.
    case usual
    case cadence
    case unchanged
    /// A feed that has been silent for long is refreshed daily, the minimum.
    case daily
    /// Refreshed hourly, the maximum.
    case hourly
    /// Time from the server: `Cache-Control`, `Retry-After`.
    case server
    /// Interval from the document: `ttl`, `sy:updatePeriod`, `podcast:updateFrequency`.
    case publisher
    /// The document's `skipHours` or `skipDays`.
    case quietTime
    /// The document says that no more episodes will follow.
    case complete
    case olderPage = "older-page"
    case failure
    /// The publisher says that the feed is gone for good.
    case gone
    case setting
}

/// One attempt to refresh a feed, as kept in the refresh log.
public struct FetchRecord: Equatable, Sendable {
    public var time: Timestamp
    /// HTTP status; nil if there was no response.
    public var httpStatus: Int?
    /// New validators, opaque; nil if the response had none.
    public var etag: String?
    public var lastModified: String?
    public var bodyDigest: String?
    /// Target of permanent redirects (301, 308).
    public var movedTo: String?
    /// The announced move with this attempt's observation; nil if there is none. Ignored after a failure.
    public var move: FeedMove?
    public var followsMove = false
    /// The document's statements about its update times; used after a merge only.
    public var rhythm = UpdateRhythm()
    /// Publishing frequency; used after a merge only.
    public var cadence: Cadence?
    /// True if the server sent the body, new or not.
    public var isFull = false
    /// True if the body differs although the server had answered "not modified" for the same validators.
    public var contradictsValidators = false
    /// True if the feed is refreshed only by hand from now on.
    public var isStopped = false
    /// True if the run died while parsing the document.
    public var isBrokenOff = false
    public var dueReason: DueReason?
    /// The failure, for people.
    public var error: String?
    public var nextDue: Timestamp
    /// Bytes of the body on the wire.
    public var bytes: Int64 = 0
    public var newEpisodes = 0
    public init(time: Timestamp, httpStatus: Int? = nil, error: String? = nil, nextDue: Timestamp) {
        self.time = time
        self.httpStatus = httpStatus
        self.error = error
        self.nextDue = nextDue
    }
}

/// The changes made by a merge.
public struct MergeResult: Equatable, Sendable {
    /// In document order.
    public var added: [EpisodeID]
    public var changed: [EpisodeID]
    /// Number of items that did not become episodes.
    var skipped: Int
    public var leftOut = LeftOut()
    /// The walk over older pages that began with this merge.
    public var walk: PageWalk?
    /// True if an older page has episodes that were stored before its walk began.
    public var reachesKnown = false
    public init(added: [EpisodeID] = [], changed: [EpisodeID] = [], skipped: Int = 0) {
        self.added = added
        self.changed = changed
        self.skipped = skipped
    }
}
