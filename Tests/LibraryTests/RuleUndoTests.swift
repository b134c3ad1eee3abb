@testable import Library
import PodcastModel
import TestSupport
import Testing

struct RuleUndoTests {
    private let store: LibraryStore
    private let feed: FeedID
    private let now = day0.adding(days: 40)

    /// Rules that do one of everything, and a feed that brought an episode for each.
    init() throws {
        store = try TemporaryLibrary().open()
        feed = try store.addFeed(items: [item(0)])
        for text in [
            "title:skip then skip", "title:heard then played", "title:later then queue download",
            "title:disk then download",
        ] {
            _ = try store.rules.addRule(try RuleText(parsing: text), feed: nil)
        }
        try store.forgetSteps()
    }

    private func bring(_ titles: [String], after known: [String] = []) throws {
        let items = ([""] + known + titles).enumerated().map { index, title in
            item(index) { if index > 0 { $0.title = title } }
        }
        _ = try store.refreshes.merge(document(items), into: feed, fetched())
    }

    private func judge(at now: Timestamp) throws { while try store.rules.applyToNewEpisodes(at: now).hasMore {} }

    private func titles(_ filter: String) throws -> [String] {
        try store.all(EpisodeFilter(EpisodeExpression(parsing: filter), at: now)).map(\.title)
    }

    private func id(_ title: String) throws -> EpisodeID { try store.episodes.resolveEpisode(title).id }

    @Test func allThatARefreshsRulesDidIsOneAct() throws {
        try bring(["skip", "heard", "later", "disk"])
        try judge(at: now)
        try expectEqual(store.history.history(limit: 9).map(\.reason), ["rule 3: title:\"later\" then queue download"])
        let undone = try #require(try store.history.undoLast())
        #expect(undone.kind == .ruled && undone.episodes.count == 4)
        try expectEqual(titles("is:new").count, 5)
        #expect(try store.queue.queue().entries.isEmpty)
        #expect(try store.downloads.requestedDownloads(limit: 9).isEmpty)
        #expect(try store.history.history(limit: 9).isEmpty)
        try expectEqual(store.rules.ruleAct(on: id("later")), nil)
        try expectEqual(store.history.undoLast(), nil)
        // The rules were applied to the episodes once, and are not applied to these episodes again.
        try judge(at: now)
        try expectEqual(titles("is:new").count, 5)
    }

    @Test func aFileThatARuleAskedForIsKeptNoLongerAndTheListenersOwnIs() throws {
        try bring(["skip", "later", "disk"])
        let (own, ruled) = (try id("skip"), try id("disk"))
        try store.setDownloaded([own])
        try judge(at: now)
        #expect(try store.downloadCame(for: ruled))
        try expectEqual(store.history.undoLast()?.kind, .ruled)
        try expectEqual(store.downloads.downloadedEpisodes(), [own])
        #expect(try store.downloads.requestedDownloads(limit: 9).isEmpty)
    }

    @Test func filesThatTheUserRequestedAreOfNoRule() throws {
        try bring(["disk one", "disk two", "later"])
        let (present, waiting, queued) = (try id("disk one"), try id("disk two"), try id("later"))
        try store.setDownloaded([present, queued])
        try store.downloads.requestDownloads(of: [waiting], at: now)
        try judge(at: now)
        try expectEqual(store.rules.ruleAct(on: present), nil)
        try expectEqual(store.rules.ruleAct(on: waiting), nil)
        let undone = try #require(try store.history.undoLast())
        expectEqual(undone.kind, .ruled)
        expectEqual(undone.episodes.map(\.id), [queued])
        try expectEqual(store.downloads.downloadedEpisodes(), [present, queued])
        try expectEqual(store.downloads.requestedDownloads(limit: 9), [waiting])
        #expect(try store.queue.queue().entries.isEmpty)
    }

    @Test func whatComesWithinAMinuteIsOfTheSameAct() throws {
        try bring(["later"])
        try judge(at: now)
        try bring(["heard"], after: ["later"])
        try judge(at: now.adding(seconds: 50))
        try bring(["skip"], after: ["later", "heard"])
        try judge(at: now.adding(seconds: 200))
        try expectEqual(store.history.undoLast()?.episodes.count, 1)
        #expect(try titles("is:skipped").isEmpty)
        try expectEqual(titles("is:played"), ["heard"])
        try expectEqual(store.history.undoLast()?.episodes.count, 2)
        #expect(try store.queue.queue().entries.isEmpty && titles("is:played").isEmpty)
    }

    @Test func whatTheListenerDidSinceStays() throws {
        let mine = try store.queue.insertEntries([id("Episode 0")], at: 0)
        try bring(["skip", "heard", "later"])
        try judge(at: now)
        try store.queue.setCurrentEntry(store.queue.queue().entries[1].id)
        try store.episodes.setStarred(true, [id("skip")])
        try store.episodes.savePosition(MediaTime(seconds: 5), of: id("heard"), at: now, isDurable: true)
        let steps = try store.history.undoableSteps().map(\.act)
        expectEqual(steps, [.starred, .ruled, .added])
        try expectEqual(store.history.undoLast()?.kind, .starred)
        try expectEqual(store.history.undoLast()?.kind, .ruled)
        // The entry that plays is not taken from under the listener.
        try expectEqual(store.queue.queue().entries.map(\.episode), [mine[0].episode, id("later")])
        #expect(try store.episodes.episode(id("heard")).state.isPlayed)
    }

    @Test func theListenersActsAreNotCrowdedOut() throws {
        try store.episodes.setPlayed(true, [id("Episode 0")], at: now)
        var known: [String] = []
        for number in 0..<60 {
            try bring(["skip \(number)"], after: known)
            known.append("skip \(number)")
            try judge(at: now.adding(seconds: Int64(number) * 100))
        }
        var kinds: [Act] = []
        while let undone = try store.history.undoLast() { kinds.append(undone.kind) }
        expectEqual(kinds, Array(repeating: .ruled, count: 10) + [.markedPlayed])
    }
}
