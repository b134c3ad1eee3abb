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
    @Test(arguments: [("tui", "podcastd-tui"), ("shell", "podcastd-tui"), ("mpd", "podcastd-clients")])
    func aMissingProgramIsNamedWithItsPackage(command: String, package: String) throws {
        let result = try Programs.run(
            Launch(Programs.path("podcastctl"), [command], environment: ["PATH=/nonexistent"]))
        expectOutcome(result, 69, errors: "No such file or directory; install \(package)")
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
