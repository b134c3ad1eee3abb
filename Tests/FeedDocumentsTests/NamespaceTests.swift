import FeedDocuments
import PodcastModel
import TestSupport
import Testing

struct NamespaceTests {
    @Test func rssItemsAreRead() throws {
        let item = try item(
            """
            <title> A &amp; B </title><link>https://example.com/1</link><guid isPermaLink="false"> g-1 </guid>
            <pubDate>Mon, 06 Jan 2025 09:30:00 +0100</pubDate><description><![CDATA[<p>Notes</p>]]></description>
            <author>jane@example.com (Jane Doe)</author>
            <enclosure url="https://m.example.com/1.mp3" type="audio/mpeg" length="123"/>
            <enclosure url="2.ogg"/>
            """)
        expectEqual([item.title, item.facts.link, item.guid], ["A & B", "https://example.com/1", "g-1"])
        expectEqual([item.published?.description, item.summary], ["2025-01-06T08:30:00Z", "<p>Notes</p>"])
        expectEqual(item.author, "Jane Doe")
        expectEqual(
            item.enclosures,
            [
                Enclosure(url: "https://m.example.com/1.mp3", type: "audio/mpeg", length: 123),
                Enclosure(url: "https://example.com/show/2.ogg"),
            ])
    }

    @Test func enclosuresOfRSS1AreRead() throws {
        let contents = try parse(
            """
            <rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
            xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#"><channel><title>Show</title></channel>
            <item><enc:enclosure rdf:resource="1.mp3" enc:type="audio/mpeg" enc:length="5"/></item>
            <item><enc:enclosure enc:url="/2.mp3"/></item><item><enc:enclosure/></item></rdf:RDF>
            """
        ).contents
        expectEqual(
            contents.items.map(\.enclosures),
            [
                [Enclosure(url: "https://example.com/show/1.mp3", type: "audio/mpeg", length: 5)],
                [Enclosure(url: "https://example.com/2.mp3")], [],
            ])
    }

    @Test func namesAreRecognisedInAnyCase() throws {
        let contents = try parse(
            """
            <RSS><CHANNEL><TITLE>Show</TITLE><ITUNES:IMAGE HREF="c.jpg"/><ITEM><GUID ISPERMALINK="false">https://e.com/g</GUID>
            <ENCLOSURE URL="1.mp3" TYPE="audio/mpeg" LENGTH="5"/></ITEM></CHANNEL></RSS>
            """
        ).contents
        expectEqual(contents.channel.image, "https://example.com/show/c.jpg")
        expectEqual(contents.items[0].facts.link, nil)
        expectEqual(
            contents.items[0].enclosures,
            [Enclosure(url: "https://example.com/show/1.mp3", type: "audio/mpeg", length: 5)])
    }

    @Test(arguments: [
        "http://www.itunes.com/dtds/podcast-1.0.dtd", "http://www.itunes.com/DTDs/Podcast-1.0.dtd",
        "https://www.itunes.com/dtds/podcast-1.0.dtd/", "http://example.com/unknown",
    ])
    func everySpellingOfTheITunesNamespaceIsRecognised(name: String) throws {
        let document = try parse(
            """
            <rss xmlns:itunes="\(name)"><channel><itunes:author>Jane</itunes:author><itunes:type>Serial</itunes:type>
            <itunes:owner><itunes:name>J</itunes:name><itunes:email>j@example.com</itunes:email></itunes:owner>
            <itunes:category text="Arts"><itunes:category text="Books"/></itunes:category>
            <itunes:image href="/cover.jpg"/><itunes:explicit>yes</itunes:explicit><itunes:complete>Yes</itunes:complete>
            <itunes:new-feed-url>https://example.com/new</itunes:new-feed-url>
            <item><itunes:duration>1:02:03</itunes:duration><itunes:season>2</itunes:season>
            <itunes:episode>7</itunes:episode><itunes:episodeType>Bonus</itunes:episodeType>
            <itunes:explicit>clean</itunes:explicit><itunes:summary>S</itunes:summary></item></channel></rss>
            """)
        let channel = document.contents.channel
        expectEqual([channel.author, channel.type, channel.ownerName], ["Jane", "serial", "J"])
        expectEqual(channel.ownerEmail, "j@example.com")
        expectEqual(channel.categories, ["Arts", "Books"])
        expectEqual(channel.image, "https://example.com/cover.jpg")
        expectEqual(channel.explicit, true)
        expectEqual(channel.complete, true)
        expectEqual(channel.newFeedURL, "https://example.com/new")
        let item = document.contents.items[0]
        expectEqual(item.duration, MediaTime(seconds: 3723))
        expectEqual([item.facts.season, item.facts.number], [2, 7])
        expectEqual(item.facts.type, "bonus")
        expectEqual(item.explicit, false)
        expectEqual(item.summary, "S")
    }

    @Test(arguments: [
        "https://podcastindex.org/namespace/1.0",
        "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
    ])
    func bothNamesOfThePodcastNamespaceAreRecognised(name: String) throws {
        let contents = try parse(
            """
            <rss xmlns:podcast="\(name)"><channel><podcast:guid>u-1</podcast:guid><podcast:locked>yes</podcast:locked>
            <podcast:medium>Music</podcast:medium><podcast:funding url="/give">Give</podcast:funding>
            <podcast:liveItem status="live"><title>Live</title><guid>l</guid></podcast:liveItem>
            <item><podcast:season name="x">3</podcast:season><podcast:episode display="x">4</podcast:episode>
            <podcast:chapters url="c.json" type="application/json+chapters"/>
            <podcast:transcript url="t.vtt" type="text/vtt" language="en" rel="captions"/><podcast:transcript type="x"/>
            <podcast:person role="Guest" href="/ann" img="ann.jpg">Ann</podcast:person><podcast:person/></item>
            </channel></rss>
            """
        ).contents
        expectEqual(contents.channel.guid, "u-1")
        expectEqual(contents.channel.locked, true)
        expectEqual(contents.channel.details.medium, "music")
        expectEqual(contents.channel.details.funding, [Funding(url: "https://example.com/give", text: "Give")])
        expectEqual([contents.items.count, contents.items[0].facts.season, contents.items[0].facts.number], [1, 3, 4])
        expectEqual(contents.items[0].chaptersURL, "https://example.com/show/c.json")
        expectEqual(
            contents.items[0].transcripts,
            [
                TranscriptReference(
                    url: "https://example.com/show/t.vtt", type: "text/vtt", language: "en", rel: "captions")
            ])
        expectEqual(
            contents.items[0].details.persons,
            [
                Person(
                    name: "Ann", role: "guest", href: "https://example.com/ann",
                    image: "https://example.com/show/ann.jpg")
            ])
    }

    @Test func podloveChaptersKeepTheirTimes() throws {
        let item = try item(
            """
            <psc:chapters version="1.2"><psc:chapter start="0" title="Intro"/><psc:chapter title="no start"/>
            <psc:chapter start="1:02:03.500" title="End" href="https://example.com/e" image="i.png"/></psc:chapters>
            """)
        expectEqual(
            item.chapters,
            [
                Chapter(start: .zero, title: "Intro"),
                Chapter(
                    start: MediaTime(seconds: 3723.5), title: "End", link: "https://example.com/e",
                    image: "https://example.com/show/i.png"),
            ])
    }

    @Test func mediaRSSReplacesMissingEnclosures() throws {
        let group = """
            <media:group><media:content url="a.mp4" type="video/mp4" fileSize="9" duration="65"/>
            <media:content url="a.jpg" medium="image"/><media:title>T</media:title></media:group>
            """
        let alone = try item(group)
        expectEqual(alone.enclosures, [Enclosure(url: "https://example.com/show/a.mp4", type: "video/mp4", length: 9)])
        expectEqual(alone.duration, MediaTime(seconds: 65))
        expectEqual([alone.title, alone.image], ["T", "https://example.com/show/a.jpg"])
        let both = try item(group + "<enclosure url=\"b.mp3\"/>")
        expectEqual(both.enclosures.map(\.url), ["https://example.com/show/b.mp3"])
    }

    @Test func modulesFillInMissingFields() throws {
        let item = try item(
            """
            <dc:creator>Ann</dc:creator><dc:date>2025-01-02T03:04:05Z</dc:date><content:encoded>C</content:encoded>
            <itunes:summary>I</itunes:summary>
            """)
        expectEqual([item.author, item.published?.description, item.content], ["Ann", "2025-01-02T03:04:05Z", "C"])
        expectEqual(item.summary, "I")
    }

    @Test func theFormatsOwnElementsHavePrecedenceOverModules() throws {
        let item = try item(
            """
            <itunes:title>x</itunes:title><atom:title>x</atom:title><title>T</title><media:title>x</media:title>
            <itunes:summary>x</itunes:summary><description>D</description>
            <dc:date>2001-01-01</dc:date><pubDate>Mon, 06 Jan 2025 09:30:00 GMT</pubDate>
            <dc:creator>x</dc:creator><itunes:author>A</itunes:author>
            """)
        expectEqual([item.title, item.summary, item.published?.description], ["T", "D", "2025-01-06T09:30:00Z"])
        expectEqual(item.author, "A")
    }

    @Test func theChannelsOwnTitleIsNotItsImages() throws {
        let channel = try channel(
            "<image><title>I</title><url>/i.png</url><link>/x</link></image><link>https://example.com/</link><language>de</language>"
        )
        expectEqual([channel.title, channel.link], ["Show", "https://example.com/"])
        expectEqual([channel.image, channel.language], ["https://example.com/i.png", "de"])
    }

    @Test func atomIsReadWithItsLinksAndTexts() throws {
        let document = try parse(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en" xml:base="https://example.org/a/">
            <title type="html">A &amp;amp; B</title><subtitle>S</subtitle><link href="."/><link rel="next" href="?page=2"/>
            <author><name>Jane</name></author><logo>l.png</logo>
            <entry xml:base="b/"><id>urn:1</id><title>T</title><updated>2025-01-02T00:00:00Z</updated>
            <published>2025-01-01T00:00:00+02:00</published><summary>Sum</summary>
            <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">1 &lt; 2 <b class="x">c</b><br/></div></content>
            <link rel="enclosure" type="audio/mpeg" length="5" href="e.mp3"/><link rel="alternate" type="text/html" href="p"/>
            </entry></feed>
            """)
        let channel = document.contents.channel
        expectEqual(document.format, "Atom 1.0")
        expectEqual([channel.title, channel.summary, channel.link], ["A &amp; B", "S", "https://example.org/a/"])
        expectEqual([channel.nextPage, channel.author], ["https://example.org/a/?page=2", "Jane"])
        expectEqual([channel.image, channel.language], ["https://example.org/a/l.png", "en"])
        let item = document.contents.items[0]
        expectEqual([item.guid, item.published?.description], ["urn:1", "2024-12-31T22:00:00Z"])
        expectEqual([item.summary, item.content], ["Sum", "<div>1 &lt; 2 <b class=\"x\">c</b><br></div>"])
        expectEqual(item.facts.link, "https://example.org/a/b/p")
        expectEqual(item.enclosures, [Enclosure(url: "https://example.org/a/b/e.mp3", type: "audio/mpeg", length: 5)])
    }

    @Test func rdfItemsAreOutsideOfTheChannel() throws {
        let contents = try parse(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
            <channel rdf:about="x"><title>Show</title></channel><image><url>i.png</url></image>
            <item rdf:about="y"><title>One</title></item><item><title>Two</title></item></rdf:RDF>
            """
        ).contents
        expectEqual([contents.channel.title, contents.channel.image], ["Show", "https://example.com/show/i.png"])
        expectEqual(contents.items.map(\.title), ["One", "Two"])
    }

    @Test func aRootInAnUnknownNamespaceIsRecognised() throws {
        let contents = try parse(
            "<rss xmlns=\"urn:x\"><channel><title>S</title><item><title>T</title></item></channel></rss>")
        expectEqual(contents.contents.items.first?.title, "T")
    }

    @Test func aPermalinkIsTheLinkOfAnItemWithoutOne() throws {
        try expectEqual(item("<guid>https://example.com/x</guid>").facts.link, "https://example.com/x")
        try expectEqual(item("<guid isPermaLink=\"true\">x</guid>").facts.link, "https://example.com/show/x")
        try expectEqual(item("<guid isPermaLink=\"false\">https://example.com/x</guid>").facts.link, nil)
        try expectEqual(item("<guid>plain</guid>").facts.link, nil)
    }

    @Test func base64TextIsDecodedAndPicturesAreNot() throws {
        func content(_ text: String) throws -> String? {
            try parse(
                "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><content type=\"a/b\">\(text)</content></entry></feed>"
            )
            .contents.items[0].content
        }
        try expectEqual(content("SGVsbG8="), "Hello")
        try expectEqual(content("/9j/4AAQ"), nil)
    }

    @Test func anAtomLinkMayHaveItsURLAsText() throws {
        let document = try parse(
            """
            <feed xmlns="http://purl.org/atom/ns#"><link rel="next">2.xml</link><entry>
            <link rel="enclosure" type="audio/mpeg" length="7">http://example.com/1.mp3</link>
            <link rel="alternate" type="text/html">http://example.com/1</link></entry></feed>
            """)
        expectEqual(document.contents.channel.nextPage, "https://example.com/show/2.xml")
        let item = document.contents.items[0]
        expectEqual(item.facts.link, "http://example.com/1")
        expectEqual(item.enclosures, [Enclosure(url: "http://example.com/1.mp3", type: "audio/mpeg", length: 7)])
    }

    @Test func atomsPublishedDateHasPrecedenceOverIssued() throws {
        let document = try parse(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><issued>2004-01-01T00:00:00Z</issued>
            <published>2010-01-01T00:00:00Z</published></entry></feed>
            """)
        expectEqual(document.contents.items[0].published?.description, "2010-01-01T00:00:00Z")
    }

    @Test func aPictureMayBeAnITunesLinkAnEnclosureOrMediaOfTheChannel() throws {
        let document = try parse(
            """
            <rss><channel><media:content url="/c.png" medium="image"/>
            <item><itunes:link rel="image" href="/1.jpg"/></item>
            <item><enclosure url="/2.jpg" type="image/jpeg"/></item></channel></rss>
            """)
        expectEqual(document.contents.channel.image, "https://example.com/c.png")
        expectEqual(document.contents.items.map(\.image), ["https://example.com/1.jpg", "https://example.com/2.jpg"])
    }

    @Test func anItemsBodyIsItsContent() throws {
        try expectEqual(item("<body><a href='/x'>click</a></body>").content, "<a href=\"/x\">click</a>")
    }

    @Test(arguments: [
        ("application/octet-stream", "SGVsbG8=", "Hello"), ("application/json", "{\"a\":1}", "{\"a\":1}"),
        ("video/mp4", "//79/A==", nil), ("image/svg+xml", "<svg/>", "<svg></svg>"),
    ])
    func contentOfAnotherTypeIsDecodedIfItIsEncoded(_ example: (type: String, written: String, read: String?)) throws {
        let document = try parse(
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry>
            <content type="\(example.type)">\(example.written)</content></entry></feed>
            """)
        expectEqual(document.contents.items[0].content, example.read)
    }
}
