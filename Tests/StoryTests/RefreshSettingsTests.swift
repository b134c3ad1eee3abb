import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import Testing
import TestSupport

/// Settings as podcast-refresh finds them, from cron and under the daemon.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct RefreshSettingsTests {
    private static let feed = Array(
        """
        <?xml version="1.0"?><rss version="2.0"><channel><title>Test feed</title>
        <item><title>Only</title><guid>1</guid><enclosure url="1.mp3" type="audio/mpeg" length="1"/></item>
        </channel></rss>
        """.utf8)

    /// A proxy that knows one feed, of a host that does not exist.
    private func proxy() throws -> (server: LoopbackServer, feed: LoopbackServer.Endpoint, url: String) {
        let server = try LoopbackServer()
        let url = "http://feeds.example.invalid/feed.xml"
        return (server, server.serve(url, .resource(Resource(Self.feed))), url)
    }

    private func refresh(
        _ scratch: Scratch, config: String, _ arguments: String...
    ) throws -> Outcome<Int32?> {
        let file = try scratch.file("podcastd.conf", config)
        return try Programs.run(
            "podcast-refresh", ["--config", file, "--data-dir", scratch.path + "/data"] + arguments)
    }

    @Test func theDaemonsRefresherReadsTheDaemonsConfigFile() throws {
        let (server, feed, url) = try proxy()
        let scratch = try Scratch()
        let file = try scratch.file("podcastd.conf", "[network]\nproxy = http://127.0.0.1:\(server.port)\n")
        let daemon = try RunningDaemon(in: scratch, arguments: ["--config", file])
        let client = try daemon.connect(subscribing: url)
        expectEqual(feed.requests.count, 1)
        // The next reader of an invalid config file reports its line; the daemon continues.
        _ = try scratch.file("podcastd.conf", "[refresh]\njobs = x\n")
        let failure = #expect(throws: ClientFailure.self) {
            try client.call(RefreshFeeds { $0.isForced = true })
        }
        expectEqual(failure?.what.contains("\(file):2: refresh.jobs must be"), true)
        try expectEqual(client.call(ListFeeds()).rows.count, 1)
    }

    @Test func aPrivateCertificateAuthorityFromTheSettingsIsTrusted() throws {
        let server = try TLSServer(["feed.xml": Self.feed])
        let scratch = try Scratch()
        try expectOutcome(
            refresh(scratch, config: "", "add", server.url("feed.xml")), 69, errors: "https failed", "certificate")
        try expectOutcome(
            refresh(scratch, config: "[network]\nca_file = \(server.authority)\n", "add", server.url("feed.xml")), 0,
            output: "subscribed to Test feed")
    }
}
