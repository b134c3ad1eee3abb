import ShowNotes
import Testing

/// Titles and names.
struct LineTextTests {
    @Test(arguments: [
        ("AT&amp;T", "AT&T"), ("AT&T & more", "AT&T & more"), ("a &lt;b&gt; c", "a <b> c"),
        ("don&#8217;t &#x2014; ever&hellip;", "don’t — ever…"), ("&unknown; &;", "&unknown; &;"),
        ("a < b", "a < b"), ("1<2>0", "1<2>0"), ("Generics: Array<Int>", "Generics: Array<Int>"),
        ("<b>bold</b>ly", "boldly"), ("one<br/>two", "one two"), ("x<!-- hidden -->y", "xy"), ("open <i", "open <i"),
        ("&hearts; &frac34;", "♥ ¾"),
    ])
    func markupIsReadAndWhatIsNoneStays(_ example: (written: String, read: String)) {
        #expect(LineText.line(example.written) == example.read)
    }

    @Test func aTagThatNeverEndsIsText() {
        #expect(LineText.line("<a " + String(repeating: "x", count: 5_000))?.hasPrefix("<a xxx") ?? false)
    }

    @Test func titlesAreOneLine() {
        #expect(LineText.line("  Q&amp;A:\n <b>bread</b> &#8211; part&nbsp;2 ") == "Q&A: bread – part 2")
        #expect(LineText.line("AT&T") == "AT&T")
        #expect(LineText.line(" \n ") == nil)
    }

    @Test func whatIsNoTagOfHTMLStays() {
        #expect(LineText.line("Generics: Array<Int> <3") == "Generics: Array<Int> <3")
    }
}
