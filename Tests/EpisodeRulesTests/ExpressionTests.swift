import EpisodeRules
import PodcastModel
import Testing

struct ExpressionTests {
    @Test(arguments: [
        ("title:talk", true), ("title:TALK", true), ("title:walk", false), ("title:\"a t*k\"", true),
        ("title:^talk", false), ("title:^a", true), ("title:lk$", true), ("title:tal$", false),
        ("title:\"^A talk$\"", true), ("title:^A*alk$", true), ("title:walk,talk", true), ("not title:talk", false),
        ("longer:29m", true), ("longer:30m", false), ("shorter:31m", true), ("shorter:0:30:00", false),
        ("older:12h", true), ("older:2d", false), ("newer:2d", true), ("newer:1h", false),
        ("weekday:wed", true), ("weekday:mon,Wednesday", true), ("weekday:sun", false),
        ("season:2", true), ("season:1,3", false), ("season:1..3", true), ("season:3..9", false),
        ("type:full", true), ("type:trailer,bonus", false),
        ("feed:7", true), ("feed:8,9", false), ("not feed:8", true),
        ("is:new", true), ("is:played", false), ("is:in-progress,new", true), ("is:unplayed", true),
        ("is:starred", false), ("title:talk longer:40m", false), ("", true),
    ])
    func conditionsHoldOrDoNot(filter: String, isAccepted: Bool) throws {
        #expect(try accepts(filter, episode()) == isAccepted, "\(filter)")
    }

    @Test func whatIsNotKnownIsNeitherLongNorShort() throws {
        let unknown = episode { ($0.announcedDuration, $0.season) = (nil, nil) }
        #expect(try !accepts("longer:1m", unknown))
        #expect(try !accepts("shorter:9h", unknown))
        #expect(try !accepts("season:0..99", unknown))
        #expect(try accepts("not longer:1m", unknown))
    }

    @Test func whatWasSetAsideIsNeitherNewNorUnplayed() throws {
        let skipped = episode { $0.state.setAside = .skipped }
        #expect(try !accepts("is:new", skipped))
        #expect(try !accepts("is:unplayed", skipped))
        #expect(try accepts("is:skipped", skipped))
        #expect(try !accepts("is:archived", skipped))
        #expect(try EpisodeExpression(parsing: "is:skipped,new").asksForSetAside)
        #expect(try !EpisodeExpression(parsing: "not is:skipped").asksForSetAside)
    }

    @Test(arguments: [
        "title:\"best of\",\"say \\\"hi\\\"\"", "not title:\"x\" longer:10:00 shorter:1:00:00",
        "older:30d newer:1y weekday:mon,tue season:1,3..5 type:trailer is:new,in-progress", "feed:3,\"A show, really\"",
        "is:new \"two words\" \"back\\\\slash\"", "",
    ])
    func whatIsWrittenIsReadAgain(text: String) throws {
        let expression = try EpisodeExpression(parsing: text)
        #expect(expression.description == text)
        #expect(try EpisodeExpression(parsing: expression.description) == expression)
    }

    @Test func whatStandsWithoutAColonIsLookedForInTheNotes() throws {
        let expression = try EpisodeExpression(parsing: "linux \"the kernel\" is:new \"not\"")
        #expect(expression.words == ["linux", "the kernel", "not"])
        #expect(expression.terms.count == 1)
    }

    @Test(arguments: [
        ("titel:x", 1, "there is no condition 'titel'"), ("is:new title:", 14, "title: has no value here"),
        ("longer:soon", 1, "longer: that is no duration in whole seconds"),
        ("longer:1m,2m", 1, "longer: takes one value"), ("older:30", 1, "older: that is no age"),
        ("older:101y", 1, "older: that is no age"), ("weekday:mo", 1, "weekday: that is no day of the week"),
        ("season:3..1", 1, "season: that is no season"), ("is:new,old", 1, "is: that is no state of an episode"),
        ("title:\"open", 7, "this quote is not closed"), ("title:\"a\"b", 10, "something follows the closing quote"),
        ("is:new not", 8, "'not' stands before no condition"), ("a\u{1B}[2Jb", 2, "a control character stands here"),
        ("title:***", 1, "title: that is no pattern"), ("\"\"", 1, "these quotes are empty"),
    ])
    func whatIsWrongIsToldWithItsPlace(text: String, column: Int, what: String) {
        let error = #expect(throws: ExpressionError.self) { try EpisodeExpression(parsing: text) }
        #expect(error?.column == column)
        #expect(error?.what == what)
        #expect(error?.hint.isEmpty == false)
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

    @Test func noPatternTakesLongForATitle() throws {
        let pattern = try #require(TitlePattern(String(repeating: "a*", count: 99) + "b"))
        let title = String(repeating: "a", count: 100_000)
        var isFitting = true
        let time = ContinuousClock().measure { isFitting = pattern.fits(title) }
        #expect(!isFitting)
        #expect(time < .seconds(2))
    }

    @Test func feedsAreLookedUpByTheirNames() throws {
        let found = try EpisodeExpression(parsing: "feed:3,\"A show\" is:new").lookingUp { name in
            #expect(name == "A show")
            return FeedID(7)
        }
        #expect(found.description == "feed:3,7 is:new")
    }
}
