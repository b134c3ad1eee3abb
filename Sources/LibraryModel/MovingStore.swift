public import PodcastModel

/// A subscription with the user's settings for it, in the form in which libraries export and import it.
public struct PortableFeed: Equatable, Sendable {
    /// Where it is fetched from.
    public var url: String
    /// Its title until the first refresh; nil if unknown.
    public var title: String?
    /// The listener's tags, sorted; a group within another is `outer/inner`.
    public var tags: [String]
    /// The feed's own settings by name.
    public var settings: [String: String]
    /// Since when; nil takes the time of the import.
    public var subscribed: Timestamp?
    /// Where it was fetched from before it moved.
    public var formerURLs: [String]

    /// A subscription made of its parts.
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

/// An episode by what its publisher says of it, which is what another library or program can know of it too.
public struct EpisodeIdentity: Equatable, Sendable {
    public var guid: String?
    public var url: String
    public var title: String?
    public var published: Timestamp?
    public var duration: MediaTime?

    /// An identity made of its parts; the more there are, the surer the episode is found.
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

/// The user's data about one episode, in the form in which libraries export and import it.
public struct PortableEpisode: Equatable, Sendable {
    public var identity: EpisodeIdentity
    /// Heard to its end, or marked so.
    public var isPlayed = false
    public var position = MediaTime.zero
    /// When it was heard last.
    public var lastPlayed: Timestamp?
    /// When it was last marked played or unplayed.
    public var marked: Timestamp?
    public var isStarred = false
    public var note: String?
    public var bookmarks: [PortableBookmark] = []
    /// Its place in the queue that it comes from, from 0; nil when it was not queued.
    public var queueIndex: Int?
    /// Whether it is the queue's entry that plays or played last.
    public var isCurrent = false

    /// An episode with which nothing was done yet.
    public init(_ identity: EpisodeIdentity) { self.identity = identity }

    /// Whether anything was done with it.
    public var isTouched: Bool { hasPlayback || isStarred || note != nil || !bookmarks.isEmpty || queueIndex != nil }

    /// Whether it was heard or marked.
    public var hasPlayback: Bool { isPlayed || position > .zero || lastPlayed != nil || marked != nil }
}

/// The result of importing a feed.
public struct ImportedFeed: Equatable, Sendable {
    public var id: FeedID
    /// Whether it was not subscribed to before.
    public var isNew: Bool

    public init(id: FeedID, isNew: Bool) {
        self.id = id
        self.isNew = isNew
    }
}

/// The result of importing episodes.
public struct EpisodeImportCounts: Equatable, Sendable {
    /// Episodes that were found here and got state that they did not have.
    public var found = 0
    /// Episodes that were found here and already had all of it.
    public var unchanged = 0
    /// Those that wait until their feed brings them.
    public var waiting = 0

    /// Counts made of their parts.
    public init(found: Int = 0, unchanged: Int = 0, waiting: Int = 0) {
        self.found = found
        self.unchanged = unchanged
        self.waiting = waiting
    }
}

/// One episode in the list of all that the listener touched; what it says is for the store alone.
public struct PortableEpisodeKey: Equatable, Sendable {
    /// The feed, nil for an episode that belongs to none.
    public var feed: FeedID?
    public var row: Int64
    /// Whether it still waits for its episode.
    public var isWaiting: Bool
    /// Its place in the queue, from 0.
    public var queueIndex: Int32?

    /// A key made of its parts.
    public init(feed: FeedID?, row: Int64, isWaiting: Bool, queueIndex: Int32?) {
        self.feed = feed
        self.row = row
        self.isWaiting = isWaiting
        self.queueIndex = queueIndex
    }
}

/// What moving in and out needs of the library.
public protocol MovingStore {
    /// All subscriptions by URL.
    func exportedFeeds() throws(LibraryError) -> [PortableFeed]
    /// Every episode that the listener touched, by feed and date: a few bytes for each, so that the episodes themselves
    /// can be read piece by piece.
    func exportedKeys() throws(LibraryError) -> [PortableEpisodeKey]
    /// Episodes of some keys, in their order; those that are gone meanwhile are left out.
    func exportedEpisodes(_ keys: ArraySlice<PortableEpisodeKey>) throws(LibraryError) -> [(
        feed: FeedID?, episode: PortableEpisode
    )]
    /// Subscribes to feeds, or adds tags, settings and former addresses to existing ones; existing values
    /// stay. One commit, on disk before it returns.
    func importFeeds(_ feeds: [PortableFeed], at now: Timestamp) throws(LibraryError) -> [ImportedFeed]
    /// Gives episodes of a feed what another library knows of them, at once or as soon as a refresh brings them.
    /// Nothing is taken away: of two positions the later one wins, a star or a note that is there stays.
    ///
    /// - Parameter queueStart: what `queueEnd()` said before the first episode of the same source.
    func importEpisodes(
        _ episodes: [PortableEpisode], of feed: FeedID, queueStart: Int64, at now: Timestamp
    ) throws(LibraryError) -> EpisodeImportCounts
    /// Likewise for an episode that belongs to no feed; it is made when there is none. Returns whether that changed anything.
    func importLooseEpisode(_ episode: PortableEpisode, queueStart: Int64, at now: Timestamp) throws(LibraryError)
        -> Bool
    /// Behind which place everything that is brought in is queued.
    func queueEnd() throws(LibraryError) -> Int64
    /// Rules, retention and smart playlists, with feeds by their addresses.
    ///
    /// - Parameter shown: how an address is to be written.
    func exportedPolicies(shown: (String) -> String) throws(LibraryError) -> PortablePolicies
    /// Adds what is not here: rules behind those that are, in their order; policies of feeds that have none; playlists whose
    /// names are free. What names a feed that is not subscribed to, or cannot be understood, is left out. One commit, on
    /// disk before it returns.
    func importPolicies(_ decisions: PortablePolicies) throws(LibraryError) -> PolicyImportCounts
    /// Gives a feed these tags and no others. Committed before it returns.
    func setTags(_ tags: [String], of id: FeedID) throws(LibraryError)
}
