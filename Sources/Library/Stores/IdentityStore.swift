public import PodcastModel
internal import SQLite

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
}

/// The publisher's identifiers of an episode; for a feed: its `podcast:guid`, web page and title.
public struct PublishedIdentity: Equatable, Sendable {
    public var guid: String?
    /// URL of the media file.
    public var url: String?
    public var title: String?
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
    }

    /// In document order.
    public var rows: [Row] = []
    /// Number of episodes that would be flagged as missing from the document.
    public var gone = 0
    public var leftOut = LeftOut()
    public var isOtherFeed = false
    /// True if the document has episodes, but none of the stored ones.
    public var sharesNothing = false
}

/// Why an item does not become an episode.
public enum SkipReason: Error, Equatable {
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

/// The log of doubtful matches between items of a document and stored episodes.
public struct IdentityStore: LibraryPart {
    let library: LibraryStore

    /// Newest first.
    public func identityDecisions(of feed: FeedID, limit: Int) throws(LibraryError) -> [IdentityDecision] {
        try read {
            try connection.all(
                """
                SELECT * FROM identity_decision INDEXED BY identity_decision_feed WHERE feed = \(feed) ORDER BY id DESC
                LIMIT \(limit)
                """
            ) { row in
                guard let kind: IdentityDecision.Kind = row["kind"] else { return nil }
                return IdentityDecision(
                    time: row["time"], kind: kind, episode: row["episode"], other: row["other"],
                    before: PublishedIdentity(guid: row["old_guid"], url: row["old_url"], title: row["old_title"]),
                    after: PublishedIdentity(guid: row["new_guid"], url: row["new_url"], title: row["new_title"]))
            }
        }
    }

    /// The result that a merge would have for each item, without writing. Without `feed`, as for a new feed.
    public func previewMerge(
        _ contents: FeedContents, _ extent: DocumentExtent, into feed: FeedID?, at now: Timestamp
    ) throws(LibraryError) -> MergePreview {
        try read {
            guard let planned = try refreshStore.plan(contents, extent, into: feed, at: now) else {
                throw LibraryError.notFound("feed \(feed.map(\.label) ?? "")")
            }
            return MergePreview(planned, of: contents)
        }
    }
}

extension MergePreview {
    fileprivate init(_ planned: LibraryRefreshStore.PlannedMerge, of contents: FeedContents) {
        let plan = planned.plan
        let places = planned.places
        var outcomes: [Int: Outcome] = [:]
        for (item, reason) in planned.skipped { outcomes[item] = .skipped(reason) }
        for index in plan.inserts { outcomes[places[index]] = .new }
        for (index, owner) in plan.reusedGUIDs { outcomes[places[index]] = .newDespiteGUID(EpisodeID(owner)) }
        for (index, _) in plan.found { outcomes[places[index]] = .known }
        for update in plan.updates {
            if let kind = update.kind { outcomes[places[update.item]] = .matched(kind, EpisodeID(update.id)) }
        }
        for (index, earlier) in plan.repeated {
            outcomes[places[index]] = .skipped(.repeats(item: places[earlier]))
        }
        let rows = contents.items.enumerated().map { place, item in
            Row(
                item: place,
                title: item.title.flatMap { SafeText.title($0) } ?? item.guid ?? item.enclosures.first?.url ?? "",
                outcome: outcomes[place] ?? .skipped(.beyondShare))
        }
        self.init(
            rows: rows, gone: plan.gone.count, leftOut: planned.leftOut, isOtherFeed: planned.isOtherFeed,
            sharesNothing: plan.isForeign)
    }
}

/// The publisher's names of a feed before a refresh.
struct FeedNames {
    let guid: String?
    /// Nil if the user has set another title, so that the publisher's title is not known.
    let title: String?
    let link: String?

    /// True if a document's `podcast:guid` is that of another feed.
    func isOther(byGUIDOf channel: Channel) -> Bool {
        guard let guid, let now = channel.guid else { return false }
        return guid.lowercased() != now.lowercased()
    }

    /// True if a document that has none of the episodes belongs to another feed.
    func isOther(_ channel: Channel) -> Bool {
        if let guid, let now = channel.guid { return guid.lowercased() != now.lowercased() }
        if let title, let now = channel.title.flatMap({ SafeText.title($0) }) { return title != now }
        return link != nil && channel.link != nil && link != channel.link
    }
}
