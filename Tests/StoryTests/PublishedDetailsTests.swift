import Foundation
import JSON
import LoopbackServer
import SystemCalls
import Testing
import TestSupport

/// What publishers say by the Podcasting 2.0 tags, from a feed's document to the command line.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct PublishedDetailsTests {
    private static let document = """
        <?xml version="1.0"?>
        <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Talks</title>
        <podcast:medium>podcast</podcast:medium>
        <podcast:funding url="https://talks.example/give">Help us</podcast:funding>
        <podcast:person role="host">Bo</podcast:person>
        <podcast:liveItem status="pending" start="2026-12-01T20:00:00Z" end="2026-12-01T21:00:00Z">
        <title>On the air</title><guid>live</guid>
        <enclosure url="https://live.example/a" type="audio/mpeg" length="1"/></podcast:liveItem>
        <item><title>First</title><guid>1</guid><enclosure url="1.mp3" type="audio/mpeg" length="1"/>
        <podcast:season name="Winter">2</podcast:season><podcast:episode display="Ch. 3">3</podcast:episode>
        <podcast:person role="guest" href="https://x.example/ada">Ada</podcast:person>
        <podcast:soundbite startTime="61.5" duration="30">Well said</podcast:soundbite>
        <podcast:location geo="geo:51,3">Ghent</podcast:location></item>
        </channel></rss>
        """

    @Test func showAndFeedListAdditionalInformation() throws {
        let server = try LoopbackServer()
        let feed = server.serve(
            "/feed.xml", .resource(Resource(Array(Self.document.utf8), contentType: "application/rss+xml")))
        let daemon = try RunningDaemon()
        func ctl(_ arguments: String...) throws -> String {
            let result = try Programs.run("podcastctl", ["--socket", daemon.socketPath] + arguments)
            expectEqual(result.status, 0, "\(result.errors)")
            return result.output
        }
        _ = try ctl("subscribe", feed.url)
        let shown = try ctl("show", "First")
        for line in [
            "season: Winter, Ch. 3", "person: Ada (guest)  https://x.example/ada",
            "soundbite: 1:01 to 1:31  Well said", "place: Ghent  geo:51,3",
            "support: Help us  https://talks.example/give",
        ] {
            expectContains(shown, line + "\n", "\(line) in \(shown)")
        }
        let told = try ctl("feed", "Talks")
        for line in [
            "medium: podcast", "person: Bo (host)", "support: Help us  https://talks.example/give",
            "live: pending, from 2026-12-01 20:00 to 2026-12-01 21:00  On the air  https://live.example/a",
            "episodes: 1, 1 unplayed, 1 new",
        ] {
            expectContains(told, line + "\n", "\(line) in \(told)")
        }
        let json = try JSONValue(parsing: try ctl("show", "First", "--json"))
        expectEqual(json["details"]?["soundbites"]?.arrayValue?.first?["start"]?.numberValue, 61.5)
        let feedJSON = try JSONValue(parsing: try ctl("feed", "Talks", "--json"))
        expectEqual(feedJSON["details"]?["live"]?.arrayValue?.count, 1)
        try expectEqual(ctl("episodes").contains("On the air"), false)
        expectEqual(daemon.stop(), .exited(0))
        let check = try Programs.run("podcastd", RunningDaemon.places(daemon.scratch) + ["check"])
        expectEqual(check.status, 0, "\(check.output)\(check.errors)")
    }
}
