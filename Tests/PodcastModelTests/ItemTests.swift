import PodcastModel
import Testing

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
        #expect(item.hasOneText == expected)
    }
}
