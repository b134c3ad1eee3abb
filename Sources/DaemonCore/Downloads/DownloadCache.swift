internal import EpisodeCache
internal import MediaPorts

typealias PinnedFile = EpisodeCache.KeptFile

/// The functions of the episode cache for downloads; see `EpisodeCache`. Methods may read and write the disk.
protocol DownloadCache: Sendable {
    var sizeLimit: Int64 { get }
    func usage() -> Int64
    /// A source with a lower priority than the player's requests.
    func openForPrefetch(_ url: String) throws(MediaFailure) -> any ByteSource
    func setPinned(_ isPinned: Bool, url: String) throws(MediaFailure)
    func keptFiles() -> [PinnedFile]
    func wholeFiles() -> [String: String]
    func wholeFile(url: String) -> String?
    func move(_ url: String, to other: String) throws(MediaFailure) -> Bool
    func remove(url: String) throws(MediaFailure)
    func whenSaved(_ action: @escaping @Sendable () -> Void)
}

extension EpisodeCache: DownloadCache {
    func openForPrefetch(_ url: String) throws(MediaFailure) -> any ByteSource { try open(url, priority: .prefetch) }
}
