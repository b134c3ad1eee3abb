@testable import Library
import PodcastModel
import Testing

struct EpisodeFilterTests {
    private let episode = Episode(
        id: EpisodeID(1), feed: FeedID(2), feedTitle: "Feed", title: "The Grand Tour",
        enclosure: Enclosure(url: "https://x.example/1.mp3"), published: Timestamp(seconds: 0),
        state: EpisodeState(position: MediaTime(seconds: 30), isStarred: true))

    @Test func aFilterWithoutConditionsLetsEverythingThrough() {
        #expect(EpisodeFilter().accepts(episode))
    }

    @Test(arguments: [
        EpisodeFilter(feed: FeedID(2)), EpisodeFilter(isPlayed: false), EpisodeFilter(isStarred: true),
        EpisodeFilter(isInProgress: true), EpisodeFilter(isDownloaded: false), EpisodeFilter(text: "grand TOUR"),
        EpisodeFilter(feed: FeedID(2), isPlayed: false, isStarred: true, text: "the"),
    ])
    func whatFitsIsShown(_ filter: EpisodeFilter) {
        #expect(filter.accepts(episode))
    }

    @Test(arguments: [
        EpisodeFilter(feed: FeedID(3)), EpisodeFilter(isPlayed: true), EpisodeFilter(isStarred: false),
        EpisodeFilter(isInProgress: false), EpisodeFilter(isDownloaded: true), EpisodeFilter(text: "grand piano"),
        EpisodeFilter(feed: FeedID(2), isPlayed: true),
    ])
    func oneConditionThatFailsHidesTheRow(_ filter: EpisodeFilter) {
        #expect(!filter.accepts(episode))
    }
}
