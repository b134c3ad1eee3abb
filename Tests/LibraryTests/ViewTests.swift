@testable import Library
import PodcastModel
import SQLite
import TestSupport
import Testing

struct ViewTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore
    /// Everything, as the model that views are held against.
    private let everything: [Episode]

    /// Three feeds whose dates interleave and repeat, in all kinds of states.
    init() throws {
        (library, store) = try openLibrary()
        var random = SeededNumbers(state: 42)
        for name in ["a", "b", "c"] {
            _ = try store.addFeed(
                name,
                items: (1...40).map { number in
                    item(number) {
                        $0.title = "\(name) \(number)"
                        $0.published = day0.adding(days: Int64.random(in: 0..<25, using: &random))
                        $0.enclosures[0].url = "https://cdn.example/\(name)/\(number).mp3"
                    }
                })
        }
        for episode in try store.all() {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try store.episodes.setPlayed(true, [episode.id], at: day0)
            case 1: try store.episodes.savePosition(MediaTime(seconds: 9), of: episode.id, at: day0, isDurable: false)
            default: break
            }
            if Int.random(in: 0..<3, using: &random) == 0 { try store.episodes.setStarred(true, [episode.id]) }
            if Int.random(in: 0..<5, using: &random) == 0 { try store.setDownloaded([episode.id]) }
        }
        everything = try store.episodes.episodes((1...120).map { EpisodeID($0) }).sorted {
            ($0.published, $0.id) > ($1.published, $1.id)
        }
    }

    @Test(arguments: [
        EpisodeFilter(), EpisodeFilter(isInProgress: true), EpisodeFilter(feed: FeedID(2), isInProgress: true),
        EpisodeFilter(isPlayed: true), EpisodeFilter(isStarred: true, isInProgress: true),
    ])
    func sortsByTheTimeOfHearing(filter: EpisodeFilter) throws {
        var random = SeededNumbers(state: 7)
        for episode in everything where Int.random(in: 0..<3, using: &random) == 0 {
            let time = day0.adding(seconds: Int64.random(in: 0..<20, using: &random))
            try store.episodes.savePosition(MediaTime(seconds: 40), of: episode.id, at: time, isDurable: false)
        }
        // Imported positions may have no time.
        try store.write(.relaxed) {
            try store.connection.run("INSERT OR IGNORE INTO playback(episode, position) VALUES (3, 40000), (50, 50000)")
        }
        let expected = try store.episodes.episodes(everything.map(\.id)).filter { episode in
            filter.accepts(episode) && (episode.state.lastPlayed != nil || filter.isInProgress == true)
        }.sorted { heardKey($0) > heardKey($1) }
        #expect(expected.count > 3)
        var found: [Episode] = []
        var page = try store.episodes.page(filter, order: .lastHeardFirst, at: .first, limit: 4)
        found += page.episodes
        while page.hasAfter, let last = page.episodes.last {
            let key = EpisodeKey(of: last, .lastHeardFirst)
            page = try store.episodes.page(filter, order: .lastHeardFirst, at: .after(key), limit: 4)
            found += page.episodes
        }
        expectEqual(found.map(\.id), expected.map(\.id))
        let middle = EpisodeKey(of: found[3], .lastHeardFirst)
        let before = try store.episodes.page(filter, order: .lastHeardFirst, at: .before(middle), limit: 2)
        expectEqual(before.episodes.map(\.id), expected[1...2].map(\.id))
        let end = try store.episodes.page(filter, order: .lastHeardFirst, at: .last, limit: 3)
        expectEqual(end.episodes.map(\.id), expected.suffix(3).map(\.id))
        var narrowed = filter
        narrowed.expression = try EpisodeExpression(parsing: "not title:\"a 1\"")
        let rest = try store.episodes.page(narrowed, order: .lastHeardFirst, at: .first, limit: 100)
        expectEqual(rest.episodes.map(\.id), expected.filter { !$0.title.hasPrefix("a 1") }.map(\.id))
    }

    private func heardKey(_ episode: Episode) -> (Timestamp, EpisodeID) {
        (episode.state.lastPlayed ?? Timestamp(milliseconds: 0), episode.id)
    }

    private static let tristate: [Bool?] = [nil, true, false]

    private static let filters: [EpisodeFilter] = [nil, FeedID(2)].flatMap { feed in
        tristate.flatMap { played in
            tristate.flatMap { starred in
                tristate.flatMap { progress in
                    tristate.map { downloaded in
                        EpisodeFilter(
                            feed: feed, isPlayed: played, isStarred: starred, isInProgress: progress,
                            isDownloaded: downloaded)
                    }
                }
            }
        }
    }

    @Test func everyFilterShowsWhatFitsInOrder() throws {
        expectEqual(everything.count, 120)
        for filter in Self.filters {
            let expected = everything.filter(filter.accepts)
            try expectEqual(store.all(filter, pageSize: 7), expected, "\(filter)")
            try expectEqual(store.all(filter, order: .oldestFirst, pageSize: 1000), expected.reversed(), "\(filter)")
            try expectEqual(store.episodes.count(filter, upTo: 1000), .exactly(expected.count), "\(filter)")
        }
    }

    @Test func pagesBackwardsAreThePagesForwards() throws {
        for filter in [
            EpisodeFilter(), EpisodeFilter(isPlayed: false), EpisodeFilter(feed: FeedID(1), isStarred: true),
        ] {
            for order in [EpisodeOrder.newestFirst, .oldestFirst] {
                let expected = try store.all(filter, order: order)
                var page = try store.episodes.page(filter, order: order, at: .last, limit: 7)
                #expect(!page.hasAfter)
                var gathered = page.episodes
                while page.hasBefore, let first = page.episodes.first {
                    page = try store.episodes.page(filter, order: order, at: .before(first.key), limit: 7)
                    #expect(page.hasAfter)
                    gathered = page.episodes + gathered
                }
                expectEqual(gathered, expected)
            }
        }
    }

    @Test func aPageKnowsWhatLiesAroundIt() throws {
        let first = try store.episodes.page(EpisodeFilter(), order: .newestFirst, at: .first, limit: 120)
        #expect((first.hasBefore, first.hasAfter) == (false, false))
        let middle = try store.episodes.page(
            EpisodeFilter(), order: .newestFirst, at: .after(everything[9].key), limit: 10)
        expectEqual(middle.episodes, Array(everything[10..<20]))
        #expect((middle.hasBefore, middle.hasAfter) == (true, true))
        let end = try store.episodes.page(
            EpisodeFilter(), order: .newestFirst, at: .after(everything[119].key), limit: 10)
        #expect((end.episodes, end.hasBefore, end.hasAfter) == ([], true, false))
    }

    @Test func aKeyStaysRightWhenItsRowLeavesTheView() throws {
        let unplayed = EpisodeFilter(isPlayed: false)
        let rows = try store.all(unplayed)
        try store.episodes.setPlayed(true, [rows[4].id], at: day0)
        let page = try store.episodes.page(unplayed, order: .newestFirst, at: .after(rows[4].key), limit: 3)
        expectEqual(page.episodes.map(\.id), rows[5...7].map(\.id))
    }

    @Test func limitsAreBroughtIntoTheirRange() throws {
        try expectEqual(
            store.episodes.page(EpisodeFilter(), order: .newestFirst, at: .first, limit: 0).episodes.count, 1)
        try expectEqual(
            store.episodes.page(EpisodeFilter(), order: .newestFirst, at: .first, limit: .max).episodes.count, 120)
    }

    @Test func countingStopsAtItsBound() throws {
        let filter = EpisodeFilter(isPlayed: false, isStarred: true)
        let exact = everything.filter(filter.accepts).count
        #expect(exact > 5)
        try expectEqual(store.episodes.count(filter, upTo: 5), .atLeast(5))
        try expectEqual(store.episodes.count(filter, upTo: exact), .exactly(exact))
    }

    @Test func countersAreWhatCountingWouldFind() throws {
        try store.feeds.deleteFeed(FeedID(2))
        _ = try store.refreshes.merge(document([item(900)]), into: FeedID(1), fetched())
        while try store.performMaintenance() {}
        let counted =
            "SELECT count(*) FILTER (WHERE section = 0) || ',' || count(*) FILTER (WHERE section = 1) || ','"
            + " || count(*) FILTER (WHERE section = 2) || ',' || sum(starred) || ',' || sum(downloaded)"
        let kept = "SELECT new || ',' || in_progress || ',' || played || ',' || starred || ',' || downloaded"
        try expectEqual(library.number("SELECT (\(counted) FROM episode) = (\(kept) FROM library_count)"), 1)
        for feed in [1, 3] {
            try expectEqual(
                library.number(
                    "SELECT (\(counted) FROM episode WHERE feed = \(feed)) = (\(kept) FROM feed_count WHERE feed = \(feed))"
                ), 1)
        }
    }

    @Test func matchingKeepsTheOrderAsked() throws {
        let filter = EpisodeFilter(isStarred: true, text: "b")
        let ids = everything.map(\.id)
        let expected = everything.filter { $0.state.isStarred && $0.title.hasPrefix("b") }.map(\.id)
        try expectEqual(store.episodes.matching(filter, among: ids), expected)
        try expectEqual(store.episodes.matching(EpisodeFilter(text: "..."), among: ids), [])
    }
}
