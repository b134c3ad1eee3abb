public import MediaPorts
public import PodcastModel

/// What is to be downloaded.
public struct DownloadRequests: Equatable, Sendable {
    /// Requested episodes that are not downloaded yet, the oldest request first.
    public var episodes: [EpisodeID]
    /// The number of downloaded episodes.
    public var downloadedCount: Int

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
    /// What the file is if it cannot be played, such as `MIDI`.
    public var unplayable: String?

    public init(url: String, title: String, unplayable: String? = nil) {
        self.url = url
        self.title = title
        self.unplayable = unplayable
    }
}

/// What the library keeps about downloads.
public struct DownloadRecords: Equatable, Sendable {
    /// Downloaded episodes by id, with their URLs.
    public var downloaded: [EpisodeID: String]
    /// URLs of requested episodes, the oldest request first.
    public var requestedURLs: [String]

    public init(downloaded: [EpisodeID: String] = [:], requestedURLs: [String] = []) {
        self.downloaded = downloaded
        self.requestedURLs = requestedURLs
    }
}

/// What downloads need from the library. Every method waits for the library's thread.
public protocol DownloadLibrary: Sendable {
    /// At most `limit` requests.
    func requests(limit: Int) async throws -> DownloadRequests
    /// The file of an episode. The cache then fetches it with its feed's login.
    func target(of episode: EpisodeID) async throws -> DownloadTarget
    /// Marks an episode as downloaded in the commit that removes the request.
    /// - Returns: false if the episode is no longer requested; if it has another URL by now the request stays.
    func complete(_ episode: EpisodeID, url: String) async throws -> Bool
    /// The downloaded episodes, and at most `limit` requests.
    func records(limit: Int) async throws -> DownloadRecords
    /// Clears marks of episodes whose files are gone.
    func drop(_ episodes: [EpisodeID]) async throws
    /// Equal for URLs of the same recording: hosts change queries and tracking prefixes.
    func recording(of url: String) -> Int64
}

/// A pinned episode on disk.
public struct PinnedFile: Equatable, Sendable {
    /// The URL under which the cache has it.
    public var url: String
    /// Bytes on the disk.
    public var size: Int64
    /// Whether every byte is there.
    public var isWhole: Bool

    public init(url: String, size: Int64, isWhole: Bool) {
        self.url = url
        self.size = size
        self.isWhole = isWhole
    }
}

/// What downloads need from the episode cache. Methods may read and write the disk.
public protocol DownloadCache: Sendable {
    /// Bytes that the cache may use.
    var sizeLimit: Int64 { get }
    /// Bytes that all episodes use.
    func usage() -> Int64
    /// Bytes that are free on its file system; nil if the system does not report them.
    func freeBytes() -> Int64?
    /// A source whose requests come after those of the player.
    func openForPrefetch(_ url: String) throws(MediaFailure) -> any ByteSource
    /// Pins a file: it is not evicted.
    func setPinned(_ isPinned: Bool, url: String) throws(MediaFailure)
    func pinnedFiles() -> [PinnedFile]
    /// The paths of files of which every byte is there, pinned or not, by URL.
    func wholeFiles() -> [String: String]
    /// The path of a file; nil unless every byte is there.
    func wholeFile(url: String) -> String?
    /// Gives a file to another URL of the same recording.
    /// - Returns: false if one of the two is open or there is no file.
    func move(_ url: String, to other: String) throws(MediaFailure) -> Bool
    func remove(url: String) throws(MediaFailure)
    /// Calls back once everything that was fetched so far is on disk.
    func whenSaved(_ action: @escaping @Sendable () -> Void)
}
