public import PodcastModel

/// Log of doubtful matches between items of a document and stored episodes.
public protocol IdentityStore {
    /// The decisions about a feed, newest first.
    func identityDecisions(of feed: FeedID, limit: Int) throws(LibraryError) -> [IdentityDecision]
    /// The result that a merge would have for each item, without writing. Without `feed`, as for a new feed.
    func previewMerge(
        _ contents: FeedContents, _ extent: DocumentExtent, into feed: FeedID?
    ) throws(LibraryError) -> MergePreview
}

/// A doubtful decision about the identity of an episode.
public struct IdentityDecision: Equatable, Sendable {
    /// The decision and its evidence. The raw values are stored in the database.
    public enum Kind: Int, Sendable, CaseIterable {
        /// The item has the episode's GUID, but another title and URL.
        case matchedByGUIDAlone = 0
        /// The item has another GUID, but the episode's URL.
        case matchedByURL = 1
        /// The item has the episode's URL apart from tracking prefixes and queries.
        case matchedByFile = 2
        /// The item has another GUID and URL, but the episode's title, date and duration.
        case matchedByTitle = 3
        /// The item has the GUID of another episode and became a separate episode.
        case reusedGUID = 4
        /// The item repeats an earlier item of the same document and was skipped.
        case repeatedItem = 5
        /// The document seems to belong to another feed: none of the known items is in it.
        case otherFeed = 6
    }

    public var time: Timestamp
    public var kind: Kind
    /// Nil if the decision is about the whole feed.
    public var episode: EpisodeID?
    /// The other episode that has the item's GUID.
    public var other: EpisodeID?
    public var before: PublishedIdentity
    public var after: PublishedIdentity

    public init(
        time: Timestamp, kind: Kind, episode: EpisodeID?, other: EpisodeID?, before: PublishedIdentity,
        after: PublishedIdentity
    ) {
        (self.time, self.kind, self.episode, self.other) = (time, kind, episode, other)
        (self.before, self.after) = (before, after)
    }
}

/// The publisher's identifiers of an episode; for a feed: its `podcast:guid`, web page and title.
public struct PublishedIdentity: Equatable, Sendable {
    public var guid: String?
    /// URL of the media file.
    public var url: String?
    public var title: String?
    public init(guid: String? = nil, url: String? = nil, title: String? = nil) {
        self.guid = guid
        self.url = url
        self.title = title
    }
}

/// The result that a merge of a document would have.
public struct MergePreview: Equatable, Sendable {
    public enum Outcome: Equatable, Sendable {
        case new
        /// A new episode, although its GUID belongs to another episode.
        case newDespiteGUID(EpisodeID)
        /// A stored episode, matched by GUID.
        case known
        /// A stored episode, matched by other evidence.
        case matched(IdentityDecision.Kind, EpisodeID)
        case skipped(SkipReason)
    }

    public struct Row: Equatable, Sendable {
        /// Index in the document, from 0.
        public var item: Int
        /// The title as plain text, or another identifier.
        public var title: String
        public var outcome: Outcome
        public init(item: Int, title: String, outcome: Outcome) {
            self.item = item
            self.title = title
            self.outcome = outcome
        }
    }

    /// All items, in document order.
    public var rows: [Row]
    /// Number of episodes that would be flagged as missing from the document.
    public var gone: Int
    public var leftOut = LeftOut()
    public var isOtherFeed: Bool
    /// True if the document has episodes, but none of the stored ones.
    public var sharesNothing: Bool
    public init(rows: [Row] = [], gone: Int = 0, isOtherFeed: Bool = false, sharesNothing: Bool = false) {
        self.sharesNothing = sharesNothing
        self.rows = rows
        self.gone = gone
        self.isOtherFeed = isOtherFeed
    }
}

/// Why an item does not become an episode.
public enum SkipReason: Error, Equatable, Sendable {
    case noEnclosure
    /// None of the media URLs can be fetched: only http and https with a host can.
    case notFetchable
    /// The media files are pictures or documents.
    case notPlayable
    /// The feed has reached its limit: `StoredLimits`.
    case beyondShare
    /// Repeats an earlier item; `item` is its index in the document.
    case repeats(item: Int)
}
