import Testing
@testable import XMLEvents
import TestSupport

struct XMLPushParserTests {
    private let document = """
        <rss version="2.0" xmlns:i="urn:i"><channel><title>A &amp; B</title><i:image href="x?a=1&amp;b=2"/>\
        <d><![CDATA[<p>&amp;</p>]]></d></channel></rss>
        """

    @Test(arguments: [1, 2, 3, 7, .max])
    func eventsAreTheSameHoweverTheBytesArrive(pieces: Int) throws {
        try expectEqual(
            events(of: document, pieces: pieces),
            [
                "<rss version=2.0>", "<channel>", "<title>", "A & B", "</title>", "<{urn:i}image href=x?a=1&b=2>",
                "</image>", "<d>", "<p>&amp;</p>", "</d>", "</channel>", "</rss>",
            ])
    }

    @Test func anUndeclaredPrefixIsToldWithoutANamespace() throws {
        try expectEqual(events(of: "<a><itunes:b/></a>"), ["<a>", "<itunes:b>", "</b>", "</a>"])
        let parser = try XMLPushParser(handler: Recorder())
        try parser.parse("<a xmlns:x=\"x\"><x:b/><itunes:b/><y:c/></a>")
        expectEqual(parser.undeclaredPrefix, "Namespace prefix itunes on b is not defined")
    }

    @Test func attributesAreFoundByName() throws {
        final class Finder: XMLEventHandler {
            var found: [String?] = []
            func startElement(_ name: XMLElementName, attributes: XMLAttributes) {
                let base = attributes.value(
                    named: "base", prefix: "xml", uri: "http://www.w3.org/XML/1998/namespace")
                found = [
                    attributes.value(named: "url"), attributes.value(named: "base"), base, attributes.value(named: "x"),
                ]
                .map { $0.map { String(decoding: $0, as: UTF8.self) } }
            }
            func characters(_ text: UnsafeRawBufferPointer) {}
            func endElement(_ name: XMLElementName) {}
        }
        let finder = Finder()
        let parser = try XMLPushParser(handler: finder)
        try parser.parse("<a y=\"1\" url=\"u\" xml:base=\"b\"/>")
        expectEqual(finder.found, ["u", nil, "b", nil])
    }

    @Test func characterDataGoesWhereItStands() throws {
        let recorder = Recorder()
        let parser = try XMLPushParser(handler: recorder)
        try parser.parse("<a><b>\n before ")
        try parser.parse(characterData: "<i>inside</i>")
        try parser.parse(" behind</b><c")
        try parser.parse(">")
        try parser.parse(characterData: "]]>"[...].dropLast().description)
        try parser.parse("</c></a>")
        try parser.finish()
        expectEqual(
            recorder.events,
            [
                "<a>", "<b>", "\n before <i>inside</i> behind", "</b>", "<c>", "]]", "</c>", "</a>",
            ])
    }

    @Test func noEntityIsExpanded() throws {
        let laughs = """
            <!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
            <a>(&b;)(&f;)</a>
            """
        let told = try events(of: laughs)
        #expect(!told.joined().contains("ha"))
        #expect(!told.joined().contains("root"))
    }

    @Test func anEndWithAnotherNameEndsTheInnermostElement() throws {
        let recorder = Recorder()
        let parser = try XMLPushParser(handler: recorder)
        try parser.parse("<a>\n<b></a>")
        try parser.finish()
        expectEqual(recorder.events, ["<a>", "\n", "<b>", "</b>"])
    }

    @Test func anErrorIsThrownAgainByEveryLaterCall() throws {
        let parser = try XMLPushParser(handler: Recorder())
        // More distinct names than the dictionary may hold.
        let names = (0..<100_000).map { "<name-with-a-number-\($0)/>" }.joined()
        #expect(throws: XMLError.self) { try parser.parse("<a>" + names, pieces: 1 << 16) }
        #expect(throws: XMLError.self) { try parser.parse("</a>") }
        #expect(throws: XMLError.self) { try parser.finish() }
    }
}
