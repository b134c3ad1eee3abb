import FeedDocuments
import TestSupport
import Testing

/// Titles and names.
struct LineTextTests {
    @Test(arguments: [
        ("AT&amp;T", "AT&T"), ("AT&T & more", "AT&T & more"), ("a &lt;b&gt; c", "a <b> c"),
        ("don&#8217;t &#x2014; ever&hellip;", "don’t — ever…"), ("&unknown; &;", "&unknown; &;"),
        ("a < b", "a < b"), ("1<2>0", "1<2>0"), ("Generics: Array<Int>", "Generics: Array<Int>"),
        ("<b>bold</b>ly", "boldly"), ("one<br/>two", "one two"), ("x<!-- hidden -->y", "xy"), ("open <i", "open <i"),
        ("&hearts; &frac34;", "♥ ¾"), ("&comma; &#0 &#x110000;", ", &#0"),
    ])
    func markupIsReadAndWhatIsNoneStays(_ example: (written: String, read: String)) {
        expectEqual(LineText.line(example.written), example.read)
    }

    /// The content of a script is not a part of a title. A script without an end would hide the rest of the title.
    @Test(arguments: [
        ("The <video> tag", "The <video> tag"), ("<select> and <option> boxes", "<select> and boxes"),
        ("Use <script> tags in C++ <vector>", "Use <script> tags in C++ <vector>"), ("<style> guide", "<style> guide"),
        ("a <SCRIPT>x</Script> b <script> c", "a b <script> c"), ("x <iframe src=\"y\"></iframe>", "x"),
        ("</script> x", "x"),
    ])
    func aTagThatATitleSpeaksOfHidesNothing(_ example: (written: String, read: String)) {
        expectEqual(LineText.line(example.written), example.read)
    }

    @Test func manyOfThemAreReadInLinearTime() {
        let title = String(repeating: "<script>", count: 100_000)
        expectEqual(LineText.line(title + "</script>x"), "x")
        #expect(LineText.line(title)?.hasPrefix("<script>") ?? false)
    }

    @Test func aTagThatNeverEndsIsText() {
        #expect(LineText.line("<a " + String(repeating: "x", count: 5_000))?.hasPrefix("<a xxx") ?? false)
    }

    @Test func titlesAreOneLine() {
        expectEqual(LineText.line("  Q&amp;A:\n <b>bread</b> &#8211; part&nbsp;2 "), "Q&A: bread – part 2")
        expectEqual(LineText.line("AT&T"), "AT&T")
        expectEqual(LineText.line(" \n "), nil)
    }

    @Test func whatIsNoTagOfHTMLStays() {
        expectEqual(LineText.line("Generics: Array<Int> <3"), "Generics: Array<Int> <3")
    }
}
