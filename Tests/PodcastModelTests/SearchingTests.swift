import PodcastModel
import TestSupport
import Testing

@Suite struct SearchingTests {
    @Test func aPartIsFoundAtItsFirstOccurrence() {
        expectEqual(Array("aaab".utf8).firstRange(of: Array("aab".utf8)), 1..<4)
        expectEqual(Array("aaab".utf8).firstRange(of: Array("ba".utf8)), nil)
        expectEqual([1, 2].firstRange(of: [1, 2, 3]), nil)
        expectEqual([1, 2].firstRange(of: [Int]()), 0..<0)
    }

    @Test func aTextContainsBytesOfAnotherText() {
        #expect("https://a.example".contains("://"))
        #expect(!"ümlaut".contains("uml"))
    }

    @Test func everyOccurrenceIsReplacedAndReplacementsAreNotSearched() {
        expectEqual("a&b&&".replacing("&", with: "&amp;"), "a&amp;b&amp;&amp;")
        expectEqual("none".replacing("x", with: "y"), "none")
        expectEqual("…ü".replacing("ü", with: ""), "…")
    }

    @Test func partsBetweenSeparatorsAreNotEmpty() {
        expectEqual("a\n\n\n\nb\n\n".split(separator: "\n\n").map(String.init), ["a", "b"])
        expectEqual("name: a: b".split(separator: ": ", maxSplits: 1).map(String.init), ["name", "a: b"])
        expectEqual("".split(separator: ": ").count, 0)
    }
}
