internal import EpisodeRules
public import LibraryModel
public import PodcastModel

/// What a word names in the library: one episode, or many.
public enum EpisodeChoice: Sendable {
    /// Prefix of the name of a saved playlist.
    private static let playlistPrefix = "playlist:"
    /// Prefix of conditions.
    private static let filterPrefix = "filter:"

    /// One episode.
    case one(EpisodeID)
    /// A feed.
    case feed(FeedID)
    /// A saved playlist, or the episodes that match conditions.
    case view(EpisodeFilter, EpisodeOrder)

    /// Whether a word has a prefix of views.
    static func isView(_ name: String) -> Bool { name.hasPrefix(playlistPrefix) || name.hasPrefix(filterPrefix) }

    /// Looks a word up. It may wait for the disk.
    /// - Throws: `LibraryError`, `ChoiceFailure` or `ExpressionError`: nothing matches, or more than one.
    public init(_ name: String, in store: any LibraryStores, at now: Timestamp) throws {
        if name.hasPrefix(Self.playlistPrefix) {
            let title = String(name.dropFirst(Self.playlistPrefix.count))
            guard let playlist = try store.playlists.smartPlaylist(named: title) else {
                throw ChoiceFailure.noPlaylist(title)
            }
            self = .view(EpisodeFilter(playlist.filter, at: now), playlist.order)
        } else if name.hasPrefix(Self.filterPrefix) {
            let expression = try EpisodeExpression(parsing: String(name.dropFirst(Self.filterPrefix.count)))
                .lookingUp { try store.feeds.resolveFeed($0).id }
            self = .view(EpisodeFilter(expression, at: now), .newestFirst)
        } else {
            do {
                self = .one(try store.episodes.resolveEpisode(name).id)
            } catch LibraryError.notFound {
                self = .feed(try store.feeds.resolveFeed(name).id)
            }
        }
    }
}
