import Library
import CommandLineTool
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

@Suite(.ownThread) struct SubscriptionTests {
    private let rig: RefreshRig

    init() throws { rig = try RefreshRig() }

    @Test func addSubscribesFetchesAndTells() throws {
        let endpoint = try rig.publish("two-episodes.xml")
        let ending = try rig.run("add", endpoint.url)
        expectEqual(ending.status, .success)
        expectEqual(ending.output, "subscribed to Two episodes (2 episodes)\n")
        try expectEqual(rig.titles(), ["The second", "The first"])
        #expect(try rig.store().feeds.feed(FeedID(1)).health.nextDue != nil)
    }

    @Test func addingTwiceIsNoFault() throws {
        let endpoint = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", "--json", endpoint.url).json["feeds"]?.arrayValue?.first?["isNew"], true)
        let again = try rig.run("add", "--json", "  \(endpoint.url)\n")
        expectEqual(again.status, .success)
        let feed = try #require(again.json["feeds"]?.arrayValue?.first)
        expectEqual(feed["isNew"], false)
        #expect(feed["feed"]?["id"] == 1 && feed["feed"]?["title"] == "Two episodes" && feed["feed"]?["episodes"] == 2)
        expectEqual(endpoint.requests.count, 1)
    }

    private func list(_ addresses: String...) throws -> String {
        let list = rig.file("list.opml")
        let outlines = addresses.map { "<outline xmlUrl='\($0)'/>" }.joined()
        try "<opml><body>\(outlines)</body></opml>".write(toFile: list, atomically: false, encoding: .utf8)
        return list
    }

    @Test func spellingsOfASubscribedAddressAreKnownToCommandsAndLists() throws {
        let endpoint = try rig.publish("two-episodes.xml", at: "/a:show")
        let escaped = rig.server.url("/%61%3Ashow")
        try expectEqual(rig.run("add", endpoint.url).status, .success)
        for url in ["\(endpoint.url)/", "\(endpoint.url)#top", escaped] {
            try expectEqual(rig.run("add", url).output, "already subscribed to Two episodes (2 episodes)\n")
        }
        let imported = try rig.run("import", "--json", list("\(endpoint.url)/", escaped, "feed:\(endpoint.url)#x")).json
        #expect(imported["added"] == 0 && imported["known"] == 3 && imported["joined"] == nil, "\(imported)")
        try expectEqual(rig.store().feeds.feeds().map(\.url), [endpoint.url])
        expectEqual(endpoint.requests.count, 1)
    }

    @Test func anAliasInAListIsReadAsItsAddress() throws {
        let endpoint = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("import", list("feed:\(endpoint.url)", "pcast://pcast.example/f")).status, .success)
        try expectEqual(Set(rig.store().feeds.feeds().map(\.url)), [endpoint.url, "https://pcast.example/f"])
    }

    @Test func aFeedThatNeverAnsweredIsFetchedWhenItIsSubscribedToAgain() throws {
        let url = rig.server.url("/late")
        try expectEqual(rig.run("import", list(url)).status, .success)
        try expectOutcome(rig.run("add", url), .unavailable, errors: "404")
        let endpoint = try rig.publish("two-episodes.xml", at: "/late")
        try expectEqual(rig.run("add", endpoint.url).output, "already subscribed to Two episodes (2 episodes)\n")
        try expectEqual(rig.titles(), ["The second", "The first"])
    }

    @Test func theFeedsOfAListAtAnAddressAreOneStepToUndo() throws {
        let feeds = try ["/a", "/b"].map { try rig.publish("two-episodes.xml", at: $0) }
        let outlines = feeds.map { "<outline xmlUrl='\($0.url)'/>" }.joined()
        let list = rig.serve(
            "/list", .resource(Resource(Array("<opml><body>\(outlines)</body></opml>".utf8), contentType: "text/xml")))
        _ = try rig.run("add", list.url)
        try expectEqual(rig.store().feeds.feeds().count, 2)
        try expectEqual(rig.store().history.steps(.undo, at: Timestamp(seconds: 0)).map(\.act), [.imported])
    }

    @Test func aBlogIsToldFromAPodcast() throws {
        let blog = try rig.publish("blog-without-audio.xml")
        try expectOutcome(rig.run("add", blog.url), .badData, errors: "not a podcast: no item of the feed has audio")
        #expect(try rig.store().feeds.feeds().isEmpty)
    }

    @Test func anAddressThatFailsForNowIsNotSubscribedToAndOthersAre() throws {
        let good = try rig.publish("two-episodes.xml")
        let ending = try rig.run("add", "--json", "http://127.0.0.1:1/feed", good.url)
        expectEqual(ending.status, .tryAgain)
        let feeds = try #require(ending.json["feeds"]?.arrayValue)
        try #require(feeds.map { $0["isNew"] } == [nil, true])
        expectEqual(feeds[0]["error"]?["status"], 75)
        expectEqual(feeds[0]["error"]?["what"]?.stringValue?.contains("cannot connect"), true)
        try expectEqual(rig.store().feeds.feeds().map(\.url), [good.url])
    }

    @Test func aServerThatRefusesIsToldFromADocumentThatIsNoFeed() throws {
        let page = try rig.publish("web-page.html")
        let missing = rig.server.url("/none")
        try expectEqual(rig.run("add", missing).status, .unavailable)
        try expectEqual(rig.run("add", "http://127.0.0.1:1/feed", missing).status, .unavailable)
        try expectEqual(rig.run("add", missing, page.url, "http://127.0.0.1:1/feed").status, .badData)
    }

    @Test func anAddressThatHasMovedForGoodIsSubscribedToWhereItIs() throws {
        let new = try rig.publish("two-episodes.xml", at: "/new")
        let old = rig.serve("/old", .redirect(308, to: "/new"))
        try expectEqual(rig.run("add", old.url, new.url).status, .success)
        try expectEqual(rig.store().feeds.feeds().map(\.url), [new.url])
    }

    @Test func aListWithAFormerAddressOfAFeedDoesNotStoreItTwice() throws {
        let new = try rig.publish("two-episodes.xml", at: "/new")
        let old = rig.serve("/old", .redirect(301, to: "/new"))
        try expectEqual(rig.run("add", new.url).status, .success)
        let list = rig.file("list.opml")
        try "<opml><body><outline text='Fun'><outline xmlUrl='\(old.url)'/></outline></body></opml>"
            .write(toFile: list, atomically: false, encoding: .utf8)
        try expectEqual(rig.run("import", "--json", list).json["added"], 1)
        try expectOutcome(rig.run(), .success, output: "\(old.url) moved to \(new.url), which is Two episodes (f1)")
        try expectEqual(rig.store().feeds.feeds().map(\.url), [new.url])
        try expectEqual(rig.store().feeds.feeds().map(\.tags), [["Fun"]])
        let again = try rig.run("import", "--json", list).json
        expectEqual(again["known"], 1)
        expectEqual(
            again["joined"], [.string("\(old.url) moved to \(new.url), which is Two episodes (f1): subscribed once")])
    }

    /// A feed that says in its document where it has moved, as `subscribe`, and then a list and its first refresh find it.
    @Test(arguments: [("Two episodes", 1), ("Another show of the network", 2)])
    func aFormerAddressWhoseDocumentNamesTheNewOneIsTheSameFeedIfItsTitleIsTheSame(title: String, feeds: Int) throws {
        let new = try rig.publish("two-episodes.xml", at: "/new")
        let document = String(decoding: try RefreshRig.fixture("two-episodes.xml"), as: UTF8.self)
            .replacingOccurrences(
                of: "<title>Two episodes</title>",
                with: """
                    <title>\(title)</title>
                    <new-feed-url xmlns="http://www.itunes.com/dtds/podcast-1.0.dtd">\(new.url)</new-feed-url>
                    """)
        let old = rig.serve(
            "/old", .resource(Resource(Array(document.utf8), contentType: "application/rss+xml")))
        try expectEqual(rig.run("add", new.url).status, .success)
        let list = rig.file("list.opml")
        try "<opml><body><outline xmlUrl='\(old.url)'/></body></opml>".write(
            toFile: list, atomically: false, encoding: .utf8)
        try expectEqual(rig.run("import", list).status, .success)
        let ending = try rig.run()
        expectEqual(ending.status, .success, "\(ending)")
        expectEqual(ending.output.contains("which is Two episodes (f1)"), feeds == 1, "\(ending)")
        try expectEqual(rig.store().feeds.feeds().count, feeds)
        let added = try rig.run("add", old.url)
        #expect(added.output.hasPrefix("already subscribed to \(title)"), "\(added)")
    }

    @Test func subscribingToAFormerAddressNamesTheFeedThatIsThere() throws {
        let new = try rig.publish("two-episodes.xml", at: "/new")
        let old = rig.serve("/old", .redirect(301, to: "/new"))
        try expectEqual(rig.run("add", new.url).status, .success)
        let ending = try rig.run("add", old.url)
        expectEqual(ending.status, .success)
        expectEqual(
            ending.output, "already subscribed to Two episodes (2 episodes)\n  \(old.url) moved to \(new.url)\n",
            "\(ending)")
    }

    @Test func importNamesAddressesThatItCannotStore() throws {
        let long = "http://a.example/" + String(repeating: "x", count: 8 << 10)
        let list = rig.file("odd.opml")
        try """
        <opml><body><outline xmlUrl='http://b.example/&#10;x'/><outline xmlUrl='\(long)'/><outline xmlUrl='http://c.example/'/>
        </body></opml>
        """.write(toFile: list, atomically: false, encoding: .utf8)
        try expectOutcome(
            rig.run("import", list), .badData, errors: "http://b.example/ x: not a valid http or https URL",
            "xxx…: not a valid http or https URL")
        try expectEqual(rig.store().feeds.feeds().map(\.url), ["http://c.example/"])
    }

    @Test func importSubscribesToAllAndTellsDuplicates() throws {
        let file = RefreshRig.path(of: "groups-and-a-duplicate.opml")
        let ending = try rig.run("import", "--json", file)
        expectEqual(ending.status, .badData)
        expectEqual(ending.json["added"], 2)
        expectEqual(ending.json["duplicates"], ["https://one.example/feed"])
        expectEqual(ending.json["known"], 1)
        expectEqual(ending.json["errors"]?.arrayValue?.map { $0["url"] }, ["file:///etc/passwd"])
        try expectEqual(rig.store().refreshes.dueFeeds(at: Timestamp(seconds: 1), isForced: false).count, 2)
    }

    @Test func whatIsExportedCanBeImported() throws {
        _ = try rig.run("import", RefreshRig.path(of: "groups-and-a-duplicate.opml"))
        let list = try rig.run("export").output
        try list.write(toFile: rig.file("list.opml"), atomically: false, encoding: .utf8)
        let other = try RefreshRig()
        try expectEqual(other.run("import", rig.file("list.opml")).status, .success)
        try expectEqual(other.store().feeds.feeds().map(\.url).sorted(), rig.store().feeds.feeds().map(\.url).sorted())
        try expectEqual(other.store().feeds.feeds().map(\.title).sorted(), ["One", "Two"])
    }

    @Test func aListThatIsNoneIsRefused() throws {
        try expectOutcome(rig.run("import", RefreshRig.path(of: "web-page.html")), .badData, errors: "nothing imported")
        try expectEqual(rig.run("import", rig.file("missing")).status, .noInput)
    }
}
