internal import EpisodeCache
internal import MediaPorts

typealias PinnedFile = EpisodeCache.KeptFile

/// The functions of the episode cache for downloads. Methods may read and write the disk.
protocol DownloadCache: Sendable {
    /// Maximum bytes of the cache.
    var sizeLimit: Int64 { get }
    func usage() -> Int64
    /// A source with a lower priority than the player's requests.
    func openForPrefetch(_ url: String) throws(MediaFailure) -> any ByteSource
    /// A pinned file is not evicted.
    func setPinned(_ isPinned: Bool, url: String) throws(MediaFailure)
    func keptFiles() -> [PinnedFile]
    /// The paths of completely cached files, pinned or not, by URL.
    func wholeFiles() -> [String: String]
    /// The path of a file; nil if the file is not completely cached.
    func wholeFile(url: String) -> String?
    /// Moves a file to another URL of the same recording. Returns false if either file is open, or if the first file does not exist.
    func move(_ url: String, to other: String) throws(MediaFailure) -> Bool
    func remove(url: String) throws(MediaFailure)
    /// Calls `action` after all bytes fetched so far are on disk.
    func whenSaved(_ action: @escaping @Sendable () -> Void)
}

extension EpisodeCache: DownloadCache {
    func openForPrefetch(_ url: String) throws(MediaFailure) -> any ByteSource { try open(url, priority: .prefetch) }
}
