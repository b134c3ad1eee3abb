public import PodcastModel

/// Download requests and downloaded episodes. Changes are committed before a method returns.
public protocol DownloadStore {
    /// Requests downloads; episodes that are downloaded already stay unchanged.
    func requestDownloads(of ids: [EpisodeID], at now: Timestamp) throws(LibraryError)
    /// Removes requests and the record of the files. Undo requests the downloads again.
    func deleteDownloads(of ids: [EpisodeID]) throws(LibraryError)
    /// Removes requests and the record of files that do not exist. Cannot be undone.
    func dropDownloads(of ids: [EpisodeID]) throws(LibraryError)
    /// Records that an episode's file is complete, if the download is still requested.
    /// - Parameter url: the downloaded URL; if the episode's URL has changed since, the request stays.
    /// - Returns: true if recorded.
    func downloadIsComplete(_ id: EpisodeID, url: String) throws(LibraryError) -> Bool
    func requestedDownloads(limit: Int) throws(LibraryError) -> [EpisodeID]
    /// A page of the requests, oldest first.
    /// - Parameter request: the last request of the previous page, which may have been removed; nil for the first page.
    func downloadRequests(after request: DownloadRequest?, limit: Int) throws(LibraryError) -> [DownloadRequest]
    func downloadRequest(of id: EpisodeID) throws(LibraryError) -> DownloadRequest?
    /// The download manager's work, read from indexes alone.
    func downloadNeeds(limit: Int) throws(LibraryError) -> DownloadNeeds
    func downloadedURLs() throws(LibraryError) -> [EpisodeID: String]
    func downloadedEpisodes() throws(LibraryError) -> [EpisodeID]
    /// The URLs of the episodes in the latest lines of the history: played or marked.
    /// - Parameter limit: number of lines to read.
    func recentlyHeardURLs(limit: Int) throws(LibraryError) -> [EpisodeID: String]
    /// True if a download is requested and not complete.
    func isDownloadRequested(of id: EpisodeID) throws(LibraryError) -> Bool
}

/// A requested download that is not complete.
public struct DownloadRequest: Equatable, Sendable {
    public var episode: EpisodeID
    public var time: Timestamp

    public init(episode: EpisodeID, time: Timestamp) { (self.episode, self.time) = (episode, time) }
}

/// The work of the download manager.
public struct DownloadNeeds: Equatable, Sendable {
    /// Requested episodes that are not downloaded yet, oldest request first.
    public var requested: [EpisodeID] = []
    public var keptCount = 0

    public init(requested: [EpisodeID] = [], keptCount: Int = 0) {
        self.requested = requested
        self.keptCount = keptCount
    }

    public var isEmpty: Bool { requested.isEmpty && keptCount == 0 }
}
