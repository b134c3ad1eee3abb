public import PodcastModel

/// A place in an episode, with the user's text.
public struct Bookmark: Equatable, Sendable {
    public var id: BookmarkID
    public var episode: EpisodeID
    /// The episode's title.
    public var title: String
    public var feedTitle: String
    public var position: MediaTime
    /// May be empty.
    public var text: String
    public var created: Timestamp

    public init(
        id: BookmarkID, episode: EpisodeID, title: String, feedTitle: String, position: MediaTime, text: String,
        created: Timestamp
    ) {
        self.id = id
        self.episode = episode
        self.title = title
        self.feedTitle = feedTitle
        self.position = position
        self.text = text
        self.created = created
    }

    /// The longest text in UTF-8, in bytes.
    public static let maximumBytes = 4096
    /// Bookmarks that an episode may have.
    public static let maximumOfEpisode = 1000
}

/// A bookmark without an id, as it is imported and exported.
public struct PortableBookmark: Equatable, Sendable {
    public var position: MediaTime
    public var text: String
    public var created: Timestamp

    public init(position: MediaTime, text: String, created: Timestamp) {
        (self.position, self.text, self.created) = (position, text, created)
    }
}

/// Bookmarks. Changes are committed when a method returns, and can be undone.
public protocol BookmarkStore {
    /// Bookmarks of an episode in the order of their positions.
    func bookmarks(of episode: EpisodeID) throws(LibraryError) -> [Bookmark]
    /// A page of all bookmarks, newest first, from the one after an id on; nil for the first page.
    func bookmarks(after id: BookmarkID?, limit: Int) throws(LibraryError) -> [Bookmark]
    /// - Throws: `notFound`.
    func bookmark(_ id: BookmarkID) throws(LibraryError) -> Bookmark
    /// - Throws: `refused` if the episode has `Bookmark.maximumOfEpisode`.
    func addBookmark(
        at position: MediaTime, of episode: EpisodeID, text: String, now: Timestamp
    ) throws(LibraryError) -> Bookmark
    /// Changes what is not nil.
    /// - Throws: `notFound`.
    func changeBookmark(_ id: BookmarkID, text: String?, position: MediaTime?) throws(LibraryError) -> Bookmark
    /// - Throws: `notFound` if one of them is not there; then none is removed.
    func removeBookmarks(_ ids: [BookmarkID]) throws(LibraryError)
}
