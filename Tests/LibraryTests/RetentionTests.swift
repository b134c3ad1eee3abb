@testable import Library
import PodcastModel
import TestSupport
import Testing

struct RetentionTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore
    private let feed: FeedID

    /// Twenty episodes, one a day, that all came on the first day.
    init() throws {
        (library, store) = try openLibrary()
        feed = try store.addFeed(items: (0..<20).map { item($0) })
    }

    private let now = day0.adding(days: 30)

    private func keep(_ text: String?, of feed: FeedID? = nil) throws {
        try store.retention.setRetention(try text.map { try RetentionPolicy(parsing: $0) }, of: feed)
    }

    private func archive(at now: Timestamp) throws -> Int {
        var count = 0
        for feed in try store.retention.feedsUnderRetention(at: now) {
            while true {
                let dropped = try store.retention.archiveDropped(of: feed, at: now)
                if dropped.isEmpty { break }
                count += dropped.count
            }
        }
        return count
    }

    private func shown() throws -> [String] { try store.all(order: .oldestFirst).map(\.title) }

    @Test func theNewestStay() throws {
        try keep("newest:3")
        try expectEqual(archive(at: now), 17)
        try expectEqual(shown(), ["Episode 17", "Episode 18", "Episode 19"])
        let archived = try store.all(EpisodeFilter(EpisodeExpression(parsing: "is:archived"), at: now))
        expectEqual(archived.count, 17)
        #expect(archived.allSatisfy { $0.state.hiddenReason == .archived })
        try expectEqual(store.feeds.feeds()[0].episodeCount, 3)
        try expectEqual(archive(at: now.adding(days: 1)), 0)
    }

    @Test func theyStayForTheirTimeFromWhenTheyCame() throws {
        try keep("for:20d")
        try expectEqual(archive(at: day0.adding(days: 19)), 0)
        try expectEqual(archive(at: now), 10)
        try expectEqual(shown().first, "Episode 10")
        try expectEqual(archive(at: day0.adding(days: 60)), 10)
    }

    @Test func theyStayUntilTheyWerePlayed() throws {
        try keep("until:played")
        try store.episodes.setPlayed(true, [try store.all()[0].id], at: now)
        try expectEqual(archive(at: now), 1)
        try expectEqual(shown().count, 19)
        #expect(try store.all(EpisodeFilter(EpisodeExpression(parsing: "is:archived"), at: now))[0].state.isPlayed)
    }

    @Test func whatTheListenerHoldsOnToStays() throws {
        let ids = try store.all(order: .oldestFirst).map(\.id)
        try store.episodes.setStarred(true, [ids[0]])
        try store.episodes.setNote("keep", of: ids[1])
        _ = try store.queue.insertEntries([ids[2]], at: 0)
        try store.episodes.savePosition(MediaTime(seconds: 30), of: ids[3], at: now, isDurable: true)
        try keep("newest:1 for:1d until:played")
        let (trial, count, _) = try store.retention.tryRetention(
            feed: nil, policies: nil, at: now, after: nil, limit: 100)
        #expect(trial.count == 16 && count == 16)
        expectEqual(Set(trial.map(\.reason)), [.notNewest, .tooOld])
        try expectEqual(shown().count, 20)
        try expectEqual(archive(at: now), 16)
        try expectEqual(store.all(order: .oldestFirst).map(\.id), Array(ids[0...3]))
        // What is brought back stays.
        try store.episodes.setPlayed(false, [ids[10]], at: now)
        try expectEqual(archive(at: now.adding(days: 2)), 0)
        try expectEqual(store.episodes.episode(ids[10]).state.hiddenReason, nil)
    }

    @Test func undoRequestsTheFilesOfArchivedEpisodesAgain() throws {
        let ids = try store.all(order: .oldestFirst).map(\.id)
        try store.setDownloaded([ids[3], ids[19]])
        try store.downloads.requestDownloads(of: [ids[4]], at: now)
        try store.forgetSteps()
        try keep("newest:2")
        let trial = try store.retention.tryRetention(feed: nil, policies: nil, at: now, after: nil, limit: 0)
        expectEqual([trial.count, trial.files], [18, 1])
        try expectEqual(archive(at: now), 18)
        try expectEqual(store.downloads.downloadedEpisodes(), [ids[19]])
        #expect(try store.downloads.requestedDownloads(limit: 9).isEmpty)
        let steps = try store.history.undoableSteps()
        expectEqual(steps.map(\.act), [.retention])
        expectEqual(steps.map(\.count), [1])
        let undone = try #require(try store.history.undoLast())
        expectEqual(undone.requested.sorted(), [ids[3], ids[4]])
        var round = RetentionRound(at: now)
        while try round.advance(in: store) != nil {}
        try expectEqual(shown().count, 20)
        try expectEqual(store.downloads.requestedDownloads(limit: 9).sorted(), [ids[3], ids[4]])
        // Redo releases the files again.
        try expectEqual(store.history.turnLast(.redo, step: nil, at: now)?.kind, .retention)
        #expect(try store.downloads.requestedDownloads(limit: 9).isEmpty)
    }

    @Test func filesThatALaterRoundReleasesBelongToThePolicyOfTheirFeed() throws {
        let ids = try store.all(order: .oldestFirst).map(\.id)
        try store.setDownloaded([ids[0], ids[1]])
        try keep("for:20d", of: feed)
        try keep("newest:1")
        try expectEqual(archive(at: day0.adding(days: 20).adding(seconds: 3_600)), 1)
        try store.episodes.setStarred(true, [ids[19]])
        try expectEqual(archive(at: day0.adding(days: 21).adding(seconds: 3_600)), 1)
        try expectEqual(store.history.undoableSteps().map(\.act), [.starred, .retention, .retention, .downloaded])
        for expected in [[], [], [ids[0], ids[1]]] {
            try expectEqual(store.history.undoLast()?.requested.sorted(), expected)
        }
    }

    @Test func aPolicyIsTriedBeforeItIsSet() throws {
        let policy = try RetentionPolicy(parsing: "newest:3")
        let (first, count, files) = try store.retention.tryRetention(
            feed: nil, policies: [(nil, policy)], at: now, after: nil, limit: 5)
        #expect(first.count == 5 && count == 17 && files == 0)
        var (pages, last) = (first, first.last?.episode.id)
        while let episode = last {
            let page = try store.retention.tryRetention(
                feed: nil, policies: [(nil, policy)], at: now, after: episode, limit: 5)
            expectEqual(page.count, 17)
            pages += page.episodes
            last = page.episodes.last?.episode.id
        }
        #expect(Set(pages.map(\.episode.id)).count == 17 && pages.count == 17)
        #expect(throws: LibraryError.self) {
            try store.retention.tryRetention(
                feed: nil, policies: [(nil, policy)], at: now, after: EpisodeID(99), limit: 5)
        }
        try expectEqual(
            store.retention.tryRetention(feed: feed, policies: [(feed, policy)], at: now, after: nil, limit: 5)
                .count, 17)
        #expect(try store.retention.retention().isEmpty)
        try expectEqual(shown().count, 20)
        try keep("newest:1")
        let kept = try RetentionPolicy(parsing: "all")
        try expectEqual(
            store.retention.tryRetention(feed: nil, policies: [(nil, kept)], at: now, after: nil, limit: 5).count, 0)
    }

    @Test func aFeedsOwnWordGoesBeforeThatForAll() throws {
        let other = try store.addFeed("other", items: (100..<110).map { item($0) })
        try keep("newest:2")
        try keep("all", of: feed)
        try expectEqual(store.retention.retention().map(\.feed), [nil, feed])
        try expectEqual(archive(at: now), 8)
        try expectEqual(store.episodes.count(EpisodeFilter(feed: other), upTo: 99), .exactly(2))
        try keep(nil, of: feed)
        try expectEqual(archive(at: now), 18)
        try keep(nil)
        #expect(try store.retention.retention().isEmpty)
        #expect(throws: LibraryError.notFound("feed f99")) { try keep("all", of: FeedID(99)) }
    }

    @Test func aNewFeedDoesNotWaitForTheNextRound() throws {
        try keep("newest:3")
        try expectEqual(archive(at: now), 17)
        _ = try store.addFeed("new", items: (20..<30).map { item($0) })
        try expectEqual(archive(at: now.adding(seconds: 1)), 7)
        try expectEqual(archive(at: now.adding(seconds: 2)), 0)
    }

    @Test func aRoundIsDueOnceAnHourAndAfterAChange() throws {
        try keep("newest:3")
        try expectEqual(store.retention.feedsUnderRetention(at: now), [feed])
        try expectEqual(store.retention.feedsUnderRetention(at: now.adding(seconds: 3_599)), [])
        try expectEqual(store.retention.feedsUnderRetention(at: now.adding(seconds: 3_600)), [feed])
        // The clock went back.
        try expectEqual(store.retention.feedsUnderRetention(at: now.adding(days: -3)), [feed])
        try keep("newest:4")
        try expectEqual(store.retention.feedsUnderRetention(at: now), [feed])
    }

    private func restore(at now: Timestamp) throws -> Int {
        var count = 0
        while true {
            let (episodes, hasMore) = try store.retention.restoreKept(at: now)
            if !hasMore { return count }
            count += episodes.count
        }
    }

    @Test func whatOnlyRetentionHidComesBackWhenItIsOff() throws {
        let other = try store.addFeed("other", items: (100..<800).map { item($0) })
        try keep("newest:2")
        try expectEqual(archive(at: now), 18 + 698)
        try expectEqual(restore(at: now), 0)
        try keep(nil)
        try expectEqual(archive(at: now), 0)
        try expectEqual(restore(at: now), 18 + 698)
        try expectEqual(restore(at: now), 0)
        try expectEqual(store.episodes.count(EpisodeFilter(feed: other), upTo: 999), .exactly(700))
        try expectEqual(store.episodes.count(EpisodeFilter(feed: feed), upTo: 999), .exactly(20))
    }

    @Test func aWiderPolicyGivesBackWhatItKeepsAndNoMore() throws {
        try keep("newest:3")
        try expectEqual(archive(at: now), 17)
        try keep("newest:5")
        try expectEqual(restore(at: now), 2)
        try expectEqual(archive(at: now), 0)
        try expectEqual(shown().first, "Episode 15")
        try keep("newest:10 for:18d")
        try expectEqual(restore(at: now), 3)
        try expectEqual(archive(at: now), 0)
        try expectEqual(shown().first, "Episode 12")
    }

    private func hidden() throws -> [String] {
        try store.all(EpisodeFilter(EpisodeExpression(parsing: "is:archived"), at: now), order: .oldestFirst).map(
            \.title)
    }

    @Test(arguments: ["newest:1", "newest:10", "for:20d", "off"])
    func anUndonePolicyIsReplacedByTheOneBefore(policy: String) throws {
        try keep("newest:5")
        _ = try archive(at: now)
        let before = try hidden()
        try keep(policy == "off" ? nil : policy)
        for _ in 0..<3 {
            _ = try restore(at: now) + archive(at: now)
            #expect(try hidden() != before)
            try expectEqual(store.history.turnLast(.undo, step: nil, at: now)?.kind, .retention)
            _ = try restore(at: now) + archive(at: now)
            try expectEqual(hidden(), before)
            try expectEqual(library.findings(), [])
            _ = try store.history.turnLast(.redo, step: nil, at: now)
        }
    }

    @Test func aPolicyThatIsUndoneAtOnceHidesNothing() throws {
        try keep("newest:1")
        _ = try store.history.turnLast(.undo, step: nil, at: now)
        _ = try restore(at: now) + archive(at: now)
        try expectEqual(shown().count, 20)
    }

    @Test func whatARuleSkippedStaysAside() throws {
        _ = try store.rules.addRule(try RuleText(parsing: "then skip"), feed: nil)
        _ = try store.refreshes.merge(document((0..<21).map { item($0) }, title: "show"), into: feed, fetched())
        try expectEqual(store.rules.applyToNewEpisodes(at: now).changed.count, 1)
        try keep("newest:1")
        _ = try archive(at: now)
        try keep(nil)
        try expectEqual(restore(at: now), 19)
        try expectEqual(store.all(EpisodeFilter(EpisodeExpression(parsing: "is:skipped"), at: now)).count, 1)
    }

    @Test func aKillBetweenTwoCommitsLosesNothingOfIt() throws {
        _ = try store.addFeed("other", items: (100..<800).map { item($0) })
        try keep("newest:2")
        _ = try archive(at: now)
        try keep(nil)
        #expect(try store.retention.restoreKept(at: now).hasMore)
        let copy = try library.copyFiles().open()
        while try copy.retention.restoreKept(at: now).hasMore {}
        #expect(try copy.all(EpisodeFilter(EpisodeExpression(parsing: "is:archived"), at: now)).isEmpty)
    }
}
