@testable import Library
import PodcastModel
import TestSupport
import Testing

struct PortablePolicyTests {
    /// Two feeds, numbered the other way round in the second library.
    private func libraries() throws -> (LibraryStore, LibraryStore) {
        let (first, second) = (try TemporaryLibrary().open(), try TemporaryLibrary().open())
        for name in ["a", "b"] { _ = try first.addFeed(name) }
        for name in ["b", "a"] { _ = try second.addFeed(name) }
        return (first, second)
    }

    private func id(_ name: String, in store: LibraryStore) throws -> FeedID {
        try #require(try store.feeds.feed(url: "https://feeds.example/\(name)")).id
    }

    private func carry(_ first: LibraryStore, to second: LibraryStore) throws -> PolicyImportCounts {
        try second.imports.importPolicies(try first.imports.exportedPolicies { $0 })
    }

    @Test func rulesRetentionAndPlaylistsMeanTheSameFeedsElsewhere() throws {
        let (first, second) = try libraries()
        let (a, b) = (try id("a", in: first), try id("b", in: first))
        _ = try first.rules.addRule(try RuleText(parsing: "feed:\(a),\(b) not feed:\(b) then skip"), feed: nil)
        _ = try first.rules.addRule(try RuleText(parsing: "title:\"x\\\"y\" then next priority=2 download"), feed: b)
        try first.retention.setRetention(try RetentionPolicy(parsing: "newest:3"), of: nil)
        try first.retention.setRetention(try RetentionPolicy(parsing: "all"), of: a)
        try first.playlists.savePlaylist(
            Playlist(
                name: "Long", filter: try EpisodeExpression(parsing: "feed:\(a) longer:1h two words"),
                order: .oldestFirst))

        let taken = try carry(first, to: second)
        #expect(taken.added == [.rule: 2, .retention: 2, .playlist: 1])
        #expect(taken.known == 0 && taken.refused.isEmpty)
        let (there, other) = (try id("a", in: second), try id("b", in: second))
        try expectEqual(
            second.rules.rules().map(\.text.description),
            ["feed:f\(there),f\(other) not feed:f\(other) then skip", "title:\"x\\\"y\" then next download priority=2"])
        try expectEqual(second.rules.rules().map(\.feed), [nil, other])
        try expectEqual(second.retention.retention().map(\.policy.description), ["newest:3", "all"])
        try expectEqual(second.retention.retention().map(\.feed), [nil, there])
        let filters = try second.playlists.all().map(\.content.description)
        expectEqual(filters, ["order:oldest feed:f\(there) longer:1h \"two\" \"words\""])
        try expectEqual(second.imports.exportedPolicies { $0 }, first.imports.exportedPolicies { $0 })
    }

    @Test func takingTheSameInTwiceChangesNothing() throws {
        let (first, second) = try libraries()
        _ = try first.rules.addRule(try RuleText(parsing: "then keep"), feed: try id("a", in: first))
        try first.retention.setRetention(try RetentionPolicy(parsing: "for:3d"), of: nil)
        try first.playlists.savePlaylist(Playlist(name: "New", filter: try EpisodeExpression(parsing: "is:new")))
        _ = try carry(first, to: second)
        let before = try second.imports.exportedPolicies { $0 }
        let again = try carry(first, to: second)
        expectEqual(again.known, 3)
        try expectEqual(second.imports.exportedPolicies { $0 }, before)
    }

    @Test func whatWasDecidedHereStays() throws {
        let (first, second) = try libraries()
        _ = try second.rules.addRule(try RuleText(parsing: "then played"), feed: nil)
        try second.retention.setRetention(try RetentionPolicy(parsing: "newest:5"), of: nil)
        try second.playlists.savePlaylist(
            Playlist(name: "mine", filter: try EpisodeExpression(parsing: "is:starred")))
        _ = try first.rules.addRule(try RuleText(parsing: "then skip"), feed: nil)
        try first.retention.setRetention(try RetentionPolicy(parsing: "newest:1"), of: nil)
        try first.playlists.savePlaylist(Playlist(name: "Mine", filter: try EpisodeExpression(parsing: "is:new")))
        let taken = try carry(first, to: second)
        #expect(taken.added == [.rule: 1] && taken.known == 2)
        try expectEqual(second.rules.rules().map(\.text.description), ["then played", "then skip"])
        try expectEqual(second.retention.retention().map(\.policy.description), ["newest:5"])
        try expectEqual(second.playlists.all().map(\.content.description), ["is:starred"])
    }

    @Test func whatCannotBeUnderstoodIsToldAndTheRestTaken() throws {
        let (_, second) = try libraries()
        let taken = try second.imports.importPolicies(
            [
                .init(.rule, "then"), .init(.rule, "feed:\"https://gone.example/\" then skip"),
                .init(.rule, "then skip", of: "https://gone.example/"), .init(.rule, "then keep"),
                .init(.retention, "everything"), .init(.playlist, "", of: "a\u{1B}b"), .init(.playlist, "", of: "ok"),
            ])
        expectEqual(taken.refused.count, 5)
        #expect(taken.refused[1].hasSuffix("not subscribed to 'https://gone.example/'"))
        #expect(taken.added == [.rule: 1, .playlist: 1])
    }

    @Test func aRuleAboutAFeedThatIsGoneIsNotAboutAnother() throws {
        let (first, second) = try libraries()
        let a = try id("a", in: first)
        _ = try first.rules.addRule(try RuleText(parsing: "feed:\(a) then skip"), feed: nil)
        try first.feeds.removeFeed(a, at: day0)
        try expectEqual(carry(first, to: second).refused.count, 1)
        #expect(try second.rules.rules().isEmpty)
    }

    @Test func addressesAreWrittenAsTheyMayBeShown() throws {
        let (first, _) = try libraries()
        _ = try first.rules.addRule(try RuleText(parsing: "feed:\(try id("a", in: first)) then skip"), feed: nil)
        let policies = try first.imports.exportedPolicies { _ in "shown" }
        expectEqual(policies, [PortablePolicy(.rule, "feed:\"shown\" then skip")])
    }
}
