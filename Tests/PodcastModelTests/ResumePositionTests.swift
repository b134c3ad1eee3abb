import PodcastModel
import Testing
import TestSupport

struct ResumePositionTests {
    private func episode(position: Double, isPlayed: Bool, duration: Double?) -> Episode {
        Episode(
            id: EpisodeID(1), feed: FeedID(1), feedTitle: "Talks", title: "Talk",
            enclosure: Enclosure(url: "https://a.example/1.mp3"), published: Timestamp(seconds: 0),
            announcedDuration: duration.map { MediaTime(seconds: $0) },
            state: EpisodeState(position: MediaTime(seconds: position), isPlayed: isPlayed))
    }

    @Test(
        arguments: [
            (600, false, 1800, 600), (600, true, 1800, 600), (1790, true, 1800, 0), (1790, false, 1800, 1790),
            (0, true, 1800, 0), (600, true, nil, 0), (600, false, nil, 600),
        ] as [(Double, Bool, Double?, Double)])
    func anEpisodeThatIsHeardASecondTimeContinuesWhereItWasLeft(
        position: Double, isPlayed: Bool, duration: Double?, expected: Double
    ) {
        let resume = episode(position: position, isPlayed: isPlayed, duration: duration).resumePosition
        expectEqual(resume, MediaTime(seconds: expected))
    }
}
