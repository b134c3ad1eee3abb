public import PodcastModel

/// The library: one store for each port. They share a connection and belong to one thread.
public protocol LibraryStores {
    var feeds: any FeedStore { get }
    var episodes: any EpisodeStore { get }
    var queue: any QueueStore { get }
    var downloads: any DownloadStore { get }
    var history: any HistoryStore { get }
    var playlists: any SmartPlaylistStore { get }
    var rules: any RuleStore { get }
    var retention: any RetentionStore { get }
    var refreshes: any RefreshStore { get }
    var texts: any EpisodeTextStore { get }
    var identity: any IdentityStore { get }
    var imports: any MovingStore { get }
}

/// The library, with a thread that writes and one that reads.
public protocol LibraryAccess: Sendable {
    /// Runs a job on the writing thread, after all jobs that were submitted before.
    func access<Result: Sendable>(_ job: @Sendable (any LibraryStores) throws -> Result) async throws -> Result

    /// Runs a job that only reads. It sees all changes that were acknowledged before, and does not wait for a writer.
    func query<Result: Sendable>(
        _ job: @escaping @Sendable (any LibraryStores) throws -> Result
    ) async throws -> Result
}

extension LibraryAccess {
    /// The first `limit` episodes of a view. They are read page by page, so that other jobs run in between.
    /// - Returns: the episodes, and whether there are more.
    public func firstEpisodes(
        _ filter: EpisodeFilter, order: EpisodeOrder, limit: Int
    ) async throws -> (episodes: [Episode], hasMore: Bool) {
        var episodes: [Episode] = []
        var anchor = PageAnchor.first
        while true {
            let (place, rest) = (anchor, limit - episodes.count)
            let page = try await query { try $0.episodes.page(filter, order: order, at: place, limit: rest) }
            episodes += page.episodes
            guard page.hasAfter, let next = page.resumption ?? page.episodes.last.map(EpisodeKey.init(of:)) else {
                return (episodes, false)
            }
            if episodes.count >= limit { return (episodes, true) }
            anchor = .after(next)
        }
    }
}

extension EpisodeKey {
    /// The place of an episode in views ordered by date.
    public init(of episode: Episode) { self.init(published: episode.published, id: episode.id) }
}
