public import LibraryModel
public import PlayChoosing
public import PodcastModel

/// What actions need from the downloads.
public protocol DownloadManaging: Sendable {
    /// Makes failed requests due at once.
    func retry(_ episodes: [EpisodeID]) async
    /// Deletes files after the library has dropped their records.
    func remove(_ episodes: [Episode]) async throws
    /// The state of a request, for people.
    func description(of episode: EpisodeID) async -> String
}

/// Requests and deletes downloads.
public struct DownloadActions: Sendable {
    /// The downloads.
    public let manager: any DownloadManaging
    private let library: any LibraryAccess
    private let chooser: PlayChooser
    private let now: @Sendable () -> Timestamp
    private let episodesChanged: @Sendable ([EpisodeID]) -> Void

    /// Episodes of one name that `delete` deletes at most, and requests that it compares them with.
    private static let mostDeleted = 1000

    /// - Parameters:
    ///   - manager: the downloads.
    ///   - library: where requests are recorded.
    ///   - chooser: finds what is named.
    ///   - now: the time of day.
    ///   - episodesChanged: called with the episodes after changes that clients see.
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

    /// Requests downloads: of a feed the latest unplayed episodes.
    ///
    /// - Parameter limit: episodes of one feed or view.
    /// - Returns: the requested episodes, and whether a feed or view has more.
    public func download(_ what: [String], limit: Int) async throws -> (episodes: [Episode], hasMore: Bool) {
        var ids: [EpisodeID] = []
        var hasMore = false
        for choice in try await chooser.choices(for: what) {
            let view: (filter: EpisodeFilter, order: EpisodeOrder)
            switch choice {
            case .one(let id):
                ids.append(id)
                continue
            case .feed(let feed): view = (EpisodeFilter(feed: feed, isPlayed: false), .newestFirst)
            case .view(let filter, let order): view = (filter, order)
            }
            let found = try await library.firstEpisodes(view.filter, order: view.order, limit: limit)
            ids += found.episodes.map(\.id)
            hasMore = hasMore || found.hasMore
        }
        let requested = Self.distinct(ids)
        let now = now()
        let episodes = try await library.access { store in
            try store.downloads.wishDownloads(of: requested, at: now)
            return try store.episodes.episodes(requested)
        }
        await manager.retry(requested)
        episodesChanged(requested)
        return (episodes, hasMore)
    }

    /// Deletes files and withdraws requests: of a feed or a view, those of its episodes that have either.
    /// - Returns: the episodes.
    public func delete(_ what: [String]) async throws -> [EpisodeID] {
        var ids: [EpisodeID] = []
        for name in what {
            switch try await chooser.existing(name) {
            case .one(let id): ids.append(id)
            case .feed(let feed): ids += try await downloads(EpisodeFilter(feed: feed), order: .newestFirst)
            case .view(let filter, let order): ids += try await downloads(filter, order: order)
            }
        }
        let dropped = Self.distinct(ids)
        let episodes = try await library.access { store in
            try store.downloads.dropDownloads(of: dropped)
            return try store.episodes.episodes(dropped)
        }
        episodesChanged(dropped)
        try await manager.remove(episodes)
        return dropped
    }

    /// The episodes of a view that are downloaded or requested.
    private func downloads(_ filter: EpisodeFilter, order: EpisodeOrder) async throws -> [EpisodeID] {
        var onDisk = filter
        onDisk.isDownloaded = true
        let stored = try await library.firstEpisodes(onDisk, order: order, limit: Self.mostDeleted).episodes.map(\.id)
        let requests = try await library.query { Set(try $0.downloads.downloadWishes(limit: Self.mostDeleted)) }
        if requests.isEmpty { return stored }
        let all = try await library.firstEpisodes(filter, order: order, limit: Self.mostDeleted).episodes.map(\.id)
        return stored + all.filter(requests.contains)
    }

    private static func distinct(_ ids: [EpisodeID]) -> [EpisodeID] {
        var seen: Set<EpisodeID> = []
        return ids.filter { seen.insert($0).inserted }
    }
}
