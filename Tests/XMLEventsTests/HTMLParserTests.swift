import Testing
import XMLEvents
import TestSupport

struct HTMLParserTests {
    /// Records the events of the parser, also of implied elements.
    private final class HTMLRecorder: HTMLEventHandler {
        private(set) var events: [String] = []

        func startElement(_ name: HTMLElementName, attributes: HTMLAttributes) {
            let address = attributes.value(named: "href").map { " href=\($0)" } ?? ""
            events.append("<\(name.string)\(address)>")
        }
        func characters(_ text: UnsafeRawBufferPointer) { events.append(String(decoding: text, as: UTF8.self)) }
        func endElement(_ name: HTMLElementName) { events.append("</\(name.string)>") }
    }

    private func read(_ text: String) -> (events: [String], stop: HTMLStop?) {
        let recorder = HTMLRecorder()
        let stop = Array(text.utf8).withUnsafeBytes { HTMLParser.parse($0, handler: recorder) }
        return (recorder.events.filter { !["<html>", "</html>", "<body>", "</body>"].contains($0) }, stop)
    }

    @Test func brokenNestingEndsEachElementOnce() {
        let (events, stop) = read("<P>a<b>b<i>c</b>d<br><A HREF='x&amp;y'>e")
        expectEqual(stop, nil)
        expectEqual(
            events.filter { $0.hasPrefix("<") && !$0.hasPrefix("</") }.count, events.filter { $0.hasPrefix("</") }.count
        )
        #expect(events.contains("<a href=x&y>") && events.contains("</br>") && events.last == "</p>")
    }

    @Test func textIsUTF8WhateverItClaims() {
        expectEqual(read("<meta charset=latin1><p>é&eacute;</p>").events.filter { !$0.hasPrefix("<") }.joined(), "éé")
    }

    /// Pieces of which texts are made; `§` stands for words.
    private static let pieces = [
        "§", "§", " § ", "\n\n  §\r\n", "§ &amp; §", "§ &#8217;§", "AT&§", "&§", "&#127;&#127;§", "&nbsp§", "&&§;§",
        "§\u{7}§",
        "§\u{FFFE}§", "§\u{7F}§", "é\u{FF0C}§", "<p>", "</p>", "<P>§</P >", "<br>", "<br/>", "<hr />", "<b>", "</b>",
        "<div class='a'>",
        "</div>", "<a href=\"https://a.example/?§&amp;b=§\" title='\"§>'>", "<a href='§' >", "</a>",
        "<img src=x alt=\"§ > §\"/>",
        "<a title=\"§ > §", "<a b='\"' c=\"''> §", "<a b=x\"y c=\"> § <b d=\">\">", "<!-- § <b> §", "-->",
        "<!DOCTYPE html PUBLIC \"<b>§\" >",
        "<?§>", "<script>§<b>§", "</script>", "<style>§</style>", "<textarea>§<b>§</textarea>", "<table><tr><td>§",
        "</table>", "< §",
        "§ < § > §", "</§>", "<li>§", "</html>", "</body>", "<html><head><title>§</title>", "<meta charset=latin1>",
        "\"", "'",
    ]
    private static let endings = ["", "§", "<", "</", "&", "§<", "§&"]

    @Test(arguments: 1...40)
    func longTextIsReadLikeShortText(seed: UInt64) {
        var numbers = SeededNumbers(state: seed)
        let longTexts = [
            "ww " + String(repeating: "word ü ", count: 3), "ww" + String(repeating: " longer text,", count: 120),
        ]
        for _ in 0..<50 {
            let inner = (0..<12).map { _ in Self.pieces[Int.random(in: Self.pieces.indices, using: &numbers)] }
            let start = Int.random(in: inner.indices, using: &numbers)
            let template =
                inner[start...].joined() + Self.endings[Int.random(in: Self.endings.indices, using: &numbers)]
            let short = read(template.replacing("§", with: "ww")).events.joined()
            for long in longTexts {
                let events = read(template.replacing("§", with: long)).events.joined()
                expectEqual(events.replacing(long, with: "ww"), short, "\(template)")
            }
        }
    }

    @Test func longTextDoesNotPassThroughLibxml2() {
        let text = String(repeating: "word \u{FC} > ", count: 300)
        expectEqual(
            read("<p>\(text)<b class=\"c\">\(text)</b></p>").events, ["<p>", text, "<b>", text, "</b>", "</p>"])
    }

    @Test func manyReferencesAndTagsAreReadInOneGo() {
        let references = String(repeating: "&amp;", count: 200_000)
        expectEqual(read("<p>\(references)").events.joined(), "<p>" + String(repeating: "&", count: 200_000) + "</p>")
        let links = String(repeating: "<a b=\"", count: 150_000)
        expectEqual(read("<p>words and words</p>" + links).events.prefix(3), ["<p>", "words and words", "</p>"])
    }

    @Test func whatIsTooMuchIsCut() {
        let (events, stop) = read("<p>" + String(repeating: "é", count: 1 << 20))
        expectEqual(stop, .tooLarge)
        #expect(events.filter { $0.first == "é" }.reduce(0) { $0 + $1.utf8.count } <= 1 << 20)
    }

    @Test func textInTooManyElementsIsReportedWithoutThem() {
        let (events, stop) = read(
            String(repeating: "<div>", count: 300) + "x" + String(repeating: "</div>", count: 300) + "y")
        expectEqual(stop, nil)
        #expect(events.filter { $0 == "<div>" }.count <= HTMLParser.depth)
        expectEqual(events.filter { !$0.hasPrefix("<") }, ["x", "y"])
    }

    @Test func aTagKeepsItsFirstAttributes() {
        let names = (0..<100).map { " a\($0)=x" }.joined()
        expectEqual(read("<a href=y\(names)>z").events, ["<a href=y>", "z", "</a>"])
        expectEqual(read("<a\(names) href=y>z").events, ["<a>", "z", "</a>"])
        let picture = String(repeating: "x", count: 900_000)
        expectEqual(read("<a b=\"\(picture)\" href=y>z").events, ["<a href=y>", "z", "</a>"])
    }

    @Test func namesCompareAsNumbers() {
        #expect(HTMLElementName.packed("p") != HTMLElementName.packed("pre"))
        expectEqual(HTMLElementName.packed("blockquote"), HTMLElementName.packed("blockquo"))
    }
}
