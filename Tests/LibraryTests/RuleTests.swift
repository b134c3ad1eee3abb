@testable import Library
import PodcastModel
import TestSupport
import Testing

struct RuleTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore

    init() throws {
        (library, store) = try openLibrary()
    }

    private let now = day0.adding(days: 40)

    @discardableResult
    private func add(_ text: String, feed: FeedID? = nil) throws -> EpisodeRule {
        try store.rules.addRule(RuleText(parsing: text), feed: feed)
    }

    /// A feed with a back catalogue, to which these items come.
    private func feed(_ name: String = "show", then items: [Item]) throws -> FeedID {
        let feed = try store.addFeed(name, items: [item(0)])
        _ = try store.refreshes.merge(document([item(0)] + items, title: name), into: feed, fetched())
        return feed
    }

    private func judgeAll() throws -> [RuleOutcome] {
        var outcomes: [RuleOutcome] = []
        repeat {
            outcomes.append(try store.rules.applyToNewEpisodes(at: now))
        } while outcomes[outcomes.count - 1].hasMore
        return outcomes
    }

    private func titles(_ filter: String) throws -> [String] {
        try store.all(EpisodeFilter(EpisodeExpression(parsing: filter), at: now)).map(\.title)
    }

    @Test func rulesKeepTheirOrder() throws {
        let feed = try store.addFeed(items: [item(0)])
        let ids = try [add("then keep"), add("type:bonus then skip", feed: feed), add("then queue")].map(\.id)
        try expectEqual(store.rules.rules().map(\.id), ids)
        try store.rules.moveRule(ids[2], to: 0)
        try expectEqual(store.rules.rules().map(\.id), [ids[2], ids[0], ids[1]])
        try store.rules.removeRule(ids[0])
        try expectEqual(store.rules.rules().map(\.id), [ids[2], ids[1]])
        try expectEqual(store.rules.rules(for: FeedID(99)).map(\.id), [ids[2]])
        #expect(throws: LibraryError.notFound("rule 99")) { try store.rules.removeRule(RuleID(99)) }
        #expect(throws: LibraryError.notFound("feed f99")) { try add("then keep", feed: FeedID(99)) }
        #expect(try add("then keep").id > ids[2])
        try store.feeds.removeFeed(feed, at: day0)
        try expectEqual(store.rules.rules().map(\.id).contains(ids[1]), false)
    }

    @Test func theSameRuleIsRefused() throws {
        try add("title:a then queue")
        try add("title:b then queue")
        #expect(throws: LibraryError.refused("rule 2 is the same")) { try add("title:b then queue") }
        try expectEqual(store.rules.rules(for: nil).count, 2)
    }

    @Test func newEpisodesAreJudgedOnceAndTheBackCatalogueNever() throws {
        try add("then skip")
        let feed = try feed(then: [item(1)])
        try expectEqual(judgeAll().map(\.judged), [1])
        try expectEqual(titles("is:new"), ["Episode 0"])
        try expectEqual(titles("is:skipped"), ["Episode 1"])
        let skipped = try store.all(EpisodeFilter(EpisodeExpression(parsing: "is:skipped"), at: now))[0]
        try expectEqual(store.rules.ruleAct(on: skipped.id), RuleAct(RuleID(1), action: "skip", time: now))
        // Brought back, gone from the feed, there again: it is not judged a second time.
        try store.episodes.setPlayed(false, [skipped.id], at: now)
        try expectEqual(titles("is:new"), ["Episode 1", "Episode 0"])
        _ = try store.refreshes.merge(document([item(0)]), into: feed, fetched())
        _ = try store.refreshes.merge(document([item(0), item(1), item(2)]), into: feed, fetched())
        try expectEqual(judgeAll().map(\.judged), [1])
        try expectEqual(titles("is:new"), ["Episode 1", "Episode 0"])
    }

    @Test func whatComesBeforeThereAreRulesIsNotJudgedLater() throws {
        _ = try feed(then: [item(1)])
        try add("then skip")
        try expectEqual(judgeAll().map(\.judged), [0])
        try expectEqual(titles("is:skipped"), [])
    }

    @Test func eachActionDoesItsPart() throws {
        try add("title:skip then skip")
        try add("title:heard then played")
        try add("title:keep then keep")
        try add("title:later then queue")
        try add("title:first then next download")
        try add("title:disk then download")
        let names = ["skip", "heard", "keep", "later", "first", "disk", "none"]
        _ = try feed(then: names.enumerated().map { index, name in item(index + 1) { $0.title = name } })
        let outcome = try #require(try judgeAll().first)
        expectEqual([outcome.judged, outcome.changed.count], [7, 5])
        #expect(outcome.isQueueChanged)
        try expectEqual(titles("is:skipped"), ["skip"])
        try expectEqual(titles("is:played"), ["heard"])
        try expectEqual(
            store.history.history(limit: 10).map(\.reason),
            ["rule 5: title:\"first\" then next download", "rule 4: title:\"later\" then queue"])
        try expectEqual(
            store.episodes.episodes(store.queue.queue().entries.map(\.episode)).map(\.title), ["first", "later"])
        try expectEqual(
            store.episodes.episodes(store.downloads.requestedDownloads(limit: 9)).map(\.title), ["first", "disk"])
    }

    @Test func aPriorityGoesBeforeWhatPeopleQueuedLess() throws {
        let feed = try store.addFeed(items: (0..<3).map { item($0) })
        let old = try store.all(order: .oldestFirst).map(\.id)
        let entries = try store.queue.insertEntries(old, at: 0)
        try store.queue.setCurrentEntry(entries[0].id)
        try add("title:news then queue priority=5")
        try add("title:alarm then queue priority=9")
        try add("title:soon then next")
        try add("then queue")
        let new = ["alarm", "news b", "soon", "news a", "else"].enumerated().map { index, name in
            item(20 - index) { $0.title = name }
        }
        _ = try store.refreshes.merge(document((0..<3).map { item($0) } + new), into: feed, fetched())
        _ = try judgeAll()
        let queued = try store.episodes.episodes(store.queue.queue().entries.map(\.episode)).map(\.title)
        expectEqual(queued, ["Episode 0", "alarm", "news a", "news b", "soon", "Episode 1", "Episode 2", "else"])
        try expectEqual(store.queue.queue().current, entries[0].id)
    }

    @Test func whatIsQueuedAlreadyIsNotQueuedAgainAndNotSkipped() throws {
        try add("title:\"Episode 1\" then queue")
        try add("then skip")
        _ = try feed(then: [item(1), item(2)])
        let ids = try store.all(order: .oldestFirst).map(\.id)
        _ = try store.queue.insertEntries([ids[1], ids[2]], at: 0)
        _ = try judgeAll()
        try expectEqual(store.queue.queue().entries.count, 2)
        try expectEqual(titles("is:skipped"), [])
    }

    @Test func manyNewEpisodesAreJudgedInPieces() throws {
        try add("longer:1h then skip")
        try add("then download")
        _ = try feed(
            then: (1...450).map { number in
                item(number) { if number % 2 == 0 { $0.duration = MediaTime(seconds: 7200) } }
            })
        try expectEqual(judgeAll().map(\.judged), [200, 200, 50])
        try expectEqual(titles("is:skipped").count, 225)
        try expectEqual(store.downloads.requestedDownloads(limit: 1000).count, 225)
        try expectEqual(store.feeds.feeds()[0].unplayedCount, 226)
    }

    @Test func aRefreshThatIsKilledLeavesTheJudgingToTheNext() throws {
        try add("then skip")
        _ = try feed(then: [item(1)])
        let copy = try library.copyFiles().open()
        try expectEqual(copy.rules.applyToNewEpisodes(at: now).changed.count, 1)
        try expectEqual(copy.rules.applyToNewEpisodes(at: now), RuleOutcome())
    }

    @Test func whatIsStoredIsJudgedWhenAsked() throws {
        let feed = try store.addFeed(items: (0..<300).map { item($0) })
        try store.episodes.setPlayed(true, [try store.all()[0].id], at: now)
        try add("title:\"Episode 1\" then skip")
        var (judged, changed, place): (Int, Int, EpisodeKey?) = (0, 0, nil)
        repeat {
            let (outcome, next) = try store.rules.applyToStoredEpisodes(feed: feed, after: place, at: now)
            judged += outcome.judged
            changed += outcome.changed.count
            place = next
        } while place != nil
        #expect((judged, changed) == (299, 111))
        try expectEqual(titles("is:skipped").count, 111)
    }

    /// Applies the rules to stored episodes, in as many commits as needed.
    private func applyToStored(_ filter: EpisodeFilter, isTrial: Bool = false) throws -> RuleOutcome {
        var (all, place): (RuleOutcome, EpisodeKey?) = (RuleOutcome(), nil)
        repeat {
            let (outcome, next) = try store.rules.applyToStoredEpisodes(
                filter, after: place, nextIndex: nil, isTrial: isTrial, at: now)
            all.judged += outcome.judged
            all.changed += outcome.changed
            place = next
        } while place != nil
        return all
    }

    @Test func appliesToNewEpisodesUnlessAllAreRequested() throws {
        // From before the subscription, so that only the newest is new.
        let feed = try store.addFeed(
            items: (1...300).map { number in item(number) { $0.published = day0.adding(days: Int64(-number)) } })
        try add("then queue")
        try expectEqual(applyToStored(.new(of: feed)).changed.count, 1)
        try expectEqual(applyToStored(EpisodeFilter(feed: feed, isPlayed: false)).changed.count, 299)
    }

    @Test func aDryRunCountsChangesAndChangesNothing() throws {
        let feed = try store.addFeed(items: (0..<300).map { item($0) })
        try add("then next download")
        let all = EpisodeFilter(feed: feed, isPlayed: false)
        let trial = try applyToStored(all, isTrial: true)
        #expect(try store.queue.queue().entries.isEmpty && store.downloads.requestedDownloads(limit: 9).isEmpty)
        #expect(try store.history.undoableSteps().map(\.act) == [.rule])
        try expectEqual(applyToStored(all), trial)
    }

    @Test(arguments: ["next", "queue", "next priority=5"])
    func oneRunQueuesInOrderOfDateAcrossCommits(action: String) throws {
        let feed = try store.addFeed(items: (0..<450).map { item($0) })
        let other = try store.addFeed("other", items: [item(900)])
        let known = try store.queue.insertEntries(try store.all(EpisodeFilter(feed: other)).map(\.id), at: 0)
        try add("then \(action)")
        _ = try applyToStored(EpisodeFilter(feed: feed, isPlayed: false))
        let added = try store.all(EpisodeFilter(feed: feed), order: .oldestFirst).map(\.id)
        let expected = action == "queue" ? known.map(\.episode) + added : added + known.map(\.episode)
        try expectEqual(store.queue.queue().entries.map(\.episode), expected)
    }

    @Test func theStepOfARunCountsTheEpisodesThatItChanged() throws {
        let feed = try store.addFeed(items: (0..<450).map { item($0) })
        let first = try store.all(EpisodeFilter(feed: feed), order: .newestFirst)[0]
        _ = try store.queue.insertEntries([first.id], at: 0)
        try store.episodes.setPlayed(true, [first.id], at: now)
        try add("then next")
        _ = try applyToStored(EpisodeFilter(feed: feed, isPlayed: false))
        let step = try #require(try store.history.undoableSteps().first)
        #expect(step.act == .ruled && step.count == 449 && step.title != first.title)
        try expectEqual(store.history.undoLast()?.episodes.count, 449)
    }

    @Test func aTrialSaysWhatWouldHappenAndChangesNothing() throws {
        let feed = try store.addFeed(items: [item(0), item(1) { $0.facts.type = "trailer" }])
        let rule = try add("type:trailer then skip", feed: feed)
        let trials = try store.rules.tryRules(feed: nil, at: now, page: .first, limit: 10).trials
        expectEqual(trials.map(\.decision.rule?.id), [rule.id, nil])
        expectEqual(trials.map(\.decision.reason), ["rule 1: type:trailer", "no rule matches (1: not type:trailer)"])
        try expectEqual(titles("is:new").count, 2)
    }

    @Test func whateverTheListenerDoesBringsAnEpisodeBack() throws {
        try add("then skip")
        _ = try feed(then: (1...5).map { item($0) })
        _ = try judgeAll()
        let ids = try store.all(EpisodeFilter(EpisodeExpression(parsing: "is:skipped"), at: now)).map(\.id)
        try expectEqual(store.feeds.feeds()[0].episodeCount, 1)
        try store.episodes.savePosition(MediaTime(seconds: 9), of: ids[0], at: now, isDurable: true)
        try store.episodes.setStarred(true, [ids[1]])
        try store.episodes.setNote("hm", of: ids[2])
        _ = try store.queue.insertEntries([ids[3]], at: 0)
        try store.episodes.setPlayed(true, [ids[4]], at: now)
        #expect(try titles("is:skipped").isEmpty)
        try expectEqual(store.feeds.feeds()[0].episodeCount, 6)
        try expectEqual(store.episodes.count(EpisodeFilter(isStarred: true), upTo: 9), .exactly(1))
        try expectEqual(store.episodes.count(EpisodeFilter(isPlayed: true), upTo: 9), .exactly(1))
    }
}
