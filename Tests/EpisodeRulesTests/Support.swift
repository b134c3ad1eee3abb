import PodcastModel

/// Wednesday at noon, so that no time zone makes another day of it.
let noon = Timestamp(year: 2026, month: 4, day: 1, second: 43_200)

/// An episode as most feeds have it.
func episode(_ title: String = "A talk", change: (inout Episode) -> Void = { _ in }) -> Episode {
    var episode = Episode(
        id: EpisodeID(1), feed: FeedID(7), feedTitle: "A show", title: title,
        enclosure: Enclosure(url: "https://cdn.example/1.mp3"), published: noon,
        announcedDuration: MediaTime(seconds: 1800))
    episode.season = 2
    change(&episode)
    return episode
}

/// Whether a filter lets an episode through, a day after the noon.
func accepts(_ filter: String, _ episode: Episode) throws -> Bool {
    try EpisodeExpression(parsing: filter).accepts(episode, at: noon.adding(seconds: 86_400))
}
