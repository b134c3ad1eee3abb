import PodcastModel
import Testing
import TestSupport

@Suite struct SafeTextTests {
    @Test(arguments: [
        ("plain", "plain"),
        ("a\tb\nc\r\nd", "a b c  d"),
        ("\u{1B}[31mred\u{1B}[0m", "[31mred[0m"),
        ("\u{9B}31m C1 \u{7F}", "31m C1 "),
        ("evil\u{202E}gpj.exe\u{2066}\u{200F}", "evilgpj.exe"),
        ("café 中文 👩‍💻", "café 中文 👩‍💻"),
        ("\u{FEFF}tag\u{E0041}", "tag"),
    ])
    func aLineHoldsNothingThatSteersATerminal(text: String, expected: String) {
        expectEqual(SafeText.line(text), expected)
    }

    @Test func severalLinesKeepTheirBreaks() {
        expectEqual(SafeText.lines("a\nb\u{1B}c\r\n"), "a\nbc \n")
    }

    @Test(arguments: [
        ("1234567890", "1234567890"), ("12345678901", "123456789…"), ("\u{1B}123456789\n", "123456789 "),
        (String(repeating: "\u{85}", count: 10_000), "…"),
        (String(repeating: "e\u{301}", count: 9), "e\u{301}e\u{301}e\u{301}e\u{301}e…"),
    ])
    func aLineWithALimitIsCutAfterItWasCleaned(text: String, expected: String) {
        expectEqual(Array(SafeText.line(text, atMost: 10).unicodeScalars), Array(expected.unicodeScalars))
    }
}

/// Titles and names.
@Suite struct SafeTitleTests {
    @Test(arguments: [
        ("plain", "plain"), ("Grüße aus 北京 🎧", "Grüße aus 北京 🎧"), ("  two\n lines\t", "two lines"),
        ("a  b", "a b"), ("AT&T & <more>", "AT&T & <more>"), ("bell\u{7}\u{1B}[31m", "bell[31m"),
        ("c1\u{9B}31m", "c131m"), ("rtl\u{202E}gpj.mp3", "rtlgpj.mp3"), ("iso\u{2066}late\u{2069}", "isolate"),
        ("zero\u{200B}width\u{FEFF}\u{180E}", "zerowidth"), ("line\u{2028}sep\u{A0}nbsp", "line sep nbsp"),
        ("👩\u{200D}🔬 joined", "👩\u{200D}🔬 joined"), ("tag\u{E0041}s", "tags"), ("\u{3000}wide\u{3000}", "wide"),
        ("marks\u{61C}\u{200E}\u{200F}", "marks"), ("ogham\u{1680}space", "ogham space"),
        ("“quoted” – ok", "“quoted” – ok"),
    ])
    func aTitleIsOneLineWithSingleSpaces(text: String, expected: String) {
        expectEqual(SafeText.title(text), expected)
        expectEqual(SafeText.title(expected), expected)
    }

    @Test(arguments: ["", " \n", "\u{7F}\u{200B}"])
    func aTitleThatShowsNothingIsMissing(text: String) {
        expectEqual(SafeText.title(text), nil)
    }

    @Test func aTitleThatIsTooLongIsCutBetweenCharacters() {
        let title = SafeText.title(String(repeating: "ä", count: 100_000), atMostBytes: 1_000)
        expectEqual(title, String(repeating: "ä", count: 498) + "…")
        expectEqual(title.flatMap { SafeText.title($0, atMostBytes: 1_000) }, title)
    }

    @Test(arguments: [("a name", true), ("tab\t", false), ("C1 \u{85}", false), ("sep\u{2029}", false)])
    func aLineHasNeitherControlsNorLineEnds(text: String, isOneLine: Bool) {
        expectEqual(SafeText.isOneLine(text), isOneLine)
    }
}
