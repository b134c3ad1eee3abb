@testable import Library
import PodcastModel
import Testing
import TestSupport

/// Requests to keep episodes on disk, and their results.
struct DownloadTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    @Test func whatWasMeasuredOfAFileIsForgottenWithIt() throws {
        let store = try TemporaryLibrary().open()
        let feed = try store.addFeed(items: [item(1)], title: "Example Show")
        let id = try store.all(EpisodeFilter(feed: feed), order: .oldestFirst)[0].id
        func measure() throws {
            try store.episodes.setLoudness(-1_900, of: id)
            try store.episodes.setMeasuredDuration(MediaTime(seconds: 60), of: id)
        }
        try measure()
        try store.episodes.forgetMeasurements(of: id)
        try expectEqual(store.episodes.loudness(of: id), nil)
        try expectEqual(store.episodes.episode(id).measuredDuration, nil)
        // A file that was fetched again may be a different one.
        try measure()
        try store.setDownloaded([id])
        try expectEqual(store.episodes.loudness(of: id), nil)
    }

    @Test func aWishBecomesAKeptEpisode() throws {
        let (store, ids) = try storeWithThree()
        try store.downloads.requestDownloads(of: [ids[1]], at: now)
        try store.downloads.requestDownloads(of: [ids[0]], at: now.adding(seconds: 1))
        try expectEqual(store.downloads.downloadNeeds(limit: 9), DownloadNeeds(requested: [ids[1], ids[0]]))
        #expect(try store.downloadCame(for: ids[1]))
        try expectEqual(store.downloads.downloadNeeds(limit: 9), DownloadNeeds(requested: [ids[0]], keptCount: 1))
        try expectEqual(store.downloads.downloadedEpisodes(), [ids[1]])
        // What is kept is not fetched again.
        try store.downloads.requestDownloads(of: [ids[1]], at: now)
        #expect(try store.downloads.downloadRequest(of: ids[1]) == nil)
        #expect(throws: LibraryError.notFound("episode e99")) {
            try store.downloads.requestDownloads(of: [ids[2], EpisodeID(99)], at: now)
        }
        #expect(try store.downloads.downloadRequest(of: ids[2]) == nil)
    }

    @Test func requestsArePagedByTimeAlsoWhenTheLastOneIsGone() throws {
        let (store, ids) = try storeWithThree()
        try store.downloads.requestDownloads(of: [ids[2]], at: now)
        try store.downloads.requestDownloads(of: [ids[0], ids[1]], at: now.adding(seconds: 1))
        let first = try store.downloads.downloadRequests(after: nil, limit: 2)
        try #require(first.map(\.episode) == [ids[2], ids[0]])
        try expectEqual(store.downloads.downloadRequest(of: ids[0]), first[1])
        try store.downloads.dropDownloads(of: [ids[0]])
        try expectEqual(store.downloads.downloadRequests(after: first[1], limit: 2).map(\.episode), [ids[1]])
        try expectEqual(store.downloads.downloadRequest(of: ids[0]), nil)
    }

    @Test func aLostFileIsRequestedAgainWithoutAStepToUndo() throws {
        let (store, ids) = try storeWithThree()
        try store.setDownloaded([ids[0], ids[1]])
        try store.forgetSteps()
        try store.downloads.requestLost([ids[0]], at: now)
        try expectEqual(store.downloads.downloadedEpisodes(), [ids[1]])
        try expectEqual(store.downloads.requestedDownloads(limit: 9), [ids[0]])
        #expect(try store.history.undoableSteps().isEmpty)
    }

    @Test func aRequestThatWasWithdrawnIsNotFulfilled() throws {
        let (store, ids) = try storeWithThree()
        try store.downloads.requestDownloads(of: [ids[0]], at: now)
        try store.downloads.dropDownloads(of: [ids[0]])
        #expect(try !store.downloadCame(for: ids[0]))
        #expect(try store.downloads.downloadNeeds(limit: 9).isEmpty)
    }

    @Test func whatWasPlayedIsKeptNoLongerUnlessItIsStarred() throws {
        let (store, ids) = try storeWithThree()
        try store.episodes.setStarred(true, [ids[0]])
        try store.downloads.requestDownloads(of: ids, at: now)
        for id in ids.prefix(2) { #expect(try store.downloadCame(for: id)) }
        try store.episodes.setPlayed(true, ids, at: now)
        try expectEqual(store.downloads.downloadNeeds(limit: 9), DownloadNeeds(keptCount: 1))
        try expectEqual(store.downloads.downloadedEpisodes(), [ids[0]])
        // Who wants to hear it again may keep it again.
        try store.downloads.requestDownloads(of: [ids[1]], at: now)
        #expect(try store.downloads.downloadRequest(of: ids[1]) != nil)
    }

    @Test func anEpisodeThatGetsAnotherFileIsFetchedAnewIfItWasKept() throws {
        let feed = try MergedFeed([item(1), item(2), item(3)])
        let ids = try feed.ids()
        try feed.store.setDownloaded([ids[0], ids[1]])
        func moved(_ number: Int) -> Item {
            item(number) { $0.enclosures[0].url = "https://new.example/\(number).mp3" }
        }
        _ = try feed.merge([moved(1), item(2) { $0.title = "The same file" }, moved(3)])
        try expectEqual(feed.store.downloads.downloadNeeds(limit: 9), DownloadNeeds(requested: [ids[0]], keptCount: 1))
        try expectEqual(feed.store.downloads.downloadedEpisodes(), [ids[1]])
        #expect(try feed.store.downloadCame(for: ids[0]))
    }

    @Test func aFileThatIsNotTheEpisodesAnyMoreFulfilsNoWish() throws {
        let feed = try MergedFeed([item(1)])
        let id = try feed.ids()[0]
        let old = try feed.store.episodes.episode(id).enclosure.url
        try feed.store.downloads.requestDownloads(of: [id], at: now)
        _ = try feed.merge([item(1) { $0.enclosures[0].url = "https://new.example/1.mp3" }])
        #expect(try !feed.store.downloads.downloadIsComplete(id, url: old))
        try expectEqual(feed.store.downloads.downloadNeeds(limit: 9), DownloadNeeds(requested: [id]))
    }
}
