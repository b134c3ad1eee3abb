public import PodcastModel

/// The library, with a writer thread and a reader thread.
public protocol LibraryAccess: Sendable {
    /// Runs on the writer thread, after all jobs submitted before.
    func perform<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) async throws -> Result

    /// Runs on the reader thread. Sees all changes acknowledged before; does not wait for the writer.
    func read<Result: Sendable>(_ job: @escaping @Sendable (LibraryStore) throws -> Result) async throws -> Result

    /// Does deferred work in small slices between other jobs.
    func maintain() async
}

extension LibraryAccess {
    /// The ids of the first `limit` episodes of a view that satisfy `isWanted`; other jobs run between its pages.
    public func episodes(
        _ filter: EpisodeFilter, order: EpisodeOrder, limit: Int,
        where isWanted: @escaping @Sendable (Episode) -> Bool
    ) async throws -> (ids: [EpisodeID], hasMore: Bool) {
        // Index new episodes first: a command that acts on search results must act on all of them.
        if filter.text != nil { await maintain() }
        var ids: [EpisodeID] = []
        var anchor = PageAnchor.first
        let rows = min(max(limit, 1), 1_000)
        while true {
            let place = anchor
            let (wanted, next) = try await read { store -> ([EpisodeID], EpisodeKey?) in
                let page = try store.episodes.page(filter, order: order, at: place, limit: rows)
                let last = page.resumption ?? page.episodes.last.map { EpisodeKey(of: $0, order) }
                return (page.episodes.filter(isWanted).map(\.id), page.hasAfter ? last : nil)
            }
            ids += wanted
            if ids.count > limit { return (Array(ids.prefix(limit)), true) }
            guard let next else { return (ids, false) }
            anchor = .after(next)
        }
    }
}
