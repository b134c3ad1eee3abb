public import PodcastModel

/// Which item of a document is which episode: what was decided that was not plain, and how to decide otherwise.
public protocol IdentityStore {
    /// What was decided, the latest first: of one feed or of all, before a decision or from the latest on.
    func identityDecisions(
        of feed: FeedID?, before: DecisionID?, limit: Int
    ) throws(LibraryError) -> [IdentityDecision]
    /// Undoes a merge. An item that was matched to an episode becomes a separate episode, and the matched one keeps
    /// position, star, note and queue entries; two merged episodes are two again. Committed before it returns.
    func split(_ decision: DecisionID, at now: Timestamp) throws(LibraryError) -> EpisodeSplit
    /// Makes two episodes of one feed one: `kept` gets the further position, the star, both notes and the queue entries;
    /// refreshes take both items for it from now on. Committed before it returns.
    func join(_ kept: EpisodeID, with other: EpisodeID, at now: Timestamp) throws(LibraryError) -> DecisionID
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
        /// The listener took a merge back: the episode and the other are two.
        case split = 7
        /// The listener said that the episode and the other are one.
        case joined = 8

        /// Whether an item was taken for an episode that was there.
        public var isMatch: Bool {
            switch self {
            case .matchedByGUIDAlone, .matchedByURL, .matchedByFile, .matchedByTitle: true
            case .reusedGUID, .repeatedItem, .otherFeed, .split, .joined: false
            }
        }
        /// Whether `split` can undo it.
        public var canBeSplit: Bool { isMatch || self == .joined }
    }

    /// Its number.
    public var id: DecisionID
    /// In which feed.
    public var feed: FeedID
    /// That feed's title.
    public var feedTitle: String
    /// When.
    public var time: Timestamp
    /// What was decided.
    public var kind: Kind
    /// The episode that it is about; nil when it is about the whole feed.
    public var episode: EpisodeID?
    /// The episode that the item was not taken for, that was split off, or that was joined into `episode`.
    public var other: EpisodeID?
    /// What the publisher called the episode, or the feed, until then.
    public var before: PublishedIdentity
    /// What the item or document calls it.
    public var after: PublishedIdentity
    /// Whether it was undone.
    public var isUndone: Bool

    /// A decision made of its parts.
    public init(
        id: DecisionID, feed: FeedID, feedTitle: String, time: Timestamp, kind: Kind, episode: EpisodeID?,
        other: EpisodeID?, before: PublishedIdentity, after: PublishedIdentity, isUndone: Bool
    ) {
        self.id = id
        self.feed = feed
        self.feedTitle = feedTitle
        self.time = time
        self.kind = kind
        self.episode = episode
        self.other = other
        self.before = before
        self.after = after
        self.isUndone = isUndone
    }
}

/// By what publishers name an episode; of a feed, its `podcast:guid`, web page and title.
public struct PublishedIdentity: Equatable, Sendable {
    /// The GUID.
    public var guid: String?
    /// The address of the media file.
    public var url: String?
    /// The title.
    public var title: String?
    /// Names made of their parts.
    public init(guid: String? = nil, url: String? = nil, title: String? = nil) {
        self.guid = guid
        self.url = url
        self.title = title
    }
}

/// Two episodes that were one.
public struct EpisodeSplit: Equatable, Sendable {
    /// The one that was there before; it keeps what the listener did.
    public var kept: EpisodeID
    /// The one that is there now, or again.
    public var other: EpisodeID
    /// Both.
    public init(kept: EpisodeID, other: EpisodeID) {
        self.kept = kept
        self.other = other
    }
}

/// What a merge would make of a document.
public struct MergePreview: Equatable, Sendable {
    /// What would become of an item.
    public enum Outcome: Equatable, Sendable {
        /// A new episode.
        case new
        /// A new episode, although its GUID is that of another one.
        case newDespiteGUID(EpisodeID)
        /// An episode that is there, by its GUID.
        case known
        /// An episode that is there, recognized otherwise.
        case matched(IdentityDecision.Kind, EpisodeID)
        /// Nothing.
        case skipped(SkipReason)
    }

    /// One item.
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
    /// The listener said that it is the same as an episode that is in the document too.
    case joined(EpisodeID)
}
