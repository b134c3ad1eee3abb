public import PodcastModel

/// Episodes whose files are kept on disk as a whole, and those that are to be.
public protocol DownloadStore {
    /// Asks for episodes to be kept; those that are kept already stay as they are. Committed before it returns.
    func requestDownloads(of ids: [EpisodeID], at now: Timestamp) throws(LibraryError)
    /// Removes download requests and the record of the files, which undo requests again. Committed before it returns.
    func deleteDownloads(of ids: [EpisodeID]) throws(LibraryError)
    /// Removes download requests and the record of files that are not there. Committed before it returns.
    func dropDownloads(of ids: [EpisodeID]) throws(LibraryError)
    /// Records that an episode's file is complete, if it is still requested.
    /// - Parameter url: the URL that was fetched; if the episode has another by now, that one stays requested.
    /// - Returns: whether it was.
    func downloadIsComplete(_ id: EpisodeID, url: String) throws(LibraryError) -> Bool
    /// Requested episodes that are not downloaded yet, the oldest request first.
    func requestedDownloads(limit: Int) throws(LibraryError) -> [EpisodeID]
    /// The same, with the times of the requests.
    /// - Parameter request: the one before the page, which may be gone; nil for the first page.
    func downloadRequests(after request: DownloadRequest?, limit: Int) throws(LibraryError) -> [DownloadRequest]
    /// An episode's request; nil if it has none.
    func downloadRequest(of id: EpisodeID) throws(LibraryError) -> DownloadRequest?
    /// What there is to do and to look after, from indexes alone.
    func downloadNeeds(limit: Int) throws(LibraryError) -> DownloadNeeds
    /// The URLs of all files that are kept.
    func downloadedURLs() throws(LibraryError) -> [EpisodeID: String]
    /// Episodes that are kept.
    func downloadedEpisodes() throws(LibraryError) -> [EpisodeID]
    /// The URLs of episodes that the latest lines of the history are about: heard, or marked.
    /// - Parameter limit: lines that are read.
    func recentlyHeardURLs(limit: Int) throws(LibraryError) -> [EpisodeID: String]
    /// Whether an episode is to be kept and is not yet.
    func isDownloadRequested(of id: EpisodeID) throws(LibraryError) -> Bool
}

/// A requested download that is not on disk yet.
public struct DownloadRequest: Equatable, Sendable {
    public var episode: EpisodeID
    /// When it was requested.
    public var time: Timestamp

    public init(episode: EpisodeID, time: Timestamp) { (self.episode, self.time) = (episode, time) }
}

/// The work of the download manager.
public struct DownloadNeeds: Equatable, Sendable {
    /// Requested episodes that are not downloaded yet, the oldest request first.
    public var requested: [EpisodeID] = []
    /// How many episodes are kept.
    public var keptCount = 0

    public init(requested: [EpisodeID] = [], keptCount: Int = 0) {
        self.requested = requested
        self.keptCount = keptCount
    }

    /// Whether there is neither.
    public var isEmpty: Bool { requested.isEmpty && keptCount == 0 }
}
