internal import ControlProtocol
internal import EpisodeRules
internal import Library
internal import LibraryModel
internal import PodcastModel

/// What a word stands for among the library's episodes: one of them, or many.
enum EpisodeChoice {
    /// What stands before the name of a smart playlist.
    private static let playlistPrefix = "playlist:"
    /// What stands before conditions.
    private static let filterPrefix = "filter:"

    /// One episode.
    case one(EpisodeID)
    /// A feed.
    case feed(FeedID)
    /// A playlist, or what conditions let through.
    case view(EpisodeFilter, EpisodeOrder)

    /// Whether a word names a view, so that it is nothing else.
    static func isView(_ name: String) -> Bool { name.hasPrefix(playlistPrefix) || name.hasPrefix(filterPrefix) }

    /// Looks a word up. On a thread that may wait for the disk.
    /// - Throws: `LibraryError`, `ControlError`: nothing, or more than one, is called that.
    init(_ name: String, in store: LibraryStore, at now: Timestamp) throws {
        if name.hasPrefix(Self.playlistPrefix) {
            let title = String(name.dropFirst(Self.playlistPrefix.count))
            guard let playlist = try store.smartPlaylist(named: title) else {
                throw ControlError(.notFound, "no saved playlist is called \(title)", hint: "'playlists' lists them")
            }
            self = .view(EpisodeFilter(playlist.filter, at: now), playlist.order)
        } else if name.hasPrefix(Self.filterPrefix) {
            let expression = try EpisodeExpression(parsing: String(name.dropFirst(Self.filterPrefix.count)))
                .lookingUp { try store.resolveFeed($0).id }
            self = .view(EpisodeFilter(expression, at: now), .newestFirst)
        } else {
            do {
                self = .one(try store.resolveEpisode(name).id)
            } catch LibraryError.notFound {
                self = .feed(try store.resolveFeed(name).id)
            }
        }
    }
}

extension LibraryService {
    /// The first episodes of a view, page by page, between which others get their turn.
    /// - Returns: them, and whether there are more.
    nonisolated func firstEpisodes(
        _ filter: EpisodeFilter, order: EpisodeOrder, limit: Int
    ) async throws -> (episodes: [Episode], hasMore: Bool) {
        var episodes: [Episode] = []
        var anchor = PageAnchor.first
        while true {
            let (place, rest) = (anchor, limit - episodes.count)
            let page = try await read { try $0.page(filter, order: order, at: place, limit: rest) }
            episodes += page.episodes
            guard page.hasAfter, let next = page.resumption ?? page.episodes.last.map(EpisodeKey.init(of:)) else {
                return (episodes, false)
            }
            if episodes.count >= limit { return (episodes, true) }
            anchor = .after(next)
        }
    }
}
