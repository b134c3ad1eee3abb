import FeedDocuments
import PodcastModel
import TestSupport
import Testing

/// What notes are kept as, and what is written from that.
struct MarkedTextTests {
    @Test(arguments: [
        ("<p>One <b>two</b></p><p>Three<br>four</p>", "<p>One <strong>two</strong></p><p>Three<br>four</p>"),
        (
            "<h2>Today</h2><ul><li>Bread<ol><li>flour</li></ol></li><li><a href='https://a.example/?x=1&y=2'>Salt</a></li></ul>",
            "<h3>Today</h3><ul><li>Bread<ol><li>flour</li></ol></li>"
                + "<li><a href=\"https://a.example/?x=1&amp;y=2\">Salt</a></li></ul>"
        ),
        (
            "<b>Bold<br><br>over paragraphs</b><br><br>end",
            "<p><strong>Bold</strong></p><p><strong>over paragraphs</strong></p><p>end</p>"
        ),
        ("Tom & Jerry\n1 < 2\n\nend", "<p>Tom &amp; Jerry<br>1 &lt; 2</p><p>end</p>"),
        ("<ul><li><p>One</p><p>Two</p></li></ul>", "<ul><li>One<br>Two</li></ul>"),
        ("<script>alert(1)</script><img src=x onerror=alert(1)><a href='javascript:x'>y</a>", "<p>y</p>"),
        ("", ""),
    ])
    func htmlIsWrittenFromTheWords(_ notes: String, _ html: String) {
        expectEqual(MarkedText(notes: notes).html, html)
    }

    @Test func marksThatMakeNoSenseAreLeftOut() {
        let text = MarkedText(
            "Grüße an alle",
            marks: [
                .init(.strong, 3..<5), .init(.strong, 0..<90), .init(.emphasis, 5..<5), .init(.strong, 0..<7),
                .init(.emphasis, 5..<9), .init(.link("https://a.example"), 8..<10),
            ])
        expectEqual(text.marks, [.init(.strong, 0..<7), .init(.link("https://a.example"), 8..<10)])
        expectEqual(text.html, "<p><strong>Grüße</strong> <a href=\"https://a.example\">an</a> alle</p>")
        expectEqual(text.formatted, "Grüße an [1] alle\n\n[1] https://a.example")
    }
}
