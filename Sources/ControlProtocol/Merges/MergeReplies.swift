public import ControlLanguage
public import PodcastModel

/// Something that was decided about the identity of an episode.
public struct MergeReply: ReplyObject {
    /// What was decided.
    public enum Kind: String, Sendable, CaseIterable {
        /// The same GUID, another title and address.
        case guid
        /// Another GUID, the same address.
        case url
        /// The same address but for tracking prefixes and queries.
        case file
        /// The same title, date and duration.
        case title
        /// A new episode with the GUID of another one.
        case reusedGUID
        /// An item that says again what an earlier one says.
        case repeated
        /// Another feed at the same address.
        case otherFeed
        /// Taken back by the listener.
        case split
        /// Joined by the listener.
        case joined
    }

    /// Its number.
    public var id: Int64 = 0
    /// When.
    public var time = Timestamp(milliseconds: 0)
    /// What was decided.
    public var kind = Kind.guid
    public var feed = FeedID(0)
    /// That feed's title.
    public var feedTitle = ""
    public var episode: EpisodeID?
    public var other: EpisodeID?
    /// What it was called until then.
    public var before = PublishedNamesReply()
    /// What it is called now.
    public var after = PublishedNamesReply()
    /// Whether it was undone.
    public var isUndone = false

    public init() {}

    public static let objectName = "Merge"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &id, isRequired: true, "Its number, for `merges.split`.")
        members.declare("time", &time, "When it was decided.")
        members.declare(
            "kind", &kind, isRequired: true,
            "What an item was recognized by: guid (and nothing else), url, file (the URL without tracking prefix and query) "
                + "or title (with date and duration); reusedGUID (a new episode in spite of its GUID), repeated (duplicated, "
                + "left out), otherFeed (another feed at this address), split or joined (by the listener).")
        members.declare("feed", &feed, "The feed's id.")
        members.declare("feedTitle", &feedTitle, "The feed's title.")
        members.declare("episode", &episode, "The episode's id; null for otherFeed.")
        members.declare("other", &other, "The episode whose GUID was reused, that was split off, or that was joined.")
        members.declare("before", &before, "`guid`, `url` and `title` until then, each of which may be null.")
        members.declare("after", &after, "`guid`, `url` and `title` of the item.")
        members.declare("undone", &isUndone, "Whether it was undone.")
    }
}

/// By what a publisher names an episode or a feed.
public struct PublishedNamesReply: ReplyObject {
    public var guid: String?
    /// The address.
    public var url: String?
    public var title: String?

    public init() {}
    public init(guid: String?, url: String?, title: String?) {
        self.guid = guid
        self.url = url
        self.title = title
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("guid", &guid)
        members.declare("url", &url)
        members.declare("title", &title)
    }
}

/// What `merges.list` answers.
public struct MergeListReply: ReplyObject {
    /// The decisions, the latest first.
    public var merges: [MergeReply] = []

    /// Whether rows follow.
    public var hasAfter = false

    public init() {}
    public init(_ merges: [MergeReply], hasAfter: Bool = false) { (self.merges, self.hasAfter) = (merges, hasAfter) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("merges", &merges)
        members.declare("hasAfter", &hasAfter)
    }
}

/// What `merges.split` answers.
public struct EpisodeSplitReply: ReplyObject {
    /// The one that keeps what the listener did.
    public var kept = EpisodeID(0)
    public var other = EpisodeID(0)

    public init() {}
    public init(kept: EpisodeID, other: EpisodeID) {
        self.kept = kept
        self.other = other
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("kept", &kept, isRequired: true)
        members.declare("other", &other, isRequired: true)
    }
}

/// What `merges.join` answers.
public struct EpisodesJoinedReply: ReplyObject {
    /// The decision.
    public var merge: Int64 = 0
    /// The episode that stays.
    public var episode = EpisodeID(0)

    public init() {}
    public init(merge: Int64, episode: EpisodeID) {
        self.merge = merge
        self.episode = episode
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("merge", &merge, isRequired: true)
        members.declare("episode", &episode, isRequired: true)
    }
}

extension MergeReply.Kind: WireScalar {}
