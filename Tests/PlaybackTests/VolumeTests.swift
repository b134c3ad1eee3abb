import MediaPorts
import Playback
import PodcastModel
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(5)))
struct VolumeTests {
    @Test func theSpeedOfTheSettingsIsReportedBeforeAnythingPlays() throws {
        var settings = PlaybackSettings()
        settings.sound.speed = try #require(PlaybackSpeed(factor: 1.7))
        expectEqual(Stage(settings: settings).player.status.speed, 1.7)
    }

    @Test(
        arguments: [
            (100, nil, 1, 1), (50, nil, 1, 0.125), (50, 100, 1, 0.125), (100, 50, 1, 0.125), (50, 200, 1, 1),
            (80, 200, 1, 1), (100, nil, 0.5, 0.125), (100, nil, 0, 0), (0, 200, 1, 0), (140, nil, 1, 1),
        ] as [(Int, Int?, Double, Float)])
    func theGainIsTheCubeOfAllShares(volume: Int, feed: Int?, fade: Double, gain: Float) {
        #expect(abs(Volume.gain(of: volume, feed: feed, fade: fade) - gain) < 1e-6)
    }

    @Test func theFeedsVolumeHoldsForItsEpisodesOnlyAndTheUsersIsShown() async throws {
        let stage = Stage()
        try await stage.playFirst()
        let feed = try #require(stage.player.status.feed)
        await stage.player.setFeedVolume(50, of: FeedID(feed.rawValue + 1))
        expectEqual(stage.player.status.feedVolume, nil)
        stage.journal.forget()
        await stage.player.setFeedVolume(50, of: feed)
        expectEqual(stage.journal.lines, ["gain 0.125"])
        #expect(stage.player.status.volume == 100 && stage.player.status.feedVolume == 50)
        try await stage.player.next()
        await stage.shows { $0.title == secondMedia.title }
        expectContains(stage.journal.lines, "gain 1.0")
        expectEqual(stage.player.status.feedVolume, nil)
    }
}
