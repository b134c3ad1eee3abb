public import PodcastModel

/// Decisions about which item of a document is which episode, where that was not obvious.
public protocol IdentityStore {
    /// The decisions about a feed, the latest first.
    func identityDecisions(of feed: FeedID, limit: Int) throws(LibraryError) -> [IdentityDecision]
    /// What a merge would make of each item, without writing anything; without a feed, as if it were new.
    func previewMerge(
        _ contents: FeedContents, _ extent: DocumentExtent, into feed: FeedID?
    ) throws(LibraryError) -> MergePreview
}

/// Something that was decided about the identity of an episode and was not plain.
public struct IdentityDecision: Equatable, Sendable {
    /// What was decided, and by what. The numbers stand in the library's file.
    public enum Kind: Int, Sendable, CaseIterable {
        /// The item has the episode's GUID; title and address are others.
        case matchedByGUIDAlone = 0
        /// The item has another GUID, and the episode's address.
        case matchedByURL = 1
        /// The item has the episode's address but for tracking prefixes and queries.
        case matchedByFile = 2
        /// The item has another GUID and address, and the episode's title, date and duration.
        case matchedByTitle = 3
        /// The item has the GUID of another episode and became a separate episode.
        case reusedGUID = 4
        /// The item repeats an earlier one of the same document, and was skipped.
        case repeatedItem = 5
        /// The document is another feed's: nothing of what was there before is in it.
        case otherFeed = 6
    }

    public var time: Timestamp
    public var kind: Kind
    /// Nil when the decision is about the whole feed.
    public var episode: EpisodeID?
    /// The episode whose GUID the item has, although the item is another episode.
    public var other: EpisodeID?
    /// What the publisher called the episode, or the feed, until then.
    public var before: PublishedIdentity
    /// What the item or document calls it.
    public var after: PublishedIdentity

    public init(
        time: Timestamp, kind: Kind, episode: EpisodeID?, other: EpisodeID?, before: PublishedIdentity,
        after: PublishedIdentity
    ) {
        (self.time, self.kind, self.episode, self.other) = (time, kind, episode, other)
        (self.before, self.after) = (before, after)
    }
}

/// By what publishers name an episode; of a feed, its `podcast:guid`, web page and title.
public struct PublishedIdentity: Equatable, Sendable {
    public var guid: String?
    /// The address of the media file.
    public var url: String?
    public var title: String?
    /// Names made of their parts.
    public init(guid: String? = nil, url: String? = nil, title: String? = nil) {
        self.guid = guid
        self.url = url
        self.title = title
    }
}

/// What a merge would make of a document.
public struct MergePreview: Equatable, Sendable {
    /// What would become of an item.
    public enum Outcome: Equatable, Sendable {
        case new
        /// A new episode, although its GUID is that of another one.
        case newDespiteGUID(EpisodeID)
        /// An episode that is there, by its GUID.
        case known
        /// An episode that is there, recognized otherwise.
        case matched(IdentityDecision.Kind, EpisodeID)
        case skipped(SkipReason)
    }

    public struct Row: Equatable, Sendable {
        /// Its place in the document, from 0.
        public var item: Int
        /// Its title as a plain line, or what else names it.
        public var title: String
        /// What would become of it.
        public var outcome: Outcome
        /// An item and its outcome.
        public init(item: Int, title: String, outcome: Outcome) {
            self.item = item
            self.title = title
            self.outcome = outcome
        }
    }

    /// Every item, in document order.
    public var rows: [Row]
    /// Episodes that the document lacks and that would be flagged so.
    public var gone: Int
    /// What of the document would not be stored.
    public var leftOut = LeftOut()
    /// Whether it looks like another feed than before.
    public var isOtherFeed: Bool
    /// Whether it has episodes, but none of the stored ones.
    public var sharesNothing: Bool
    /// A preview made of its parts.
    public init(rows: [Row] = [], gone: Int = 0, isOtherFeed: Bool = false, sharesNothing: Bool = false) {
        self.sharesNothing = sharesNothing
        self.rows = rows
        self.gone = gone
        self.isOtherFeed = isOtherFeed
    }
}

/// Why an item becomes no episode.
public enum SkipReason: Error, Equatable, Sendable {
    /// It announces no media file.
    case noEnclosure
    /// Its media files have no address that may be fetched: http or https with a host.
    case notFetchable
    /// Its media files are pictures or papers.
    case notPlayable
    /// The feed has used its share of the library: `StoredLimits`.
    case beyondShare
    /// An earlier item, by its place in the document, says the same episode.
    case repeats(item: Int)
}
