@testable import Library
import Foundation
import PodcastModel
import SQLite
import TestSupport
import Testing

/// Filters as people write them, asked of the library.
struct ExpressionViewTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore

    init() throws { (library, store) = try openLibrary() }

    @Test func whatAFeedHasDroppedIsFoundByItsState() throws {
        let feed = try store.addFeed(items: (1...4).map { item($0) })
        _ = try store.refreshes.merge(document([item(4), item(2)], title: "show"), into: feed, fetched())
        for (text, titles) in [
            ("is:gone", ["Episode 3", "Episode 1"]), ("not is:gone", ["Episode 4", "Episode 2"]),
            ("is:gone,starred title:1", ["Episode 1"]),
        ] {
            let filter = EpisodeFilter(try EpisodeExpression(parsing: text), at: day0)
            try expectEqual(store.all(filter).map(\.title), titles, "\(text)")
        }
    }

    @Test func aTagStandsForTheFeedsThatHaveItNow() throws {
        let news = try store.addFeed("news", items: [item(1)])
        let talk = try store.addFeed("talk", items: [item(2)])
        try store.imports.setTags(["News/World"], of: news)
        try store.imports.setTags(["Talk"], of: talk)
        func titles(_ text: String) throws -> [String] {
            let filter = EpisodeFilter(try EpisodeExpression(parsing: text), at: day0)
            let titles = try store.all(filter).map(\.title)
            try expectEqual(store.episodes.count(filter, upTo: 9), .exactly(titles.count), "\(text)")
            return titles
        }
        try expectEqual([titles("tag:news"), titles("tag:News/World")], [["Episode 1"], ["Episode 1"]])
        try expectEqual([titles("tag:new"), titles("tag:world")], [[], []])
        #expect(try titles("tag:news,talk").count == 2 && titles("not tag:news") == ["Episode 2"])
        try store.imports.setTags(["news"], of: talk)
        try expectEqual(titles("tag:news").count, 2)
        let rule = try store.rules.addRule(try RuleText(parsing: "tag:news then skip"), feed: nil)
        try expectEqual(
            store.rules.tryRules(feed: nil, at: day0, page: .first, limit: 9).trials.map(\.decision.rule?.id),
            [rule.id, rule.id])
    }

    private static let now = day0.adding(days: 400)

    /// A library with every mixture of what filters ask for.
    private static func mixedLibrary() throws -> (TemporaryLibrary, LibraryStore) {
        let (library, store) = try openLibrary()
        var random = SeededNumbers(state: 7)
        let titles = ["A talk on birds", "Best of birds", "Trailer", "Ünder the sea", "news 24"]
        for name in ["first", "second"] {
            _ = try store.addFeed(
                name,
                items: (0..<150).map { number in
                    item(number) { item in
                        item.guid = "\(name)-\(number)"
                        item.enclosures = [Enclosure(url: "https://cdn.example/\(name)/\(number).mp3")]
                        item.title = titles.randomElement(using: &random)
                        item.published = day0.adding(seconds: 43_200 + Int64(number) * 2 * 86_400)
                        item.duration = [nil, 600, 1800, 5400].randomElement(using: &random)!.map {
                            MediaTime(seconds: $0)
                        }
                        item.facts.season = [nil, 1, 2, 3].randomElement(using: &random)!
                        item.facts.type = [nil, "full", "trailer", "bonus"].randomElement(using: &random)!
                    }
                })
        }
        let connection = try library.connection()
        try connection.execute(
            """
            UPDATE episode SET visibility = 1 WHERE id % 11 = 0; UPDATE episode SET visibility = 2 WHERE id % 13 = 0;
            """)
        let ids = try store.all().map(\.id)
        try store.episodes.setPlayed(true, ids.filter { $0.rawValue % 4 == 0 }, at: now)
        try store.episodes.setStarred(true, ids.filter { $0.rawValue % 5 == 0 })
        try store.setDownloaded(ids.filter { $0.rawValue % 7 == 0 })
        for id in ids.filter({ $0.rawValue % 9 == 0 }) {
            try store.episodes.savePosition(MediaTime(seconds: 60), of: id, at: now, isDurable: false)
        }
        for id in ids.filter({ $0.rawValue % 10 == 0 }) { try store.episodes.setNote("a note", of: id) }
        return (library, store)
    }

    private static let terms = [
        "title:birds", "title:^best", "title:\"the*sea$\"", "not title:trailer", "title:ÜNDER", "feed:1", "feed:1,2",
        "not feed:2", "longer:20m", "shorter:20m", "not longer:20m", "older:300d", "newer:300d", "newer:1h",
        "weekday:mon,tue", "not weekday:sun", "season:1..2", "not season:3", "type:full", "type:trailer,bonus",
        "is:new", "is:in-progress", "is:played", "is:unplayed", "is:starred", "is:downloaded", "is:noted",
        "is:skipped", "is:archived", "is:new,skipped", "is:played,starred", "not is:played", "not is:starred",
        "is:skipped,archived", "not is:skipped",
    ]

    @Test func theLibraryAndTheExpressionAgree() throws {
        let (library, store) = try Self.mixedLibrary()
        defer { withExtendedLifetime(library) {} }
        var everything = EpisodeFilter()
        everything.includesHidden = true
        let all = try store.all(everything)
        expectEqual(all.count, 300)
        var random = SeededNumbers(state: 3)
        var filters = Self.terms
        for count in [2, 2, 3, 4] {
            filters += (0..<60).map { _ in
                (0..<count).map { _ in Self.terms.randomElement(using: &random)! }.joined(separator: " ")
            }
            filters += (0..<30).map { _ in
                func term() -> String { Self.terms.randomElement(using: &random)! }
                return
                    "\(term()) or \(term()) not (\(term()) or \(term())) or \(count < 3 ? "not " : "")(\(term()) \(term()))"
            }
        }
        for text in filters {
            let expression = try EpisodeExpression(parsing: text)
            let filter = EpisodeFilter(expression, at: Self.now)
            let expected = all.filter { episode in
                expression.accepts(episode, at: Self.now)
                    && (episode.state.hiddenReason == nil || expression.asksForHidden)
            }
            let found = try store.all(filter, pageSize: 7)
            expectEqual(found.map(\.id), expected.map(\.id), "\(text)")
            try expectEqual(store.all(filter, order: .oldestFirst).map(\.id), expected.map(\.id).reversed(), "\(text)")
            try expectEqual(store.episodes.count(filter, upTo: 1000), .exactly(expected.count), "\(text)")
            try expectEqual(store.episodes.matching(filter, among: all.map(\.id)), expected.map(\.id), "\(text)")
            let last = try store.episodes.page(filter, order: .newestFirst, at: .last, limit: 5)
            expectEqual(last.episodes.map(\.id), expected.suffix(5).map(\.id), "\(text)")
        }
    }

    @Test func wordsAndConditionsHoldTogether() throws {
        let (library, store) = try Self.mixedLibrary()
        defer { withExtendedLifetime(library) {} }
        let found = try store.all(EpisodeFilter(EpisodeExpression(parsing: "birds is:played longer:20m"), at: Self.now))
        #expect(!found.isEmpty)
        #expect(
            found.allSatisfy {
                $0.title.contains("birds") && $0.state.isPlayed && $0.duration! > MediaTime(seconds: 1200)
            })
    }

    @Test func aPageOfARareFilterEndsBeforeItTakesLong() throws {
        _ = try store.addFeed(
            items: (0..<7_000).map { number in item(number) { if number == 10 { $0.title = "needle" } } })
        let filter = EpisodeFilter(try EpisodeExpression(parsing: "title:needle"), at: Self.now)
        try expectEqual(store.episodes.count(filter, upTo: 100), .exactly(1))
        var page = try store.episodes.page(filter, order: .newestFirst, at: .first, limit: 10)
        var rounds = 1
        while page.episodes.isEmpty, let next = page.resumption {
            #expect(page.hasAfter)
            page = try store.episodes.page(filter, order: .newestFirst, at: .after(next), limit: 10)
            rounds += 1
        }
        expectEqual(page.episodes.map(\.title), ["needle"])
        expectEqual(rounds, 7)
        #expect(!page.hasAfter)
        let back = try store.episodes.page(filter, order: .newestFirst, at: .last, limit: 10)
        expectEqual(back.episodes.map(\.title), ["needle"])
        #expect(back.hasBefore)
    }

    @Test func simpleFiltersUseTheCounters() throws {
        let expression = try EpisodeExpression(parsing: "is:in-progress feed:3")
        let filter = EpisodeFilter(expression, at: Self.now)
        expectEqual(filter, EpisodeFilter(feed: FeedID(3), isInProgress: true))
        let twice = EpisodeFilter(try EpisodeExpression(parsing: "is:unplayed is:played"), at: Self.now)
        expectEqual(twice.expression?.terms.count, 1)
    }

    @Test func aFilterNamesItsMissingFeedsByTheirTitlesUntilTheyAreDeleted() throws {
        let (news, talk) = (try store.addFeed("a", title: "News"), try store.addFeed("b", title: "Talk"))
        let filter = try PlaylistContent(parsing: "feed:\(news),\(talk) order:any not feed:\(news),99")
        try expectEqual(store.playlists.missingFeeds(in: filter), [MissingFeed(id: FeedID(99), title: nil)])
        let missing = [MissingFeed(id: news, title: "News"), MissingFeed(id: FeedID(99), title: nil)]
        try store.feeds.removeFeed(news, at: day0)
        try expectEqual(store.playlists.missingFeeds(in: filter), missing)
        try store.feeds.deleteFeed(talk)
        _ = try store.feeds.deleteRemoved(before: day0.adding(days: 2))
        while try store.performMaintenance() {}
        try expectEqual(library.number("SELECT count(*) FROM feed WHERE kind = 2 AND url IS NULL"), 0)
        try expectEqual(
            store.playlists.missingFeeds(in: filter),
            [MissingFeed(id: news, title: nil), MissingFeed(id: talk, title: nil), missing[1]])
    }

    @Test func playlistsAreSavedByName() throws {
        let long = Playlist(name: "Long ones", filter: try EpisodeExpression(parsing: "longer:1h is:unplayed"))
        try store.playlists.savePlaylist(long)
        try store.playlists.savePlaylist(
            Playlist(name: "Birds", filter: try EpisodeExpression(parsing: "birds"), order: .oldestFirst))
        try expectEqual(store.playlists.all().map(\.name), ["Birds", "Long ones"])
        try expectEqual(store.playlists.playlist(named: "LONG ONES"), long)
        var shorter = long
        shorter.content = try PlaylistContent(parsing: "longer:30m")
        shorter.name = "long Ones"
        try store.playlists.savePlaylist(shorter)
        try expectEqual(store.playlists.all().map(\.name), ["Birds", "long Ones"])
        try store.playlists.removePlaylist(named: "birds")
        #expect(throws: LibraryError.notFound("playlist birds")) { try store.playlists.removePlaylist(named: "birds") }
        try expectEqual(library.open().playlists.all(), [shorter])
    }

    @Test(arguments: [("ΝΈΑ", "νεα"), ("Новое", "НОВОЕ"), ("Hörspiel", "horspiel")])
    func namesOfPlaylistsAreFoldedLikeTitles(name: String, other: String) throws {
        var playlist = Playlist(name: name, filter: try EpisodeExpression(parsing: "birds"))
        try store.playlists.savePlaylist(playlist)
        try expectEqual(store.playlists.playlist(named: other), playlist)
        playlist.name = other
        try store.playlists.savePlaylist(playlist)
        try expectEqual(store.playlists.all(), [playlist])
        try store.playlists.removePlaylist(named: name)
        try expectEqual(store.playlists.all(), [])
    }
}
