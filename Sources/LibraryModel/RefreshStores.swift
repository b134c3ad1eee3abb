public import PodcastModel

/// What podcast-refresh needs of the library.
public protocol RefreshStore {
    /// Feeds whose time has come, the longest overdue first; all of them when `isForced`.
    func dueFeeds(at now: Timestamp, isForced: Bool) throws(LibraryError) -> [RefreshTarget]
    /// Those of the given feeds, due or not.
    func refreshTargets(_ ids: [FeedID]) throws(LibraryError) -> [RefreshTarget]
    /// Nothing new (304, or a body equal to the last): only health and validators are written.
    func recordUnchanged(_ id: FeedID, _ fetch: FetchRecord) throws(LibraryError)
    /// Records that several feeds are unchanged, in few commits, because a commit is the main cost of an unchanged feed.
    /// Skips feeds that are unsubscribed meanwhile.
    func recordUnchanged(_ fetches: [(feed: FeedID, fetch: FetchRecord)]) throws(LibraryError)
    /// Merges a document: only rows that differ are written, episodes the document lacks stay. The feed becomes
    /// visible whole or stays as before.
    func merge(_ contents: FeedContents, into id: FeedID, _ fetch: FetchRecord) throws(LibraryError) -> MergeResult
    /// Merges several documents with few commits; each feed becomes visible whole. A result for each document, nil
    /// where the feed is gone meanwhile. After an error those before it may be merged; merging again is harmless.
    func merge(_ documents: [FeedDocument]) throws(LibraryError) -> [MergeResult?]
    /// Remembers how far a feed's older pages were followed; one that waits to be tried again makes the feed due then.
    /// Skips a feed that is unsubscribed.
    func recordPageWalk(_ walk: PageWalk, of id: FeedID) throws(LibraryError)
    /// A failure: everything the feed had stays.
    func recordFailure(_ id: FeedID, _ fetch: FetchRecord) throws(LibraryError)
    /// Not asked for, because its host sent Retry-After: the feed is due again then, and its health stays as it was.
    func postpone(_ id: FeedID, until due: Timestamp) throws(LibraryError)
    /// What was found out about a move that a document announces: it is followed, with everything the feed has and
    /// nothing of what makes requests conditional, or its obstacle is kept. Skips a feed that is unsubscribed.
    func recordMove(_ move: FeedMove, of id: FeedID, isFollowed: Bool) throws(LibraryError)
    /// The feed that has an URL, now or formerly.
    func subscriber(of url: String) throws(LibraryError) -> Feed?
    /// Merges a feed without episodes into another that has its address now; what waits for its episodes goes with it.
    func absorb(_ id: FeedID, into kept: FeedID, at now: Timestamp) throws(LibraryError)
    /// Hosts that want no requests, and until when.
    func pausedHosts(at now: Timestamp) throws(LibraryError) -> [String: Timestamp]
    /// Remembers that a host wants no requests for a while.
    func pauseHost(_ host: String, until end: Timestamp, at now: Timestamp) throws(LibraryError)
    /// The last entries of the refresh log of one feed, latest first.
    func refreshLog(_ id: FeedID, limit: Int) throws(LibraryError) -> [FetchRecord]
    /// Remembers which document is being read; nil when that cannot be remembered.
    var attempts: (any AttemptRecorder)? { get }
}

extension RefreshStore {
    /// Not remembered, for stores that do not outlive the process.
    public var attempts: (any AttemptRecorder)? { nil }

    /// One after the other, for stores without a better way.
    public func recordUnchanged(_ fetches: [(feed: FeedID, fetch: FetchRecord)]) throws(LibraryError) {
        for (feed, fetch) in fetches {
            do {
                try recordUnchanged(feed, fetch)
            } catch .notFound {
                continue
            }
        }
    }

    /// One after the other, for stores without a better way.
    public func merge(_ documents: [FeedDocument]) throws(LibraryError) -> [MergeResult?] {
        var results: [MergeResult?] = []
        for document in documents {
            do {
                results.append(try merge(document.contents, into: document.feed, document.fetch))
            } catch .notFound {
                results.append(nil)
            }
        }
        return results
    }
}

/// A document that was fetched for a feed.
public struct FeedDocument: Equatable, Sendable {
    public var feed: FeedID
    /// What the document says.
    public var contents: FeedContents
    /// How it was fetched. Of an older page only the time counts.
    public var fetch: FetchRecord
    /// How much of the feed it is.
    public var extent: DocumentExtent
    /// The walk over older pages that the merge begins, by the same commit.
    public var walk: PageWalk?
    /// Whether it begins only when nothing of the document is known.
    public var walksOnlyOverGap = false
    /// A document for a feed.
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

/// A feed to refresh, with what makes the request conditional.
public struct RefreshTarget: Equatable, Sendable {
    public var id: FeedID
    /// Where to fetch it.
    public var url: String
    /// Its title, for messages.
    public var title: String
    /// `ETag` of the last full answer, opaque bytes with their quotes.
    public var etag: String?
    /// `Last-Modified` of the last full answer, opaque bytes.
    public var lastModified: String?
    /// SHA-256 or another digest of the last body, so that an equal one costs no parse.
    public var bodyDigest: String?
    /// Failures in a row so far.
    public var failures: Int
    /// Seconds that were planned between the last try and the one that is due now; nil before the first.
    public var interval: Int64?
    /// What went wrong the last time; nil after a success.
    public var error: String?
    /// HTTP status of the last answer; nil when none came.
    public var httpStatus: Int?
    /// Whether it is tried only by hand.
    public var isStopped = false
    /// Whether the last run that read its document ended there: it is read after all others.
    public var isBrokenOff = false
    /// The last answer with a body; nil before the first.
    public var lastFull: Timestamp?
    /// Answers "not modified" that were found to be wrong.
    public var falseUnchanged = 0
    /// What the last document says of when it changes.
    public var rhythm = UpdateRhythm()
    /// How often its episodes came; nil when that is not known.
    public var cadence: Cadence?
    /// Where it is said to have moved.
    public var move: FeedMove?
    /// What decided when it is due; nil before the first try.
    public var dueReason: DueReason?
    /// Its `User-Agent`, if not the default.
    public var userAgent: String?
    /// How far its older pages were followed.
    public var pageWalk: PageWalk?

    /// A target as stored.
    public init(
        id: FeedID, url: String, title: String, etag: String? = nil, lastModified: String? = nil,
        bodyDigest: String? = nil, failures: Int = 0, interval: Int64? = nil
    ) {
        self.id = id
        self.url = url
        self.title = title
        self.etag = etag
        self.lastModified = lastModified
        self.bodyDigest = bodyDigest
        self.failures = failures
        self.interval = interval
    }
}

/// What decides when a feed is due.
public enum DueReason: String, CaseIterable, Sendable {
    /// Nothing is known of it yet.
    case usual
    /// How often its episodes came.
    case cadence
    /// Nothing was new several times.
    case unchanged
    /// It has been silent for long: daily is the least.
    case daily
    /// Hourly is the most.
    case hourly
    /// The server named a time: `Cache-Control`, `Retry-After`.
    case server
    /// The document named a time: `ttl`, `sy:updatePeriod`, `podcast:updateFrequency`.
    case publisher
    /// The document's `skipHours` or `skipDays`.
    case quietTime
    /// The document says that no episode will follow.
    case complete
    /// An older page of it could not be had.
    case olderPage = "older-page"
    case failure
    /// Its publisher says that it is gone for good.
    case gone
    case setting
}

/// One try at a feed: what the refresh log keeps.
public struct FetchRecord: Equatable, Sendable {
    public var time: Timestamp
    /// HTTP status, nil when no answer came.
    public var httpStatus: Int?
    /// New validators, opaque; nil when the answer had none.
    public var etag: String?
    /// New validators, opaque; nil when the answer had none.
    public var lastModified: String?
    /// Digest of the body.
    public var bodyDigest: String?
    /// Where permanent redirects (301, 308) led, when they did.
    public var movedTo: String?
    /// The move of the feed, including this attempt's sighting; nil without one. Ignored after a failure.
    public var move: FeedMove?
    /// Whether that move is believed from now on.
    public var followsMove = false
    /// What the document says of when it changes; looked at after a merge only.
    public var rhythm = UpdateRhythm()
    /// How often episodes came; looked at after a merge only.
    public var cadence: Cadence?
    /// Whether the server sent the body, new or not.
    public var isFull = false
    /// Whether the body is another under the validators that were called unchanged before.
    public var contradictsValidators = false
    /// Whether nothing is tried any more unless by hand.
    public var isStopped = false
    /// Whether the run ended while the document was read.
    public var isBrokenOff = false
    /// What decided when to try next.
    public var dueReason: DueReason?
    /// What went wrong, for people.
    public var error: String?
    /// When to try next.
    public var nextDue: Timestamp
    /// Bytes of the body as it came over the wire.
    public var bytes: Int64
    /// Episodes that were new.
    public var newEpisodes: Int
    /// A record of a try.
    public init(
        time: Timestamp, httpStatus: Int? = nil, etag: String? = nil, lastModified: String? = nil,
        bodyDigest: String? = nil, movedTo: String? = nil, error: String? = nil, nextDue: Timestamp,
        bytes: Int64 = 0, newEpisodes: Int = 0
    ) {
        self.time = time
        self.httpStatus = httpStatus
        self.etag = etag
        self.lastModified = lastModified
        self.bodyDigest = bodyDigest
        self.movedTo = movedTo
        self.error = error
        self.nextDue = nextDue
        self.bytes = bytes
        self.newEpisodes = newEpisodes
    }
}

/// What a merge changed.
public struct MergeResult: Equatable, Sendable {
    /// New episodes, in document order.
    public var added: [EpisodeID]
    /// Episodes whose rows changed.
    public var changed: [EpisodeID]
    /// Items that became no episode, for example because they have no enclosure.
    public var skipped: Int
    /// What of the document is not stored.
    public var leftOut = LeftOut()
    /// The walk over older pages that began.
    public var walk: PageWalk?
    /// Whether an older page has episodes that were stored before its walk began.
    public var reachesKnown = false
    public init(added: [EpisodeID] = [], changed: [EpisodeID] = [], skipped: Int = 0) {
        self.added = added
        self.changed = changed
        self.skipped = skipped
    }
}
