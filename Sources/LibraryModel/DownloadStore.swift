public import PodcastModel

/// Episodes whose files are kept on disk as a whole, and those that are to be.
public protocol DownloadStore {
    /// Asks for episodes to be kept; those that are kept already stay as they are. Committed before it returns.
    func wishDownloads(of ids: [EpisodeID], at now: Timestamp) throws(LibraryError)
    /// Takes wishes back, and forgets that the files are kept. Committed before it returns.
    func dropDownloads(of ids: [EpisodeID]) throws(LibraryError)
    /// Notes that an episode's file is there as a whole, if that is still wished for.
    /// - Parameter url: what was fetched; when the episode has another by now, the wish for that one stands.
    /// - Returns: whether it was.
    func downloadIsComplete(_ id: EpisodeID, url: String) throws(LibraryError) -> Bool
    /// Episodes that are to be kept and are not yet, the oldest wish first.
    func downloadWishes(limit: Int) throws(LibraryError) -> [EpisodeID]
    /// What there is to do and to look after, from indexes alone.
    func downloadNeeds(limit: Int) throws(LibraryError) -> DownloadNeeds
    /// Episodes that are kept.
    func downloadedEpisodes() throws(LibraryError) -> [EpisodeID]
    /// Whether an episode is to be kept and is not yet.
    func isDownloadWished(of id: EpisodeID) throws(LibraryError) -> Bool
}

/// What whoever keeps episodes on disk has to do and to look after.
public struct DownloadNeeds: Equatable, Sendable {
    /// Episodes that are to be kept and are not yet, the oldest wish first.
    public var wishes: [EpisodeID] = []
    /// How many episodes are kept.
    public var keptCount = 0

    /// Nothing.
    public init(wishes: [EpisodeID] = [], keptCount: Int = 0) {
        self.wishes = wishes
        self.keptCount = keptCount
    }

    /// Whether there is neither.
    public var isEmpty: Bool { wishes.isEmpty && keptCount == 0 }
}
