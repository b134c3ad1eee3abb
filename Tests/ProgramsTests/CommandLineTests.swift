import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import Reporting
import SystemCalls
import Testing
import TestSupport

@Suite(.ownThread, .timeLimit(.minutes(10)))
struct CommandLineTests {
    @Test func severalCommandsInARowWorkFromTheCommandLine() throws {
        let audio = try fixture("forty-seconds.mp3")
        let published = try PublishedFeed(episodes: [("Third", audio), ("Second", audio), ("First", audio)])
        let daemon = try RunningDaemon()
        try expectEqual(daemon.ctl("subscribe", published.feed.url).status, 0)
        let feeds = try daemon.ctl("feeds")
        expectContains(feeds.output, "Test feed")
        try expectContains(daemon.ctl("episodes").output, "Second")
        try expectEqual(daemon.ctl("add", "First", "Third").status, 0)
        try expectEqual(daemon.ctl("insert", "Second").status, 0)
        try expectEqual(daemon.ctl("move", "1", "3").status, 0)
        let queue = try JSONValue(parsing: try daemon.ctl("queue", "--json").output)
        let titles = queue["entries"]?.arrayValue?.compactMap { $0["episode"]?["title"]?.stringValue }
        expectEqual(titles, ["First", "Third", "Second"])
        try daemon.play("2", watchedBy: daemon.connect())
        try expectEqual(daemon.ctl("pause").status, 0)
        let status = try JSONValue(parsing: try daemon.ctl("status", "--json").output)
        expectEqual(status["episode"]?["title"]?.stringValue, "Third")
        try expectEqual(daemon.ctl("star", "Third").status, 0)
        try expectEqual(daemon.ctl("note", "Third", "worth", "hearing", "again").status, 0)
        try expectContains(daemon.ctl("show", "Third").output, "worth hearing again")
        try expectEqual(daemon.ctl("mark", "played", "First").status, 0)
        try expectContains(daemon.ctl("episodes", "--starred").output, "Third")
        try expectEqual(daemon.ctl("seek", "+5").status, 0)
        try expectEqual(daemon.ctl("volume", "-20").status, 0)
        try expectContains(daemon.ctl("status").output, "Third")
        try expectEqual(daemon.ctl("remove", "#1").status, 0)
        try expectEqual(daemon.ctl("clear").status, 0)
        try expectEqual(daemon.ctl("unsubscribe", "Test feed").status, 0)
        #expect(!(try daemon.ctl("feeds").output.contains("Test feed")))
    }

    @Test func withoutADaemonTheToolSuggestsAFixAndExitsWithUnavailable() throws {
        let scratch = try Scratch()
        let result = try Programs.run("podcastctl", ["--socket", scratch.path + "/none", "status"])
        expectEqual(result.status, 69)
        #expect(result.output.isEmpty)
        expectContains(result.errors, scratch.path + "/none")
    }

    @Test(arguments: [("tui", "podcastd-tui"), ("shell", "podcastd-tui"), ("mpd", "podcastd-clients")])
    func aMissingProgramIsNamedWithItsPackage(command: String, package: String) throws {
        let result = try Programs.run(
            Launch(Programs.path("podcastctl"), [command], environment: ["PATH=/nonexistent"]))
        expectOutcome(result, 69, errors: "No such file or directory; install \(package)")
    }

    @Test func eachKindOfFailureHasItsStatus() throws {
        let daemon = try RunningDaemon()
        try expectEqual(daemon.ctl("play", "no such thing").status, 66)
        try expectEqual(daemon.ctl("seek", "noon").status, 64)
        try expectEqual(daemon.ctl("nonsense-verb").status, 64)
        try expectEqual(daemon.ctl("volume", "500").status, 64)
        #expect(try daemon.ctl("subscribe", "http://127.0.0.1:1/feed.xml").status != 0)
    }

    @Test func opmlIsExportedAndImported() throws {
        let speech = try fixture("one-and-a-half-seconds.mp3")
        let published = try PublishedFeed(episodes: [("Only", speech)])
        let first = try RunningDaemon()
        try expectEqual(first.ctl("subscribe", published.feed.url).status, 0)
        let exported = try first.ctl("export")
        expectContains(exported.output, published.feed.url)
        let second = try RunningDaemon()
        let file = try second.scratch.file("subscriptions.opml", exported.output)
        try expectEqual(second.ctl("import", file).status, 0)
        try expectEqual(second.ctl("refresh").status, 0)
        try expectContains(second.ctl("episodes").output, "Only")
    }

    @Test func clientsSeeARefreshByCronAtOnce() throws {
        let audio = try fixture("one-and-a-half-seconds.mp3")
        let server = try LoopbackServer()
        var published = try PublishedFeed(episodes: [("Old", audio)], on: server)
        let daemon = try RunningDaemon()
        let client = try daemon.connect(subscribing: published.feed.url)
        try client.watch([.feeds, .episodes, .activities])
        published = try PublishedFeed(episodes: [("New", audio), ("Old", audio)], on: server)
        try daemon.refreshByCron()
        try client.change(of: .feeds)
        let titles = try client.call(ListEpisodes()).episodes.map(\.episode.title)
        expectContains(titles, "New")
        // What the refresher began went with it.
        if try !client.call(ListActivities()).rows.isEmpty { try client.activities(\.isEmpty) }
    }

    @Test func subscribingIsShownAsSuch() throws {
        let answering = Gate()
        let server = try LoopbackServer()
        let text =
            "<rss version=\"2.0\"><channel><title>Slow</title><item><enclosure url=\"1.mp3\"/></item></channel></rss>"
        let feed = server.serve(
            "/feed.xml",
            .resource(
                Resource(Array(text.utf8), contentType: "application/rss+xml"),
                faults: [.stall(at: 0, .gate(answering))]))
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .activities)
        client.begin(Subscribe { $0.urls = [feed.url] })
        try client.activities { shown in !shown.isEmpty && shown.allSatisfy { $0.kind == .subscribing } }
        answering.open()
        try client.activities { $0.isEmpty }
    }

    @Test func playingTheURLOfAFeedPlaysItsNewestEpisode() throws {
        let audio = try fixture("forty-seconds.mp3")
        // Without the gate it may be loaded before an event is sent.
        let gate = Gate()
        let published = try PublishedFeed(
            episodes: [("Newest", audio), ("Older", audio)], feedFaults: [.stall(at: 0, .gate(gate))])
        let daemon = try RunningDaemon()
        let client = try daemon.connect(watching: .player, .activities)
        client.begin(Play { $0.what = published.feed.url })
        try client.activities { $0.contains { $0.message == "Loading feed" } }
        gate.open()
        let playing = try client.player { $0.state == .playing }
        expectEqual(playing.episode?.title, "Newest")
        try expectEqual(client.call(ListQueue()).extent.length, 1)
    }

    @Test func aPageAfterOneRowAndBeforeAnotherIsRefused() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        var page = PageRequest()
        (page.after, page.before) = ("1000.1", "1000.1")
        for command: any Command in [
            ListEpisodes { $0.page = page }, ShowPlaylist { ($0.name, $0.page) = ("new", page) },
        ] {
            let failure = #expect(throws: ClientFailure.self) { _ = try client.call(command) }
            expectEqual(failure?.code, .invalidArgument)
        }
    }

    @Test func invalidLinesOnOneConnectionDoNotAffectOthers() throws {
        let daemon = try RunningDaemon()
        let other = try daemon.connect()
        for line in ["{", "[]", "null", "{\"jsonrpc\":\"2.0\"}", String(repeating: "[", count: 5000), "\u{0}\u{1}"] {
            let client = try daemon.connectRaw()
            client.send(line + "\n")
            let answer = try client.readLine()
            #expect(answer["error"] != nil, "\(line.prefix(20))")
        }
        let flood = try daemon.connectRaw()
        flood.send(String(repeating: "x", count: 2 << 20))
        #expect(throws: ClientFailure.self) { while true { _ = try flood.readLine() } }
        let half = try daemon.connectRaw()
        half.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stat")
        try expectEqual(other.call(GetStatus()).player.state, .stopped)
    }

    @Test func aClientThatNeverReadsDoesNotDelayOthers() throws {
        let daemon = try RunningDaemon()
        let deaf = try daemon.connectRaw()
        deaf.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status.subscribe\",\"params\":{}}\n")
        for id in 2..<3000 {
            deaf.send("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"server.version\",\"params\":{}}\n")
        }
        let client = try daemon.connect()
        for level in 0..<200 { try client.call(SetVolume { $0.level = level % 100 }) }
        try expectEqual(client.call(GetStatus()).player.volume, 99)
    }
}
