internal import Downloads
internal import EpisodeCache
internal import FeedFiles
internal import Library
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import SystemCalls

struct LibraryDownloads: DownloadLibrary {
    let library: any LibraryAccess
    /// Records which login each file needs.
    let access: MediaAccess

    func requests(limit: Int) async throws -> DownloadRequests {
        let needs = try await library.perform { try $0.downloads.downloadNeeds(limit: limit) }
        return DownloadRequests(episodes: needs.requested, downloadedCount: needs.keptCount)
    }

    func target(of episode: EpisodeID) async throws -> DownloadTarget {
        try await library.perform { [access] store in
            let episode = try store.episodes.episode(episode)
            access.note(episode, in: store.feeds)
            return DownloadTarget(
                url: episode.enclosure.url, title: episode.title,
                unplayable: UnplayableMedia.name(type: episode.enclosure.type, url: episode.enclosure.url))
        }
    }

    func complete(_ episode: EpisodeID, url: String) async throws -> Bool {
        try await library.perform { try $0.downloads.downloadIsComplete(episode, url: url) }
    }

    func records(limit: Int) async throws -> DownloadRecords {
        try await library.perform { store in
            DownloadRecords(
                downloaded: try store.downloads.downloadedURLs(),
                requestedURLs: try store.episodes.episodes(store.downloads.requestedDownloads(limit: limit)).map(
                    \.enclosure.url))
        }
    }

    func drop(_ episodes: [EpisodeID]) async throws {
        try await library.perform { try $0.downloads.dropDownloads(of: episodes) }
    }

    func recording(of url: String) -> Int64 { MediaAddress.key(of: url) }
}

struct CacheDownloads: DownloadCache {
    let cache: EpisodeCache
    let folder: String

    var sizeLimit: Int64 { cache.sizeLimit }
    func usage() -> Int64 { cache.usage() }
    func freeBytes() -> Int64? { (try? DiskRoom(at: folder))?.free }
    func openForPrefetch(_ url: String) throws(MediaFailure) -> any ByteSource {
        try cache.open(url, priority: .prefetch)
    }
    func setPinned(_ isPinned: Bool, url: String) throws(MediaFailure) { try cache.setPinned(isPinned, url: url) }
    func pinnedFiles() -> [PinnedFile] {
        cache.keptFiles().map { PinnedFile(url: $0.url, size: $0.size, isWhole: $0.isWhole) }
    }
    func wholeFiles() -> [String: String] { cache.wholeFiles() }
    func wholeFile(url: String) -> String? { cache.wholeFile(url: url) }
    func move(_ url: String, to other: String) throws(MediaFailure) -> Bool { try cache.move(url, to: other) }
    func remove(url: String) throws(MediaFailure) { try cache.remove(url: url) }
    func whenSaved(_ action: @escaping @Sendable () -> Void) { cache.whenSaved(action) }
}

extension PlayerDemand {
    init(_ status: PlayerStatus) {
        switch status.state {
        case .stopped: self.init()
        case .loading, .buffering: self.init(episode: status.entry?.episode, isWaiting: true)
        case .playing, .paused: self.init(episode: status.entry?.episode)
        }
    }
}
