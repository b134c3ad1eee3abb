@testable import Library
import PodcastModel
import SQLite
import Testing
import TestSupport

struct RefreshTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore
    private let feed: FeedID

    init() throws {
        (library, store) = try openLibrary()
        feed = try store.feeds.addFeed(url: "https://feeds.example/a", title: "A", at: day0)
    }

    private func fetch(_ hour: Int64, change: (inout FetchRecord) -> Void = { _ in }) -> FetchRecord {
        var fetch = fetched(at: day0.adding(seconds: hour * 3600))
        change(&fetch)
        return fetch
    }

    private func target() throws -> RefreshTarget { try #require(try store.refreshes.refreshTargets([feed]).first) }

    @Test func aNewFeedIsDueAtOnceAndTheLongestOverdueGoesFirst() throws {
        let other = try store.feeds.addFeed(url: "https://feeds.example/b", title: "B", at: day0)
        let third = try store.feeds.addFeed(url: "https://feeds.example/c", title: "C", at: day0)
        try store.refreshes.recordUnchanged(feed, fetch(5))
        try store.refreshes.recordUnchanged(other, fetch(3))
        func due(_ hour: Int64, isForced: Bool = false) throws -> [FeedID] {
            try store.refreshes.dueFeeds(at: day0.adding(seconds: hour * 3600), isForced: isForced).map(\.id)
        }
        try expectEqual(due(0), [third])
        try expectEqual(due(4), [third, other])
        try expectEqual(due(6), [third, other, feed])
        try expectEqual(due(0, isForced: true), [third, other, feed])
        try expectEqual(store.refreshes.refreshTargets([other, FeedID(99), feed]).map(\.id), [other, feed])
    }

    @Test func validatorsAreThoseOfTheLastFullAnswer() throws {
        _ = try store.refreshes.merge(
            document([item(1)], title: "A"), into: feed,
            fetch(1) { ($0.etag, $0.lastModified, $0.bodyDigest) = ("W/\"a b\"", "yesterday", "d1") })
        var expected = RefreshTarget(
            id: feed, url: "https://feeds.example/a", title: "A", etag: "W/\"a b\"", lastModified: "yesterday",
            bodyDigest: "d1", interval: 3600)
        expected.httpStatus = 200
        try expectEqual(target(), expected)
        try store.refreshes.recordUnchanged(feed, fetch(2) { ($0.httpStatus, $0.etag) = (304, "\"new\"") })
        try expectEqual(target().etag, "\"new\"")
        try expectEqual(target().lastModified, "yesterday")
        _ = try store.refreshes.merge(document([item(1)], title: "A"), into: feed, fetch(3))
        try expectEqual(target().etag, nil)
        try expectEqual(target().bodyDigest, nil)
    }

    @Test func aFailureKeepsEverythingAndIsCounted() throws {
        _ = try store.refreshes.merge(document([item(1)], title: "A"), into: feed, fetch(1) { $0.etag = "\"x\"" })
        let episodes = try store.all()
        for hour in [2, 3] as [Int64] {
            try store.refreshes.recordFailure(
                feed, fetch(hour) { ($0.httpStatus, $0.error) = (503, "503 Service Unavailable") })
        }
        try expectEqual(store.all(), episodes)
        try expectEqual(target().etag, "\"x\"")
        try expectEqual(target().failures, 2)
        let health = try store.feeds.feed(feed).health
        expectEqual(health.lastSuccess, day0.adding(seconds: 3600))
        expectEqual(health.lastTry, day0.adding(seconds: 3 * 3600))
        expectEqual(health.error, "503 Service Unavailable")
        expectEqual(health.httpStatus, 503)
        try store.refreshes.recordUnchanged(feed, fetch(4) { $0.httpStatus = 304 })
        try expectEqual(store.feeds.feed(feed).health.error, nil)
        try expectEqual(store.feeds.feed(feed).health.failures, 0)
    }

    @Test func theLogTellsTheLastTriesFirst() throws {
        _ = try store.refreshes.merge(
            document([item(1), item(2)], title: "A"), into: feed, fetch(1) { $0.bytes = 1234 })
        try store.refreshes.recordFailure(feed, fetch(2) { ($0.httpStatus, $0.error) = (nil, "no route") })
        let log = try store.refreshes.refreshLog(feed, limit: 10)
        try #require(log.map(\.error) == ["no route", nil])
        expectEqual(log[1].newEpisodes, 2)
        expectEqual(log[1].bytes, 1234)
        try expectEqual(store.refreshes.refreshLog(feed, limit: 1).count, 1)
    }

    @Test func theLogDoesNotGrowForEver() throws {
        try library.connection().execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50100)
            INSERT INTO refresh_log(feed, time, next_due, bytes, new_episodes) SELECT 1, i, i, 0, 0 FROM n
            """)
        try store.refreshes.recordUnchanged(feed, fetch(1))
        try expectEqual(library.number("SELECT count(*) FROM refresh_log"), 50_000)
    }

    private func moving(_ hour: Int64, to url: String, follows: Bool = true) -> FetchRecord {
        fetch(hour) {
            $0.move = FeedMove(url: url, reason: .redirect, sightings: follows ? 2 : 1)
            $0.followsMove = follows
        }
    }

    @Test func aMoveIsKeptUntilItIsFollowed() throws {
        let moved = "https://new.example/feed"
        try store.refreshes.recordUnchanged(feed, moving(1, to: moved, follows: false))
        try expectEqual(target().url, "https://feeds.example/a")
        try expectEqual(target().move, FeedMove(url: moved, reason: .redirect))
        try expectEqual(store.feeds.feed(feed).move, target().move)
        try store.refreshes.recordFailure(feed, fetch(2) { $0.error = "down" })
        #expect(try target().move != nil, "a failure says nothing")
        try store.refreshes.recordUnchanged(feed, fetch(3))
        try expectEqual(target().move, nil, "it was not there every time")
        try store.refreshes.recordUnchanged(feed, moving(4, to: moved))
        #expect(try target().url == moved && target().move == nil)
        try expectEqual(store.feeds.feed(url: "https://feeds.example/a")?.id, feed)
        try expectEqual(store.feeds.feed(feed).formerURLs, ["https://feeds.example/a"])
        #expect(throws: LibraryError.alreadySubscribed(feed)) {
            try store.feeds.addFeed(url: "https://feeds.example/a", title: nil, at: day0)
        }
        try store.refreshes.recordUnchanged(feed, moving(5, to: "https://third.example/"))
        try store.refreshes.recordUnchanged(feed, moving(6, to: "https://feeds.example/a"))
        try expectEqual(target().url, "https://feeds.example/a", "back again")
        try expectEqual(Set(store.feeds.feed(feed).formerURLs), [moved, "https://third.example/"])
    }

    @Test func aFeedDoesNotMoveOntoAnother() throws {
        _ = try store.feeds.addFeed(url: "https://feeds.example/b", title: "B", at: day0)
        try store.refreshes.recordUnchanged(feed, moving(1, to: "https://feeds.example/b"))
        try expectEqual(target().url, "https://feeds.example/a")
        try expectEqual(store.refreshes.subscriber(of: "https://feeds.example/b")?.title, "B")
    }

    @Test func aVerifiedMoveIsFollowedAndForgetsTheOldValidators() throws {
        let moved = FeedMove(url: "https://new.example/feed", reason: .announcement, sightings: 2)
        _ = try store.refreshes.merge(
            document([item(1)], title: "A"), into: feed,
            fetch(1) { ($0.etag, $0.move, $0.isFull) = ("\"1\"", moved, true) })
        var refused = moved
        refused.obstacle = "is not there"
        try store.refreshes.recordMove(refused, of: feed, isFollowed: false)
        try expectEqual(target().move, refused)
        try store.refreshes.recordMove(moved, of: feed, isFollowed: true)
        #expect(try target().url == moved.url && target().etag == nil && target().lastFull == nil)
        try expectEqual(target().move, nil)
        try store.refreshes.recordMove(moved, of: FeedID(99), isFollowed: true)
    }

    @Test func whatTheScheduleKnowsOutlastsTheRun() throws {
        _ = try store.refreshes.merge(
            document([item(1)], title: "A"), into: feed,
            fetch(1) {
                $0.rhythm.patience = 60
                $0.rhythm.plannedGap = 70
                $0.rhythm.quietHours = 1 << 23
                $0.rhythm.quietDays = 3
                $0.rhythm.isComplete = true
                $0.cadence = Cadence(gap: 80, newest: day0)
                $0.isFull = true
                $0.contradictsValidators = true
                $0.dueReason = .complete
            })
        try store.refreshes.recordUnchanged(feed, fetch(2) { $0.dueReason = .server })
        try store.feeds.setSetting("user_agent", to: "Mozilla/5.0", of: feed)
        let target = try target()
        #expect(target.rhythm.patience == 60 && target.rhythm.plannedGap == 70 && target.rhythm.isComplete)
        #expect(target.rhythm.quietHours == 1 << 23 && target.rhythm.quietDays == 3)
        expectEqual(target.cadence, Cadence(gap: 80, newest: day0))
        #expect(target.lastFull == day0.adding(seconds: 3600) && target.falseUnchanged == 1)
        #expect(target.dueReason == .server && target.userAgent == "Mozilla/5.0")
    }

    @Test func theUsersIntervalGoesBeforeTheSchedule() throws {
        let hour: Int64 = 3600
        func isDue(after hours: Int64, isForced: Bool = false) throws -> Bool {
            try !store.refreshes.dueFeeds(at: day0.adding(seconds: hours * hour), isForced: isForced).isEmpty
        }
        try store.feeds.setSetting("refresh", to: "6h", of: feed)
        #expect(try isDue(after: 0), "it was never fetched")
        try store.refreshes.recordUnchanged(feed, fetch(0))
        #expect(try !isDue(after: 5) && isDue(after: 6))
        try store.feeds.setSetting("refresh", to: "3h", of: feed)
        #expect(try !isDue(after: 2) && isDue(after: 3), "a new interval counts from the last try")
        try store.feeds.setSetting("refresh", to: "off", of: feed)
        #expect(try !isDue(after: 9_000) && !isDue(after: 9_000, isForced: true))
        try expectEqual(store.feeds.feed(feed).health.nextDue, nil)
        try expectEqual(store.refreshes.refreshTargets([feed]).count, 1, "by name it is still refreshed")
        try store.feeds.setSetting("refresh", to: nil, of: feed)
        #expect(try isDue(after: 9_000))
    }

    @Test func aStoppedFeedIsDueByHandAlone() throws {
        try store.refreshes.recordFailure(feed, fetch(1) { ($0.isStopped, $0.error) = (true, "gone") })
        try expectEqual(store.refreshes.dueFeeds(at: day0.adding(days: 900), isForced: true), [])
        #expect(try target().isStopped)
        try expectEqual(store.feeds.feed(feed).health.nextDue, nil)
        try store.feeds.moveFeed(feed, to: "https://new.example/")
        try expectEqual(store.refreshes.dueFeeds(at: day0.adding(days: 1), isForced: false).count, 1)
    }

    @Test func anAddressThatNeverDeliveredTheFeedIsNotItsFormerOne() throws {
        try store.feeds.moveFeed(feed, to: "https://mistyped.example/")
        try store.feeds.moveFeed(feed, to: "https://new.example/")
        try expectEqual(store.feeds.feed(url: "https://mistyped.example/"), nil)
    }

    @Test func hostsAreLeftAloneUntilTheirTimeIsUpWhateverTheClockDoes() throws {
        let end = day0.adding(seconds: 3600)
        try store.refreshes.pauseHost("busy.example", until: end, at: day0)
        try expectEqual(store.refreshes.pausedHosts(at: day0), ["busy.example": end])
        try expectEqual(store.refreshes.pausedHosts(at: end), [:])
        try expectEqual(
            store.refreshes.pausedHosts(at: day0.adding(days: -400)), [:], "noted by a clock that was wrong")
        try store.refreshes.pauseHost("other.example", until: day0.adding(days: 2), at: day0.adding(days: 1))
        try expectEqual(library.number("SELECT count(*) FROM host_pause"), 1)
        try store.refreshes.postpone(feed, until: end)
        var postponed = FeedHealth()
        postponed.nextDue = end
        try expectEqual(store.feeds.feed(feed).health, postponed)
    }

    @Test(arguments: [-20, -1, 1, 20])
    func aClockThatJumpsByYearsKeepsNoFeedFromBeingFetched(years: Int64) throws {
        // The clock was wrong during the last fetch of the feed, and is right now.
        try store.refreshes.recordUnchanged(feed, fetch(years * 365 * 24))
        try expectEqual(store.refreshes.dueFeeds(at: day0.adding(days: 1), isForced: false).map(\.id), [feed])
        try store.refreshes.recordUnchanged(feed, fetch(24))
        try expectEqual(store.refreshes.dueFeeds(at: day0.adding(days: 1), isForced: false), [])
    }

    @Test func manyUnchangedFeedsPassOverThoseThatAreGone() throws {
        let others = try (0..<250).map { try store.feeds.addFeed(url: "https://x.example/\($0)", title: nil, at: day0) }
        try store.feeds.removeFeed(others[7], at: day0)
        try store.refreshes.recordUnchanged(others.map { ($0, fetch(1) { $0.httpStatus = 304 }) })
        try expectEqual(store.refreshes.dueFeeds(at: day0, isForced: false).map(\.id), [feed])
        #expect(throws: LibraryError.notFound("feed \(others[7].label)")) {
            try store.refreshes.recordFailure(others[7], fetch(1))
        }
        #expect(throws: LibraryError.notFound("feed \(others[7].label)")) {
            try store.refreshes.recordFailure(others[7], fetch(1))
        }
    }

    @Test func whatTheChannelSaysIsKept() throws {
        var contents = document([], title: "The\ntitle")
        contents.channel.author = " Ann & Bob"
        contents.channel.link = "https://a.example"
        contents.channel.summary = "About\nthings"
        contents.channel.language = "en-GB"
        contents.channel.image = "https://a.example/cover.jpg"
        _ = try store.refreshes.merge(contents, into: feed, fetch(1))
        let stored = try store.feeds.feed(feed)
        expectEqual([stored.title, stored.author, stored.link], ["The title", "Ann & Bob", "https://a.example"])
        expectEqual([stored.summary, stored.language], ["About\nthings", "en-GB"])
        expectEqual(stored.image, "https://a.example/cover.jpg")
        contents.channel.title = nil
        _ = try store.refreshes.merge(contents, into: feed, fetch(2))
        try expectEqual(store.feeds.feed(feed).title, "The title")
    }
}
