@testable import FeedDocuments
import PodcastModel
import TestSupport
import Testing

struct OPMLTests {
    private func read(_ text: String, pieces: Int = .max) throws(DocumentError) -> OPMLDocument {
        let parser = OPMLParser()
        try feed(Array(text.utf8), pieces: pieces, to: parser.feed)
        return try parser.finish()
    }

    private let nested = """
        <?xml version="1.0"?><opml version="2.0"><head><title> My shows </title></head><body>
        <outline text="News"><outline text="Local &amp; near"><outline type="rss" text="A" xmlUrl=" https://a.example/f "/></outline>
        <outline type="rss" title="B" xmlURL="https://b.example/f" htmlUrl="https://b.example/"/></outline>
        <outline text="C" title="x" xmlUrl="https://c.example/f"/><outline text="no feed"/></body></opml>
        """

    @Test(arguments: [1, 7, .max])
    func feedsAreReadWithTheirGroups(pieces: Int) throws {
        let document = try read(nested, pieces: pieces)
        expectEqual(document.title, "My shows")
        #expect(!document.isMalformed)
        expectEqual(
            document.subscriptions,
            [
                Subscription(url: "https://a.example/f", title: "A", path: ["News", "Local & near"]),
                Subscription(url: "https://b.example/f", title: "B", htmlURL: "https://b.example/", path: ["News"]),
                Subscription(url: "https://c.example/f", title: "C"),
            ])
    }

    @Test func anOutlineMayHaveItsURLInAnotherAttribute() throws {
        let document = try read(
            """
            <opml><body><outline type="RSS" text="A" url="https://a.example/f"/>
            <outline type="link" text="page" url="https://p.example/"/><outline type="include" url="https://l.example/l.opml"/>
            <outline type="rss" text="B" url="https://b.example/" xmlUrl="https://b.example/f"/>
            <outline text="C" URL="https://c.example/f"/><outline text="D" feedURL="https://d.example/f"/></body></opml>
            """)
        expectEqual(document.subscriptions.map(\.url), ["a", "b", "c", "d"].map { "https://\($0).example/f" })
    }

    @Test func linksAreFeedsInAListWithoutFeeds() throws {
        let document = try read(
            """
            <opml><body><outline text="Talk"><outline URL="https://a.example/f" text="A" type="link"/></outline>
            <outline URL="https://b.example/live" text="B" type="audio"/></body></opml>
            """)
        expectEqual(document.subscriptions, [Subscription(url: "https://a.example/f", title: "A", path: ["Talk"])])
    }

    @Test func schemesAreCaseInsensitive() throws {
        let document = try read(
            "<opml><body><outline xmlUrl='HTTPS://A.example/F:x'/><outline xmlUrl='a/b:c'/></body></opml>")
        expectEqual(document.subscriptions.map(\.url), ["https://A.example/F:x", "a/b:c"])
        #expect(!document.isMalformed)
    }

    @Test func aPathHasAtMostEightGroupsOfAHundredCharacters() throws {
        let long = String(repeating: "x", count: 150)
        let list =
            String(repeating: "<outline text='\(long)'>", count: 12) + "<outline xmlUrl='http://a.example/'/>"
            + String(repeating: "</outline>", count: 12)
        let document = try read("<opml><body>\(list)</body></opml>")
        expectEqual(document.subscriptions.map(\.path), [Array(repeating: String(long.prefix(100)), count: 8)])
    }

    @Test func aWrittenListIsReadAsItWas() throws {
        let document = OPMLDocument(
            title: "Q & A <x>",
            subscriptions: [
                Subscription(url: "https://a.example/?x=1&y=\"2\"", title: "A \"quoted\" <b>", path: ["One", "Two"]),
                Subscription(url: "https://b.example/", title: "B", htmlURL: "https://b.example/page", path: ["One"]),
                Subscription(url: "https://c.example/", title: "Ünï 🎙"),
            ])
        try expectEqual(read(OPMLWriter.text(of: document)), document)
    }

    @Test func feedsOfOneGroupAreWrittenTogether() {
        let text = OPMLWriter.text(
            of: OPMLDocument(subscriptions: [
                Subscription(url: "1", path: ["G"]), Subscription(url: "2"), Subscription(url: "3", path: ["G"]),
            ]))
        expectEqual(
            text,
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0">
              <head>
              </head>
              <body>
                <outline text="G">
                  <outline type="rss" text="1" title="1" xmlUrl="1"/>
                  <outline type="rss" text="3" title="3" xmlUrl="3"/>
                </outline>
                <outline type="rss" text="2" title="2" xmlUrl="2"/>
              </body>
            </opml>

            """)
    }

    @Test func controlCharactersAreNotWritten() {
        let text = OPMLWriter.text(of: OPMLDocument(subscriptions: [Subscription(url: "u", title: "a\u{1B}\nb")]))
        expectContains(text, "text=\"a b\"")
    }

    @Test func aMalformedListIsReadAndReported() throws {
        let document = try read("<opml><body><outline text=AT&T xmlUrl=\"https://a.example/?a=1&b=2\">")
        #expect(document.isMalformed)
        expectEqual(document.subscriptions, [Subscription(url: "https://a.example/?a=1&b=2", title: "AT&T")])
        expectEqual(document.diagnostics.first, Diagnostic(line: 1, column: 27, message: "quoted an attribute's value"))
    }

    @Test func aListWithoutFeedsSaysWhatItsOutlinesAre() throws {
        let outlines = ["audio", "include", "audio"].map { "<outline type='\($0)' url='https://a.example/x'/>" }
        let list = try read("<opml><body>\(outlines.joined())</body></opml>")
        expectEqual(list.emptiness, "no feeds: its outlines are of the type audio, include")
        expectEqual(list.diagnostics.map(\.message), [list.emptiness])
        #expect(try read("<opml><body/></opml>").emptiness == nil)
        let mixed = try read("<opml><body>\(outlines[0])<outline xmlUrl='https://a.example/'/></body></opml>")
        #expect(mixed.emptiness == nil)
    }

    @Test(arguments: [
        ("", "empty"), (" ", "only spaces"), ("<html><body>no</body></html>", "a web page"),
        ("{}", "JSON"),
        ("<rss><channel/></rss>", "a feed"), ("<x/>", "other XML (<x>)"), ("text", "plain text"),
        ("<svg/>", "a picture (SVG)"), ("%PDF-1.4\n<< /Length 5 >>", "a PDF document"),
    ])
    func theErrorSaysWhatTheDocumentIs(text: String, reason: String) {
        let error = #expect(throws: DocumentError.self) { try read(text) }
        expectEqual(error?.description, "not an OPML file: the document is \(reason)")
    }

    @Test func aListBeyondTheLimitIsRefused() {
        let parser = OPMLParser()
        let blank = [UInt8](repeating: 0x20, count: 1 << 20)
        #expect(throws: DocumentError.self) {
            for _ in 0...32 {
                let result: Result<Void, DocumentError> = blank.withUnsafeBytes { bytes in
                    Result { () throws(DocumentError) in try parser.feed(bytes) }
                }
                try result.get()
            }
        }
    }

    @Test func deepGroupsAreAccepted() throws {
        let deep = String(repeating: "<outline text=\"g\">", count: 300)
        let document = try read("<opml><body>\(deep)<outline xmlUrl=\"https://a.example/\"/>")
        #expect(document.subscriptions.count <= 1)
    }
}
