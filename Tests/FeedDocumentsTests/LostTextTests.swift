import FeedDocuments
import PodcastModel
import TestSupport
import Testing

/// No word of notes and titles is lost, whatever tags are around it.
struct LostTextTests {
    private static let names =
        ("p div b i a br hr ul ol li dl dt dd table caption thead tbody tfoot tr th td col h1 h6 span font center pre "
        + "blockquote section article header form fieldset legend label select optgroup option textarea button input img u s "
        + "html head body title base link meta frameset frame noframes noscript iframe object embed applet param audio video "
        + "source track canvas map area svg math template wbr details summary figure figcaption listing xmp unknown o:p")
        .split(separator: " ").map(String.init)

    /// A word that is looked for, or what may be around it. Nothing else has words of this form.
    private static func piece(_ number: Int, _ numbers: inout SeededNumbers) -> (text: String, word: String?) {
        let name = names[Int.random(in: names.indices, using: &numbers)]
        switch Int.random(in: 0..<20, using: &numbers) {
        case 0..<6:
            let word = "Word\(number)z"
            let padding = ["", "", " and more of its kind", " &amp; so on", "\n\n  &nbsp; ", " \u{7} ", " < ", " é—ü "]
            return (word + padding[Int.random(in: padding.indices, using: &numbers)], word)
        case 6..<10: return ("<\(name)>", nil)
        case 10..<14: return ("</\(name)>", nil)
        case 14: return ("<\(name)/>", nil)
        case 15: return ("<\(name.uppercased()) class=\"x > y\" id='z' hidden data-a=b\n>", nil)
        case 16: return ("</\(name) >", nil)
        default:
            let others = [
                "<!-- a <b> comment -->", "<script>if (a < b) { c('</p>') }</script>", "<STYLE>p > a {}</STYLE >",
                "<!DOCTYPE html>", "<?xml version=\"1.0\"?>", "<![CDATA[", "]]>", "</>", "< ", " &", "&#8217;",
                "&bogus;",
                "<script src=x />", "<p " + String(repeating: "q ", count: 40) + ">", "<![if !mso]>", "</html>",
                "</body>",
                " >", "<\(String(repeating: "x", count: 50))>",
            ]
            return (others[Int.random(in: others.indices, using: &numbers)], nil)
        }
    }

    private static func words(in text: String) -> [String] {
        text.matches(of: /Word\d+z/).map { String($0.output) }
    }

    @Test(arguments: 1...8)
    func everyWordOutsideTagsComesOutInOrder(seed: UInt64) {
        var numbers = SeededNumbers(state: seed)
        for _ in 0..<50 {
            let pieces = (0..<Int.random(in: 1...12, using: &numbers)).map { Self.piece($0, &numbers) }
            let text = pieces.map(\.text).joined()
            let words = pieces.compactMap(\.word)
            expectEqual(Self.words(in: MarkedText(notes: text).words), words, "\(text.debugDescription)")
            expectEqual(Self.words(in: MarkedText(notes: text).html), words, "\(text.debugDescription)")
            expectEqual(Self.words(in: LineText.line(text) ?? ""), words, "\(text.debugDescription)")
        }
    }

    @Test(
        arguments: [
            ("</p>hello", "hello"), ("</body>text", "text"), ("<p>one</p></body></html>two", "one\n\ntwo"),
            (" \n </div>a<b>b</b>", "ab"), ("<html></html>a<p>b", "a\n\nb"), ("<head>a</head><body>b", "ab"),
            ("<p>a<script>b", "ab"), ("a<!-- b<p>c", "a b\n\nc"), ("a<iframe src=x>b<p>c", "a b\n\nc"),
            ("<p title=\"x>a</p>b", "a\n\nb"), ("<p>mail <john@example.com> or <https://a.example/></p>b", nil),
            ("<p>AT&", "AT&"), ("<b>a<", "a<"), ("<p>a\u{0}b", "ab"), ("<![CDATA[<p>a</p>]]>b", "a\n\nb"),
            ("<select><option>a<option>b</select>c", nil), ("<body/>a<body/>b<p>", nil),
        ] as [(String, String?)])
    func whatAParserWouldLoseStays(_ example: (written: String, read: String?)) {
        let words = MarkedText(notes: example.written).words
        if let read = example.read { expectEqual(words, read) }
        for word in example.written.matches(of: />(\w+)|(\w+@[\w.]+)|(https:[\w.\/]+)/) {
            #expect(words.contains(word.output.0.drop { $0 == ">" }))
        }
    }

    @Test func textInMoreElementsThanMayBeOpenStays() {
        let deep = String(repeating: "<div><b>", count: 400) + "deep" + String(repeating: "</b></div>", count: 400)
        for text in [MarkedText(notes: deep + "<p>after").words, MarkedText(notes: deep + "<p>after").html] {
            #expect(text.contains("deep") && text.contains("after"))
        }
        let breaks = MarkedText(notes: "<p>a" + String(repeating: "<wbr>b<p>c</p>", count: 1000))
        expectEqual(breaks.words.utf8.count(where: { $0 == UInt8(ascii: "c") }), 1000)
    }
}
