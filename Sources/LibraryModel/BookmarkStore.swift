public import PodcastModel

/// A position in an episode, with the user's text.
public struct Bookmark: Equatable, Sendable {
    public var id: BookmarkID
    public var episode: EpisodeID
    public var title: String
    public var feedTitle: String
    public var position: MediaTime
    /// End of the range from `position` that playback skips; nil for a plain bookmark.
    public var skipEnd: MediaTime?
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

    /// Maximum length of a text in UTF-8 bytes.
    public static let maximumBytes = 4096
    public static let maximumOfEpisode = 1000
}

/// A bookmark without an id, for import and export.
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
    /// Bookmarks of an episode, ordered by position.
    func bookmarks(of episode: EpisodeID) throws(LibraryError) -> [Bookmark]
    /// A page of all bookmarks, newest first, starting after `id`; nil for the first page.
    func bookmarks(after id: BookmarkID?, limit: Int) throws(LibraryError) -> [Bookmark]
    /// - Throws: `notFound`.
    func bookmark(_ id: BookmarkID) throws(LibraryError) -> Bookmark
    /// - Throws: `refused` if the episode has `Bookmark.maximumOfEpisode` bookmarks.
    func addBookmark(_ bookmark: PortableBookmark, to episode: EpisodeID) throws(LibraryError) -> Bookmark
    /// Changes the values that are not nil. A new `position` moves the skipped range, unless `skipEnd` is given.
    /// - Throws: `notFound`, and `refused` if the range would end before its start.
    func changeBookmark(
        _ id: BookmarkID, text: String?, position: MediaTime?, skipEnd: MediaTime?
    ) throws(LibraryError) -> Bookmark
    /// - Throws: `notFound` if any of the bookmarks does not exist; then none is removed.
    func removeBookmarks(_ ids: [BookmarkID]) throws(LibraryError)
}

extension BookmarkStore {
    /// Ranges of an episode that playback skips, ordered by start.
    public func skips(of episode: EpisodeID) throws(LibraryError) -> [Range<MediaTime>] {
        try bookmarks(of: episode).compactMap { bookmark in
            bookmark.skipEnd.flatMap { $0 > bookmark.position ? bookmark.position..<$0 : nil }
        }
    }
}
