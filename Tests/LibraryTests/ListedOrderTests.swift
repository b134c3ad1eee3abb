import Library
import PodcastModel
import Testing
import TestSupport

/// `docs/FEEDS.md`, "The order of episodes".
struct ListedOrderTests {
    private static let evening = day0.adding(seconds: 68_400)

    /// An item of one evening, unless it has another date.
    private func part(_ title: String, _ date: Timestamp? = evening, change: (inout Item) -> Void = { _ in }) -> Item {
        item(1) {
            ($0.guid, $0.title, $0.published) = (title, title, date)
            $0.enclosures[0].url = "https://cdn.example/\(title.filter { $0.isLetter || $0.isNumber }).mp3"
            change(&$0)
        }
    }

    /// Titles, earliest first, after a document or several.
    private func titles(_ documents: [Item]...) throws -> [String] {
        let feed = try MergedFeed(documents[0])
        for document in documents.dropFirst() { _ = try feed.merge(document) }
        try expectEqual(feed.store.all().map(\.title), feed.titles().reversed())
        return try feed.titles()
    }

    @Test(arguments: [[4, 3, 2, 1], [1, 2, 3, 4]])
    func partsPublishedAtOnceFollowTheirNumbers(listed: [Int]) throws {
        let parts = listed.map { part("In zweiter Instanz (Folge \($0)/4)") }
        try expectEqual(titles(parts), (1...4).map { "In zweiter Instanz (Folge \($0)/4)" })
        let undated = listed.map { part("Teil \($0): Der Mord", nil) }
        try expectEqual(titles(undated), (1...4).map { "Teil \($0): Der Mord" })
    }

    @Test func withoutNumbersEqualDatesFollowTheDirectionOfTheOthers() throws {
        let (old, new) = (part("old", day0), part("new", day0.adding(days: 1)))
        try expectEqual(titles([new, part("b"), part("a"), old]), ["old", "a", "b", "new"])
        try expectEqual(titles([old, part("a"), part("b"), new]), ["old", "a", "b", "new"])
        try expectEqual(titles([part("b"), part("a")]), ["a", "b"])
    }

    @Test func numbersOfPartsWinOverTheDirectionOfTheFeed() throws {
        let parts = (1...3).map { part("#\($0 + 8) of it") }
        try expectEqual(
            titles([part("new", day0.adding(days: 1))] + parts + [part("old", day0)]),
            ["old", "#9 of it", "#10 of it", "#11 of it", "new"])
    }

    @Test func seasonAndNumberOrderEqualDatesAndLeaveTrailersAndBonusWhereTheyAre() throws {
        func numbered(_ title: String, _ season: Int?, _ number: Int?) -> Item {
            part(title) { ($0.facts.season, $0.facts.number) = (season, number) }
        }
        let mixed = [numbered("b", nil, 2), numbered("d", nil, 4), numbered("a", nil, 1), numbered("c", nil, 3)]
        try expectEqual(titles(mixed), ["a", "b", "c", "d"])
        let seasons = [
            numbered("bonus", 2, nil), numbered("2-1", 2, 1), numbered("1-2", 1, 2), numbered("1-1", 1, 1),
            numbered("trailer", 1, nil),
        ]
        try expectEqual(titles(seasons), ["trailer", "1-1", "1-2", "2-1", "bonus"])
        try expectEqual(titles(seasons.reversed()), ["trailer", "1-1", "1-2", "2-1", "bonus"])
    }

    @Test func datesWinOverNumbers() throws {
        let late = part("first", day0.adding(days: 1)) { $0.facts.number = 1 }
        try expectEqual(titles([late, part("second") { $0.facts.number = 2 }]), ["second", "first"])
    }

    @Test func partsOfALaterRefreshFollowTheFirstOnes() throws {
        let (one, two, three, four) = (part("one"), part("two"), part("three"), part("four"))
        try expectEqual(titles([two, one], [four, three, two, one]), ["one", "two", "three", "four"])
        // The feed has dropped the first ones meanwhile.
        try expectEqual(titles([two, one], [four, three]), ["one", "two", "three", "four"])
        try expectEqual(titles([two, one], [four, three, two]), ["one", "two", "three", "four"])
        try expectEqual(
            titles([three, two, one], [four, three, one], [four, three, two, one]), ["one", "two", "three", "four"])
    }

    @Test func anAudiobookWithoutDatesBeginsWithItsFirstChapter() throws {
        let chapters = ["Prologue"] + (1...12).map { "Chapter \($0)" } + ["Epilogue"]
        try expectEqual(titles(chapters.map { part($0, nil) }), chapters)
        try expectEqual(titles(chapters.reversed().map { part($0, nil) }), chapters)
    }

    @Test func withoutDatesAndNumbersTheFirstIsTheNewest() throws {
        try expectEqual(titles(["c", "b", "a"].map { part($0, nil) }), ["a", "b", "c"])
        try expectEqual(
            titles(["c", "b", "a"].map { part($0, nil) }, ["e", "d", "c", "b"].map { part($0, nil) }),
            ["a", "b", "c", "d", "e"])
    }

    @Test func whereNewEpisodesAppearTellsTheDirection() throws {
        let documents = [["a", "b", "c"], ["a", "b", "c", "d"], ["a", "b", "c", "d", "e"]].map {
            $0.map { part($0, nil) }
        }
        try expectEqual(titles(documents[0]), ["c", "b", "a"])
        try expectEqual(titles(documents[0], documents[1], documents[2]), ["a", "b", "c", "d", "e"])
    }

    @Test func anUndatedItemIsAsOldAsItsNeighborOrElseNew() throws {
        let (old, new) = (part("old", day0), part("new", day0.adding(days: 1)))
        let first = [part("newest", nil), new, part("between", nil), old, part("oldest", nil)]
        try expectEqual(titles(first), ["oldest", "old", "between", "new", "newest"])
        try expectEqual(titles(first, first), ["oldest", "old", "between", "new", "newest"])
        try expectEqual(titles([new, old], [new, part("late", nil), old]), ["old", "new", "late"])
    }

    @Test func aRepeatedMergeMovesNothing() throws {
        for parts in [["b", "a"], ["1", "2", "3"]] {
            let feed = try MergedFeed(parts.map { part($0, nil) } + parts.map { part("dated \($0)") })
            try expectEqual(feed.merge(parts.map { part($0, nil) } + parts.map { part("dated \($0)") }), MergeResult())
        }
    }

    @Test func moreEpisodesOfOneSecondThanItHasMillisecondsKeepTheirOrder() throws {
        for date in [Self.evening, nil] {
            let chapters = (1...1_200).map { part("Verse \($0)", date) }
            try expectEqual(titles(chapters, chapters), (1...1_200).map { "Verse \($0)" })
        }
    }

    @Test func equalDatesAreShownEqual() throws {
        let feed = try MergedFeed([part("b"), part("a")])
        try expectEqual(Set(feed.store.all().map(\.published.description)), [Self.evening.description])
    }

    // MARK: Dates in the future

    @Test func anEpisodeOfTheFutureIsAsNewAsItsArrival() throws {
        let future = part("future", Timestamp(year: 2090, month: 1, day: 1))
        let feed = try MergedFeed([future, part("old", day0.adding(days: -1))])
        _ = try feed.merge([future, part("new", day0.adding(days: 1)), part("old", day0.adding(days: -1))])
        try expectEqual(feed.titles(), ["old", "future", "new"])
        // It is corrected.
        _ = try feed.merge([part("future", day0.adding(days: 2)), part("old", day0.adding(days: -1))])
        try expectEqual(feed.titles(), ["old", "new", "future"])
    }

    @Test func aWrongClockDoesNotMakeAllDatesWrong() throws {
        let (one, two) = (part("one", day0.adding(days: 900)), part("two", day0.adding(days: 901)))
        let feed = try MergedFeed([one, two])
        try expectEqual(feed.store.all().map(\.published), [day0.adding(days: 901), day0.adding(days: 900)])
    }

    @Test func afterAFirstRefreshWithAWrongClockOnlyTheNewestEpisodeIsNew() throws {
        let listed = (0..<3).map { part("\($0)", day0.adding(days: Int64($0))) }
        let store = try TemporaryLibrary().open()
        let unset = Timestamp(seconds: 60)
        let feed = try store.feeds.addFeed(url: "https://feeds.example/show", title: nil, at: unset)
        _ = try store.refreshes.merge(document(listed, title: "show"), into: feed, fetched(at: unset))
        try expectEqual(store.all(.new(of: feed)).map(\.title), ["2"])
        let later = document([part("3", day0.adding(days: 3))] + listed, title: "show")
        _ = try store.refreshes.merge(later, into: feed, fetched(at: day0.adding(days: 4)))
        try expectEqual(store.all(.new(of: feed)).map(\.title), ["3", "2"])
    }

    // MARK: New episodes

    @Test func episodesWithoutDatesAreNewFromTheirArrivalOn() throws {
        let feed = try MergedFeed(["c", "b", "a"].map { part($0, nil) })
        func new() throws -> [String] { try feed.store.all(.new(of: feed.feed)).map(\.title) }
        try expectEqual(new(), ["c"])
        _ = try feed.store.refreshes.merge(
            document(["e", "d", "c", "b", "a"].map { part($0, nil) }, title: "show"), into: feed.feed, fetched())
        try expectEqual(new(), ["e", "d", "c"])
        try expectEqual(feed.store.episodes.count(.new(of: feed.feed), upTo: 10), .exactly(3))
    }
}
