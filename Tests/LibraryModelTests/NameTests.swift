@testable import Library
import PodcastModel
import Testing
import TestSupport

@Suite struct NameTests {
    private static func episodes(_ first: Int64, _ last: Int64) -> Name {
        .episodes(EpisodeID(first)...EpisodeID(last))
    }

    private static func feeds(_ first: Int64, _ last: Int64) -> Name { .feeds(FeedID(first)...FeedID(last)) }

    static let table: [(word: String, number: NamedKind, name: Name)] = [
        ("e3124", .feed, episodes(3124, 3124)), ("f5", .episode, feeds(5, 5)), ("#7", .episode, .entries(7...7)),
        ("7", .entry, .entries(7...7)), ("7", .episode, episodes(7, 7)), ("7", .feed, feeds(7, 7)),
        ("e10-e20", .entry, episodes(10, 20)), ("e10-20", .entry, episodes(10, 20)), ("#2-#4", .feed, .entries(2...4)),
        ("#2-4", .feed, .entries(2...4)), ("e20-e10", .episode, .reversedRange), ("#4-2", .feed, .reversedRange),
        ("24-7", .entry, .text("24-7")), ("2-4", .entry, .entries(2...4)), ("2-4", .episode, episodes(2, 4)),
        ("f1-f3", .episode, feeds(1, 3)), ("e5-f9", .episode, .text("e5-f9")), ("20-10", .episode, .text("20-10")),
        ("2024-05-01", .episode, .text("2024-05-01")), ("E4", .episode, .text("E4")), ("e", .episode, .text("e")),
        ("#", .entry, .text("#")), ("-3", .entry, .entries(0...0)), ("+12", .episode, episodes(0, 0)),
        ("-3-", .entry, .text("-3-")), ("3.", .entry, .text("3.")), ("", .entry, .text("")),
        ("99999999999999999999", .episode, episodes(.max, .max)), ("١٢", .episode, .text("١٢")),
        ("https://host/7", .episode, .url("https://host/7")), ("playlist:new", .episode, .playlist("new")),
        ("filter:is:starred", .feed, .filter("is:starred")), ("Echo 7", .episode, .text("Echo 7")),
        ("e12 Pilot", .episode, .text("e12 Pilot")),
    ]

    @Test(arguments: table) func aWordIsAnIdARangeAURLOrAText(word: String, number: NamedKind, name: Name) {
        expectEqual(Name(word, number: number), name)
    }

    @Test func lettersAreFoldedAsInTheSearchAndSpacesAreOne() {
        expectEqual(FoldedText.folded("  Über  DEN Fluß\tnach Kraków "), "uber den fluss nach krakow")
        expectEqual(FoldedText.folded("e\u{301} ệ ẞ ø й"), "e e ss o и")
        expectEqual(FoldedText.words("q&a: foo-bar 2"), ["q", "a", "foo", "bar", "2"])
    }
}

@Suite struct TitleResolverTests {
    /// `fN` is a feed, `eN` an episode that was published at N.
    private static func candidates(_ titles: [(label: String, title: String)]) -> [NamedCandidate] {
        titles.map { label, title in
            let number = Int64(label.dropFirst()) ?? 0
            return label.first == "f"
                ? NamedCandidate(.feed(FeedID(number)), title: title)
                : NamedCandidate(
                    .episode(EpisodeID(number)), title: title, published: Timestamp(seconds: number))
        }
    }

    private static let library = [
        ("f1", "News"), ("f2", "Evening News"), ("f3", "Die große Straße"), ("f4", "Twice"), ("f5", "Twice"),
        ("e1", "News"), ("e2", "Episode 2"), ("e3", "Episode 20"), ("e4", "Episode 2: Return"), ("e5", "Introduction"),
        ("e6", "Introduction"), ("e7", "The Grand Tour"), ("e8", "Grand finale"), ("e9", "第十二回東京散歩"),
        ("e10", "Évasion à Kraków"), ("e11", "???"), ("e12", "Lamplighters"),
    ]

    static let table: [(text: String, found: [String], isExact: Bool)] = [
        // An exact title of a feed, then of an episode.
        ("news", ["f1"], true), ("EVENING  news", ["f2"], true), ("twice", ["f4", "f5"], true),
        ("introduction", ["e6", "e5"], true), ("episode 2", ["e2"], true), ("die grosse strasse", ["f3"], true),
        // All words, in any order; whole words go before beginnings, and these before parts.
        ("tour grand", ["e7"], false), ("grand", ["e8", "e7"], false), ("2 return", ["e4"], false),
        ("strasse", ["f3"], false), ("evasion krakow", ["e10"], false), ("episode 20", ["e3"], true),
        ("eve", ["f2"], false), ("fin", ["e8"], false), ("plight", ["e12"], false), ("東京", ["e9"], false),
        ("episode", ["e4", "e3", "e2"], false), ("?", ["e11"], false),
        ("nothing", [], false), ("grand nothing", [], false), ("", [], false), ("  ", [], false),
    ]

    @Test(arguments: table) func aTextNamesATitle(text: String, found: [String], isExact: Bool) {
        let expected = Self.candidates(Self.library.filter { found.contains($0.0) })
        let resolution = TitleResolver(text).resolve(Self.candidates(Self.library))
        switch found.count {
        case 0: expectEqual(resolution, .none)
        case 1: expectEqual(resolution, .one(expected[0], isExact: isExact))
        default:
            guard case .several(let several) = resolution else {
                Issue.record("\(resolution)")
                return
            }
            expectEqual(several.map(\.label), found)
        }
    }

    @Test func atMostTenAreShownFeedsFirstThenTheLatest() {
        let many = (1...30).map { ("e\($0)", "Talk \($0)") } + [("f9", "Talk of the town")]
        guard case .several(let several) = TitleResolver("talk").resolve(Self.candidates(many)) else {
            Issue.record("not several")
            return
        }
        expectEqual(several.map(\.label), ["f9"] + (22...30).reversed().map { "e\($0)" })
    }

    @Test func aLongTitleIsShortened() {
        let long = NamedCandidate(.feed(FeedID(1)), title: String(repeating: "long ", count: 40))
        expectEqual(long.shortened.title.count, 60)
        #expect(long.shortened.title.hasSuffix("…"))
    }
}
