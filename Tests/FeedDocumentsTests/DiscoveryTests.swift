@testable import FeedDocuments
import JSON
import PodcastModel
import TestSupport
import Testing

struct SpokenAddressTests {
    @Test(arguments: [
        ("example.org/feed", "https://example.org/feed"), ("  http://example.org/\n", "http://example.org/"),
        ("feed:https://example.org/f", "https://example.org/f"), ("feed://example.org/f", "https://example.org/f"),
        ("podcast://example.org/f", "https://example.org/f"), ("PCAST:http://example.org", "http://example.org"),
        ("itpc://example.org/f.xml", "https://example.org/f.xml"), ("", ""),
    ])
    func anAddressIsReadAsItIsMeant(spoken: String, meant: String) {
        expectEqual(SpokenAddress.url(of: spoken), meant)
    }

    @Test(arguments: [
        ("feed://example.org/f", false, "https://example.org/f"),
        ("feed:http://example.org/f", true, "http://example.org/f"),
        ("itpc://example.org/f", false, "https://example.org/f"),
        ("http://example.org/f", true, "http://example.org/f"),
        ("no address", false, "no address"), ("ftp://example.org/f", true, "ftp://example.org/f"),
    ])
    func anAliasOfListsIsReadAsOneThatIsTyped(text: String, hasScheme: Bool, listed: String) {
        expectEqual(SpokenAddress.hasScheme(text), hasScheme)
        expectEqual(SpokenAddress.listed(text), listed)
    }

    @Test func anAppleLinkNamesItsShow() {
        let link = AppleLink("https://podcasts.apple.com/de/podcast/some-show/id1234567890?i=100057")
        expectEqual(link?.show, "1234567890")
        expectEqual(
            link?.lookup(at: "https://itunes.example"), "https://itunes.example/lookup?id=1234567890&entity=podcast")
        expectEqual(AppleLink("http://itunes.apple.com/us/podcast/id42")?.show, "42")
        expectEqual(AppleLink("https://podcasts.apple.com/de/genre/idx12"), nil)
        expectEqual(AppleLink("https://example.org/podcast/id12"), nil)
    }

    @Test func aLookupAnswersWithTheFeed() throws {
        let answer = try JSONValue(
            parsing: #"{"resultCount":1,"results":[{"kind":"podcast","feedUrl":"https://example.org/f"}]}"#)
        expectEqual(AppleLink.feed(in: answer), "https://example.org/f")
        expectEqual(AppleLink.feed(in: try JSONValue(parsing: #"{"resultCount":0,"results":[]}"#)), nil)
    }
}

struct PageFeedsTests {
    private func page(_ head: String) -> PageFeeds {
        PageFeeds(page: Array("<!DOCTYPE html><html><head>\(head)</head><body><p>Words</body></html>".utf8))
    }

    @Test func theOnlyFeedIsTheOneThatIsMeant() {
        let page = page("<LINK REL='Alternate' TYPE='application/rss+xml; charset=utf-8' HREF='/feed?a=1&amp;b=2'>")
        expectEqual(page.best.map(\.reference), ["/feed?a=1&b=2"])
    }

    @Test func theFeedOfCommentsIsNotMeant() {
        let page = page(
            """
            <link rel="alternate" type="application/rss+xml" title="Show &raquo; Comments" href="/comments/feed/">
            <link rel="alternate" type="application/rss+xml" title="Show &raquo; Feed" href="/feed/">
            """)
        expectEqual(page.best.map(\.reference), ["/feed/"])
    }

    @Test func aPodcastGoesBeforeABlogAndRSSBeforeAtom() {
        let page = page(
            """
            <link rel="alternate" type="application/atom+xml" title="Podcast" href="/podcast.atom">
            <link rel="alternate" type="application/rss+xml" title="Blog" href="/blog.rss">
            <link rel="alternate" type="application/rss+xml" title="Podcast" href="/podcast.rss">
            """)
        expectEqual(page.best.map(\.reference), ["/podcast.rss"])
        expectEqual(page.feeds.count, 3)
    }

    @Test func feedsThatNothingTellsApartAreAllNamed() {
        let page = page(
            """
            <base href="https://other.example/x/">
            <link rel="alternate" type="application/rss+xml" title="One" href="one.xml">
            <link rel="alternate" type="application/rss+xml" title="Two" href="two.xml">
            <link rel="stylesheet" type="text/css" href="style.css">
            <link rel="alternate" type="application/json+oembed" href="/oembed">
            """)
        expectEqual(page.best.map(\.title), ["One", "Two"])
        expectEqual(page.base, "https://other.example/x/")
    }

    @Test func bytesThatAreNoTextDoNotHideALink() {
        var bytes = Array("<html><head><title>".utf8)
        bytes += [0xFC, 0xE9, 0x80, 0x00]
        bytes += Array("</title><link rel=alternate type=application/rss+xml href=/f></head>".utf8)
        expectEqual(PageFeeds(page: bytes).best.map(\.reference), ["/f"])
    }
}

struct DirectoryTests {
    @Test func wordsAreEncodedForTheQuery() {
        expectEqual(
            Directory.fyyd.search(for: "café & thé", at: "https://d.example", limit: 5),
            "https://d.example/0.2/search/podcast?count=5&term=caf%C3%A9%20%26%20th%C3%A9")
    }

    @Test(arguments: [
        (
            Directory.apple,
            #"""
            {"resultCount":2,"results":[{"collectionName":"A show","artistName":"Ann","feedUrl":"https://a.example/f",
            "collectionViewUrl":"https://podcasts.apple.com/id1"},{"collectionName":"Without a feed"}]}
            """#
        ),
        (
            .fyyd,
            #"""
            {"status":1,"msg":"ok","data":[{"title":"A show","author":"Ann","xmlURL":"https://a.example/f",
            "htmlURL":"https://podcasts.apple.com/id1","id":7,"rank":1}]}
            """#
        ),
        (
            .podcastIndex,
            #"""
            {"status":"true","count":2,"feeds":[{"id":1,"title":"A show","author":"Ann","url":"https://a.example/f",
            "link":"https://podcasts.apple.com/id1","dead":0},{"title":"Gone","url":"https://g.example/f","dead":1}]}
            """#
        ),
        (
            .gpodder,
            #"""
            [{"title":"A show","author":"Ann","url":"https://a.example/f","website":"https://podcasts.apple.com/id1",
            "subscribers":12}, {"title":"Not of the web","url":"ftp://x"}]
            """#
        ),
    ])
    func eachDirectoryIsUnderstood(directory: Directory, answer: String) throws {
        let shows = try #require(directory.shows(in: JSONValue(parsing: answer)))
        var expected = show("https://a.example/f", "A show", directory)
        (expected.author, expected.link) = ("Ann", "https://podcasts.apple.com/id1")
        expectEqual(shows, [expected])
    }

    @Test(arguments: Directory.allCases)
    func anAnswerOfAnotherFormIsNoList(directory: Directory) throws {
        expectEqual(directory.shows(in: try JSONValue(parsing: #"{"error":"busy"}"#)), nil)
    }

    @Test func theIndexIsAskedWithASignature() throws {
        expectEqual(PodcastIndexKey(file: "only-one"), nil)
        let key = try #require(PodcastIndexKey(file: "KEY\n SECRET \n"))
        let fields = key.fields(at: 1_700_000_000)
        expectEqual([fields["X-Auth-Key"], fields["X-Auth-Date"]], ["KEY", "1700000000"])
        expectEqual(
            fields["Authorization"], "5f8983664e541a83aaae7f3a47f1957fbca48aec", "SHA-1 of KEYSECRET1700000000")
    }
}

private func show(_ url: String, _ title: String, _ directory: Directory) -> FoundShow {
    var show = FoundShow()
    (show.url, show.title, show.directories) = (url, title, [directory.title])
    return show
}

struct FoundShowsTests {
    @Test func aShowThatSeveralKnowStandsOnceAndHigher() {
        var found = FoundShows(words: "news")
        found.add([show("https://a.example/f", "A", .apple), show("http://www.b.example/f/", "B", .apple)])
        found.add([show("https://b.example/f", "B", .fyyd), show("https://c.example/f", "C", .fyyd)])
        let best = found.best(10)
        expectEqual(best.map(\.title), ["B", "A", "C"])
        #expect(best[0].directories == ["Apple Podcasts", "fyyd"] && best[0].url == "https://b.example/f")
    }

    @Test func aTitleThatIsWhatWasSearchedForComesFirst() {
        var found = FoundShows(words: "the daily  bread")
        found.add([
            show("https://a.example/1", "The Daily", .apple), show("https://a.example/2", "The Daily Bread!", .apple),
        ])
        expectEqual(found.best(1).map(\.title), ["The Daily Bread!"])
    }
}
