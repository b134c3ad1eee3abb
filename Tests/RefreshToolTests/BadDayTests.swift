import JSON
import CommandLineTool
@testable import RefreshTool
import Foundation
import HTTP
import Library
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

/// Whatever a host does, the feed keeps its episodes, the reason is reported and stored, and the next attempt is planned.
@Suite(.ownThread) struct BadDayTests {
    private let rig: RefreshRig
    private let feed: LoopbackServer.Endpoint

    init() throws {
        rig = try RefreshRig()
        feed = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", feed.url).status, .success)
    }

    /// Refreshes while the feed's place answers so, and looks at what remained.
    private func refresh(
        _ answer: Answer, says reason: String, at path: String = "/feed.xml",
        status: CommandLineTool.ExitStatus = .tryAgain
    ) throws {
        rig.serve(path, answer)
        try refreshAndExpect(reason, status)
    }

    private func refreshAndExpect(_ reason: String, _ status: CommandLineTool.ExitStatus = .tryAgain) throws {
        try expectOutcome(rig.run("--force"), status, errors: "podcast-refresh: Two episodes (http://", reason)
        try expectEqual(rig.titles(), ["The second", "The first"])
        let health = try rig.store().feeds.feed(FeedID(1)).health
        expectEqual(health.error?.contains(reason), true)
        #expect(health.failures == 1 && health.lastSuccess != nil)
        if !health.isStopped { #expect(try #require(health.nextDue) > #require(health.lastTry)) }
    }

    private func body(_ bytes: [UInt8], type: String = "application/rss+xml") -> Answer {
        .status(200, fields: [("Content-Type", type)], body: bytes)
    }

    @Test func aTruncatedDocumentIsNamed() throws {
        let text =
            "<rss><channel><title>Two episodes</title><item><title>New</title><enclosure url=\"n.mp3\"/></item><item><tit"
        rig.serve("/feed.xml", body(Array(text.utf8)))
        try expectOutcome(rig.run("--force"), .success, output: "Two episodes: the document breaks off")
        let document = try rig.run("--force", "--json").json
        expectEqual(document["feeds"]?.arrayValue?.first?["truncated"], true)
        // The daemon answers clients with the summary.
        expectEqual(document["summary"]?["remarks"]?.arrayValue?.count, 1)
        #expect(try !rig.run("--force", "--quiet").output.contains("breaks off"))
    }

    @Test func aWebPage() throws {
        try refresh(body(RefreshRig.fixture("web-page.html"), type: "text/html"), says: "web page")
    }

    @Test func anEmptyAnswer() throws { try refresh(body([]), says: "empty") }

    @Test func aServerError() throws { try refresh(.status(500), says: "HTTP 500") }

    @Test func aHostThatMayRefuseOnlyThisProgram() throws {
        let reason = "access denied (HTTP 403); if the host refuses only podcastd"
        try refresh(.status(403), says: reason, status: .unavailable)
    }

    @Test func aFeedThatIsGone() throws {
        try refresh(.status(410), says: "permanently removed", status: .unavailable)
        let health = try rig.store().feeds.feed(FeedID(1)).health
        #expect(health.isStopped && health.nextDue == nil)
        try expectContains(rig.run("--force").output, "No feed is due")
        try rig.publish("two-episodes.xml")
        // A refresh by command checks the feed; once the feed is back, automatic refreshes continue.
        try expectEqual(rig.run("Two episodes").status, .success)
        #expect(try !rig.store().feeds.feed(FeedID(1)).health.isStopped)
    }

    @Test func aServerThatWantsPeace() throws {
        try refresh(.status(503, fields: [("Retry-After", "36000")], body: []), says: "HTTP 503")
        let health = try rig.store().feeds.feed(FeedID(1)).health
        #expect(try #require(health.nextDue).seconds - #require(health.lastTry).seconds >= 36_000)
        // Another run does not ask that host either, whatever feed of it is due.
        let other = try rig.publish("two-episodes.xml", at: "/other.xml")
        let asked = rig.server.requests.count
        let ending = try rig.run("--force", "--json")
        expectEqual(ending.json["feeds"]?.arrayValue?.first?["outcome"], "postponed")
        try expectContains(rig.run("add", other.url).errors, "accepts no requests")
        expectEqual(rig.server.requests.count, asked)
        try expectEqual(rig.store().feeds.feed(FeedID(1)).health.failures, 1)
    }

    @Test func anotherFeedAtTheSameAddressTakesNothingAway() throws {
        rig.serve("/feed.xml", body(Self.show("Another show", "Somebody else's")))
        try expectEqual(rig.run("--force").status, .success)
        try expectEqual(Set(rig.titles()), ["Somebody else's", "The second", "The first"])
    }

    @Test func anotherCharsetThanYesterdayIsTheSameFeed() throws {
        let text = Self.show("Umlauts", "Über Äpfel")
        let latin = String(decoding: text, as: UTF8.self).replacingOccurrences(of: "UTF-8", with: "ISO-8859-1")
        let yesterday = rig.serve("/umlauts", body([UInt8](latin.data(using: .isoLatin1) ?? Data())))
        try expectEqual(rig.run("add", yesterday.url).status, .success)
        rig.serve("/umlauts", body(text))
        try expectEqual(rig.run("--force").status, .success)
        try expectEqual(rig.titles().filter { $0 == "Über Äpfel" }.count, 1)
    }

    private static func show(_ title: String, _ episode: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>\(title)</title>
            <item><guid>x</guid><title>\(episode)</title><pubDate>Mon, 16 Nov 2026 06:00:00 GMT</pubDate>
            <enclosure url="https://media.example/x.mp3" type="audio/mpeg" length="3"/></item></channel></rss>
            """.utf8)
    }

    @Test func aTagOfEightKilobytesIsSentBackAsItCame() throws {
        let tag = "\"" + String(repeating: "x", count: 8190) + "\""
        try rig.publish("three-episodes-one-renamed.xml", etag: tag)
        try expectEqual(rig.run("--force").status, .success)
        try expectEqual(rig.run("--force").status, .success)
        expectEqual(rig.server.requests.last?["if-none-match"], tag)
        try expectEqual(rig.store().feeds.feed(FeedID(1)).health.httpStatus, 304)
    }

    @Test func aServerThatChokesOnATagIsAskedWithoutItNextTime() throws {
        try refresh(.status(431), says: "HTTP 431")
        try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("--force").status, .success)
        expectEqual(rig.server.requests.last?["if-none-match"], nil)
    }

    @Test func aConnectionThatEndsBeforeTheDocument() throws {
        let resource = Resource(try RefreshRig.fixture("three-episodes-one-renamed.xml"), etag: "\"2\"")
        try refresh(.resource(resource, faults: [.close(at: 300)]), says: "before the end of the document")
    }

    @Test func threeHundredMegabytesAreRefusedByTheirAnnouncement() throws {
        let resource = Resource(try RefreshRig.fixture("two-episodes.xml"), etag: "\"2\"")
        try refresh(.resource(resource, faults: [.announcedLength(300 << 20)]), says: "larger than 64 MiB")
    }

    @Test func aBodyThatDoesNotEndIsCutOff() throws {
        rig.limits = FetchLimits(bodyBytes: 1 << 20)
        var bytes = Array("<rss version=\"2.0\"><channel><title>Endless</title>".utf8)
        bytes += [UInt8](repeating: 0x20, count: 3 << 20)
        try refresh(.resource(Resource(bytes, etag: nil), faults: [.chunked]), says: "larger than 1 MiB")
    }

    @Test func aCircleOfRedirects() throws {
        rig.serve("/other", .redirect(302, to: "/feed.xml"))
        try refresh(.redirect(302, to: "/other"), says: "redirects", status: .unavailable)
    }

    @Test func aRedirectToAFile() throws {
        try refresh(.redirect(301, to: "file:///etc/passwd"), says: "not a valid URL")
    }

    @Test func aSlowDrip() throws {
        rig.timeouts.total = .milliseconds(400)
        let resource = Resource(try RefreshRig.fixture("three-episodes-one-renamed.xml"), etag: "\"2\"")
        try refresh(.resource(resource, faults: [.rate(100)]), says: "timed out")
    }

    @Test func aServerThatSaysNothing() throws {
        rig.timeouts.firstByte = .milliseconds(300)
        let gate = Gate()
        defer { gate.open() }
        try refresh(.after(.gate(gate), .status(200)), says: "timed out")
    }

    @Test func aServerThatHangsUp() throws { try refresh(.hangUp, says: "transfer failed") }

    @Test func anAnswerThatIsNoHTTP() throws {
        try refresh(.raw(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)), says: "transfer failed")
    }

    @Test func aServerThatSpeaksNoTLS() throws {
        try refresh(
            .redirect(302, to: "https://127.0.0.1:\(rig.server.port)/feed.xml"), says: "https failed",
            status: .unavailable)
    }

    @Test func thePortOfADeadServer() throws {
        let port = try RefusingPort()
        try refresh(.redirect(302, to: port.url("/feed.xml")), says: "cannot connect")
    }

    @Test func aBrokenFeedAmongGoodOnesStopsNothing() throws {
        let good = try rig.publish("two-episodes.xml", at: "/good.xml", etag: "\"g\"")
        try expectEqual(rig.run("add", good.url).status, .success)
        rig.serve("/feed.xml", .status(500))
        let ending = try rig.run("--force", "--json")
        expectEqual(ending.status, .tryAgain)
        #expect(ending.json["summary"]?["refreshed"] == 1 && ending.json["summary"]?["failed"] == 1)
        try expectEqual(rig.store().feeds.feed(FeedID(2)).health.httpStatus, 304)
    }

    @Test func afterABadDayTheFeedRecovers() throws {
        try refresh(.status(500), says: "HTTP 500")
        try rig.publish("three-episodes-one-renamed.xml", etag: "\"3\"")
        try expectEqual(rig.run("--force").status, .success)
        try expectEqual(rig.titles().count, 3)
        try expectEqual(rig.store().feeds.feed(FeedID(1)).health.failures, 0)
    }
}
