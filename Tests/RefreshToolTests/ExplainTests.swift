import Library
import CommandLineTool
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

@Suite(.ownThread) struct ExplainTests {
    private let rig: RefreshRig

    init() throws { rig = try RefreshRig() }

    @Test func aFeedIsExplainedFromRedirectsToTheNextTry() throws {
        let feed = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", feed.url).status, .success)
        rig.serve("/feed.xml", .redirect(301, to: "/new.xml"))
        let new = try rig.publish("bare-ampersand.xml", at: "/new.xml", etag: "\"new\"")
        let before = try rig.store().feeds.feed(FeedID(1))
        let ending = try rig.run("explain", "two epi")
        expectEqual(ending.status, .success)
        for part in [
            "next due        20", "301 permanent to \(new.url)", "  ETag            \"new\"", "1 repair",
            "  ETag            \"1\"",
        ] {
            expectContains(ending.output, part)
        }
        try expectEqual(rig.store().feeds.feed(FeedID(1)), before)
        try rig.store().feeds.setSetting("refresh", to: "off", of: FeedID(1))
        try expectContains(rig.run("explain", "two epi").output, "next due        never, as set by the user")
    }

    @Test func decisionsOfRefreshesAreListedWithTheirReasons() throws {
        let feed = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", feed.url).status, .success)
        let text = """
            <rss version="2.0"><channel><title>Two episodes</title><item><guid>another</guid><title>The second</title>
            <enclosure url="https://media.example/b.mp3" type="audio/mpeg"/></item></channel></rss>
            """
        rig.serve("/feed.xml", .resource(Resource(Array(text.utf8), contentType: "application/rss+xml", etag: "\"2\"")))
        try expectEqual(rig.run("--force").status, .success)
        let ending = try rig.run("explain", "two epi")
        expectContains(ending.output, "The second: matched by URL; the GUID differs")
        let decision = try #require(
            try rig.run("explain", "--json", "two epi").json["library"]?["decisions"]?.arrayValue?.first)
        expectEqual(decision["before"]?["guid"], "b")
        expectEqual(decision["after"]?["guid"], "another")
    }

    @Test func anAddressOutsideTheLibraryIsExplainedToo() throws {
        let feed = try rig.publish("two-episodes.xml")
        let ending = try rig.run("explain", "--json", feed.url)
        #expect(ending.json["fetch"]?["outcome"] == "feed" && ending.json["fetch"]?["items"] == 2)
        expectEqual(ending.json["library"], nil)
        try expectEqual(rig.run("explain", "nonesuch").status, .noInput)
    }

    @Test func whatTheLimitsLeaveOutIsNamed() throws {
        let page = "https://show.example/" + String(repeating: "x", count: 9 << 10)
        let text = """
            <rss version="2.0"><channel><title>Long</title><item><guid>a</guid><title>One</title><link>\(page)</link>
            <enclosure url="https://media.example/a.mp3" type="audio/mpeg"/></item></channel></rss>
            """
        let feed = rig.serve("/long", .resource(Resource(Array(text.utf8), contentType: "application/rss+xml")))
        let ending = try rig.run("explain", feed.url)
        expectContains(ending.output, "not stored: 1 URLs that are longer than 8 KiB", "\(ending)")
        try expectEqual(rig.run("explain", "--json", feed.url).json["identity"]?["leftOut"]?["urls"], 1)
    }

    @Test func whatWouldBecomeOfEachItemIsSaidAndNothingStored() throws {
        let feed = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", feed.url).status, .success)
        let items = [
            ("renewed", "The second", "b.mp3", "09"), ("a", "Quite another", "c.mp3", "16"),
            ("d", "As a picture", "d.png", "17"), ("renewed", "The second, again", "b.mp3", "09"),
        ]
        let text = items.map { guid, title, file, day in
            """
            <item><guid>\(guid)</guid><title>\(title)</title><pubDate>Mon, \(day) Nov 2026 06:00:00 GMT</pubDate>
            <enclosure url="https://media.example/\(file)" type="\(file.hasSuffix("png") ? "image/png" : "audio/mpeg")"/>
            </item>
            """
        }.joined()
        let next = "<rss version=\"2.0\"><channel><title>Two episodes</title>\(text)</channel></rss>"
        rig.serve(
            "/feed.xml", .resource(Resource(Array(next.utf8), contentType: "application/rss+xml", etag: "\"2\"")))
        let output = try rig.run("explain", "two epi").output
        for part in [
            "1 stored episode no longer listed", "item 1, The second: episode",
            "matched by URL; the GUID differs",
            "item 2, Quite another: new, although episode",
            "item 3, As a picture: skipped: its file is",
            "item 4, The second, again: skipped: it repeats item 1",
        ] { expectContains(output, part) }
        let identity = try #require(try rig.run("explain", "--json", "two epi").json["identity"])
        expectEqual(identity["items"]?.arrayValue?.map { $0["decision"] }, ["matched", "new", "skipped", "skipped"])
        #expect(identity["gone"] == 1 && identity["otherFeed"] == false)
        try expectEqual(rig.titles(), ["The second", "The first"])
        #expect(try rig.store().identity.identityDecisions(of: FeedID(1), limit: 9).isEmpty)
    }

    @Test func aFailureIsPartOfTheExplanation() throws {
        try expectOutcome(
            rig.run("explain", rig.server.url("/missing")), .unavailable, output: "failed: not found (HTTP 404)")
    }
}
