import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import Reporting
import SystemCalls
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(10)))
struct PlayingTests {
    private func subscribed(_ published: PublishedFeed, _ daemon: RunningDaemon) throws -> DaemonConnection {
        let client = try daemon.connect(watching: .player, .activities, .queue, .feeds, subscribing: published.feed.url)
        return client
    }

    @Test func aQueueOfASubscribedFeedPlaysToItsEnd() throws {
        let speech = try fixture("one-and-a-half-seconds.mp3")
        let published = try PublishedFeed(episodes: [("Second", speech), ("First", speech)])
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        let feeds = try client.call(ListFeeds()).rows
        expectEqual(feeds.map(\.feed.title), ["Test feed"])
        expectEqual(feeds.first?.feed.episodeCount, 2)

        try client.call(AddToQueue { ($0.what, $0.again) = (["First", "Second"], true) })
        try client.call(Play { $0.what = "1" })
        // The second follows by itself, and the queue ends after the second. The sounds are so short that a client may not see the
        // state 'playing', but the history has their order.
        let end = try client.player(.stopped)
        expectEqual(end.error, nil)
        while try client.call(ListHistory()).rows.count < 2 {}
        try expectEqual(client.call(ListHistory()).rows.map(\.record.title), ["Second", "First"])
        let played = try client.call(ListEpisodes()).episodes
        expectEqual(played.map(\.episode.state.isPlayed), [true, true])
        expectEqual(published.media.map(\.requests.count), [1, 1])
    }

    @Test func loadingAndBufferingAreActivities() throws {
        let audio = try fixture("forty-seconds.mp3")
        // Without the first gate it may be loaded before an event is sent.
        let (beginning, rest) = (Gate(), Gate())
        let server = try LoopbackServer()
        let endpoint = server.serve(
            "/slow.mp3",
            .resource(Resource(audio), faults: [.stall(at: 0, .gate(beginning)), .stall(at: 20_000, .gate(rest))]))
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player, .activities)
        try client.call(Play { $0.what = endpoint.url })
        try client.activities { $0.contains { $0.kind == .loading } }
        beginning.open()
        try client.player(.playing)
        let buffering = try client.player { $0.state == .buffering }
        expectEqual(buffering.reason?.isEmpty, false)
        try client.activities { $0.contains { $0.kind == .buffering } }
        rest.open()
        try client.player { $0.state == .playing }
        try client.activities { $0.isEmpty }
    }

    @Test func everyControlWorksDuringPlayback() throws {
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        try client.play("Long")
        try expectEqual(client.call(SetVolume { $0.level = 30 }).volume, 30)
        try expectEqual(client.call(SetVolume { $0.change = 5 }).volume, 35)
        try expectEqual(client.call(Pause()).state, .paused)
        let position = try #require(try client.call(GetStatus()).player.position?.seconds)
        try expectEqual(client.call(GetStatus()).player.position?.seconds, position)
        try expectEqual(client.call(Seek { $0.time = TimeArgument(parsing: "0:20") }).position.seconds, 20)
        try client.call(TogglePlayback())
        try client.player(.playing)
        let later = try #require(try client.call(GetStatus()).player.position?.seconds)
        #expect(later >= 20)
        // The file has no table: how long it is shows when the decoder, which runs ahead, has come to its end.
        while (try client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.duration?.seconds ?? 0) < 39 {}
        try client.call(Pause())
        let held = try #require(try client.call(GetStatus()).player.position?.seconds)
        #expect(held >= later)
        let sought = try client.call(Seek { $0.time = TimeArgument(parsing: "-10") }).position.seconds
        #expect(abs(held - 10 - sought) < 0.01)
        try expectEqual(client.call(Stop()).state, .stopped)
        let episode = try client.call(ShowEpisode { $0.episode = "Long" })
        let saved = episode.episode.episode.state.position.seconds
        #expect(abs(saved - sought) < 0.1)
    }

    @Test func afterAKillQueueAndPositionAreAsTheyWereSaved() throws {
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let scratch = try Scratch()
        var recorded = 0.0
        do {
            let daemon = try RunningDaemon(in: scratch)
            let client = try subscribed(published, daemon)
            try client.call(AddToQueue { ($0.what, $0.again) = (["Long", "Long", "Long"], true) })
            try client.call(MoveInQueue { ($0.from, $0.to) = ("3", 1) })
            try client.call(Play { ($0.what, $0.position) = ("2", TimeArgument(parsing: "0:05")) })
            try client.player(.playing)
            // Nothing but the clock asks for this record.
            while recorded < 6 {
                recorded = try client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.state.position.seconds
            }
            daemon.kill()
        }
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect()
        let queue = try client.call(ListQueue())
        expectEqual(queue.extent.length, 3)
        expectEqual(queue.extent.index, 2)
        let position = try client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.state.position.seconds
        #expect(position >= recorded, "\(position) after \(recorded)")
    }

    @Test func aKilledDecoderIsRestartedAndPlaybackContinues() throws {
        let published = try PublishedFeed(episodes: [("Long", try fixture("forty-seconds.mp3"))])
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        try client.play("Long")
        let decoders = Processes.children(of: daemon.process.processID, named: "podcast-decode")
        expectEqual(decoders.count, 1)
        for decoder in decoders { kill(decoder, SIGKILL) }
        try client.call(Seek { $0.time = TimeArgument(parsing: "0:30") })
        try client.player(.playing)
        let status = try client.call(GetStatus())
        #expect(status.player.position?.seconds ?? 0 >= 30)
    }

    @Test func missingEpisodesAreReportedAndTheNextOnePlays() throws {
        let speech = try fixture("forty-seconds.mp3")
        let missing = [("Missing", 404), ("Gone", 410), ("Refused", 403)]
        let published = try PublishedFeed(episodes: (["Good"] + missing.map(\.0)).map { ($0, speech) })
        let gone = missing.enumerated().map { number, status in
            published.server.serve("/\(number + 1).mp3", .status(status.1))
        }
        let daemon = try RunningDaemon()
        let client = try subscribed(published, daemon)
        for (title, endpoint) in zip(missing.map(\.0), gone) {
            try client.call(ClearQueue())
            client.forgetEvents()
            try client.call(AddToQueue { ($0.what, $0.again) = ([title, "Good"], true) })
            try client.call(Play())
            let playing = try client.player { $0.state == .playing }
            #expect(playing.episode?.title == "Good" && playing.error?.isEmpty == false, "\(title): \(playing)")
            #expect(endpoint.requests.count >= 1, "\(title)")
        }
    }

    @Test func whatIsNotAudioIsReported() throws {
        let server = try LoopbackServer()
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        for (name, body) in [
            ("page", "<!DOCTYPE html><html><body>Log in to listen</body></html>"), ("nothing", ""),
            ("json", #"{"error": "no such file"}"#),
        ] {
            let endpoint = server.serve(
                "/\(name).mp3", .resource(Resource(Array(body.utf8), contentType: "audio/mpeg")))
            let outcome = try daemon.ctl("play", "--wait", endpoint.url)
            #expect(outcome.status != 0 && !outcome.errors.isEmpty, "\(name): \(outcome)")
            let end = try client.call(GetStatus()).player
            #expect(end.state == .stopped && end.error?.isEmpty == false, "\(name): \(end)")
            // A failed start writes no position over a good one.
            for row in try client.call(ListEpisodes()).episodes { expectEqual(row.episode.state.position, .zero) }
        }
    }
}
