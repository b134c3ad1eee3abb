import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import TestSupport
import Testing

/// The distribution's snapserver reads from the daemon's named pipe, and a snapclient writes what it plays to a file.
@Suite(.ownThread, .serialized, .timeLimit(.minutes(10)))
struct SnapcastTests {
    private let scratch: Scratch
    private let snapcast: Snapserver
    private let daemon: RunningDaemon
    private let client: DaemonConnection
    // Kept for as long as its server is needed.
    private let published: PublishedFeed

    init() throws {
        scratch = try Scratch()
        published = try PublishedFeed(episodes: [("Long", try minutesOfSpeech())])
        let pipe = scratch.path + "/sound"
        snapcast = try Snapserver(in: scratch.path, source: "pipe://\(pipe)", query: "&mode=read", buffer: 400)
        daemon = try RunningDaemon(output: "fifo:\(pipe)?rate=48000&format=s16&channels=2", in: scratch)
        client = try daemon.connect(watching: .player, subscribing: published.feed.url)
    }

    @Test func soundIsHeardAfterAPauseAndAfterARestartOfServerOrClient() throws {
        try client.play("Long")
        try snapcast.expectSound()
        try client.call(Pause())
        try snapcast.expectSilence()
        try client.call(TogglePlayback())
        try snapcast.expectSound()
        snapcast.kill()
        try snapcast.startAgain()
        try snapcast.expectSound()
        try snapcast.startClient("room")
        try snapcast.expectSound()
        try expectEqual(client.call(GetStatus()).player.state, .playing)
    }

    @Test func soundIsHeardAgainAfterThePipeWasClosed() throws {
        try expectOutcome(daemon.ctl("settings", "output.close_after", "0"), 0)
        try client.play("Long")
        try snapcast.expectSound()
        try client.call(Pause())
        try snapcast.expectSilence()
        try client.call(TogglePlayback())
        try snapcast.expectSound()
    }

    @Test func thePositionGoesOnInRealTimeWithAndWithoutAReader() throws {
        snapcast.kill()
        try client.play("Long")
        try snapcast.startAgain()
        try snapcast.expectSound()
        let begin = try position()
        try snapcast.expectSound()
        let end = try position()
        let drift = (end.media - begin.media) - (end.instant - begin.instant)
        #expect(abs(drift) < 0.3, "\(drift) s of drift")
        try expectContains(daemon.ctl("doctor", "--json").output, "plays whether or not a program reads it")
    }

    private func position() throws -> (media: Double, instant: Double) {
        let player = try client.call(GetStatus()).player
        return (try #require(player.position?.seconds), Double(player.instant.nanoseconds) / 1e9)
    }
}
