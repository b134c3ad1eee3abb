@testable import Library
import PodcastModel
import TestSupport
import Testing

struct RemovedFeedTests {
    private let scene: ActTests.Scene
    private var store: LibraryStore { scene.store }

    init() throws { scene = try ActTests.Scene() }

    @Test func nothingIsSeenOfAFeedThatWasUnsubscribedFrom() throws {
        try store.downloads.requestDownloads(of: [scene.ids[0]], at: day0)
        try store.feeds.removeFeed(scene.feed, at: day0)
        while try store.performMaintenance() {}
        try expectEqual(store.feeds.feeds().map(\.id), [scene.other])
        #expect(throws: LibraryError.self) { try store.feeds.feed(scene.feed) }
        try expectEqual(store.feeds.feed(url: "https://feeds.example/show"), nil)
        #expect(throws: LibraryError.self) { try store.episodes.episode(scene.ids[0]) }
        try expectEqual(store.all().count, 2)
        try expectEqual(store.all(EpisodeFilter(text: "Summary")).count, 2)
        try expectEqual(store.episodes.count(EpisodeFilter(isStarred: true), upTo: 9), .exactly(0))
        try expectEqual(store.queue.queue().entries.count, 1)
        #expect(try store.rules.rules().count == 1 && store.retention.retention().isEmpty)
        #expect(try store.downloads.requestedDownloads(limit: 9).isEmpty)
        #expect(try store.history.history(limit: 9).allSatisfy { !scene.ids.contains($0.episode) })
        #expect(try store.refreshes.refreshTargets([scene.feed]).isEmpty)
        try expectEqual(store.imports.exportedFeeds().map(\.url), ["https://feeds.example/other"])
        #expect(try store.imports.exportedKeys().allSatisfy { $0.feed == scene.other })
        #expect(throws: LibraryError.self) {
            try store.rules.addRule(.init(parsing: "is:new then skip"), feed: scene.feed)
        }
        // The file of the download is deleted, and requested again when the feed comes back.
        #expect(try store.downloads.downloadedURLs()[scene.ids[3]] == nil)
        _ = try store.feeds.addFeed(url: "https://feeds.example/show", title: nil, at: day0)
        try expectContains(store.downloads.requestedDownloads(limit: 9), scene.ids[3])
    }

    @Test func subscribingAgainWithinThatTimeBringsItBack() throws {
        try store.downloads.dropDownloads(of: [scene.ids[3]])
        // The entries of the queue return only by undo.
        try store.queue.clearEntries()
        try store.forgetSteps()
        let before = try scene.dump()
        try store.feeds.removeFeed(scene.feed, at: day0)
        #expect(try store.feeds.isKeptAside(url: "https://feeds.example/show"))
        let id = try store.feeds.addFeed(
            url: "https://feeds.example/show", title: "Example Show", at: day0.adding(days: 29))
        expectEqual(id, scene.feed)
        try expectEqual(scene.dump(), before)
        try expectEqual(store.history.undoableSteps().map(\.act), [.subscribed, .unsubscribed])
    }

    @Test func aFormerAddressBringsItBackToo() throws {
        try store.feeds.moveFeed(scene.feed, to: "https://new.example/moved")
        try store.feeds.removeFeed(scene.feed, at: day0)
        try expectEqual(store.feeds.addFeed(url: "https://feeds.example/show", title: nil, at: day0), scene.feed)
        try expectEqual(store.feeds.feed(scene.feed).formerURLs, ["https://feeds.example/show"])
    }

    @Test func anImportBringsItBack() throws {
        try store.feeds.removeFeed(scene.feed, at: day0)
        let taken = try store.imports.importFeeds([PortableFeed(url: "https://feeds.example/show")], at: day0)
        expectEqual(taken, [ImportedFeed(id: scene.feed, isNew: true)])
        try expectEqual(store.feeds.settings(of: scene.feed), ["user_agent": "me"])
    }

    @Test func afterThatTimeItIsDeletedAndCannotBeBroughtBack() throws {
        try store.feeds.removeFeed(scene.feed, at: day0)
        #expect(try store.feeds.deleteRemoved(before: day0).isEmpty)
        let gone = try store.feeds.deleteRemoved(before: day0.adding(seconds: 1))
        expectEqual(gone, ["https://feeds.example/show"])
        #expect(try store.history.undoableSteps().isEmpty && store.history.undoLast() == nil)
        while try store.performMaintenance() {}
        for table in ["removed_feed", "feed WHERE id = \(scene.feed)", "episode WHERE feed = \(scene.feed)"] {
            try expectEqual(scene.library.number("SELECT count(*) FROM \(table)"), 0)
        }
        #expect(try store.feeds.addFeed(url: "https://feeds.example/show", title: nil, at: day0) != scene.feed)
    }

    @Test func itsAddressIsFreeForOthersAndThenTheUndoSaysSo() throws {
        try store.feeds.removeFeed(scene.feed, at: day0)
        try store.refreshes.recordMove(
            FeedMove(url: "https://feeds.example/show", reason: .redirect), of: scene.other, isFollowed: true)
        let undone = try #require(try store.history.undoLast())
        #expect(undone.kind == .unsubscribed && undone.obstacle?.contains("has its URL") == true)
        try expectEqual(store.feeds.feeds().map(\.id), [scene.other])
    }
}
