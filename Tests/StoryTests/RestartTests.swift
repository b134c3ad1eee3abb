import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// What a restart of podcastd leaves as it was.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct RestartTests {
    private func listening(_ published: PublishedFeed, _ daemon: RunningDaemon) throws -> DaemonConnection {
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try client.call(Play { ($0.what, $0.position) = ("Long", TimeArgument(parsing: "0:05")) })
        try client.player(.playing)
        return client
    }

    /// Waits until the position that was saved during playback is past a time.
    private func waitForRecord(past seconds: Double, _ client: DaemonConnection) throws {
        while try client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.state.position.seconds <= seconds {}
    }

    @Test func volumeAndOutputsAreAsBefore() throws {
        let scratch = try Scratch()
        do {
            let daemon = try RunningDaemon(in: scratch)
            let client = try daemon.connect()
            try client.call(SetVolume { $0.level = 30 })
            try client.call(SetVolume { $0.change = -5 })
            try client.call(DisableOutput { $0.name = "null" })
            // What was confirmed survives a crash too.
            daemon.kill()
        }
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect()
        try expectEqual(client.call(SetVolume()).volume, 25)
        try expectEqual(client.call(GetStatus()).outputs.map(\.isEnabled), [false])
        try client.call(EnableOutput { $0.name = "null" })
        expectEqual(daemon.stop(), .exited(0))
        let third = try RunningDaemon(in: scratch)
        try expectEqual(third.connect().call(GetStatus()).outputs.map(\.isEnabled), [true])
    }

    @Test(arguments: [true, false])
    func playbackContinuesAfterACrashAndAfterAnUpgrade(isCrash: Bool) throws {
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let scratch = try Scratch()
        do {
            let daemon = try RunningDaemon(in: scratch)
            let client = try listening(published, daemon)
            try waitForRecord(past: 5, client)
            // Another thread writes into the session's file that podcastd plays.
            while !((try? String(contentsOfFile: scratch.path + "/data/session", encoding: .utf8)) ?? "").contains(
                "playingBoot\":\"")
            {}
            if isCrash { daemon.kill() } else { expectEqual(daemon.stop(), .exited(0)) }
        }
        let daemon = try RunningDaemon(in: scratch)
        let playing = try daemon.connect().player(.playing)
        #expect(playing.episode?.title == "Long" && playing.position?.seconds ?? 0 >= 5)
    }

    @Test func aPausedEpisodeStaysSilentAtItsPlace() throws {
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let scratch = try Scratch()
        do {
            let daemon = try RunningDaemon(in: scratch)
            let client = try listening(published, daemon)
            try waitForRecord(past: 5, client)
            try client.call(Pause())
            expectEqual(daemon.stop(), .exited(0))
        }
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect()
        let status = try client.call(GetStatus())
        #expect(status.player.state == .stopped && status.queue.index == 1)
        #expect(status.player.episode?.title == "Long" && status.player.position?.seconds ?? 0 >= 5)
        try client.watch([.player])
        try client.call(Play())
        #expect(try client.player(.playing).position?.seconds ?? 0 >= 5)
    }
}
