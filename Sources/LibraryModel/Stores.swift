public import PodcastModel

// The library's ports. They are synchronous and belong to one thread: podcast-refresh calls them on its only
// thread, the daemon on the thread that owns its connection. Every method throws `LibraryError`.

/// A library that failed or refused.
public enum LibraryError: Error, Equatable, Sendable {
    /// No such feed, episode or entry; what was looked for.
    case notFound(String)
    /// Several fit; their titles, some.
    case ambiguous(String, candidates: [String])
    /// Already there: the feed that is.
    case alreadySubscribed(FeedID)
    /// The file was made by a newer program: its version and ours.
    case newerSchema(found: Int, known: Int)
    /// The disk is full.
    case diskFull
    /// The file or its folder cannot be written.
    case readOnly(String)
    /// Another process holds the library for too long.
    case busy
    /// The file is damaged; SQLite's own words.
    case damaged(String)
    /// Anything else; SQLite's own words.
    case storage(String)
}

/// Feeds and their settings.
public protocol FeedStore: AnyObject {
    /// All feeds by title.
    func feeds() throws(LibraryError) -> [Feed]
    /// One feed.
    func feed(_ id: FeedID) throws(LibraryError) -> Feed
    /// The feed with that URL, if it is subscribed to.
    func feed(url: String) throws(LibraryError) -> Feed?
    /// Feeds that `what` names: an id, an URL, or a unique part of the title without regard to case.
    func resolveFeed(_ what: String) throws(LibraryError) -> Feed
    /// Subscribes; the title is the URL until the first refresh.
    func addFeed(url: String, title: String?, at now: Timestamp) throws(LibraryError) -> FeedID
    /// Unsubscribes: episodes, positions and queue entries go with it.
    func removeFeed(_ id: FeedID) throws(LibraryError)
    /// A feed's own settings, by name.
    func settings(of id: FeedID) throws(LibraryError) -> [String: String]
    /// Sets one; nil takes it away.
    func setSetting(_ name: String, to value: String?, of id: FeedID) throws(LibraryError)
}

/// Episodes and what the listener did with them.
public protocol EpisodeStore: AnyObject {
    /// One episode.
    func episode(_ id: EpisodeID) throws(LibraryError) -> Episode
    /// Several, in the order asked; missing ones are left out.
    func episodes(_ ids: [EpisodeID]) throws(LibraryError) -> [Episode]
    /// Summary and content as stored, for a detail view.
    func notes(of id: EpisodeID) throws(LibraryError) -> EpisodeNotes
    /// One page of a view; `limit` is 1 to 1000.
    func page(
        _ filter: EpisodeFilter, order: EpisodeOrder, at anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> EpisodePage
    /// Rows of a view, counted up to a bound.
    func count(_ filter: EpisodeFilter, upTo bound: Int) throws(LibraryError) -> RowCount
    /// Those of the given episodes that fit a filter, in the order asked.
    func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID]
    /// Episodes that `what` names: an id, an enclosure URL, or a unique part of the title.
    func resolveEpisode(_ what: String) throws(LibraryError) -> Episode
    /// Marks played or not; played ones lose their position. Committed before it returns.
    func setPlayed(_ played: Bool, _ ids: [EpisodeID], at now: Timestamp) throws(LibraryError)
    /// Stars or not. Committed before it returns.
    func setStarred(_ starred: Bool, _ ids: [EpisodeID]) throws(LibraryError)
    /// Writes the listener's note; nil takes it away. Committed before it returns.
    func setNote(_ note: String?, of id: EpisodeID) throws(LibraryError)
    /// Remembers where listening stopped. `isDurable` waits for the disk: pause, stop and seek do, the
    /// second-by-second record does not.
    func savePosition(
        _ position: MediaTime, of id: EpisodeID, at now: Timestamp, isDurable: Bool
    ) throws(LibraryError)
    /// Remembers a duration measured from the file.
    func setMeasuredDuration(_ duration: MediaTime, of id: EpisodeID) throws(LibraryError)
    /// An episode for an URL that belongs to no feed (`play URL`): found or made.
    func looseEpisode(url: String, title: String?, at now: Timestamp) throws(LibraryError) -> EpisodeID
}

extension EpisodeStore {
    /// Looks at each episode by itself; words are looked for in titles only. For stores without a better way.
    public func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID] {
        try episodes(ids).filter(filter.accepts).map(\.id)
    }
}

/// An episode's longer texts.
public struct EpisodeNotes: Equatable, Sendable {
    /// The publisher's summary.
    public var summary: String?
    /// The publisher's full text, often HTML.
    public var content: String?
    /// Chapters from the feed.
    public var chapters: [Chapter]
    /// Texts as stored.
    public init(summary: String?, content: String?, chapters: [Chapter] = []) {
        self.summary = summary
        self.content = content
        self.chapters = chapters
    }
}

/// The queue on disk. Every change is one transaction, on disk before it returns.
public protocol QueueStore: AnyObject {
    /// All entries in order, with the playing one.
    func queue() throws(LibraryError) -> StoredQueue
    /// Inserts before a position (0 is the front, the length the end); new entries get new numbers.
    func insertEntries(_ episodes: [EpisodeID], at index: Int) throws(LibraryError) -> [QueueEntry]
    /// Takes entries away; unknown numbers are passed over.
    func removeEntries(_ ids: [EntryID]) throws(LibraryError)
    /// Moves an entry so that it stands at `index` afterwards.
    func moveEntry(_ id: EntryID, to index: Int) throws(LibraryError)
    /// Puts all entries into the order given; it must name each exactly once.
    func reorderEntries(_ ids: [EntryID]) throws(LibraryError)
    /// Remembers which entry plays; nil when none does.
    func setCurrentEntry(_ id: EntryID?) throws(LibraryError)
}

/// The queue as stored.
public struct StoredQueue: Equatable, Sendable {
    /// Entries in order.
    public var entries: [QueueEntry]
    /// The one that plays or played last.
    public var current: EntryID?
    /// Entries with the playing one.
    public init(entries: [QueueEntry] = [], current: EntryID? = nil) {
        self.entries = entries
        self.current = current
    }
}

/// What podcast-refresh needs of the library.
public protocol RefreshStore: AnyObject {
    /// Feeds whose time has come, the longest overdue first; all of them when `isForced`.
    func dueFeeds(at now: Timestamp, isForced: Bool) throws(LibraryError) -> [RefreshTarget]
    /// Those of the given feeds, due or not.
    func refreshTargets(_ ids: [FeedID]) throws(LibraryError) -> [RefreshTarget]
    /// Nothing new (304, or a body equal to the last): only health and validators are written.
    func recordUnchanged(_ id: FeedID, _ fetch: FetchRecord) throws(LibraryError)
    /// Nothing new in several feeds, with few commits: a commit costs more than all else of an unchanged feed. Feeds
    /// that are gone meanwhile are passed over.
    func recordUnchanged(_ fetches: [(feed: FeedID, fetch: FetchRecord)]) throws(LibraryError)
    /// Merges a document: only rows that differ are written, episodes the document lacks stay. The feed becomes
    /// visible whole or stays as before.
    func merge(_ contents: FeedContents, into id: FeedID, _ fetch: FetchRecord) throws(LibraryError) -> MergeResult
    /// Merges several documents with few commits; each feed becomes visible whole. A result for each document, nil
    /// where the feed is gone meanwhile. After an error those before it may be merged; merging again is harmless.
    func merge(_ documents: [FeedDocument]) throws(LibraryError) -> [MergeResult?]
    /// A failure: everything the feed had stays.
    func recordFailure(_ id: FeedID, _ fetch: FetchRecord) throws(LibraryError)
    /// The last entries of the refresh log of one feed, latest first.
    func refreshLog(_ id: FeedID, limit: Int) throws(LibraryError) -> [FetchRecord]
}

extension RefreshStore {
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
    /// The feed.
    public var feed: FeedID
    /// What the document says.
    public var contents: FeedContents
    /// How it was fetched.
    public var fetch: FetchRecord
    /// A document for a feed.
    public init(feed: FeedID, contents: FeedContents, fetch: FetchRecord) {
        self.feed = feed
        self.contents = contents
        self.fetch = fetch
    }
}

/// A feed to refresh, with what makes the request conditional.
public struct RefreshTarget: Equatable, Sendable {
    /// The feed.
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

/// One try at a feed: what the refresh log keeps.
public struct FetchRecord: Equatable, Sendable {
    /// When it ended.
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
    /// A result.
    public init(added: [EpisodeID] = [], changed: [EpisodeID] = [], skipped: Int = 0) {
        self.added = added
        self.changed = changed
        self.skipped = skipped
    }
}
