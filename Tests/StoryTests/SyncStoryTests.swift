import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Devices of the listener that synchronize with podcast-web by the interfaces of gPodder and Nextcloud, with real clients.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SyncStoryTests {
    private let daemon: RunningDaemon
    private let published: PublishedFeed
    private let gateway: RunningGateway

    init() throws {
        daemon = try RunningDaemon()
        published = try PublishedFeed(episodes: [("Alpha talk", try fixture("forty-seconds.mp3"))])
        let hash = try passwordHash(in: daemon.scratch)
        gateway = try RunningGateway(
            daemon: daemon.socketPath, in: daemon.scratch, settings: "[users]\nanna = admin \(hash)", hasPort: true)
    }

    @Test func phonesAndTabletsShareOneStateThroughGPoddersInterface() throws {
        let python = try RequiredPython.path(with: "mygpoclient")
        let result = try Programs.run(
            Launch(
                python,
                [
                    RequiredPython.script("gpodder_story.py"), gateway.url, "anna", "open sesame", published.feed.url,
                    published.media[0].url,
                ], environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]), timeout: .seconds(120))
        expectEqual(result.status, 0, "\(result.errors.suffix(5000))")
    }

    @Test func aPausedEpisodeGoesOnWhereThePhoneStoppedAndUndoBringsItBack() throws {
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try daemon.play("Alpha talk", watchedBy: client)
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 10)) })
        try client.call(Pause())
        let episode = try #require(client.call(ListEpisodes()).episodes.first?.episode)
        var act = DeviceAct()
        (act.feed, act.url, act.position, act.total) = (
            published.feed.url, episode.enclosure.url, MediaTime(seconds: 25), MediaTime(seconds: 40)
        )
        act.time = Timestamp.now.adding(seconds: 3600)
        let reply = try client.call(RecordActs { ($0.device, $0.acts) = ("phone", [act.json]) })
        expectEqual(reply.changed, 1)
        try client.player { $0.state == .paused && $0.position?.seconds == 25 }
        let history = try client.call(ListHistory()).rows.map { ($0.record.event, Int($0.record.position.seconds)) }
        #expect(history.contains { $0 == (.left, 10) }, "\(history)")
        try expectOutcome(daemon.ctl("undo"), 0, output: "what phone sent is as before")
        let position = try client.call(ListEpisodes()).episodes.first?.episode.state.position
        expectEqual(position.map { Int($0.seconds) }, 10)
        try expectOutcome(daemon.ctl("devices"), 0, output: "phone")
        try expectOutcome(daemon.ctl("device", "remove", "phone"), 0)
    }

    @Test func whatPlaysHereIsNotChangedByAnotherDevice() throws {
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try daemon.play("Alpha talk", watchedBy: client)
        let episode = try #require(client.call(ListEpisodes()).episodes.first?.episode)
        var act = DeviceAct()
        (act.feed, act.url, act.position, act.total) = (
            published.feed.url, episode.enclosure.url, MediaTime(seconds: 39), MediaTime(seconds: 40)
        )
        act.time = Timestamp.now.adding(seconds: 3600)
        try expectEqual(client.call(RecordActs { ($0.device, $0.acts) = ("phone", [act.json]) }).unchanged, 1)
        try #expect(client.call(GetStatus()).player.state == .playing)
    }

    @Test func aPositionIsSetWithoutPlaying() throws {
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try expectOutcome(daemon.ctl("position", "Alpha talk", "0:25"), 0, output: "Alpha talk is at 0:25")
        try expectOutcome(daemon.ctl("position", "Alpha talk", "-5"), 0, output: "Alpha talk is at 0:20")
        try expectOutcome(daemon.ctl("undo"), 0, output: "is at 0:25 again")
        try expectEqual(client.call(GetStatus()).player.state, .stopped)
        let old = try client.call(
            SetPosition {
                ($0.episode, $0.position, $0.device) = ("Alpha talk", .absolute(.zero), "browser")
                $0.time = "2020-01-01T00:00:00Z"
            })
        #expect(!old.isChanged && old.position == MediaTime(seconds: 25))
        try daemon.play("Alpha talk", watchedBy: client)
        try expectOutcome(daemon.ctl("position", "Alpha talk", "3"), 65, errors: "podcastctl seek")
        let busy = try client.call(
            SetPosition { ($0.episode, $0.position, $0.device) = ("Alpha talk", .absolute(.zero), "browser") })
        #expect(!busy.isChanged)
        try client.call(Pause())
        try expectOutcome(daemon.ctl("position", "Alpha talk", "2:00"), 64, errors: "only 0:40")
        for second in [31, 34, 37] {
            try client.call(
                SetPosition {
                    ($0.episode, $0.device) = ("Alpha talk", "browser")
                    $0.position = .absolute(MediaTime(seconds: Double(second)))
                })
        }
        try client.player { $0.state == .paused && $0.position?.seconds == 37 }
        try expectOutcome(daemon.ctl("undo"), 0, output: "what browser sent is as before, 1 episode")
        let position = try #require(client.call(ListEpisodes()).episodes.first?.episode.state.position)
        #expect((25..<30).contains(position.seconds), "\(position)")
    }

    @Test func aPositionOfASingleFileIsSet() throws {
        let client = try daemon.connect()
        let url = published.media[0].url
        try client.call(AddToQueue { $0.what = [url] })
        let reply = try client.call(
            SetPosition { ($0.episode, $0.position, $0.device) = (url, .absolute(MediaTime(seconds: 7)), "browser") })
        #expect(reply.isChanged && reply.position == MediaTime(seconds: 7))
    }
}
