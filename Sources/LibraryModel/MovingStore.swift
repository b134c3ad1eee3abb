public import PodcastModel

/// A subscription with the user's settings, for export and import.
public struct PortableFeed: Equatable, Sendable {
    public var url: String
    /// Title until the first refresh; nil if unknown.
    public var title: String?
    /// The user's tags, sorted; a nested group is `outer/inner`.
    public var tags: [String]
    public var settings: [String: String]
    /// Time of subscribing; nil for the time of the import.
    public var subscribed: Timestamp?
    public var formerURLs: [String]

    public init(
        url: String, title: String? = nil, tags: [String] = [], settings: [String: String] = [:],
        subscribed: Timestamp? = nil, formerURLs: [String] = []
    ) {
        self.url = url
        self.title = title
        self.tags = tags
        self.settings = settings
        self.subscribed = subscribed
        self.formerURLs = formerURLs
    }
}

/// The publisher's data about an episode, by which other libraries and programs identify the episode too.
public struct EpisodeIdentity: Equatable, Sendable {
    public var guid: String?
    public var url: String
    public var title: String?
    public var published: Timestamp?
    public var duration: MediaTime?

    /// The more members are known, the more certain is the match.
    public init(
        guid: String? = nil, url: String, title: String? = nil, published: Timestamp? = nil, duration: MediaTime? = nil
    ) {
        self.guid = guid
        self.url = url
        self.title = title
        self.published = published
        self.duration = duration
    }
}

/// The user's data about one episode, for export and import.
public struct PortableEpisode: Equatable, Sendable {
    public var identity: EpisodeIdentity
    /// Played to the end, or marked as played.
    public var isPlayed = false
    public var position = MediaTime.zero
    public var lastPlayed: Timestamp?
    /// Time when last marked played or unplayed.
    public var marked: Timestamp?
    public var isStarred = false
    public var note: String?
    public var bookmarks: [PortableBookmark] = []
    /// Index in the source's queue, from 0; nil if not queued.
    public var queueIndex: Int?
    public var isCurrent = false

    public init(_ identity: EpisodeIdentity) { self.identity = identity }

    public var isTouched: Bool { hasPlayback || isStarred || note != nil || !bookmarks.isEmpty || queueIndex != nil }

    public var hasPlayback: Bool { isPlayed || position > .zero || lastPlayed != nil || marked != nil }
}

/// The result of importing a feed.
public struct ImportedFeed: Equatable, Sendable {
    public var id: FeedID
    public var isNew: Bool

    public init(id: FeedID, isNew: Bool) {
        self.id = id
        self.isNew = isNew
    }
}

/// The result of importing episodes: counts of episodes.
public struct EpisodeImportCounts: Equatable, Sendable {
    /// Known episodes that got new data.
    public var found = 0
    /// Known episodes that already had all data.
    public var unchanged = 0
    /// Episodes whose data waits for a refresh of their feed.
    public var waiting = 0

    public init(found: Int = 0, unchanged: Int = 0, waiting: Int = 0) {
        self.found = found
        self.unchanged = unchanged
        self.waiting = waiting
    }
}

/// The key of an episode with user data; opaque outside the store.
public struct PortableEpisodeKey: Equatable, Sendable {
    /// Nil for an episode without a feed.
    public var feed: FeedID?
    public var row: Int64
    /// True if the data still waits for the episode.
    public var isWaiting: Bool
    /// Index in the queue, from 0.
    public var queueIndex: Int32?

    public init(feed: FeedID?, row: Int64, isWaiting: Bool, queueIndex: Int32?) {
        self.feed = feed
        self.row = row
        self.isWaiting = isWaiting
        self.queueIndex = queueIndex
    }
}

/// Export and import.
public protocol MovingStore {
    /// All subscriptions, ordered by URL.
    func exportedFeeds() throws(LibraryError) -> [PortableFeed]
    /// Small keys of all episodes with user data, by feed and date, so that the episodes can be read in pieces.
    func exportedKeys() throws(LibraryError) -> [PortableEpisodeKey]
    /// The episodes of some keys, in the same order; deleted episodes are omitted.
    func exportedEpisodes(_ keys: ArraySlice<PortableEpisodeKey>) throws(LibraryError) -> [(
        feed: FeedID?, episode: PortableEpisode
    )]
    /// Subscribes to feeds; adds tags, settings and former URLs that existing feeds lack. One commit, synced to disk.
    func importFeeds(_ feeds: [PortableFeed], at now: Timestamp) throws(LibraryError) -> [ImportedFeed]
    /// Adds another library's data to the episodes of a feed, at once or as soon as a refresh adds the episodes. Never
    /// removes data: the later of two positions wins; an existing star or note stays.
    /// - Parameter queueStart: result of `queueEnd()` before the first episode of the same source.
    func importEpisodes(
        _ episodes: [PortableEpisode], of feed: FeedID, queueStart: Int64, at now: Timestamp
    ) throws(LibraryError) -> EpisodeImportCounts
    /// Adds data to an episode without a feed, which is created if missing. Returns true if anything changed.
    func importLooseEpisode(_ episode: PortableEpisode, queueStart: Int64, at now: Timestamp) throws(LibraryError)
        -> Bool
    /// The end of the queue, after which imported entries are added.
    func queueEnd() throws(LibraryError) -> Int64
    /// Rules, retention policies and smart playlists, with feeds by URL.
    /// - Parameter shown: converts a URL for output.
    func exportedPolicies(shown: (String) -> String) throws(LibraryError) -> PortablePolicies
    /// Adds missing policies: rules after the existing rules, in their order; retention for feeds that have none;
    /// playlists with unused names. Skips policies that cannot be parsed or name a feed that is not subscribed. One
    /// commit, on disk before it returns.
    func importPolicies(_ decisions: PortablePolicies) throws(LibraryError) -> PolicyImportCounts
    /// Replaces the tags of a feed. Committed before it returns.
    func setTags(_ tags: [String], of id: FeedID) throws(LibraryError)
}
