internal import EpisodeRules
public import LibraryModel
public import PodcastModel

/// What a name means in the library.
public enum EpisodeChoice: Sendable {
    case one(EpisodeID)
    case feed(FeedID)
    /// A playlist, or the episodes that match conditions.
    case view(EpisodeFilter, EpisodeOrder)

    /// Looks a name up: one choice, or of a range or of the queue several. It may wait for the disk.
    ///
    /// - Parameters:
    ///   - word: the name as it was typed, for messages.
    ///   - isExact: whether a part of a title is refused.
    /// - Throws: `LibraryError`, `ChoiceFailure` or `ExpressionError`: nothing matches, or more than one title.
    public static func choices(
        _ name: Name, word: String, isExact: Bool, in store: any LibraryStores, at now: Timestamp
    ) throws -> [EpisodeChoice] {
        switch name {
        case .playlist(let title): return try playlist(title, in: store, at: now)
        case .filter(let conditions):
            // In a script, an empty variable would otherwise mean every episode.
            if conditions.allSatisfy(\.isWhitespace) { throw ChoiceFailure.noConditions(word) }
            let expression = try EpisodeExpression(parsing: conditions)
                .lookingUp { try store.feeds.resolveFeed($0).id }
            return [.view(EpisodeFilter(expression, at: now), .newestFirst)]
        case .episodes, .feeds, .entries, .current, .reversedRange, .url, .text:
            return try store.names.resolve(name, word: word, .feedOrEpisode, isExact: isExact).map { object in
                switch object {
                case .episode(let id): .one(id)
                case .feed(let id): .feed(id)
                }
            }
        }
    }

    private static func playlist(
        _ name: String, in store: any LibraryStores, at now: Timestamp
    ) throws -> [EpisodeChoice] {
        if let section = PlaylistSection(named: name) {
            if let filter = section.narrowed(EpisodeFilter()) { return [.view(filter, .newestFirst)] }
            let queue = QueueModel(try store.queue.queue())
            let entries =
                section == .nowPlaying
                ? queue.currentEntry.map { [$0] } ?? [] : Array(queue.entries[queue.nextIndex...])
            return entries.map { .one($0.episode) }
        }
        guard let playlist = try store.playlists.smartPlaylist(named: name) else {
            throw ChoiceFailure.noPlaylist(name)
        }
        return [.view(EpisodeFilter(playlist.filter, at: now), playlist.order)]
    }
}

/// What a name became: the episodes of one word of a command.
public struct ChosenEpisodes: Equatable, Sendable {
    /// The name as it was typed.
    public var word: String
    /// The one episode or feed that it names; nil for a playlist, conditions or a range.
    public var object: NamedCandidate.Object?
    /// Title of the object.
    public var title: String?
    public var episodes: [EpisodeID]
    /// Whether a limit cut off episodes.
    public var hasMore = false
}

/// Which episodes of a feed a command means.
public enum FeedPart: Sendable {
    case all
    case unplayedOldestFirst
    case unplayedNewestFirst

    func view(of feed: FeedID) -> (filter: EpisodeFilter, order: EpisodeOrder) {
        switch self {
        case .all: (EpisodeFilter(feed: feed), .newestFirst)
        case .unplayedOldestFirst: (EpisodeFilter(feed: feed, isPlayed: false), .oldestFirst)
        case .unplayedNewestFirst: (EpisodeFilter(feed: feed, isPlayed: false), .newestFirst)
        }
    }
}
