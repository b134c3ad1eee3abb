import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(5)))
struct EditLatencyTests {
    /// Edits and refresh share the machine with other tests, so they are compared with each other.
    @Test func editsGoOnWhileTenThousandEpisodesAreStoredAndUpdated() throws {
        let server = try LoopbackServer()
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        let small = try PublishedFeed(episodes: [("One", try fixture("one-and-a-half-seconds.mp3"))], on: server)
        try client.call(Subscribe { $0.urls = [small.feed.url] })
        let listed = try client.call(ListEpisodes()).episodes.first
        let episode = try #require(listed?.episode.id)
        func edit(while arguments: [String], until count: Int, _ what: String) throws {
            let refresher = try ChildProcess(
                Launch(
                    Programs.path("podcast-refresh"),
                    ["--data-dir", daemon.scratch.path + "/data", "--quiet"] + arguments,
                    environment: ["PATH=/usr/bin:/bin", "PODCASTD_SOCKET=\(daemon.socketPath)"]))
            defer { _ = refresher.wait() }
            let waits = try edits(of: episode, client) {
                try client.call(ListFeeds()).rows.contains { $0.feed.episodeCount == count }
            }
            let (worst, all) = (waits.last ?? 0, waits.reduce(0, +))
            #expect(waits.count >= 10 && worst < all / 2, "\(what): \(waits.count) edits in \(all) ms, one of \(worst)")
        }
        func publish(_ count: Int, token: String) -> String {
            let feed = Self.feed(of: count, token: token)
            let answer = Answer.resource(Resource(feed, contentType: "application/rss+xml", etag: "\"\(token)\""))
            server.serveOtherwise { $0.path == "/large.xml" ? answer : .status(404) }
            return server.url("/large.xml")
        }
        try edit(while: ["add", publish(10_000, token: "first")], until: 10_000, "come in")
        // The host renews all addresses; one episode more tells when all is there.
        _ = publish(10_001, token: "second")
        try edit(while: ["--force"], until: 10_001, "change")
    }

    /// Milliseconds that edits took until something is true, the shortest first.
    private func edits(
        of id: EpisodeID, _ client: DaemonConnection, until isDone: () throws -> Bool
    ) throws -> [Double] {
        var waits: [Double] = []
        while try !isDone() {
            let begin = Instant.now
            if waits.count % 2 == 0 {
                try edit(StarEpisodes { $0.what = ["\(id)"] }, client)
            } else {
                try edit(UnstarEpisodes { $0.what = ["\(id)"] }, client)
            }
            waits.append((.now - begin) / .milliseconds(1))
        }
        return waits.sorted()
    }

    private static func feed(of count: Int, token: String) -> [UInt8] {
        var text = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Large</title>"
        let words = String(repeating: "What is talked about in this episode. ", count: 20)
        for number in 1...count {
            text += """
                <item><title>Number \(number)</title><guid>n\(number)</guid>
                <pubDate>Mon, 28 Sep 2020 07:\(10 + number % 50):00 +0000</pubDate><description>\(words)</description>
                <enclosure url="https://cdn.example/\(token)/\(number).mp3" type="audio/mpeg" length="1"/></item>
                """
        }
        return Array((text + "</channel></rss>").utf8)
    }
}
