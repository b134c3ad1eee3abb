public import PodcastModel

/// A place in an episode, with the user's text.
public struct Bookmark: Equatable, Sendable {
    public var id: BookmarkID
    public var episode: EpisodeID
    public var title: String
    public var feedTitle: String
    public var position: MediaTime
    /// The end of a part that playback skips, which begins at `position`; nil for a place alone.
    public var skipEnd: MediaTime?
    /// May be empty.
    public var text: String
    public var created: Timestamp

    public init(
        id: BookmarkID, episode: EpisodeID, title: String, feedTitle: String, position: MediaTime,
        skipEnd: MediaTime? = nil, text: String, created: Timestamp
    ) {
        self.id = id
        self.episode = episode
        self.title = title
        self.feedTitle = feedTitle
        self.position = position
        self.skipEnd = skipEnd
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
    /// See `Bookmark.skipEnd`; ignored if it is not after `position`.
    public var skipEnd: MediaTime?
    public var text: String
    public var created: Timestamp

    public init(position: MediaTime, skipEnd: MediaTime? = nil, text: String, created: Timestamp) {
        (self.position, self.text, self.created) = (position, text, created)
        self.skipEnd = skipEnd.flatMap { $0 > max(.zero, position) ? $0 : nil }
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
    func addBookmark(_ bookmark: PortableBookmark, to episode: EpisodeID) throws(LibraryError) -> Bookmark
    /// Changes what is not nil. A part that is skipped moves with its beginning, unless its end is given.
    /// - Throws: `notFound`, and `refused` if a part would end before its beginning.
    func changeBookmark(
        _ id: BookmarkID, text: String?, position: MediaTime?, skipEnd: MediaTime?
    ) throws(LibraryError) -> Bookmark
    /// - Throws: `notFound` if one of them is not there; then none is removed.
    func removeBookmarks(_ ids: [BookmarkID]) throws(LibraryError)
}

extension BookmarkStore {
    /// Parts of an episode that playback skips, in the order of their beginnings.
    public func skips(of episode: EpisodeID) throws(LibraryError) -> [Range<MediaTime>] {
        try bookmarks(of: episode).compactMap { bookmark in
            bookmark.skipEnd.flatMap { $0 > bookmark.position ? bookmark.position..<$0 : nil }
        }
    }
}
