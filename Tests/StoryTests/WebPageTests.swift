import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Pages of the web remote in a headless browser, with a real daemon.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct WebPageTests {
    private let daemon: RunningDaemon
    private let server: LoopbackServer
    private let endpoints: [LoopbackServer.Endpoint]

    init() throws {
        let server = try LoopbackServer()
        let audio = try fixture("forty-seconds.mp3")
        let cover = try Data(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../AVDecodingTests/Fixtures/cover.jpg"))
        let feed = Self.feed
        endpoints = [
            server.serve("/1.mp3", .resource(Resource(audio), faults: [])),
            server.serve("/cover.jpg", .resource(Resource(Array(cover), contentType: "image/jpeg"), faults: [])),
            server.serve("/feed.xml", .resource(Resource(feed, contentType: "application/rss+xml"), faults: [])),
            server.serve(
                "/second.xml",
                .resource(
                    Resource(
                        Array(String(decoding: feed, as: UTF8.self).replacing("A show", with: "A second show").utf8),
                        contentType: "application/rss+xml"), faults: [])),
            server.serve("/private.xml") { request in
                guard request["authorization"] == "Basic c2FtOnNlY3JldA==" else {
                    return .status(401, fields: [("WWW-Authenticate", "Basic realm=\"feed\"")], body: [])
                }
                let text = String(decoding: feed, as: UTF8.self).replacing("A show", with: "Private show")
                    .replacing("<itunes:image href=\"cover.jpg\"/>", with: "")
                return .resource(Resource(Array(text.utf8), contentType: "application/rss+xml"), faults: [])
            },
        ]
        self.server = server
        daemon = try RunningDaemon()
    }

    /// Long titles, a cover, chapters, and notes with links and scripts.
    private static let feed: [UInt8] = {
        let title = Array(repeating: "a title that does not end because its author could not decide", count: 3)
            .joined(separator: " ")
        return Array(
            """
            <?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
            xmlns:psc="http://podlove.org/simple-chapters"><channel>
            <title>A show with an extraordinarily long title that goes on and on about nothing in particular</title>
            <itunes:image href="cover.jpg"/><itunes:author>ليلى</itunes:author>
            <item><title>\(title)</title><guid>1</guid><pubDate>Mon, 28 Sep 2026 07:00:00 +0000</pubDate>
            <enclosure url="1.mp3" type="audio/mpeg" length="1"/>
            <psc:chapters version="1.2"><psc:chapter start="0" title="\(title)"/></psc:chapters>
            <description><![CDATA[<p>See <a href="https://example.org/a?b=1">the page</a>,
            <a href="javascript:alert(1)">no page</a> <a href="mailto:us@example.org?attach=x">us</a> or https://example.org/plain.</p><p>0:05 Begin, 00:00:07 go on, 1:02:03 too late, 99:99 none</p><script>alert(1)</script>
            <img src="https://example.org/spy.png" onerror="alert(1)"><p>\(String(repeating: "w", count: 200))</p>]]>
            </description></item></channel></rss>
            """.utf8)
    }()

    /// Runs a script with a gateway's address and further arguments.
    private func run(_ script: String, settings: String, _ arguments: [String] = []) throws {
        try RequiredTool.chromium.path()
        try RequiredTool.chromedriver.path()
        let python = try RequiredPython.path(with: "selenium, axe_core_python")
        let gateway = try RunningGateway(
            daemon: daemon.socketPath, in: daemon.scratch, settings: settings, hasPort: true)
        let result = try Programs.run(
            Launch(
                python, [RequiredPython.script(script), gateway.url] + arguments,
                environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]), timeout: .seconds(600))
        expectEqual(result.status, 0, "\(result.errors.suffix(9000))")
    }

    @Test func nothingIsWiderThanAPhone() throws {
        let client = try daemon.connect()
        try client.call(Subscribe { $0.urls = [server.url("/feed.xml")] })
        try client.call(Play { $0.what = "e1" })
        try client.call(Pause())
        try run("web_layout.py", settings: "[server]\nlocal = admin\n")
    }

    @Test func aUserWhoMayNotAdministerSeesNoFormsForIt() throws {
        try daemon.connect().call(Subscribe { $0.urls = [server.url("/feed.xml")] })
        try run(
            "web_control.py", settings: "[users]\nbert = control \(passwordHash(in: daemon.scratch))",
            ["bert", "open sesame"])
    }

    @Test func aUserWhoMayOnlyReadSeesNothingThatIsRefused() throws {
        let client = try daemon.connect()
        try client.call(Subscribe { $0.urls = [server.url("/feed.xml")] })
        try client.call(Play { $0.what = "e1" })
        try client.call(Pause())
        try run(
            "web_reader.py", settings: "[users]\ncarl = read \(passwordHash(in: daemon.scratch))",
            ["carl", "open sesame"])
    }

    @Test func eachScreenWorksWithTheKeyboardAndForReaders() throws {
        let client = try daemon.connect()
        try client.call(Subscribe { $0.urls = [server.url("/feed.xml"), server.url("/second.xml")] })
        try client.call(Play { $0.what = "e1" })
        while try client.call(GetStatistics()).total.heard.seconds < 1 {}
        try client.call(Pause())
        let hash = try passwordHash(in: daemon.scratch)
        try run(
            "web_screens.py", settings: "[users]\nanna = admin \(hash)\ncarl = read \(hash)\n",
            ["anna", "carl", "open sesame"])
    }

    @Test func theAddressOfLinkLogsABrowserInOnce() throws {
        try RequiredTool.chromium.path()
        try RequiredTool.chromedriver.path()
        let python = try RequiredPython.path(with: "selenium, axe_core_python")
        let gateway = try RunningGateway(daemon: daemon.socketPath, in: daemon.scratch, hasPort: true)
        let printed = try Programs.run("podcast-web", ["--socket", daemon.socketPath, "--link"])
        expectOutcome(printed, 0, output: "\(gateway.url)#key=")
        let address = printed.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let result = try Programs.run(
            Launch(
                python, [RequiredPython.script("web_link.py"), gateway.url, address],
                environment: ["PATH=/usr/bin:/bin", "HOME=\(daemon.scratch.path)"]), timeout: .seconds(600))
        expectEqual(result.status, 0, "\(result.errors.suffix(9000))")
        withExtendedLifetime(gateway) {}
    }

    @Test func aBrowserLogsInAndKeepsTheLibrary() throws {
        let opml = try daemon.scratch.file(
            "mine.opml",
            """
            <?xml version="1.0"?><opml version="2.0"><body><outline type="rss" xmlUrl="\(server.url("/feed.xml"))"/></body></opml>
            """)
        let note = String(repeating: "A note about this show. ", count: 1000)
        let outlines = (1...60).map { "<outline text='\(note)' xmlUrl='http://127.0.0.1:9/\($0)'/>" }.joined()
        let large = try daemon.scratch.file(
            "large.opml", "<opml version='2.0'><body><outline text='Many'>\(outlines)</outline></body></opml>")
        try run(
            "web_pages.py", settings: "[users]\nanna = admin \(passwordHash(in: daemon.scratch))",
            [server.url("/private.xml"), opml, "anna", "open sesame", large])
    }
}
