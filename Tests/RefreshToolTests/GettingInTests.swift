import CommandLineTool
import Foundation
import JSON
import Library
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

@Suite(.ownThread) struct GettingInTests {
    private let rig: RefreshRig

    init() throws { rig = try RefreshRig() }

    @discardableResult
    private func serve(_ path: String, _ text: String, _ type: String) -> LoopbackServer.Endpoint {
        rig.serve(path, .resource(Resource(Array(text.utf8), contentType: type)))
    }

    private func titles() throws -> [String] { try rig.store().feeds.feeds().map(\.title) }

    @Test func aLibraryOfPodcastdIsNamedWithTheRemedy() throws {
        _ = try rig.store()
        try expectOutcome(
            rig.run("import", rig.data + "/library.db"), .badData,
            errors: "cannot be imported: it is a library of podcastd", "podcastctl help backup")
    }

    @Test func aListThatBreaksOffIsDamagedAndItsFeedsAreImported() throws {
        let file = rig.file("half.opml")
        let text = "<opml><body><outline text='A' xmlUrl='http://a.example/'/><outline text='B' xmlUrl='http:"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        try expectOutcome(rig.run("import", file), .badData, errors: "half.opml: is damaged: it breaks off")
        try expectEqual(rig.store().feeds.feeds().map(\.url), ["http://a.example/"])
    }

    @Test func aListWithoutFeedsIsRefusedWithTheTypesOfItsOutlines() throws {
        let file = rig.file("links.opml")
        let text = "<opml><body><outline type='audio' url='http://a.example/1.mp3'/></body></opml>"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        try expectOutcome(
            rig.run("import", file), .badData,
            errors: "links.opml: no feeds: its outlines are of the type audio; nothing imported")
        let list = serve("/links.opml", text, "text/x-opml")
        try expectOutcome(rig.run("add", list.url), .badData, errors: "no feeds: its outlines are of the type audio")
    }

    @Test func schemesOfFeedsAreUnderstood() throws {
        let feed = try rig.publish("two-episodes.xml")
        try expectEqual(rig.run("add", "feed:" + feed.url, "podcast:" + feed.url).status, .success)
        try expectEqual(rig.store().feeds.feeds().map(\.url), [feed.url])
    }

    @Test func anAddressWithoutSchemeIsTriedOverHTTPWhereThereIsNoHTTPS() throws {
        let feed = try rig.publish("two-episodes.xml")
        let bare = String(feed.url.dropFirst("http://".count))
        try expectOutcome(rig.run("add", bare), .success, output: "127.0.0.1 has no https; subscribed over http")
        try expectEqual(rig.store().feeds.feeds().map(\.url), [feed.url])
        // Neither a login nor an address with https goes out unencrypted.
        for address in ["me:secret@" + bare, "https://" + bare] {
            let other = try RefreshRig()
            let refusal = try other.run("add", address)
            #expect(refusal.status != .success && refusal.errors.contains("https failed"), "\(refusal)")
        }
    }

    @Test func whatIsNotAFeedIsNamed() throws {
        for (path, text, words) in [
            ("/a.mp3", "ID3\u{4}audio", "the document is an audio file (MP3); to play it: podcastctl play"),
            ("/a.json", "{\"error\": 1}", "the document is JSON"),
            ("/a.txt", "Just some words", "the document is plain text"),
            ("/a.html", "<!DOCTYPE html><title>Hello</title>", "web page without a feed link"),
        ] {
            let endpoint = serve(path, text, "application/octet-stream")
            try expectOutcome(rig.run("add", endpoint.url), .badData, errors: "\(endpoint.url): ", words)
        }
    }

    @Test func aJSONFeedIsSubscribedTo() throws {
        let feed = serve(
            "/feed.json",
            #"{"version": "https://jsonfeed.org/version/1.1", "title": "Talks", "items": [{"id": "1", "title": "One", "#
                + #""attachments": [{"url": "/1.mp3", "mime_type": "audio/mpeg"}]}]}"#, "application/feed+json")
        let page = serve(
            "/", "<html><link rel=\"alternate\" type=\"application/feed+json\" href=\"/feed.json\"></html>",
            "text/html")
        try expectEqual(rig.run("add", page.url).status, .success)
        try expectEqual(rig.store().feeds.feeds().map(\.url), [feed.url])
        try expectEqual(rig.store().episodes.episode(EpisodeID(1)).enclosure.url, rig.server.url("/1.mp3"))
    }

    @Test func aFeedInAFileIsSubscribedToAtItsOwnAddress() throws {
        func text(_ link: String) -> String {
            """
            <?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Filed</title>
            \(link)<item><title>One</title><enclosure url="../1.mp3" type="audio/mpeg"/></item></channel></rss>
            """
        }
        let file = rig.file("feed.xml")
        try text("").write(toFile: file, atomically: false, encoding: .utf8)
        try expectOutcome(rig.run("add", file), .badData, errors: "does not name its own URL")
        try text(#"<atom:link rel="self" href="https://show.example/feeds/a.xml"/>"#)
            .write(toFile: file, atomically: false, encoding: .utf8)
        try expectOutcome(rig.run("add", file), .success)
        let feed = try #require(try rig.store().feeds.feeds().first)
        #expect(feed.url == "https://show.example/feeds/a.xml" && feed.title == "Filed" && feed.episodeCount == 1)
        try expectEqual(rig.store().episodes.episode(EpisodeID(1)).enclosure.url, "https://show.example/1.mp3")
        try expectEqual(rig.run("import", "--json", file).json["known"], 1)
    }

    @Test func aDocumentThatBreaksOffIsReported() throws {
        let feed = serve(
            "/cut.xml",
            "<rss><channel><title>Cut</title><item><title>1</title><enclosure url=\"1.mp3\"/></item><item><tit",
            "text/xml")
        try expectOutcome(rig.run("add", feed.url), .success, output: "the document breaks off")
        let again = try rig.run("add", feed.url)
        expectEqual(again.output, "already subscribed to Cut (1 episode)\n")
    }

    @Test func aPageLeadsToItsFeed() throws {
        let feed = try rig.publish("two-episodes.xml", at: "/shows/podcast.xml")
        let page = serve(
            "/about/",
            """
            <html><head><base href="/shows/"><title>A show</title>
            <link rel="alternate" type="application/rss+xml" title="Comments" href="/comments">
            <link rel="alternate" type="application/rss+xml" title="The show" href="podcast.xml"></head></html>
            """, "text/html")
        let ending = try rig.run("add", page.url)
        expectEqual(ending.status, .success)
        expectEqual(ending.output, "subscribed to Two episodes (2 episodes)\n")
        expectContains(ending.errors, "the best of 2 feeds")
        try expectEqual(rig.store().feeds.feeds().map(\.url), [feed.url])
    }

    @Test func feedsOfAPageThatNothingTellsApartAreListed() throws {
        let page = serve(
            "/",
            """
            <link rel="alternate" type="application/rss+xml" title="One" href="/one.xml">
            <link rel="alternate" type="application/rss+xml" title="Two" href="/two.xml">
            """, "text/html")
        try expectOutcome(
            rig.run("add", page.url), .badData, errors: rig.server.url("/one.xml") + " (One)",
            rig.server.url("/two.xml") + " (Two)")
        #expect(try titles().isEmpty)
    }

    @Test func pagesThatNameEachOtherAreNotFollowedForEver() throws {
        let page = serve(
            "/loop", "<html><link rel=alternate type=application/rss+xml href=/loop?again></html>", "text/html")
        try expectOutcome(rig.run("add", page.url), .badData, errors: "no feed found")
        #expect(page.requests.count < 10)
    }

    @Test func aListBehindAnAddressIsImported() throws {
        let list = serve(
            "/list.opml",
            "<opml version=\"2.0\"><body><outline text=\"News\"><outline xmlUrl=\"https://a.example/f\" text=\"A\"/></outline></body></opml>",
            "text/x-opml")
        let ending = try rig.run("add", "--json", list.url)
        expectEqual(ending.status, .success)
        expectEqual(ending.json["feeds"]?.arrayValue?[0]["imported"], 1)
        try expectEqual(rig.store().feeds.feeds().map(\.tags), [["News"]])
    }

    @Test func aFileIsImportedUnlessItCameOverTheSocket() throws {
        let file = RefreshRig.path(of: "groups-and-a-duplicate.opml")
        #expect(try rig.run("add", "--urls-only", file).status != .success)
        #expect(try titles().isEmpty)
        try expectContains(rig.run("add", file).output, "2 feeds added")
        try expectEqual(titles(), ["One", "Two"])
    }

    @Test func anAppleLinkIsAskedAtTheDirectory() throws {
        let feed = try rig.publish("two-episodes.xml")
        let lookup = serve("/lookup", #"{"resultCount":1,"results":[{"feedUrl":"\#(feed.url)"}]}"#, "text/javascript")
        try configure("apple_url = \(rig.server.url(""))")
        let link = "https://podcasts.apple.com/us/podcast/two/id4711"
        let inside = try rig.run("--config", rig.file("conf"), "add", link)
        expectContains(inside.errors, "private address", "a directory is no user")
        try configure("apple_url = \(rig.server.url(""))\n[network]\nprivate_hosts = 127.0.0.1")
        try expectEqual(rig.run("--config", rig.file("conf"), "add", link).status, .success)
        expectEqual(lookup.requests.first?.query, "id=4711&entity=podcast")
        try expectEqual(rig.store().feeds.feeds().map(\.url), [feed.url])
        try configure("apple = off")
        try expectOutcome(
            rig.run("--config", rig.file("conf"), "add", "https://podcasts.apple.com/id1"), .badData,
            errors: "directories.apple is off")
    }

    private func configure(_ lines: String...) throws {
        try ("[directories]\n" + lines.joined(separator: "\n") + "\n")
            .write(toFile: rig.file("conf"), atomically: false, encoding: .utf8)
    }

    private func find(_ arguments: String...) throws -> Ending {
        try rig.run(["--data-dir", rig.data, "--config", rig.file("conf"), "find"] + arguments)
    }

    @Test func directoriesAreAskedAtOnceAndAnswerAsOne() throws {
        try configure(
            "apple_url = \(rig.server.url("/apple"))", "fyyd_url = \(rig.server.url("/fyyd/"))",
            "podcast_index_url = \(rig.server.url("/index"))", "gpodder_url = \(rig.server.url("/gpodder"))",
            "podcast_index_key_file = \(rig.file("key"))")
        try "KEY\nSECRET\n".write(toFile: rig.file("key"), atomically: false, encoding: .utf8)
        let apple = serve(
            "/apple/search",
            #"{"results":[{"collectionName":"One","artistName":"Ann","feedUrl":"https://one.example/f"}]}"#, "text/json"
        )
        let fyyd = serve(
            "/fyyd/0.2/search/podcast",
            #"{"data":[{"title":"Two","author":"Bob","xmlURL":"https://two.example/f"},{"title":"One","xmlURL":"http://one.example/f/"}]}"#,
            "text/json")
        let index = serve(
            "/index/api/1.0/search/byterm",
            #"{"feeds":[{"title":"\u001b[31mThree","url":"https://three.example/f"}]}"#,
            "text/json")
        let gpodder = rig.serve("/gpodder/search.json", .status(503))
        let ending = try find("some", "show")
        expectEqual(ending.status, .success)
        let lines = ending.output.split(separator: "\n")
        try #require(lines.count == 4 && lines[0].contains("TITLE"))
        #expect(lines[1].contains("One") && lines[1].contains("Ann") && lines[1].hasSuffix("https://one.example/f"))
        #expect(!ending.output.contains("\u{1B}"))
        expectContains(ending.errors, "gpodder.net: server unavailable")
        expectEqual(apple.requests.first?.query, "media=podcast&entity=podcast&limit=50&term=some%20show")
        expectEqual(fyyd.requests.first?.query, "count=50&term=some%20show")
        expectEqual(index.requests.first?["x-auth-key"], "KEY")
        expectEqual(index.requests.first?["authorization"]?.count, 40)
        expectEqual(gpodder.requests.count, 1)
        let json = try find("--json", "--limit", "1", "some show").json
        expectEqual(json["shows"]?.arrayValue?.count, 1)
        expectEqual(json["shows"]?.arrayValue?[0]["directories"], ["Apple Podcasts", "fyyd"])
        expectContains(json["failed"]?.arrayValue?[0]["what"]?.stringValue ?? "", "gpodder.net: server unavailable")
    }

    /// Which directories fail, and the exit status.
    static let failing: [(names: [String], status: CommandLineTool.ExitStatus)] = [
        (["Apple Podcasts"], .success), (["fyyd", "gpodder.net"], .success),
        (["Apple Podcasts", "fyyd", "gpodder.net"], .tryAgain),
    ]

    @Test(arguments: failing)
    func eachDirectoryThatFailsIsNamed(names: [String], status: CommandLineTool.ExitStatus) throws {
        try configure(
            "apple_url = \(rig.server.url("/apple"))", "fyyd_url = \(rig.server.url("/fyyd"))",
            "gpodder_url = \(rig.server.url("/gpodder"))", "podcast_index_key_file = \(rig.file("key"))")
        try "only one word".write(toFile: rig.file("key"), atomically: false, encoding: .utf8)
        for (name, path, body) in [
            ("Apple Podcasts", "/apple/search", #"{"results":[]}"#),
            ("fyyd", "/fyyd/0.2/search/podcast", #"{"data":[]}"#), ("gpodder.net", "/gpodder/search.json", "[]"),
        ] {
            if names.contains(name) { rig.serve(path, .status(503)) } else { serve(path, body, "application/json") }
        }
        let ending = try find("x")
        expectEqual(ending.status, status)
        for name in names + ["Podcast Index"] {
            expectContains(ending.errors, "podcast-refresh: \(name): ", "\(ending)")
        }
        let json = try find("--json", "x")
        expectEqual(json.errors, "", "they are in the document")
        let told = json.json["failed"]?.arrayValue?.compactMap { $0["what"]?.stringValue?.prefix { $0 != ":" } }.map(
            String.init)
        expectEqual(Set(told ?? []), Set(names + ["Podcast Index"]))
    }

    @Test func aDirectoryThatIsOffOrHasNoKeyIsNotAsked() throws {
        try configure(
            "apple = off", "fyyd = off", "gpodder_url = \(rig.server.url(""))",
            "podcast_index_url = \(rig.server.url(""))")
        let gpodder = serve("/search.json", "[]", "application/json")
        let ending = try find("nothing")
        #expect(ending.status == .success && ending.output.isEmpty)
        expectContains(ending.errors, "no podcast matches 'nothing'")
        #expect(rig.server.requests.count == 1 && gpodder.requests.count == 1)
        try configure("apple = off", "fyyd = off", "gpodder = off")
        try expectEqual(find("nothing").status, .configuration)
    }

    @Test func theKeyOfTheIndexGoesToNobodyElse() throws {
        try configure(
            "apple = off", "fyyd = off", "gpodder = off", "podcast_index_url = \(rig.server.url(""))",
            "podcast_index_key_file = \(rig.file("key"))")
        try "KEY SECRET".write(toFile: rig.file("key"), atomically: false, encoding: .utf8)
        let other = try LoopbackServer()
        let caught = other.serve("/caught", .status(200))
        let index = rig.serve("/api/1.0/search/byterm", .redirect(302, to: caught.url))
        let ending = try find("x")
        expectEqual(ending.status, .tryAgain)
        #expect(index.requests.count == 1 && caught.requests.isEmpty)
        #expect(!ending.errors.contains("KEY") && !ending.errors.contains("SECRET"))
    }
}
