internal import PodcastModel

/// What a row stands for, as far as keys act on it in any list.
enum Subject {
    case episode(Episode)
    /// An episode of which only the id is known.
    case episodeID(EpisodeID)
    case feed(Feed)
    case playlist(name: String)

    /// How commands name it.
    var what: String {
        switch self {
        case .episode(let episode): episode.id.label
        case .episodeID(let id): id.label
        case .feed(let feed): feed.id.label
        case .playlist(let name): "playlist:\(name)"
        }
    }

    var episode: Episode? { if case .episode(let episode) = self { episode } else { nil } }
    var episodeID: EpisodeID? { if case .episodeID(let id) = self { id } else { episode?.id } }
    /// The feed, or that of the episode.
    var feedID: FeedID? { if case .feed(let feed) = self { feed.id } else { episode?.feed } }
}
