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

    /// The renderer was found, and it also plays the episode.
    static func started(from seconds: Double = 0) -> Room {
        var room = playing(from: seconds)
        _ = room.find()
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

    /// - Parameter isAlone: whether no other output plays.
    mutating func daemon(volume: Int = 100, isAlone: Bool = true) -> [RemoteSession.Action] {
        session.daemon(player, volume: volume, isAlone: isAlone, at: now)
    }

    mutating func find() -> [RemoteSession.Action] { session.find(at: now) }

    mutating func remote(_ report: RemoteReport) -> [RemoteSession.Action] { session.remote(report, at: now) }
    mutating func tick() -> [RemoteSession.Action] { session.tick(at: now) }
    var report: OutputReport {
        var session = session
        return session.report(at: now)
    }
    var pace: Double? { if case .plays(let pace) = report { pace } else { nil } }
    func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds) }
}

@Suite struct RemoteSessionTests {
    @Test func theEpisodeIsLoadedFromItsPositionAndNothingIsHeardUntilTheRendererPlays() {
        var room = Room.playing(from: 90)
        _ = room.find()
        expectEqual(room.daemon(), [.load(EpisodeID(1), from: room.time(90))])
        expectEqual(room.pace, 0)
        expectEqual(room.remote(.state(.loading)), [])
        expectEqual(room.pace, 0)
        expectEqual(room.remote(.state(.playing)), [])
        expectEqual(room.pace, 1)
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
        #expect((room.pace ?? 0) > 0)
        room.after(3)
        expectEqual(room.remote(.state(.stopped)), [.pauseDaemon])
    }

    @Test func aPausedEpisodeIsNotLoadedUntilItPlays() {
        var room = Room.playing()
        _ = room.find()
        room.player.state = .paused
        expectEqual(room.daemon(), [])
        room.player.state = .playing
        expectEqual(room.daemon(), [.load(EpisodeID(1), from: .zero)])
    }

    @Test func anEpisodeThatIsPausedWhileItLoadsIsLoadedAgainLater() {
        var room = Room.playing(from: 90)
        _ = room.find()
        _ = room.daemon()
        (room.player.state, room.player.pace) = (.paused, 0)
        expectEqual(room.daemon(), [.order(.stop)])
        expectEqual(room.remote(.state(.playing)), [])
        (room.player.state, room.player.pace) = (.playing, 1)
        expectEqual(room.daemon(), [.load(EpisodeID(1), from: room.time(90))])
    }

    @Test func pauseResumeAndStopOfTheDaemonReachTheRenderer() {
        var room = Room.started()
        (room.player.state, room.player.pace) = (.paused, 0)
        expectEqual(room.daemon(), [.order(.pause)])
        expectEqual(room.pace, 0)
        // A report from before the pause changes nothing.
        expectEqual(room.remote(.state(.playing)), [])
        expectEqual(room.remote(.state(.paused)), [])
        (room.player.state, room.player.pace) = (.playing, 1)
        expectEqual(room.daemon(), [.order(.play)])
        (room.player.state, room.player.episode) = (.stopped, nil)
        expectEqual(room.daemon(), [.order(.stop)])
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

    @Test(arguments: [RemoteReport.State.paused, .stopped])
    func aStatusFromBeforeAnOrderOfTheRendererChangesNothing(_ state: RemoteReport.State) {
        var room = Room.started()
        expectEqual(room.remote(.state(state)), [.pauseDaemon])
        room.after(0.1)
        expectEqual(room.daemon(volume: 90), [.order(.setVolume(90))])
        (room.player.state, room.player.pace) = (.paused, 0)
        expectEqual(room.daemon(volume: 90), [])
        (room.player.state, room.player.pace) = (.playing, 1)
        let again = RemoteSession.Action.load(EpisodeID(1), from: room.time(3.1))
        expectEqual(room.daemon(volume: 90), [state == .paused ? .order(.play) : again])
    }

    @Test func aDaemonThatDoesNotPauseIsHeardAgainAtTheRenderer() {
        var room = Room.started()
        expectEqual(room.remote(.state(.paused)), [.pauseDaemon])
        room.after(1)
        expectEqual(room.daemon(), [])
        expectEqual(room.tick(), [])
        room.after(1)
        expectEqual(room.tick(), [.order(.play)])
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
        expectEqual(room.daemon(), [.order(.seek(room.time(300)))])
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

    @Test func thePaceChangesUntilThePositionsAgree() {
        var room = Room.started(from: 50)
        _ = room.remote(.position(room.time(53)))
        expectEqual(room.pace, 1)
        _ = room.remote(.position(room.time(54)))
        expectEqual(room.pace, 1.5)
        _ = room.remote(.position(room.time(51)))
        expectEqual(room.pace, 0.5)
    }

    @Test func atAnotherSpeedTheRendererStillLeads() {
        var room = Room.started()
        (room.player.speed, room.player.pace) = (2, 2)
        _ = room.daemon()
        expectEqual(room.pace, 0.5)
    }

    @Test func theRendererPlaysTheLastMomentsAndThenTheDaemonGoesOn() {
        var room = Room.started(from: 590)
        room.player.position = room.time(599.5)
        _ = room.remote(.position(room.time(598)))
        _ = room.daemon()
        expectEqual(room.pace, 0)
        expectEqual(room.remote(.state(.stopped)), [])
        expectEqual(room.pace, 2)
        room.player.episode?.id = EpisodeID(2)
        room.player.position = .zero
        expectEqual(room.daemon(), [.load(EpisodeID(2), from: .zero)])
    }

    @Test func theRenderersVolumeCountsAtFirstAndLaterChangesGoBothWays() {
        var room = Room.playing()
        _ = room.find()
        _ = room.daemon(volume: 100)
        expectEqual(room.remote(.volume(30)), [.setDaemonVolume(30)])
        expectEqual(room.daemon(volume: 100), [])
        expectEqual(room.daemon(volume: 30), [])
        expectEqual(room.daemon(volume: 60), [.order(.setVolume(60))])
        expectEqual(room.remote(.volume(60)), [])
        room.player.volume = 50
        expectEqual(room.daemon(volume: 60), [.order(.setVolume(30))])
        expectEqual(room.remote(.volume(20)), [.setDaemonVolume(40)])
        expectEqual(room.daemon(volume: 40), [])
    }

    @Test func aRendererThatLoadsForLongIsExplainedUntilItPlays() {
        var room = Room.playing()
        _ = room.find()
        _ = room.daemon()
        expectEqual(room.report, .plays(pace: 0))
        room.after(1.5)
        expectEqual(room.report, .waits("it loads the episode"))
        expectEqual(room.remote(.state(.playing)), [])
        expectEqual(room.report, .plays(pace: 0.25))
    }

    @Test func aFileThatIsRefusedIsExplainedAndTriedAgain() {
        var room = Room.playing()
        _ = room.find()
        _ = room.daemon()
        expectEqual(room.remote(.failed("it does not play the file")), [])
        expectEqual(room.report, .waits("it does not play the file"))
        expectEqual(room.daemon(), [])
        expectEqual(room.tick(), [])
        room.after(11)
        expectEqual(room.tick(), [.load(EpisodeID(1), from: room.time(11))])
    }

    @Test func duringAMessageTheRendererIsPausedAndTheMessagePasses() {
        var room = Room.started()
        (room.player.announcement, room.player.episode) = ("doorbell", nil)
        expectEqual(room.daemon(), [.order(.pause)])
        expectEqual(room.pace, 1)
        room.player.announcement = nil
        room.player.episode = .init()
        room.player.episode?.id = EpisodeID(1)
        expectEqual(room.daemon(), [.order(.play)])
    }

    @Test func withoutARendererNothingIsLoadedOrExplained() {
        var room = Room.playing()
        expectEqual(room.daemon(), [])
        room.after(60)
        expectEqual(room.tick(), [])
        expectEqual(room.report, .waits("looking for the renderer"))
        room.session.miss("no renderer of this name answers")
        expectEqual(room.report, .waits("no renderer of this name answers"))
        expectEqual(room.find(), [.load(EpisodeID(1), from: room.time(60))])
    }

    @Test func aRendererThatComesBackGetsTheVolumeThatItHad() {
        var room = Room.started()
        _ = room.daemon(volume: 40)
        expectEqual(room.remote(.lost), [])
        expectEqual(room.report, .waits("the renderer stopped responding"))
        _ = room.daemon(volume: 40)
        expectEqual(room.find().first, .order(.setVolume(40)))
        expectEqual(room.remote(.volume(40)), [])
    }

    @Test func aRendererThatHasRestartedUnnoticedGetsItsVolumeAndTheEpisodeAgain() {
        var room = Room.started()
        _ = room.daemon(volume: 40)
        expectEqual(room.remote(.cleared), [.order(.setVolume(40))])
        expectEqual(room.report, .waits("it has stopped by itself"))
        expectEqual(room.tick(), [])
        room.after(11)
        expectEqual(room.tick(), [.load(EpisodeID(1), from: room.time(14))])
    }

    @Test func aRendererThatHasForgottenThePausedEpisodeLoadsItAtTheNextPlay() {
        var room = Room.started()
        (room.player.state, room.player.pace) = (.paused, 0)
        _ = room.daemon()
        _ = room.remote(.state(.paused))
        expectEqual(room.remote(.cleared), [.order(.setVolume(50))])
        expectEqual(room.daemon(), [])
        (room.player.state, room.player.pace) = (.playing, 1)
        expectEqual(room.daemon(), [.load(EpisodeID(1), from: room.time(3))])
    }

    @Test func aRendererThatForgetsTheEpisodeAtItsEndHasPlayedIt() {
        var room = Room.playing(from: 595)
        _ = room.find()
        _ = room.daemon()
        _ = room.remote(.state(.playing))
        room.after(4)
        expectEqual(room.remote(.cleared), [])
        expectEqual(room.pace, 2)
    }

    @Test func aRendererWhosePositionStandsStillIsExplainedUntilItPlaysAgain() {
        var room = Room.started()
        expectEqual(room.remote(.stalled), [])
        expectEqual(room.report, .waits("it says that it plays, but its position stands still; it starts again"))
        expectEqual(room.remote(.state(.stopped)), [])
        expectEqual(room.remote(.state(.playing)), [])
        expectEqual(room.pace == nil, false)
    }

    @Test func aRendererThatIsLouderAtFirstGetsPodcastdsVolume() {
        var room = Room.playing()
        _ = room.daemon(volume: 40)
        _ = room.find()
        expectEqual(room.remote(.volume(100)), [.order(.setVolume(40))])
        expectEqual(room.daemon(volume: 40), [])
    }

    @Test func besideOtherOutputsTheSoundPassesInRealTime() {
        var room = Room.started(from: 50)
        _ = room.remote(.position(room.time(48)))
        _ = room.daemon(isAlone: false)
        expectEqual(room.pace, 1)
        room.player.speed = 2
        _ = room.daemon(isAlone: false)
        expectEqual(room.pace, 1)
    }

    @Test func aSleepTimerThatPausesAndMovesBackMovesTheRenderer() {
        var room = Room.started(from: 100)
        (room.player.state, room.player.pace) = (.paused, 0)
        room.player.position = room.time(93)
        expectEqual(room.daemon(), [.order(.seek(room.time(93))), .order(.pause)])
        expectEqual(room.remote(.state(.paused)), [])
        room.after(3)
        expectEqual(room.tick(), [])
        (room.player.state, room.player.pace) = (.playing, 1)
        expectEqual(room.daemon(), [.order(.play)])
    }
}

/// A daemon that publishes its position as podcastd does: when sound advances. Until the next time its status continues at normal pace.
private struct Evening {
    var session = RemoteSession()
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var heard = 300.0
    var status = Room.playing(from: 300).player
    var isAlone = false
    /// Where the renderer is; nil while it loads.
    var there: Double?
    var begins: Instant?
    var actions: [RemoteSession.Action] = []

    mutating func publish() {
        status.position = MediaTime(seconds: heard)
        (status.instant, status.pace) = (now, status.state == .playing ? 1 : 0)
    }

    mutating func perform(_ new: [RemoteSession.Action]) {
        for action in new {
            actions.append(action)
            switch action {
            case .load(_, let start):
                // Three seconds until it plays.
                begins = now + .seconds(3)
                there = start.seconds
            case .seekDaemon(let position):
                heard = position.seconds
                publish()
            case .order(.seek(let position)): there = position.seconds
            case .order, .playDaemon, .pauseDaemon, .setDaemonVolume: break
            }
        }
    }

    mutating func run(_ seconds: Double) {
        for tenth in 0..<Int(seconds * 10) {
            var pace = 0.0
            if case .plays(let reported) = session.report(at: now) { pace = reported }
            now = now + .seconds(0.1)
            let isStarted = begins.map { $0 <= now } ?? false
            if status.state == .playing {
                heard += 0.1 * pace
                // A sink that takes nothing keeps its writer waiting, which publishes nothing.
                if pace > 0 { publish() }
                if isStarted { there? += 0.1 }
            }
            guard tenth % 10 == 0 else { continue }
            if isStarted {
                perform(session.remote(.state(status.state == .playing ? .playing : .paused), at: now))
                perform(session.remote(.position(MediaTime(seconds: (there ?? 0).rounded(.down))), at: now))
            }
            perform(session.daemon(status, volume: 100, isAlone: isAlone, at: now))
            perform(session.tick(at: now))
        }
    }

    mutating func set(_ state: PlayerState) {
        status.state = state
        publish()
        perform(session.daemon(status, volume: 100, isAlone: isAlone, at: now))
    }
}

@Suite struct MovedSoundTests {
    @Test(arguments: [8.0, 0.5, 30])
    func afterTheSoundHasMovedToARendererAPauseStaysWhereItIs(beside: Double) throws {
        var evening = Evening()
        evening.publish()
        evening.perform(evening.session.find(at: evening.now))
        evening.run(beside)
        // The renderer began late, and it keeps its own position.
        expectEqual(evening.actions.filter { if case .seekDaemon = $0 { true } else { false } }, [])
        evening.isAlone = true
        evening.run(15)
        #expect(abs(evening.heard - (try #require(evening.there))) < 1.5)
        evening.actions = []
        evening.set(.paused)
        evening.run(3)
        evening.set(.playing)
        evening.run(10)
        expectEqual(evening.actions, [.order(.pause), .order(.play)])
        #expect(abs(evening.heard - (try #require(evening.there))) < 1.5)
    }

    @Test func aPauseAtTheMomentWhenTheSoundMovesKeepsTheRenderersPosition() throws {
        var evening = Evening()
        evening.publish()
        evening.perform(evening.session.find(at: evening.now))
        evening.run(8)
        evening.isAlone = true
        evening.set(.paused)
        evening.run(5)
        #expect(abs(evening.heard - (try #require(evening.there))) < 1.5)
        evening.actions = []
        evening.set(.playing)
        evening.run(10)
        expectEqual(evening.actions, [.order(.play)])
    }
}
