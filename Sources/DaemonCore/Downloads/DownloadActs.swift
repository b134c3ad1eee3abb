internal import ControlProtocol
internal import Library
internal import LibraryModel
internal import PodcastModel

/// What a listener asks for about files that are kept: `download` and `delete`.
struct DownloadActs {
    let library: LibraryService
    let keeper: DownloadKeeper
    let chooser: PlayChooser
    let now: @Sendable () -> Timestamp
    let changes: ChangeBoard

    /// Episodes that one word of `delete` names at most.
    private static let mostDeleted = 1000

    /// Has episodes kept; a feed stands for its latest unplayed ones.
    /// - Parameter limit: how many a feed or a playlist stands for.
    func download(_ what: [String], limit: Int) async throws -> DownloadsReply {
        var ids: [EpisodeID] = []
        var hasMore = false
        for choice in try await chooser.choices(for: what) {
            switch choice {
            case .one(let id): ids.append(id)
            case .feed(let feed):
                let found = try await library.firstEpisodes(
                    EpisodeFilter(feed: feed, isPlayed: false), order: .newestFirst, limit: limit)
                ids += found.episodes.map(\.id)
                hasMore = hasMore || found.hasMore
            case .view(let filter, let order):
                let found = try await library.firstEpisodes(filter, order: order, limit: limit)
                ids += found.episodes.map(\.id)
                hasMore = hasMore || found.hasMore
            }
        }
        let wished = Self.once(ids)
        let episodes = try await library.perform { store in
            try store.wishDownloads(of: wished, at: now())
            return try store.episodes(wished)
        }
        await keeper.retry(wished)
        changes.changed(.episodes)
        return DownloadsReply(episodes.map { EpisodeReply(listing: $0) }, hasMore: hasMore)
    }

    /// Takes files away, and wishes back; a feed or a playlist stands for those of its episodes that have either.
    func delete(_ what: [String]) async throws -> EpisodesMarkedReply {
        var ids: [EpisodeID] = []
        for name in what {
            switch try await chooser.known(name) {
            case .one(let id): ids.append(id)
            case .feed(let feed): ids += try await kept(EpisodeFilter(feed: feed), order: .newestFirst)
            case .view(let filter, let order): ids += try await kept(filter, order: order)
            }
        }
        let dropped = Self.once(ids)
        let episodes = try await library.perform { store in
            try store.dropDownloads(of: dropped)
            return try store.episodes(dropped)
        }
        changes.changed(.episodes)
        try await keeper.remove(episodes)
        return EpisodesMarkedReply(dropped)
    }

    /// Those of a view that are kept, or are to be.
    private func kept(_ filter: EpisodeFilter, order: EpisodeOrder) async throws -> [EpisodeID] {
        var onDisk = filter
        onDisk.isDownloaded = true
        let kept = try await library.firstEpisodes(onDisk, order: order, limit: Self.mostDeleted).episodes.map(\.id)
        let wishes = try await library.read { Set(try $0.downloadWishes(limit: DownloadKeeper.mostWishes)) }
        if wishes.isEmpty { return kept }
        let all = try await library.firstEpisodes(filter, order: order, limit: Self.mostDeleted).episodes.map(\.id)
        return kept + all.filter(wishes.contains)
    }

    private static func once(_ ids: [EpisodeID]) -> [EpisodeID] {
        var seen: Set<EpisodeID> = []
        return ids.filter { seen.insert($0).inserted }
    }
}
