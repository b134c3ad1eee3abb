/// A position in an episode, with the user's text.
public struct Bookmark: Equatable, Sendable {
    public var id = BookmarkID(0)
    public var episode = EpisodeID(0)
    public var title = ""
    public var feedTitle = ""
    public var position = MediaTime.zero
    /// End of the range from `position` that playback skips; nil for a plain bookmark.
    public var skipTo: MediaTime?
    public var text = ""
    public var created = Timestamp(milliseconds: 0)
    /// Why the place of a new or changed bookmark could not be checked; not stored.
    public var note: String?

    /// Maximum length of a text in UTF-8 bytes.
    public static let maximumBytes = 4096
    public static let maximumOfEpisode = 1000

    public init() {}
}
