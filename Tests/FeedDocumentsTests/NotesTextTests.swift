import FeedDocuments
import PodcastModel
import TestSupport
import Testing

struct NotesTextTests {
    @Test func paragraphsStandApartAndBlanksAreSingle() {
        let notes = MarkedText(notes: "<p>One   two\nthree</p><p>&nbsp;</p><div>Four<br>five<br><br>six</div>")
        expectEqual(notes.words, "One two three\n\nFour\nfive\n\nsix")
    }

    @Test func itemsOfListsAreMarkedForReadersOnly() {
        let notes = MarkedText(
            notes:
                "<p>Today:</p><ul><li>Bread<ol><li>flour</li><li>water</li></ol></li><li>Salt</li></ul>End")
        expectEqual(notes.words, "Today:\n\nBread\nflour\nwater\nSalt\n\nEnd")
        expectEqual(notes.formatted, "Today:\n\n• Bread\n  1. flour\n  2. water\n• Salt\n\nEnd")
    }

    @Test func linksBecomeFootnotes() {
        let notes = MarkedText(
            notes:
                "<p>See <a href='https://a.example/x y'>this</a>, <a href=\"http://b.example\">that</a> and "
                + "<a href='https://a.example/x y'>this again</a>.</p>")
        expectEqual(notes.words, "See this, that and this again.")
        expectEqual(
            notes.formatted,
            "See this [1], that [2] and this again [1].\n\n[1] https://a.example/x%20y\n[2] http://b.example")
    }

    @Test func aLinkToAnEmailAddressIsALink() {
        let notes = "<p>Write to <a href='mailto:us@a.example?body=x'>us</a>.</p>"
        expectEqual(MarkedText(notes: notes).formatted, "Write to us [1].\n\n[1] mailto:us@a.example")
        let html = "<p>Write to <a href=\"mailto:us@a.example\">us</a>.</p>"
        expectEqual(MarkedText(notes: notes).html, html)
    }

    @Test func aLinkThatIsItsOwnTextAndOneOfAnotherSchemeHaveNoFootnote() {
        let notes = MarkedText(
            notes:
                "<a href='https://www.a.example/'>a.example</a> <a href='javascript:alert(1)'>click</a> <a>none</a>")
        expectEqual(notes.formatted, "a.example click none")
    }

    @Test func plainTextKeepsItsLines() {
        expectEqual(MarkedText(notes: "One\r\ntwo\n\n\n\nthree  four ").words, "One\ntwo\n\nthree four")
        expectEqual(MarkedText(notes: "Tom & Jerry\n1 < 2").words, "Tom & Jerry\n1 < 2")
        expectEqual(MarkedText(notes: "One\n<a href='https://a.example'>two</a>\nthree").words, "One\ntwo\nthree")
    }

    @Test func whatIsNotReadIsLeftOut() {
        let notes = MarkedText(
            notes: "<style>p{}</style><p>Seen<script>alert('<p>no</p>')</script></p><!-- <p>no</p> -->")
        expectEqual(notes.words, "Seen")
    }

    @Test(arguments: [
        "a\u{1B}[31mb\u{0}\u{7}\u{7F}\u{85}c\u{202E}d\u{2028}e", "<p>a&#27;[31mb&#x9b;</p>c&#7;&#x202e;d<br>e",
    ])
    func noControlCharacterSurvives(_ written: String) {
        for text in [MarkedText(notes: written).words, MarkedText(notes: written).html, LineText.line(written) ?? ""] {
            let survivors = text.unicodeScalars.filter { scalar in
                scalar.properties.generalCategory == .control && scalar != "\n"
                    || scalar.properties.generalCategory == .lineSeparator || scalar.value == 0x202E
            }
            #expect(survivors.isEmpty)
        }
    }

    @Test(arguments: ["don&#146;t &#x85;", "don\u{92}t \u{85}"])
    func bytesOfWindows1252AreReadAsSuch(_ written: String) {
        expectEqual(MarkedText(notes: written).words, "don’t …")
        expectEqual(LineText.line(written), "don’t …")
        expectContains(MarkedText(notes: written).html, "don’t …")
    }

    @Test func textBeyondASCIIStaysAsItIs() {
        expectEqual(
            MarkedText(notes: "<p>Gr\u{FC}\u{DF}e \u{2013} \u{1F399}\u{FE0F} &eacute;&hellip;</p>").words,
            "Grüße – 🎙️ é…")
        expectEqual(MarkedText(notes: "<meta charset='iso-8859-1'><p>Grüße</p>").words, "Grüße")
    }

    @Test func longNotesAreCutAndTextInManyElementsStays() {
        let long = MarkedText(notes: "<p>" + String(repeating: "word ü ", count: 200_000))
        #expect(long.words.utf8.count <= 1 << 20 && !long.words.contains("\u{FFFD}"))
        let deep = MarkedText(notes: "<p>Top</p>" + String(repeating: "<div>", count: 100_000) + "bottom")
        expectEqual(deep.words, "Top\n\nbottom")
        #expect(MarkedText(notes: String(repeating: "line\n", count: 300_000)).words.utf8.count <= 1 << 20)
    }

    @Test func nothingGivesNothing() {
        expectEqual(MarkedText(notes: "").words, "")
        expectEqual(MarkedText(notes: "<p></p> &nbsp; <br>").formatted, "")
    }
}

struct SafeHTMLTests {
    @Test func structureAndLinksStayAndAttributesGo() {
        let clean = MarkedText(
            notes:
                "<p onclick='x()' style=\"a\">One <b class=c>two</b> <a href=\"https://a.example/?a=1&amp;b=2\" target=_top>"
                + "three</a></p><ul><li>four</ul>"
        ).html
        expectEqual(
            clean,
            "<p>One <strong>two</strong> <a href=\"https://a.example/?a=1&amp;b=2\">three</a></p><ul><li>four</li></ul>"
        )
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<a href='javascript:alert(1)'>x</a>",
        "<a href=' java\nscript:alert(1)'>x</a>", "<a href='data:text/html,x'>x</a>", "<svg/onload=alert(1)>",
        "<iframe src='https://a.example'></iframe>", "<form action=x><input onfocus=alert(1) autofocus>",
        "<p title='\"><script>alert(1)</script>'>x", "<a href='https://a.example/\"onclick=\"alert(1)'>x</a>",
        "<!--><script>alert(1)</script>-->", "<math><mi//xlink:href=\"data:x,<script>alert(1)</script>\">",
        "<b/><script/src=//a.example></script>", "&lt;script&gt;alert(1)&lt;/script&gt;",
    ])
    func nothingThatActsComesOut(_ hostile: String) {
        let clean = MarkedText(notes: hostile).html
        for forbidden in ["<script", "<img", "<iframe", "<svg", "<form", "<input", "javascript:", "data:", "\"on"] {
            #expect(!clean.lowercased().contains(forbidden))
        }
    }

    @Test func textIsEscaped() {
        expectEqual(MarkedText(notes: "1 < 2 & \"3\"").html, "<p>1 &lt; 2 &amp; &quot;3&quot;</p>")
        expectEqual(MarkedText(notes: "one\ntwo").html, "<p>one<br>two</p>")
    }
}
