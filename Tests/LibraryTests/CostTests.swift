@testable import Library
import PodcastModel
import SQLite
import Testing
import TestSupport

/// What questions cost in steps of SQLite's machine, so that a slow computer fails no test.
struct CostTests {
    private static let filters = [
        EpisodeFilter(), EpisodeFilter(isPlayed: false), EpisodeFilter(isPlayed: true),
        EpisodeFilter(isInProgress: true), EpisodeFilter(isPlayed: false, isInProgress: false),
        EpisodeFilter(isStarred: true), EpisodeFilter(isDownloaded: true), EpisodeFilter(feed: FeedID(3)),
        EpisodeFilter(feed: FeedID(3), isPlayed: false), EpisodeFilter(feed: FeedID(3), isPlayed: true),
        EpisodeFilter(feed: FeedID(3), isInProgress: true), EpisodeFilter(feed: FeedID(3), isStarred: true),
        EpisodeFilter(feed: FeedID(3), isDownloaded: true),
    ]

    /// A library of `episodes` episodes in 50 feeds, made in SQL: a twentieth played, a hundredth begun, a hundredth
    /// starred or downloaded.
    private func library(of episodes: Int) throws -> TemporaryLibrary {
        let library = try TemporaryLibrary()
        _ = try library.open()
        try library.connection().execute(
            """
            BEGIN;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
            INSERT INTO feed(id, url, title, subscribed) SELECT i, 'https://x.example/' || i, 'Feed ' || i, 0 FROM n;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(episodes))
            INSERT INTO episode(id, feed, section, starred, downloaded, dated, published, first_seen, guid_key,
              title_key, url_key, media_key, digest, notes_digest, title, url)
            SELECT i, 1 + i % 50, CASE WHEN i % 20 = 7 THEN 2 WHEN i % 100 = 3 THEN 1 ELSE 0 END, i % 100 = 5,
              i % 100 = 9, 1, (i * 7919 % 1000003) * 1000, 0, i, i, i, i, i, i, 'Episode ' || i,
              'https://cdn.example/' || i || '.mp3'
            FROM n;
            UPDATE feed SET last_episode = \(episodes);
            UPDATE feed_count SET (starred, downloaded) =
              (SELECT sum(starred), sum(downloaded) FROM episode e WHERE e.feed = feed_count.feed);
            UPDATE index_state SET addressed_through = \(episodes), searched_through = \(episodes);
            COMMIT;
            """)
        return library
    }

    private func pageSteps(_ connection: Connection, _ filter: EpisodeFilter) throws -> Int {
        let query = try #require(ViewQuery(filter))
        var steps = 0
        let key = EpisodeKey(published: Timestamp(milliseconds: 500_001_000), id: EpisodeID(1))
        for anchor in [PageAnchor.first, .after(key), .before(key), .last] {
            let statement = try connection.prepared(query.page(PageStart(anchor, .newestFirst), limit: 51))
            _ = statement.takeSteps()
            try statement.run()
            steps = max(steps, statement.takeSteps())
        }
        return steps
    }

    @Test func aPageCostsTheSameInALargeLibrary() throws {
        let small = try library(of: 10_000).connection()
        let large = try library(of: 100_000).connection()
        for filter in Self.filters {
            let (few, many) = (try pageSteps(small, filter), try pageSteps(large, filter))
            #expect(many <= few * 5 / 4 + 500, "\(filter): \(few) steps of 10,000 episodes, \(many) of 100,000")
            #expect(many < 10_000, "\(filter)")
        }
    }

    @Test func feedsAndCountersDoNotLookAtEpisodes() throws {
        let library = try library(of: 20_000)
        let store = try library.open()
        try expectEqual(store.feeds.feeds().map(\.episodeCount), Array(repeating: 400, count: 50))
        try expectEqual(store.episodes.count(EpisodeFilter(isPlayed: false), upTo: 1), .exactly(19_000))
        try expectEqual(store.episodes.count(EpisodeFilter(isStarred: true), upTo: 1), .exactly(200))
        try expectEqual(store.episodes.count(EpisodeFilter(feed: FeedID(8), isPlayed: true), upTo: 1), .exactly(200))
    }

    @Test func noNamedViewScansOrSorts() throws {
        let library = try TemporaryLibrary()
        _ = try library.open()
        let connection = try library.connection()
        for filter in Self.filters {
            let query = try #require(ViewQuery(filter))
            let key = EpisodeKey(published: day0, id: EpisodeID(1))
            for anchor in [PageAnchor.first, .after(key), .before(key)] {
                let start = PageStart(anchor, .newestFirst)
                let plan = try connection.prepared("EXPLAIN QUERY PLAN \(query.page(start, limit: 1))")
                while try plan.step() {
                    let line = plan.text(3)
                    let isBounded =
                        !line.hasPrefix("SCAN") || line.contains("USING INDEX episode_starred")
                        || line.contains("USING INDEX episode_downloaded")
                    #expect(isBounded, "\(filter): \(line)")
                    #expect(!line.contains("TEMP B-TREE"), "\(filter): \(line)")
                }
            }
        }
    }

    @Test func oneRefreshedFeedDoesNotPayForTheOthers() throws {
        let library = try library(of: 100_000)
        let store = try library.open()
        let id = try store.addFeed("new", items: (1...30).map { item($0) })
        try expectEqual(store.feeds.feed(id).episodeCount, 30)
        let query = try store.connection.statement(
            "SELECT count(*) FROM episode INDEXED BY episode_feed WHERE feed = ?1 AND id > ?2")
        try query.bind(1, id.rawValue)
        try query.bind(2, 0)
        _ = query.takeSteps()
        try query.run()
        #expect(query.takeSteps() < 1_000)
    }
}
