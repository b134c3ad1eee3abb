import FeedDocuments
import PodcastModel

/// Words among tags that an input chooses: each word comes out of notes and titles, in order.
enum LostTextFuzz {
    static func run(_ input: FuzzInput) {
        var input = input
        var text = ""
        var words: [String] = []
        // A title is cut at 4,096 bytes of text.
        while !input.isEmpty, words.count < 200 {
            let choice: UInt8 = input.number()
            let name = names[Int(input.number() as UInt8) % names.count]
            switch choice % 16 {
            case 0..<6:
                words.append("Word\(words.count)z")
                text += words.last! + paddings[Int(choice / 16) % paddings.count]
            case 6..<9: text += "<\(name)>"
            case 9..<12: text += "</\(name)>"
            case 12: text += "<\(name)/>"
            case 13: text += "<\(name) " + attributes[Int(choice / 16) % attributes.count] + ">"
            case 14: text += "</\(name) \n>"
            default: text += others[Int(choice / 16) % others.count]
            }
        }
        check(MarkedText(notes: text).words, words, text)
        check(MarkedText(notes: text).html, words, text)
        check(LineText.line(text) ?? "", words, text)
    }

    private static func check(_ shown: String, _ words: [String], _ written: String) {
        let found = shown.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.flatMap(self.words)
        require(found == words, "\(found) came out of \(written.debugDescription)")
    }

    /// The words in a run of letters and digits, which tags no longer divide.
    private static func words(in run: Substring) -> [String] {
        var words: [String] = []
        var rest = run[...]
        while let start = rest.firstRange(of: "Word") {
            rest = rest[start.upperBound...]
            let number = rest.prefix(while: \.isNumber)
            rest = rest[number.endIndex...]
            if rest.first == "z" { words.append("Word\(number)z") }
        }
        return words
    }

    private static let names =
        ("p div b i a br hr ul ol li dl dt dd table caption thead tbody tfoot tr th td col colgroup h1 h6 span font center pre "
        + "blockquote address article form fieldset legend label select optgroup option textarea button input img dir menu html "
        + "head body title base link meta frameset frame noframes noscript iframe object embed applet param audio video source "
        + "canvas map area svg math template wbr listing xmp plaintext unknown o:p x-y isindex s u strike tt big small")
        .split(separator: " ").map(String.init)
    private static let paddings = [
        "", " ", " and more of the same kind", " &amp; so on", "\n\n  &nbsp; ", " \u{7} ", " < ", " é—ü ", " &",
        "\u{0}",
        " \u{FFFE}\u{7F}", " &#8217;", " >", "&bogus", "&#x110000;", " </ ",
    ]
    private static let attributes = [
        "class=\"x > y\"", "id='<'", "hidden", "a=b c=d", "href=\"https://a.example/?a=1&amp;b=2\"", "=", "a=\"\u{0}\"",
        "/ /",
        "a a a a a a a a a a a a a a a a a a a a", "\"", "a='\"'", "a = \"b\"c='d'", "é=ü", "x\u{7F}", "a=&quot;",
        "a=\"\n\"",
    ]
    private static let others = [
        "<!-- a <b> comment -->", "<!-->", "<script>if (a < b) { c('</p>') }</script>", "<STYLE>p > a {}</STYLE >",
        "<!DOCTYPE html>", "<?xml version=\"1.0\"?>", "<![CDATA[", "]]>", "</>", "< ", "<script src=x />",
        "<![if !mso]>",
        "</html>", "</body>", "</script>", "<3 ",
    ]
}
