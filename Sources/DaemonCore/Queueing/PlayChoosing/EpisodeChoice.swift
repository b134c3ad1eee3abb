import Library
import PodcastModel

/// What a name means in the library.
enum EpisodeChoice: Sendable {
    case named(NamedCandidate.Object)
    case view(EpisodeFilter, EpisodeOrder)
    /// A playlist that has its own order.
    case list([EpisodeID])

    /// Looks up a name: one choice, or several for a range or the queue. May wait for the disk.
    /// - Parameters:
    ///   - word: the name as typed, for messages.
    ///   - isExact: true to refuse part of a title.
    /// - Throws: `LibraryError`, `ChoiceFailure` or `ExpressionError`: no title matches, or more than one.
    static func choices(
        _ name: Name, word: String, isExact: Bool, in store: LibraryStore, at now: Timestamp
    ) throws -> [EpisodeChoice] {
        switch name {
        case .playlist(let title): return try playlist(title, in: store, at: now)
        case .filter(let conditions):
            // An empty variable in a script would otherwise mean every episode.
            if conditions.allSatisfy(\.isWhitespace) { throw ChoiceFailure.noConditions(word) }
            return try choices(of: try Playlist(filter: conditions, in: store), in: store, at: now)
        case .episodes, .feeds, .entries, .current, .reversedRange, .url, .text:
            return try store.names.resolve(name, word: word, .feedOrEpisode, isExact: isExact).map { .named($0) }
        }
    }

    private static func playlist(_ name: String, in store: LibraryStore, at now: Timestamp) throws -> [EpisodeChoice] {
        if let section = PlaylistSection(named: name) {
            if let filter = section.narrowed(EpisodeFilter()) { return [.view(filter, section.order)] }
            let list = PlaylistSections(episodes: store.episodes, queue: QueueModel(try store.queue.queue()))
            return try list.entries(of: section).map { .named(.episode($0.episode)) }
        }
        guard let playlist = try store.playlists.playlist(named: name) else {
            throw ChoiceFailure.noPlaylist(name)
        }
        return try choices(of: playlist, in: store, at: now)
    }

    private static func choices(
        of playlist: Playlist, in store: LibraryStore, at now: Timestamp
    ) throws -> [EpisodeChoice] {
        if let entries = try store.playlists.entries(of: playlist, at: now) { return [.list(entries.map(\.episode))] }
        return playlist.content.filters.map { .view(EpisodeFilter($0.expression, at: now), $0.order) }
    }
}

/// The episodes that one word of a command names.
struct ChosenEpisodes: Equatable, Sendable {
    var word: String
    /// The named episode or feed; nil for a playlist, a filter or a range.
    var object: NamedCandidate.Object?
    var title: String?
    var episodes: [EpisodeID]
    /// True if a limit cut off episodes.
    var hasMore = false
}

/// Which episodes of a feed a command uses.
enum FeedPart: Sendable {
    case all, unplayedOldestFirst, unplayedNewestFirst

    func view(of feed: FeedID) -> (filter: EpisodeFilter, order: EpisodeOrder) {
        switch self {
        case .all: (EpisodeFilter(feed: feed), .newestFirst)
        case .unplayedOldestFirst: (EpisodeFilter(feed: feed, isPlayed: false), .oldestFirst)
        case .unplayedNewestFirst: (EpisodeFilter(feed: feed, isPlayed: false), .newestFirst)
        }
    }
}
