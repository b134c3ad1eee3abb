import PodcastModel
import Testing
import TestSupport

struct ItemTests {
    @Test(
        arguments: [
            (nil, nil, true), ("", "", true), ("a", nil, false), (nil, "a", false), ("notes", "notes", true),
            ("Notes – long enough", "Notes – long enough", true), ("notes of an item", "notes of an Item", false),
            ("eight by", "eight bx", false), ("notes", "notes ", false), ("e\u{301}", "\u{E9} ", false),
        ] as [(String?, String?, Bool)])
    func summaryAndContentAreOneTextIfTheyAreSoToTheByte(summary: String?, content: String?, expected: Bool) {
        var item = Item()
        (item.summary, item.content) = (summary, content)
        expectEqual(item.hasOneText, expected)
    }
}

struct RefreshIntervalTests {
    @Test(
        arguments: [
            ("off", "off"), ("OFF", "off"), ("6h", "6h"), ("360m", "6h"), ("1d", "1d"), ("3600", "1h"), ("90m", "90m"),
            ("301s", "301s"), ("4m", nil), ("366d", nil), ("", nil), ("h", nil), ("+6h", nil), ("6 h", nil),
            ("99999999999999999d", nil),
        ] as [(String, String?)])
    func anIntervalIsReadAndWritten(_ text: String, _ expected: String?) {
        expectEqual(RefreshInterval(parsing: text)?.description, expected)
    }
}
