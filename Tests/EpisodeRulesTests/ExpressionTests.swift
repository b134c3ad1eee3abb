import PodcastModel
import TestSupport
import Testing

struct ExpressionTests {
    @Test func anUnknownDurationIsNeitherLongNorShort() throws {
        let unknown = episode { ($0.announcedDuration, $0.season) = (nil, nil) }
        #expect(try !accepts("longer:1m", unknown))
        #expect(try !accepts("shorter:9h", unknown))
        #expect(try !accepts("season:0..99", unknown))
        #expect(try accepts("not longer:1m", unknown))
    }

    @Test func aHiddenEpisodeIsNeitherNewNorUnplayed() throws {
        let skipped = episode { $0.state.hiddenReason = .skipped }
        #expect(try !accepts("is:new", skipped))
        #expect(try !accepts("is:unplayed", skipped))
        #expect(try accepts("is:skipped", skipped))
        #expect(try !accepts("is:archived", skipped))
        #expect(try EpisodeExpression(parsing: "is:skipped,new").asksForHidden)
        #expect(try !EpisodeExpression(parsing: "not is:skipped").asksForHidden)
    }

    @Test(arguments: [
        "title:\"best of\",\"say \\\"hi\\\"\"", "not title:\"x\" longer:10m shorter:1h30m", "longer:1:30",
        "older:30d newer:1y weekday:mon,tue season:1,3..5 type:trailer is:new,in-progress",
        "feed:f3,\"A show, really\"",
        "is:new \"two words\" \"back\\\\slash\"", "",
    ])
    func theCanonicalFormParsesToTheSameFilter(text: String) throws {
        let expression = try EpisodeExpression(parsing: text)
        expectEqual(expression.description, text)
        try expectEqual(EpisodeExpression(parsing: expression.description), expression)
    }

    @Test func wordsWithoutAColonAreSearchedInTheNotes() throws {
        let expression = try EpisodeExpression(parsing: "linux \"the kernel\" is:new \"not\"")
        expectEqual(expression.words, ["linux", "the kernel", "not"])
        expectEqual(expression.terms.count, 1)
    }

    @Test func thereAreBounds() {
        #expect(throws: ExpressionError.self) {
            try EpisodeExpression(parsing: String(repeating: "a", count: 2_001))
        }
        #expect(throws: ExpressionError.self) {
            try EpisodeExpression(parsing: String(repeating: "is:new ", count: 33))
        }
        #expect(throws: ExpressionError.self) {
            try EpisodeExpression(parsing: "season:" + Array(repeating: "1", count: 33).joined(separator: ","))
        }
        #expect(throws: ExpressionError.self) {
            try EpisodeExpression(parsing: "title:" + String(repeating: "x", count: 201))
        }
    }

    @Test(.timeLimit(.minutes(1))) func matchingAPatternDoesNotTryEveryDivisionOfATitle() throws {
        let pattern = try #require(TitlePattern(String(repeating: "a*", count: 99) + "b"))
        let title = String(repeating: "a", count: 100_000)
        #expect(!pattern.fits(title))
    }

    @Test func feedNamesAreResolved() throws {
        let found = try EpisodeExpression(parsing: "feed:3,\"A show\",\"f4\" is:new").lookingUp { name in
            // In quotes it is a title.
            expectContains(["A show", "f4"], name)
            return FeedID(name == "f4" ? 9 : 7)
        }
        expectEqual(found.description, "feed:f3,f7,f9 is:new")
    }
}
