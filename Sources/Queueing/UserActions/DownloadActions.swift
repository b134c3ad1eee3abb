public import Library
public import PodcastModel

/// The download manager's functions for user actions.
public protocol DownloadManaging: Sendable {
    /// Makes failed requests due at once.
    func retry(_ episodes: [EpisodeID]) async
    /// Deletes files after the library has removed their records.
    func remove(_ episodes: [Episode]) async throws
    /// The paths of completely cached files by URL, including files that the cache may evict.
    func wholeFiles() async -> [String: String]
    /// The path of a file; nil if the file is not completely cached.
    func wholeFile(url: String) async -> String?
    func description(of episode: EpisodeID) async -> String
    /// The states of active and failed requests; all other requests wait.
    func states() async -> [EpisodeID: DownloadState]
}

/// The state of an active or failed download request.
public enum DownloadState: Equatable, Sendable {
    /// Progress from 0 to 1; nil while the length is unknown.
    case underWay(progress: Double?)
    case failed(reason: String, retryAfter: Duration)
}

/// Requests and deletes downloads.
public struct DownloadActions: Sendable {
    public let manager: any DownloadManaging
    private let library: any LibraryAccess
    private let chooser: PlayChooser
    private let now: @Sendable () -> Timestamp
    private let episodesChanged: @Sendable ([EpisodeID]) -> Void

    /// Lines of the history to search for episodes that may still be cached.
    private static let mostLines = 10_000
    /// More requests than a library has.
    private static let maximumRequests = 1_000_000

    /// - Parameter episodesChanged: called with the episodes after changes that clients see.
    public init(
        manager: any DownloadManaging, library: any LibraryAccess, chooser: PlayChooser,
        now: @escaping @Sendable () -> Timestamp, episodesChanged: @escaping @Sendable ([EpisodeID]) -> Void
    ) {
        self.manager = manager
        self.library = library
        self.chooser = chooser
        self.now = now
        self.episodesChanged = episodesChanged
    }

    /// Requests downloads; of a feed the newest unplayed episodes. `limit` is per feed or view.
    /// - Returns: the named episodes, and the episodes of each word. Unplayable episodes are not requested.
    /// - Throws: `ChoiceFailure` if none can be played.
    public func download(
        _ what: [String], limit: Int
    ) async throws -> (episodes: [Episode], chosen: [ChosenEpisodes]) {
        let chosen = try await chooser.chosen(what, .unplayedNewestFirst, limit: limit, mayAddFiles: true)
        let named = Self.distinct(chosen.flatMap(\.episodes))
        let now = now()
        let (episodes, requested) = try await library.perform { store in
            let episodes = try store.episodes.episodes(named)
            let playable = episodes.filter { Self.unplayable($0) == nil }
            if playable.isEmpty, let first = episodes.first, let name = Self.unplayable(first) {
                throw ChoiceFailure.unplayable(title: first.title, name)
            }
            try store.downloads.requestDownloads(of: playable.map(\.id), at: now)
            return (episodes, playable.map(\.id))
        }
        await manager.retry(requested)
        episodesChanged(requested)
        return (episodes, chosen)
    }

    /// Unsubscribes from feeds and deletes their files, which undo downloads again.
    public func delete(of feeds: Set<FeedID>, after unsubscribe: () async throws -> Void) async throws {
        let downloaded = try await library.read { store in
            try store.episodes.episodes(Array(store.downloads.downloadedURLs().keys))
        }
        let stored = (try await cached().map(\.episode) + downloaded).filter { feeds.contains($0.feed) }
        try await unsubscribe()
        if !stored.isEmpty { try await manager.remove(stored) }
    }

    /// Episodes that are not downloaded but completely cached, newest first, with the files' paths.
    public func cached() async throws -> [(episode: Episode, path: String)] {
        let files = await manager.wholeFiles()
        if files.isEmpty { return [] }
        return try await library.read { store in
            let heard = try store.downloads.recentlyHeardURLs(limit: Self.mostLines).filter { files[$0.value] != nil }
            return try store.episodes.episodes(Array(heard.keys)).filter { !$0.state.isDownloaded }
        }.sorted { ($0.published.milliseconds, $0.id.rawValue) > ($1.published.milliseconds, $1.id.rawValue) }
            .map { ($0, files[$0.enclosure.url] ?? "") }
    }

    /// Deletes files and withdraws requests of the named episodes.
    /// - Parameter isExact: true to refuse part of a title.
    /// - Returns: the episodes of each word that had a file or a request, and the number that had only a request.
    public func delete(
        _ what: [String], isExact: Bool
    ) async throws -> (chosen: [ChosenEpisodes], cancelled: Int) {
        let requests = try await library.read {
            Set(try $0.downloads.requestedDownloads(limit: Self.maximumRequests))
        }
        let cached = await manager.wholeFiles()
        let isStored: @Sendable (Episode) -> Bool = { $0.state.isDownloaded || cached[$0.enclosure.url] != nil }
        let isKept: @Sendable (Episode) -> Bool = { isStored($0) || requests.contains($0.id) }
        var chosen: [ChosenEpisodes]
        do {
            chosen = try await chooser.chosen(what, .all, isExact: isExact, where: isKept)
        } catch LibraryError.ambiguous(let name, let kind, let candidates) where kind != .feed {
            // Only episodes with a file or a request can be meant.
            let recorded = try await library.read { store in
                try store.episodes.episodes(Array(requests.union(store.downloads.downloadedURLs().keys)))
            }
            let kept = Set((recorded + (try await self.cached()).map(\.episode)).map { NamedCandidate($0) })
            switch TitleResolver(name).resolve(kept) {
            case .none: throw LibraryError.ambiguous(name, of: kind, candidates: candidates)
            case .several(let several): throw LibraryError.ambiguous(name, of: .episode, candidates: several)
            case .one(let one, let isWhole):
                if isExact, !isWhole { throw LibraryError.inexact(name, one) }
                chosen = try await chooser.chosen([one.label], .all)
            }
        }
        let named = Self.distinct(chosen.flatMap(\.episodes))
        let episodes = try await library.perform { store in
            let kept = try store.episodes.episodes(named).filter(isKept)
            let recorded = kept.filter { $0.state.isDownloaded || requests.contains($0.id) }
            if !recorded.isEmpty { try store.downloads.deleteDownloads(of: recorded.map(\.id)) }
            return kept
        }
        let dropped = Set(episodes.map(\.id))
        for index in chosen.indices { chosen[index].episodes.removeAll { !dropped.contains($0) } }
        episodesChanged(episodes.map(\.id))
        try await manager.remove(episodes)
        return (chosen, episodes.count { !isStored($0) })
    }

    private static func unplayable(_ episode: Episode) -> String? {
        UnplayableMedia.name(type: episode.enclosure.type, url: episode.enclosure.url)
    }

    private static func distinct(_ ids: [EpisodeID]) -> [EpisodeID] {
        var seen: Set<EpisodeID> = []
        return ids.filter { seen.insert($0).inserted }
    }
}
