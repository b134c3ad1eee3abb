import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// The bar of the page, which shows and commands what is heard, and the lists that play it.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct WebPlayerTests {
    private static let feed: [UInt8] = {
        let items = (1...130).map { number in
            let day = Timestamp(seconds: 1_750_000_000 + Int64(number) * 86_400)
            let chapters =
                number == 1
                ? "<psc:chapters version=\"1.2\"><psc:chapter start=\"0\" title=\"First chapter\"/>"
                    + "<psc:chapter start=\"120\" title=\"Second chapter\"/></psc:chapters>" : ""
            return "<item><title>Talk \(number)</title><guid>\(number)</guid><pubDate>\(day)</pubDate>"
                + "<enclosure url=\"\(number).mp3\" type=\"audio/mpeg\" length=\"1\"/>\(chapters)</item>"
        }
        return Array(
            """
            <?xml version="1.0"?><rss version="2.0" xmlns:psc="http://podlove.org/simple-chapters"><channel>
            <title>A long show</title>\(items.joined())</channel></rss>
            """.utf8)
    }()

    @Test func oneBarMovesTheSoundAndListsKeepTheirPlace() throws {
        try RequiredTool.chromium.path()
        try RequiredTool.chromedriver.path()
        let python = try RequiredPython.path(with: "selenium, axe_core_python")
        let server = try LoopbackServer()
        // Ten minutes.
        let audio = Array(repeatElement(try fixture("forty-seconds.mp3"), count: 15).joined())
        let endpoints =
            [server.serve("/feed.xml", .resource(Resource(Self.feed, contentType: "application/rss+xml"), faults: []))]
            + ["/1.mp3", "/2.mp3"].map { server.serve($0, .resource(Resource(audio), faults: [])) }
        let daemon = try RunningDaemon()
        try daemon.connect().call(Subscribe { $0.urls = [server.url("/feed.xml")] })
        let gateway = try RunningGateway(
            daemon: daemon.socketPath, in: daemon.scratch, settings: "[server]\nlocal = admin\n", hasPort: true)
        let result = try Programs.run(
            Launch(
                python, [RequiredPython.script("web_player.py"), gateway.url],
                environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]), timeout: .seconds(400))
        expectEqual(result.status, 0, "\(result.errors.suffix(9000))")
        withExtendedLifetime(endpoints) {}
    }
}
