public import PodcastModel

/// The library: one store for each port. They share a connection and belong to one thread.
public protocol LibraryStores {
    var names: any NameStore { get }
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
    var bookmarks: any BookmarkStore { get }
    var listening: any ListeningStore { get }
}

/// The library, with a thread that writes and one that reads.
public protocol LibraryAccess: Sendable {
    /// Runs a job on the writing thread, after all jobs that were submitted before.
    func perform<Result: Sendable>(_ job: @Sendable (any LibraryStores) throws -> Result) async throws -> Result

    /// Runs a job that only reads. It sees all changes that were acknowledged before, and does not wait for a writer.
    func read<Result: Sendable>(
        _ job: @escaping @Sendable (any LibraryStores) throws -> Result
    ) async throws -> Result

    /// Does the work that changes left for later, in small slices between other jobs.
    func maintain() async
}

extension LibraryAccess {
    /// Rows of one query of `episodes(_:order:limit:where:)`.
    private static var pageLength: Int { 1000 }

    /// The ids of the first `limit` wanted episodes of a view. They are read page by page, so that other jobs run in between.
    /// - Returns: the ids, and whether there are more.
    public func episodes(
        _ filter: EpisodeFilter, order: EpisodeOrder, limit: Int,
        where isWanted: @escaping @Sendable (Episode) -> Bool
    ) async throws -> (ids: [EpisodeID], hasMore: Bool) {
        // A command that acts on what words find must find all of it, also while the words of new episodes are being indexed.
        if filter.text != nil { await maintain() }
        var ids: [EpisodeID] = []
        var anchor = PageAnchor.first
        let rows = min(max(limit, 1), Self.pageLength)
        while true {
            let place = anchor
            let (wanted, next) = try await read { store -> ([EpisodeID], EpisodeKey?) in
                let page = try store.episodes.page(filter, order: order, at: place, limit: rows)
                let last = page.resumption ?? page.episodes.last.map(EpisodeKey.init(of:))
                return (page.episodes.filter(isWanted).map(\.id), page.hasAfter ? last : nil)
            }
            ids += wanted
            if ids.count > limit { return (Array(ids.prefix(limit)), true) }
            guard let next else { return (ids, false) }
            anchor = .after(next)
        }
    }
}

extension EpisodeKey {
    /// The place of an episode in views ordered by date.
    public init(of episode: Episode) { self.init(published: episode.published, id: episode.id) }
}
