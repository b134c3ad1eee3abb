import PodcastModel
import Testing

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
        #expect(SafeText.line(text) == expected)
    }

    @Test func severalLinesKeepTheirBreaks() {
        #expect(SafeText.lines("a\nb\u{1B}c\r\n") == "a\nbc \n")
    }

    @Test(arguments: [
        ("1234567890", "1234567890"), ("12345678901", "123456789…"), ("\u{1B}123456789\n", "123456789 "),
        (String(repeating: "\u{85}", count: 10_000), "…"),
        (String(repeating: "e\u{301}", count: 9), "e\u{301}e\u{301}e\u{301}e\u{301}e…"),
    ])
    func aLineWithALimitIsCutAfterItWasCleaned(text: String, expected: String) {
        #expect(Array(SafeText.line(text, atMost: 10).unicodeScalars) == Array(expected.unicodeScalars))
    }
}
