import Library
import LibraryModel
import PodcastModel
import Testing

/// Titles as they are stored.
struct PlainLineTests {
    private func stored(_ title: String) throws -> String {
        let store = try TemporaryLibrary().open()
        _ = try store.addFeed(items: [item(1) { $0.title = title }])
        return try store.all()[0].title
    }

    @Test(arguments: [
        ("plain", "plain"), ("Grüße aus 北京 🎧", "Grüße aus 北京 🎧"), ("  two\n lines\t", "two lines"),
        ("a  b", "a b"), ("AT&T & <more>", "AT&T & <more>"), ("bell\u{7}\u{1B}[31m", "bell[31m"),
        ("c1\u{9B}31m", "c131m"), ("rtl\u{202E}gpj.mp3", "rtlgpj.mp3"), ("iso\u{2066}late\u{2069}", "isolate"),
        ("zero\u{200B}width\u{FEFF}", "zerowidth"), ("line\u{2028}sep\u{A0}nbsp", "line sep nbsp"),
        ("👩\u{200D}🔬 joined", "👩\u{200D}🔬 joined"), ("tag\u{E0041}s", "tags"), ("\u{3000}wide\u{3000}", "wide"),
    ])
    func titlesAreOneLine(_ example: (title: String, stored: String)) throws {
        #expect(try stored(example.title) == example.stored)
    }

    @Test func aTitleThatIsTooLongIsCut() throws {
        let title = try stored(String(repeating: "ä", count: 100_000))
        #expect(title.utf8.count < 1_100)
        #expect(title.hasSuffix("ä…"))
    }
}
