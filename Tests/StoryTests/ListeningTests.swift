import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import Reporting
import SQLite
import SystemCalls
import TestSupport
import Testing

/// Commands of playback do what the listener meant, and say what they did.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct ListeningTests {
    /// A daemon that plays the first of its queue's episodes, `Long` and `Next`, and knows how long that is.
    private func listening(to names: [String] = ["Long", "Next"]) throws -> (RunningDaemon, DaemonConnection) {
        let audio = try fixture("forty-seconds.mp3")
        let published = try PublishedFeed(episodes: names.map { ($0, audio) })
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try client.call(AddToQueue { $0.what = names })
        try client.play("1")
        while (try client.call(ShowEpisode { $0.episode = "Long" }).episode.episode.duration?.seconds ?? 0) < 39 {}
        daemon.companions = [published]
        return (daemon, client)
    }

    @Test func aSeekBeyondTheEndIsRefusedAndOnePastItFinishesTheEpisodeUntilUndo() throws {
        let (daemon, client) = try listening()
        try client.call(Pause())
        let before = try #require(try client.call(GetStatus()).player.position)
        #expect {
            try client.call(Seek { $0.time = TimeArgument(parsing: "1:00") })
        } throws: { ($0 as? ClientFailure)?.what.contains("0:40") == true }
        #expect {
            try client.call(Play { ($0.what, $0.position) = ("Long", TimeArgument(parsing: "1:00")) })
        } throws: { ($0 as? ClientFailure)?.what.contains("0:40") == true }
        try expectEqual(client.call(GetStatus()).player.position, before)

        let moved = try client.call(Seek { $0.time = TimeArgument(parsing: "+1:00") })
        #expect(moved.episode?.title == "Next" && moved.feed?.title == "Test feed")
        try expectEqual(client.call(ListQueue()).extent.length, 1)
        let undone = try client.call(Undo())
        #expect(undone.act == .markedPlayed && undone.title == "Long" && undone.position == before)
        try expectEqual(client.call(ListQueue()).entries.map(\.episode?.episode.title), ["Long", "Next"])
        expectEqual(daemon.stop(), .exited(0))
    }

    @Test func aFileThatEndsLongBeforeItsAnnouncedDurationIsLogged() throws {
        let server = try LoopbackServer()
        let media = server.serve("/short.mp3", .resource(Resource(try fixture("one-and-a-half-seconds.mp3"))))
        let text = """
            <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Cut</title>
            <item><title>Short</title><itunes:duration>15:00</itunes:duration>
            <enclosure url="\(media.url)" type="audio/mpeg"/></item></channel></rss>
            """
        let feed = server.serve("/feed.xml", .resource(Resource(Array(text.utf8), contentType: "application/rss+xml")))
        let scratch = try Scratch()
        let log = scratch.path + "/log"
        let daemon = try RunningDaemon(in: scratch, log: log)
        let client = try daemon.connect(watching: .player, subscribing: feed.url)
        // The sound is so short that a client may not see the state 'playing'.
        try client.call(Play { $0.what = "Short" })
        try client.player(.stopped)
        expectEqual(daemon.stop(), .exited(0))
        try expectContains(
            String(decoding: Data(contentsOf: URL(filePath: log)), as: UTF8.self),
            "'Short' ended after 0:01, although its feed announces 15:00")
    }

    @Test func aPlayedEpisodeThatIsHeardAgainKeepsItsPlaceUntilItsEnd() throws {
        let (daemon, client) = try listening()
        try client.call(MarkEpisodes { ($0.what, $0.mark) = (["Long", "Next"], .played) })
        func place(of name: String) throws -> MediaTime {
            try client.call(ShowEpisode { $0.episode = name }).episode.episode.state.position
        }
        func expectResumed(_ player: PlayerReply) throws {
            #expect(player.episode?.title == "Long" && player.position?.seconds ?? 0 >= 15)
        }
        try client.call(Play { ($0.what, $0.position) = ("Long", TimeArgument(parsing: "0:15")) })
        try client.player { $0.state == .playing && $0.episode?.title == "Long" }
        try client.call(Stop())
        try #require(try place(of: "Long").seconds >= 15)
        try expectResumed(client.call(GetStatus()).player)
        try client.call(Play())
        try expectResumed(client.player(.playing))
        try client.call(Play { $0.what = "Next" })
        try client.player { $0.state == .playing && $0.episode?.title == "Next" }
        try client.call(Play { $0.what = "Long" })
        try expectResumed(client.player { $0.state == .playing && $0.episode?.title == "Long" })
        try client.call(MarkEpisodes { ($0.what, $0.mark) = (["Long"], .played) })
        try expectEqual(place(of: "Long"), .zero)
        expectEqual(daemon.stop(), .exited(0))
    }

    @Test func unsubscribingFromWhatPlaysStopsIt() throws {
        let (daemon, client) = try listening()
        try client.call(Unsubscribe { $0.feeds = ["f1"] })
        let player = try client.call(GetStatus()).player
        #expect(player.state == .stopped && player.error == nil)
        #expect { try client.call(Play()) } throws: {
            ($0 as? ClientFailure)?.what.contains("nothing is left in the queue") == true
        }
        try expectEqual(client.call(Undo()).act, .unsubscribed)
        // So does the undo of the subscription.
        try client.call(Play { $0.what = "Long" })
        try client.player(.playing)
        try expectEqual(client.call(Undo()).act, .added)
        try expectEqual(client.call(GetStatus()).player.state, .playing)
        try expectEqual(client.call(Undo()).act, .subscribed)
        try expectEqual(client.call(GetStatus()).player.state, .stopped)
        expectEqual(daemon.stop(), .exited(0))
    }

    @Test func afterTheLastEpisodePlaySaysThatNothingIsLeftAndPreviousPlaysItAgain() throws {
        let (daemon, client) = try listening(to: ["Long"])
        let finished = try client.call(Seek { $0.time = TimeArgument(parsing: "+1:00") })
        #expect(finished.state == .stopped && finished.episode == nil)
        #expect { try client.call(Play()) } throws: {
            ($0 as? ClientFailure)?.what.contains("nothing is left in the queue") == true
        }
        try expectEqual(client.call(PlayPrevious()).episode?.title, "Long")
        try client.player(.playing)
        try expectEqual(client.call(ListQueue()).extent.length, 1)
        expectEqual(daemon.stop(), .exited(0))
    }

    @Test func playedEpisodesStayInTheQueueIfTheSettingSaysSo() throws {
        let (daemon, client) = try listening()
        try client.call(SetSetting { ($0.key, $0.value) = ("queue.keep_played", "yes") })
        try client.call(Seek { $0.time = TimeArgument(parsing: "+1:00") })
        let extent = try client.call(ListQueue()).extent
        #expect(extent.length == 2 && extent.index == 2)
        expectEqual(daemon.stop(), .exited(0))
    }

    @Test func aStoppedPlayerNamesItsEpisode() throws {
        let (daemon, client) = try listening()
        let stopped = try client.call(Stop())
        #expect(stopped.episode?.title == "Long" && stopped.feed?.title == "Test feed")
        #expect(stopped.duration?.seconds ?? 0 > 39)
        let status = try client.call(GetStatus()).player
        #expect(status.state == .stopped && status.episode?.title == "Long" && status.position == stopped.position)
        try expectEqual(client.call(PlayNext()).episode?.title, "Next")
        let shown = try daemon.ctl("seek", "0:10").output
        #expect(shown.hasPrefix("0:10") && shown.hasSuffix("Next · Test feed\n"), "\(shown)")
    }

    @Test func stopEndsTheWaitForAFeedThatIsToBePlayed() throws {
        let server = try LoopbackServer()
        let gate = Gate()
        let endpoint = server.serve(
            "/feed", .resource(Resource(Array("<rss/>".utf8)), faults: [.stall(at: 0, .gate(gate))]))
        defer { gate.open() }
        let daemon = try RunningDaemon()
        let (client, waiting) = (try daemon.connect(), try daemon.connect())
        try client.watch([.activities])
        var failure: ClientFailure?
        waiting.begin(Play { $0.what = endpoint.url }) { if case .failure(let error) = $0 { failure = error } }
        try client.activities { $0.contains { $0.message == "Loading feed" && $0.subject == endpoint.url } }
        try client.call(Stop())
        while failure == nil { try waiting.process() }
        expectEqual(failure?.what.contains("stopped"), true)
        try client.activities(\.isEmpty)
        try expectEqual(client.call(GetStatus()).player.state, .stopped)
    }

    @Test func nextWorksWhileAnotherProcessHoldsTheLibrary() throws {
        let (daemon, client) = try listening()
        let other = try Connection(
            path: daemon.scratch.path + "/data/library.db", busyTimeout: .seconds(60), cacheKiB: 256)
        try other.beginImmediate()
        do { try client.call(PlayNext()) } catch let failure as ClientFailure {
            // Only the position of the episode before could not be written.
            expectEqual(failure.refusal?.isDone, true, "\(failure)")
        }
        let playing = try client.player { $0.state == .playing && $0.episode?.title == "Next" }
        expectEqual(playing.episode?.title, "Next")
        try expectEqual(client.call(GetStatus()).queue.index, 2)
        other.rollback()
        expectEqual(daemon.stop(), .exited(0))
        let later = try RunningDaemon(in: daemon.scratch)
        try expectEqual(later.connect().call(GetStatus()).queue.index, 2)
    }
}
