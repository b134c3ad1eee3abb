import FeedDocuments
import PodcastModel
import TestSupport
import Testing

struct ToleranceTests {
    @Test func aNewItemClosesAnOpenOne() throws {
        let document = try parse("<rss><channel><item><title>1</title><item><title>2</title></item></channel></rss>")
        expectEqual(document.contents.items.map(\.title), ["1", "2"])
        #expect(document.isMalformed)
    }

    @Test func anEmptyItemWithinAnItemIsIgnored() throws {
        let document = try parse("<rss><channel><item><title>1</title><item/><guid>g</guid></item></channel></rss>")
        expectEqual(document.contents.items.map(\.guid), ["g"])
    }

    @Test func emptyItemsBesideOthersCount() throws {
        try expectEqual(parse("<rss><channel><item/><item/></channel></rss>").contents.items.count, 2)
    }

    @Test func anItemEndsATextThatLacksItsEnd() throws {
        let document = try parse(
            "<rss><channel><title>S</title><item><title>One<item><title>Two</title><guid>g</guid></item></channel></rss>"
        )
        expectEqual(document.contents.items.map(\.title), ["One", "Two"])
    }

    @Test func anElementOfTheItemEndsATextThatLacksItsEnd() throws {
        let document = try parse("<rss><channel><item><title>One<link>l</link><guid>g</guid></item></channel></rss>")
        expectEqual(
            document.contents.items,
            [
                {
                    var item = Item()
                    (item.title, item.facts.link, item.guid) = ("One", "https://example.com/show/l", "g")
                    return item
                }()
            ])
    }

    @Test func tagsInNotesAreKept() throws {
        let item = try item(
            "<description>a <b>b</b><br/> <a href=\"x?a=1&amp;b=2\">c</a></description><title>x <i>y</i></title>")
        expectEqual([item.summary, item.title], ["a <b>b</b><br> <a href=\"x?a=1&amp;b=2\">c</a>", "x y"])
    }

    @Test func itemsInUnknownElementsAreIgnored() throws {
        let document = try parse(
            "<rss><channel><x><item><title>1</title></item></x><item><title>2</title></item></channel></rss>")
        expectEqual(document.contents.items.map(\.title), ["2"])
    }

    @Test func namesInCapitalsAreRecognised() throws {
        let document = try parse(
            "<RSS><Channel><ITEM><TITLE>1</TITLE><PubDate>2025-01-06</PubDate></ITEM></Channel></RSS>")
        expectEqual(document.contents.items[0].title, "1")
        #expect(document.contents.items[0].published != nil)
    }

    @Test func undeclaredPrefixesAreUnderstood() throws {
        let document = try parse("<rss><channel><item><itunes:duration>60</itunes:duration></item></channel></rss>")
        expectEqual(document.contents.items[0].duration, MediaTime(seconds: 60))
        expectEqual(
            document.diagnostics.map(\.message), ["Namespace prefix itunes on duration is not defined"])
    }

    @Test func repairsAreReportedWithTheirPlaces() throws {
        let document = try parse("<rss>\n<channel><title>AT&T</title></channel></rss>")
        expectEqual(document.contents.channel.title, "AT&T")
        #expect(document.isMalformed)
        expectEqual(document.diagnostics, [Diagnostic(line: 2, column: 19, message: "escaped a bare \"&\"")])
    }

    @Test func anIncompleteFeedKeepsItemsThatCanBePlayed() throws {
        let whole = "<item><guid>1</guid><enclosure url=\"1.mp3\"/></item>"
        for tail in ["<item><guid>2</gu", "<item><title>x", "<item>"] {
            let document = try parse("<rss><channel>\(whole)\(tail)")
            expectEqual(document.contents.items.map(\.guid), ["1"], "\(tail)")
            #expect(document.isTruncated)
        }
        let playable = try parse("<rss><channel>\(whole)<item><guid>2</guid><enclosure url=\"2.mp3\"/><descr")
        expectEqual(playable.contents.items.map(\.guid), ["1", "2"])
    }

    @Test func anEnclosureWithoutEndTagHidesNothingBehindIt() throws {
        for tag in [#"<enclosure url="1.mp3" type="audio/mpeg">"#, #"<enclosure url="1.mp3" type="audio/mpeg""#] {
            let document = try parse(
                """
                <rss><channel><title>Show</title><item><title>One</title>\(tag)
                <pubDate>Mon, 06 Jan 2025 10:00:00 GMT</pubDate><guid>1</guid></item><item><title>Two</title>
                <enclosure url="2.mp3"/><pubDate>Tue, 07 Jan 2025 10:00:00 GMT</pubDate></item></channel></rss>
                """)
            let items = document.contents.items
            expectEqual(items.map(\.title), ["One", "Two"], "\(tag)")
            expectEqual(items.map { $0.published?.description.prefix(10) }, ["2025-01-06", "2025-01-07"], "\(tag)")
            #expect(items.map(\.guid) == ["1", nil] && items.map(\.enclosures.count) == [1, 1], "\(tag)")
        }
    }

    @Test func theCharsetOfTheHeaderIsUsed() throws {
        let bytes = Array("<rss><channel><title>".utf8) + [0xCF, 0xF0] + Array("</title></channel></rss>".utf8)
        for header in ["text/xml; charset=windows-1251", "application/xml; x=y; Charset=\"windows-1251\""] {
            try expectEqual(parse(bytes, contentType: header).contents.channel.title, "Пр")
        }
    }

    /// The whole way, at every place where bytes may be cut.
    @Test func theResultIsTheSameHoweverTheBytesArrive() throws {
        let text = rss(
            item: """
                <title>a < b & c</title><description> x <![CDATA[<p>é</p>]]> y</description><guid>g</guid>
                <itunes:title/><enclosure url="e.mp3?a=1&b=2" type='audio/mpeg' length=5 /><pubDate>2025-01-06</pubDate>
                """, channel: "<podcast:funding url='f'>G</podcast:funding><!-- c -->")
        let bytes = Array(text.utf8)
        let whole = try parse(bytes)
        expectEqual([whole.contents.items[0].title, whole.contents.items[0].summary], ["a < b & c", "x <p>é</p> y"])
        for size in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89] {
            try expectEqual(parse(bytes, pieces: size), whole, "\(size)")
        }
    }
}

struct NotAFeedTests {
    @Test(arguments: [
        ("", "empty"), (" \n\t", "only spaces"),
        ("<!DOCTYPE html><html><body>x</body></html>", "a web page"),
        ("\n<html lang=\"en\"><head>", "a web page"),
        ("<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"/>", "a web page"),
        ("{\"error\": 1}", "JSON"), ("[1]", "JSON"), ("<opml version=\"2.0\"><body/></opml>", "an OPML list"),
        ("<Error><Code>AccessDenied</Code></Error>", "an XML error message"), ("Not found", "plain text"),
        ("<?xml version=\"1.0\"?>\n<!-- x -->", "XML without any element"), ("\u{89}PNG", "plain text"),
        ("<entry xmlns=\"http://www.w3.org/2005/Atom\"/>", "a single Atom entry"), ("ID3\u{4}", "an audio file (MP3)"),
        ("<a\u{1B}[31m>", "other XML (<a>)"),
    ])
    func theErrorSaysWhatTheDocumentIs(text: String, reason: String) throws {
        let error = #expect(throws: DocumentError.self) { try parse(text) }
        expectEqual(error?.description, "not a feed: the document is \(reason)")
    }

    @Test func audioIsToldFromOtherDocuments() {
        #expect(throws: DocumentError.notAFeed(.audio("an audio file (MP3)"))) { try parse(Array("ID3\u{4}".utf8)) }
        #expect(throws: DocumentError.notAFeed(.audio("an audio file or video (MP4)"))) {
            try parse([0, 0, 0, 0x18] + Array("ftypM4A ".utf8))
        }
    }

    @Test func binaryDataIsNamed() {
        #expect(throws: DocumentError.notAFeed(.other("compressed data (gzip)"))) { try parse([0x1F, 0x8B, 8, 0]) }
        #expect(throws: DocumentError.notAFeed(.other("a picture (PNG)"))) {
            try parse([0x89, 0x50, 0x4E, 0x47, 0x0D])
        }
        #expect(throws: DocumentError.notAFeed(.binaryData)) { try parse([0, 0, 0, 0, 0, 0]) }
    }

    @Test func aBlogIsAFeedButNotAPodcast() throws {
        let blog = try parse(
            "<rss><channel><item><title>Post</title><enclosure url=\"a.jpg\" type=\"image/jpeg\"/></item></channel></rss>"
        )
        #expect(!blog.isPodcast)
        expectEqual(blog.contents.items.count, 1)
    }
}

struct HostileFeedTests {
    @Test func entityExpansionIsBounded() throws {
        let entities = (1...9).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }.joined()
        let document = try parse(
            "<!DOCTYPE rss [<!ENTITY l0 \"ha\">\(entities)]><rss><channel><title>&l9;</title></channel></rss>")
        expectEqual(document.contents.channel.title, "&l9;")
    }

    @Test func externalEntitiesAreNotOpened() throws {
        let document = try parse(
            """
            <!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.1:1/"> %p;]>
            <rss><channel><title>&f;</title></channel></rss>
            """)
        expectEqual(document.contents.channel.title, "&f;")
    }

    @Test func deepNestingIsCutOff() throws {
        let deep = String(repeating: "<x>", count: 100_000)
        let open = try parse("<rss><channel><title>S</title>\(deep)")
        expectEqual(open.contents.channel.title, "S")
        let closed = try parse(
            "<rss><channel>\(deep)\(String(repeating: "</x>", count: 100_000))<title>S</title></channel></rss>")
        expectEqual(closed.contents.channel.title, "S")
    }

    @Test func aCDATASectionOfTwelveMegabytesIsRead() throws {
        let notes = String(repeating: "notes <b> & ", count: 1 << 20)
        let document = try parse(
            "<rss><channel><item><description><![CDATA[\(notes)]]></description><guid>g</guid></item></channel></rss>")
        expectEqual(document.contents.items[0].summary?.utf8.count, notes.utf8.count - 1)
        expectEqual(document.contents.items[0].guid, "g")
        #expect(!document.isMalformed)
    }

    @Test func aTextBeyondTheLimitIsCutAndTheRestIsRead() throws {
        var limits = FeedLimits()
        limits.textBytes = 1000
        let document = try parse(
            Array(rss(item: "<description>\(String(repeating: "x", count: 100_000))</description><guid>g</guid>").utf8),
            limits: limits,
            pieces: 512)
        #expect((document.contents.items[0].summary?.utf8.count ?? 0) <= 1000)
        expectEqual(document.contents.items[0].guid, "g")
        #expect(document.diagnostics.contains { $0.message.contains("cut 1 texts") })
    }

    @Test func aDocumentBeyondTheLimitIsRefused() {
        var limits = FeedLimits()
        limits.documentBytes = 1 << 20
        #expect(throws: DocumentError.tooLarge(limit: 1 << 20)) {
            try parse(
                Array(String(repeating: "<rss><channel><item/>", count: 60_000).utf8), limits: limits, pieces: 1 << 14)
        }
    }

    /// What a hostile server sends without end is refused as soon as it is certain, long before the limit.
    @Test func aWebPageWithoutEndIsRefusedAtOnce() {
        let parser = FeedParser(baseURL: "https://example.com/")
        let page = Array(("<html>" + String(repeating: "x", count: 1 << 14)).utf8)
        let error = #expect(throws: DocumentError.self) {
            for _ in 0..<3 {
                let result: Result<Void, DocumentError> = page.withUnsafeBytes { bytes in
                    Result { () throws(DocumentError) in try parser.feed(bytes) }
                }
                try result.get()
            }
        }
        expectEqual(error, .notAFeed(.webPage))
    }

    @Test(arguments: [
        ("01<![CDATA[23456789abc]]>de", "plain", "0123456789"), ("01234567<![CDATA[8é]]>de", "plain", "012345678"),
        ("01&amp;4567de", "xhtml", "01&amp;456"),
    ])
    func theCutOfATextDoesNotDependOnItsPieces(text: String, type: String, kept: String) throws {
        var limits = FeedLimits()
        limits.textBytes = 10
        let document =
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><content type='\(type)'>\(text)</content></entry></feed>"
        for size in [Int.max, 1, 3] {
            let parsed = try parse(Array(document.utf8), limits: limits, pieces: size)
            expectEqual(parsed.contents.items.first?.content, kept, "in pieces of \(size)")
        }
    }

    @Test func listsAndItemsAreCapped() throws {
        var limits = FeedLimits()
        limits.items = 2
        limits.listMembers = 3
        let item = "<item>\(String(repeating: "<enclosure url=\"a\"/>", count: 9))</item>"
        let document = try parse(
            Array("<rss><channel>\(item)\(item)\(item)\(item)</channel></rss>".utf8), limits: limits)
        expectEqual(document.contents.items.map(\.enclosures.count), [3, 3])
        expectEqual(document.diagnostics.last?.message, "skipped 2 items after the first 2")
    }

    @Test func manyDifferentNamesAreAccepted() throws {
        let names = (0..<20_000).map { "<n\($0) a\($0)=\"\"/>" }.joined()
        let document = try parse("<rss><channel>\(names)<title>S</title></channel></rss>")
        expectEqual(document.contents.channel.title, "S")
    }

    @Test func controlCharactersAreRemoved() throws {
        let item = try item("<title>a\u{1B}[31mb&#27;c\u{7}&#x9B;d</title><guid>g\u{0}h</guid>")
        expectEqual([item.title, item.guid], ["a[31mbc›d", "gh"])
    }
}
