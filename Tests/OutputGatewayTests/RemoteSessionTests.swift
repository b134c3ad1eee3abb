import ControlProtocol
import PodcastModel
import TestSupport
import Testing

@testable import OutputGateway

/// A session with a daemon and a renderer that both follow commands.
private struct Room {
    var session = RemoteSession()
    var player = PlayerReply()
    var now = Instant(nanoseconds: 1_000_000_000_000)

    /// An episode of ten minutes plays in the daemon from a position.
    static func playing(_ id: Int64 = 1, from seconds: Double = 0) -> Room {
        var room = Room()
        room.player.state = .playing
        room.player.episode = .init()
        room.player.episode?.id = EpisodeID(id)
        room.player.duration = MediaTime(seconds: 600)
        room.player.position = MediaTime(seconds: seconds)
        (room.player.instant, room.player.pace) = (room.now, 1)
        return room
    }

    /// The renderer plays it, too.
    static func started(from seconds: Double = 0) -> Room {
        var room = playing(from: seconds)
        _ = room.daemon()
        _ = room.remote(.volume(50))
        _ = room.remote(.state(.playing))
        room.after(3)
        return room
    }

    mutating func after(_ seconds: Double) {
        player.position = player.position(at: now + .seconds(seconds))
        now = now + .seconds(seconds)
        player.instant = now
    }

    mutating func daemon(volume: Int = 100) -> [RemoteSession.Action] {
        session.daemon(player, volume: volume, at: now)
    }

    mutating func remote(_ report: RemoteReport) -> [RemoteSession.Action] { session.remote(report, at: now) }
    mutating func tick() -> [RemoteSession.Action] { session.tick(at: now) }
    var rate: Double { session.rate(at: now) }
    func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds) }
}

@Suite struct RemoteSessionTests {
    @Test func whatPlaysIsLoadedFromItsPositionAndNothingIsReadUntilTheRendererPlays() {
        var room = Room.playing(from: 90)
        expectEqual(room.daemon(), [.load(EpisodeID(1), from: room.time(90))])
        expectEqual(room.rate, 0)
        expectEqual(room.remote(.state(.loading)), [])
        expectEqual(room.rate, 0)
        expectEqual(room.remote(.state(.playing)), [])
        expectEqual(room.rate, 1)
    }

    @Test func aLateReportOfTheEpisodeBeforeDoesNotPauseTheNextOne() {
        var room = Room.started(from: 300)
        room.player.episode?.id = EpisodeID(2)
        room.player.position = .zero
        expectEqual(room.daemon(), [.load(EpisodeID(2), from: .zero)])
        room.after(0.5)
        expectEqual(room.remote(.state(.stopped)), [])
        room.after(1)
        expectEqual(room.remote(.state(.playing)), [])
        #expect(room.rate > 0)
        room.after(3)
        expectEqual(room.remote(.state(.stopped)), [.pauseDaemon])
    }

    @Test func aPausedEpisodeIsNotLoadedUntilItPlays() {
        var room = Room.playing()
        room.player.state = .paused
        expectEqual(room.daemon(), [])
        room.player.state = .playing
        expectEqual(room.daemon(), [.load(EpisodeID(1), from: .zero)])
    }

    @Test func anEpisodeThatIsPausedWhileItLoadsIsLoadedAgainLater() {
        var room = Room.playing(from: 90)
        _ = room.daemon()
        (room.player.state, room.player.pace) = (.paused, 0)
        expectEqual(room.daemon(), [.stop])
        expectEqual(room.remote(.state(.playing)), [])
        (room.player.state, room.player.pace) = (.playing, 1)
        expectEqual(room.daemon(), [.load(EpisodeID(1), from: room.time(90))])
    }

    @Test func pauseResumeAndStopOfTheDaemonReachTheRenderer() {
        var room = Room.started()
        (room.player.state, room.player.pace) = (.paused, 0)
        expectEqual(room.daemon(), [.pause])
        expectEqual(room.rate, 0)
        // A report from before the pause changes nothing.
        expectEqual(room.remote(.state(.playing)), [])
        expectEqual(room.remote(.state(.paused)), [])
        (room.player.state, room.player.pace) = (.playing, 1)
        expectEqual(room.daemon(), [.play])
        (room.player.state, room.player.episode) = (.stopped, nil)
        expectEqual(room.daemon(), [.stop])
    }

    @Test func pauseAndResumeAtTheRendererReachTheDaemon() {
        var room = Room.started()
        expectEqual(room.remote(.state(.paused)), [.pauseDaemon])
        (room.player.state, room.player.pace) = (.paused, 0)
        expectEqual(room.daemon(), [])
        room.after(60)
        expectEqual(room.remote(.state(.playing)), [.playDaemon])
        (room.player.state, room.player.pace) = (.playing, 1)
        expectEqual(room.daemon(), [])
    }

    @Test func aStopAtTheRendererPausesAndTheNextPlayLoadsAgain() {
        var room = Room.started(from: 100)
        expectEqual(room.remote(.state(.stopped)), [.pauseDaemon])
        (room.player.state, room.player.pace) = (.paused, 0)
        expectEqual(room.daemon(), [])
        room.after(5)
        room.player.state = .playing
        expectEqual(room.daemon(), [.load(EpisodeID(1), from: room.time(103))])
    }

    @Test func aSeekOfTheDaemonReachesTheRendererOnce() {
        var room = Room.started()
        room.player.position = room.time(300)
        expectEqual(room.daemon(), [.seek(room.time(300))])
        // Reports of the old place.
        expectEqual(room.remote(.position(room.time(4))), [])
        room.after(3)
        expectEqual(room.remote(.position(room.time(303))), [])
        expectEqual(room.daemon(), [])
    }

    @Test func aSeekAtTheRendererReachesTheDaemonOnce() {
        var room = Room.started()
        expectEqual(room.remote(.position(room.time(200))), [.seekDaemon(room.time(200))])
        room.player.position = room.time(200)
        expectEqual(room.daemon(), [])
        room.after(1)
        expectEqual(room.remote(.position(room.time(201))), [])
    }

    @Test func aStallOfTheDaemonIsNotASeek() {
        var room = Room.started(from: 50)
        _ = room.daemon()
        // Nothing was read for 1.5 s.
        room.now = room.now + .seconds(1.5)
        room.player.instant = room.now
        expectEqual(room.daemon(), [])
    }

    @Test func theSoundIsReadFasterOrSlowerUntilThePositionsAgree() {
        var room = Room.started(from: 50)
        _ = room.remote(.position(room.time(53)))
        #expect(abs(room.rate - 1) < 0.01)
        _ = room.remote(.position(room.time(54)))
        #expect(room.rate > 1.3)
        _ = room.remote(.position(room.time(51)))
        #expect(room.rate < 0.8)
    }

    @Test func atAnotherSpeedTheRendererStillLeads() {
        var room = Room.started()
        (room.player.speed, room.player.pace) = (2, 2)
        _ = room.daemon()
        #expect(abs(room.rate - 0.5) < 0.1)
    }

    @Test func theRendererPlaysTheLastMomentsAndThenTheDaemonGoesOn() {
        var room = Room.started(from: 590)
        room.player.position = room.time(599.5)
        _ = room.remote(.position(room.time(598)))
        _ = room.daemon()
        expectEqual(room.rate, 0)
        expectEqual(room.remote(.state(.stopped)), [])
        #expect(room.rate > 1)
        room.player.episode?.id = EpisodeID(2)
        room.player.position = .zero
        expectEqual(room.daemon(), [.load(EpisodeID(2), from: .zero)])
    }

    @Test func theRenderersVolumeCountsAtFirstAndLaterChangesGoBothWays() {
        var room = Room.playing()
        _ = room.daemon(volume: 100)
        expectEqual(room.remote(.volume(30)), [.setDaemonVolume(30)])
        expectEqual(room.daemon(volume: 100), [])
        expectEqual(room.daemon(volume: 30), [])
        expectEqual(room.daemon(volume: 60), [.setVolume(60)])
        expectEqual(room.remote(.volume(60)), [])
        room.player.volume = 50
        expectEqual(room.daemon(volume: 60), [.setVolume(30)])
        expectEqual(room.remote(.volume(20)), [.setDaemonVolume(40)])
        expectEqual(room.daemon(volume: 40), [])
    }

    @Test func aRendererThatLoadsForLongIsExplainedUntilItPlays() {
        var room = Room.playing()
        _ = room.daemon()
        expectEqual(room.tick(), [])
        room.after(1.5)
        expectEqual(room.tick(), [.explain("it loads the episode")])
        expectEqual(room.tick(), [])
        expectEqual(room.remote(.state(.playing)), [.explain(nil)])
    }

    @Test func aFileThatIsRefusedIsExplainedAndTriedAgain() {
        var room = Room.playing()
        _ = room.daemon()
        expectEqual(room.remote(.failed("it does not play the file")), [.explain("it does not play the file")])
        expectEqual(room.daemon(), [])
        expectEqual(room.tick(), [])
        room.after(11)
        expectEqual(room.tick(), [.load(EpisodeID(1), from: room.time(11))])
    }

    @Test func duringAMessageTheRendererIsPausedAndTheMessagePasses() {
        var room = Room.started()
        (room.player.announcement, room.player.episode) = ("doorbell", nil)
        expectEqual(room.daemon(), [.pause])
        expectEqual(room.rate, 1)
        room.player.announcement = nil
        room.player.episode = .init()
        room.player.episode?.id = EpisodeID(1)
        expectEqual(room.daemon(), [.play])
    }
}
