@testable import FeedDocuments
import TestSupport
import Testing

struct HTMLReaderTests {
    private final class HTMLRecorder: HTMLEventHandler {
        private(set) var events: [String] = []

        func startElement(_ element: HTMLElement, attributes: HTMLAttributes) {
            let address = attributes.value(named: "href").map { " href=\($0)" } ?? ""
            events.append("<\(Self.name(element))\(address)>")
        }
        func characters(_ text: UnsafeRawBufferPointer) { events.append(String(decoding: text, as: UTF8.self)) }
        func endElement(_ element: HTMLElement) { events.append("</\(Self.name(element))>") }

        private static func name(_ element: HTMLElement) -> String {
            withUnsafeBytes(of: element.name.packed.littleEndian) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
    }

    private func read(_ text: String) -> [String] {
        let recorder = HTMLRecorder()
        Array(text.utf8).withUnsafeBytes { HTMLReader.read($0, to: recorder) }
        return recorder.events
    }

    @Test func brokenNestingEndsEachElementOnce() {
        let events = read("<P>a<b>b<i>c</b>d<br><A HREF='x&amp;y'>e")
        expectEqual(
            events.filter { $0.hasPrefix("<") && !$0.hasPrefix("</") }.count, events.filter { $0.hasPrefix("</") }.count
        )
        #expect(events.contains("<a href=x&y>") && events.contains("</br>") && events.last == "</p>")
    }

    @Test func textIsUTF8WhateverItClaims() {
        expectEqual(read("<meta charset=latin1><p>é&eacute;</p>").filter { !$0.hasPrefix("<") }.joined(), "éé")
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
            let short = read(template.replacing("§", with: "ww")).joined()
            for long in longTexts {
                let events = read(template.replacing("§", with: long)).joined()
                expectEqual(events.replacing(long, with: "ww"), short, "\(template)")
            }
        }
    }

    @Test(arguments: [
        ("<p>a<p>b<div>c", "<p>a</p><p>b</p><div>c</div>"),
        ("<ul><li>a<ol><li>b</ol><li>c</ul>d", "<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>d"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>"),
        ("<td><b>a</td>b", "<td><b>a</b></td>b"), ("<b><td>a</b>b", "<b><td>ab</td></b>"),
        ("a</b>b</p>c", "ab<p></p>c"),
        ("<dl><dt>a<dd>b<dt>c", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"), ("<a>b<a>c", "<a>b</a><a>c</a>"),
    ])
    func aTagEndsElementsThatCannotContainIt(_ example: (written: String, read: String)) {
        expectEqual(read(example.written).joined(), example.read)
    }

    @Test func manyReferencesAndTagsAreReadInOneGo() {
        let references = String(repeating: "&amp;", count: 200_000)
        expectEqual(read("<p>\(references)").joined(), "<p>" + String(repeating: "&", count: 200_000) + "</p>")
        let links = String(repeating: "<a b=\"", count: 150_000)
        expectEqual(read("<p>words and words</p>" + links).prefix(3), ["<p>", "words and words", "</p>"])
    }

    @Test func whatIsTooMuchIsCut() {
        let events = read("<p>" + String(repeating: "é", count: 1 << 20))
        #expect(events.filter { $0.first == "é" }.reduce(0) { $0 + $1.utf8.count } <= 1 << 20)
    }

    @Test func textInTooManyElementsIsReportedWithoutThem() {
        let events = read(
            String(repeating: "<div>", count: 300) + "x" + String(repeating: "</div>", count: 300) + "y")
        #expect(events.filter { $0 == "<div>" }.count <= HTMLReader.depth)
        expectEqual(events.filter { !$0.hasPrefix("<") }, ["x", "y"])
    }

    @Test func aTagKeepsItsFirstAttributes() {
        let names = (0..<100).map { " a\($0)=x" }.joined()
        expectEqual(read("<a href=y\(names)>z"), ["<a href=y>", "z", "</a>"])
        expectEqual(read("<a\(names) href=y>z"), ["<a>", "z", "</a>"])
        let picture = String(repeating: "x", count: 900_000)
        expectEqual(read("<a b=\"\(picture)\" href=y>z"), ["<a href=y>", "z", "</a>"])
    }

    @Test func namesCompareAsNumbers() {
        #expect(HTMLName("p".utf8) != HTMLName("pre".utf8))
        expectEqual(HTMLName("blockquote".utf8), HTMLName("blockquo".utf8))
    }
}
