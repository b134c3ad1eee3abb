import PodcastModel
import TestSupport
import Testing

struct RuleTests {
    private func rule(_ number: Int64, _ text: String, feed: FeedID? = nil) throws -> EpisodeRule {
        EpisodeRule(id: RuleID(number), feed: feed, text: try RuleText(parsing: text))
    }

    @Test func theFirstMatchingRuleDecides() throws {
        let rules = [
            try rule(4, "title:special then keep"), try rule(2, "title:talk then skip", feed: FeedID(8)),
            try rule(3, "not shorter:1h then skip"), try rule(9, "title:talk weekday:wed then queue"),
            try rule(1, "then played"),
        ]
        let decision = RuleDecision(rules, for: episode(), at: noon)
        expectEqual(decision.rule?.id, RuleID(9))
        expectEqual(decision.passed.map(\.rule.id), [RuleID(4), RuleID(3)])
        expectEqual(decision.reason, "rule 9: title:\"talk\", weekday:wed")
        expectEqual(RuleDecision(rules, for: episode("A special talk"), at: noon).action, .keep)
        expectEqual(RuleDecision(rules, for: episode("Else"), at: noon).reason, "rule 1: matches every episode")
        let none = RuleDecision(Array(rules[..<3]), for: episode(), at: noon)
        expectEqual(none.rule, nil)
        expectEqual(none.reason, "no rule matches (4: not title:\"special\"; 3: shorter:1h)")
    }

    @Test func aRuleIsCoveredByOneWhoseConditionsAreAmongItsOwn() throws {
        let broad = try rule(1, "title:talk then queue")
        #expect(broad.covers(try rule(2, "longer:1h title:talk then skip")))
        #expect(broad.covers(try rule(2, "title:talk then skip", feed: FeedID(3))))
        #expect(try rule(1, "then keep").covers(broad))
        #expect(!broad.covers(try rule(2, "not title:talk longer:1h then skip")))
        #expect(!broad.covers(try rule(2, "longer:1h then skip")))
        #expect(try !rule(1, "title:talk then queue", feed: FeedID(3)).covers(broad))
        #expect(
            try !rule(1, "title:talk then queue", feed: FeedID(3)).covers(
                rule(2, "title:talk then skip", feed: FeedID(4))))
    }

    @Test func higherPriorityIsQueuedBeforeLower() {
        func index(_ place: RuleAction.Place, _ priority: Int, _ upcoming: [Int]) -> Int {
            let entries = upcoming.map { RuleAction.Upcoming(priority: $0, isOfRun: false) }
            return RuleAction.Queueing(place, priority: priority).index(among: entries, from: 3)
        }
        expectEqual(index(.end, 0, [0, 0]), 5)
        expectEqual(index(.end, 0, []), 3)
        expectEqual(index(.end, 5, [0, 0]), 3)
        expectEqual(index(.end, 5, [7, 5, 0]), 5)
        expectEqual(index(.end, -1, [0, -1, -2]), 5)
        expectEqual(index(.end, 0, [0, -1]), 4)
        expectEqual(index(.next, 0, [0, 0]), 3)
        expectEqual(index(.next, 0, [5, 0]), 4)
    }

    @Test func nextQueuesBehindEntriesOfTheSameRun() {
        let upcoming = [(5, true), (0, true), (0, true), (0, false)].map {
            RuleAction.Upcoming(priority: $0, isOfRun: $1)
        }
        func index(_ priority: Int) -> Int {
            RuleAction.Queueing(.next, priority: priority).index(among: upcoming, from: 0)
        }
        expectEqual([7, 5, 3, 0, -1].map(index), [0, 1, 1, 3, 4])
    }
}
