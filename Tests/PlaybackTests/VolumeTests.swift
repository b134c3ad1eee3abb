import MediaPorts
import Playback
import PodcastModel
import Synchronization
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

    @Test func theRendererHasTheFeedsVolumeBeforeAnEpisodeStarts() async throws {
        let stage = Stage()
        stage.library.volumes.withLock { $0[second.episode] = 50 }
        try await stage.player.play(second)
        await stage.journal.reaches("render #1 0.2/3.0")
        try #require(stage.journal.index(of: "gain 0.125") < stage.journal.index(of: "render #1 0.2/3.0"))
    }

    @Test(arguments: ["want \(secondMedia.url) 0", "decoder start 0:00 #2"])
    func theRendererHasTheFeedsVolumeBeforeTheNextEpisodeFollows(prepared line: String) async throws {
        let stage = Stage()
        stage.library.volumes.withLock { $0[second.episode] = 50 }
        try await stage.playFirst(decodedUntil: line)
        stage.renderer.tell(.ended(generation: 1))
        await stage.journal.reaches("render #2 0.2/3.0")
        try #require(stage.journal.index(of: "gain 0.125") < stage.journal.index(of: "render #2 0.2/3.0"))
    }

    @Test func aMessageBeginsAtItsVolumeAfterTheFade() async throws {
        let stage = Stage()
        try await stage.playFirst()
        async let announced: Void = stage.player.announce(url: "file:///bell.mp3", title: "bell", volume: 50)
        while !stage.journal.lines.contains("render #2 0.2/3.0") {
            if stage.clock.pending > 0 { stage.clock.advance(by: 0.05) }
            await Task.yield()
        }
        try await announced
        try #require(stage.journal.index(of: "gain 0.125") < stage.journal.index(of: "render #2 0.2/3.0"))
    }
}

extension Journal {
    /// Where a line is last; the end if it is missing.
    fileprivate func index(of line: String) -> Int { lines.lastIndex(of: line) ?? .max }
}
