public import MediaPorts
public import PodcastModel

/// The library's download requests.
public struct DownloadRequests: Equatable, Sendable {
    /// Requested episodes that are not downloaded yet, oldest request first.
    var episodes: [EpisodeID]
    var downloadedCount: Int

    public init(episodes: [EpisodeID] = [], downloadedCount: Int = 0) {
        self.episodes = episodes
        self.downloadedCount = downloadedCount
    }

    var isEmpty: Bool { episodes.isEmpty && downloadedCount == 0 }
}

/// The media file of an episode.
public struct DownloadTarget: Equatable, Sendable {
    public var url: String
    public var title: String
    /// The format of a file that cannot be played, such as `MIDI`.
    var unplayable: String?

    public init(url: String, title: String, unplayable: String? = nil) {
        self.url = url
        self.title = title
        self.unplayable = unplayable
    }
}

/// The library's records of downloads.
public struct DownloadRecords: Equatable, Sendable {
    var downloaded: [EpisodeID: String]
    /// URLs of requested episodes, oldest request first.
    var requestedURLs: [String]

    public init(downloaded: [EpisodeID: String] = [:], requestedURLs: [String] = []) {
        self.downloaded = downloaded
        self.requestedURLs = requestedURLs
    }
}

/// The library functions for downloads. Every method waits for the library's thread.
public protocol DownloadLibrary: Sendable {
    func requests(limit: Int) async throws -> DownloadRequests
    /// The file of an episode. The cache then fetches it with its feed's login.
    func target(of episode: EpisodeID) async throws -> DownloadTarget
    /// Marks an episode as downloaded in the commit that removes the request.
    /// - Returns: false if the episode is no longer requested; if its URL has changed, the request stays.
    func complete(_ episode: EpisodeID, url: String) async throws -> Bool
    /// The downloaded episodes, and at most `limit` requests.
    func records(limit: Int) async throws -> DownloadRecords
    /// Clears the marks of episodes whose files are missing.
    func drop(_ episodes: [EpisodeID]) async throws
    /// Equal for URLs of the same recording: hosts change queries and tracking prefixes.
    func recording(of url: String) -> Int64
}

/// A pinned episode on disk.
public struct PinnedFile: Equatable, Sendable {
    /// The URL of the file in the cache.
    public var url: String
    var size: Int64
    /// True if every byte is there.
    var isWhole: Bool

    public init(url: String, size: Int64, isWhole: Bool) {
        self.url = url
        self.size = size
        self.isWhole = isWhole
    }
}

/// The functions of the episode cache for downloads. Methods may read and write the disk.
public protocol DownloadCache: Sendable {
    /// Maximum bytes of the cache.
    var sizeLimit: Int64 { get }
    func usage() -> Int64
    /// Free bytes on the cache's file system; nil if the system does not report them.
    func freeBytes() -> Int64?
    /// A source with a lower priority than the player's requests.
    func openForPrefetch(_ url: String) throws(MediaFailure) -> any ByteSource
    /// A pinned file is not evicted.
    func setPinned(_ isPinned: Bool, url: String) throws(MediaFailure)
    func pinnedFiles() -> [PinnedFile]
    /// The paths of completely cached files, pinned or not, by URL.
    func wholeFiles() -> [String: String]
    /// The path of a file; nil if the file is not completely cached.
    func wholeFile(url: String) -> String?
    /// Moves a file to another URL of the same recording. Returns false if one of the two is open or there is no file.
    func move(_ url: String, to other: String) throws(MediaFailure) -> Bool
    func remove(url: String) throws(MediaFailure)
    /// Calls `action` after all bytes fetched so far are on disk.
    func whenSaved(_ action: @escaping @Sendable () -> Void)
}
