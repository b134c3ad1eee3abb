@testable import Library
import PodcastModel
import Testing
import TestSupport

/// What the library remembers of older pages, and what pages say of episodes they lack.
struct PageWalkTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore
    private let feed: FeedID

    init() throws {
        (library, store) = try openLibrary()
        feed = try store.addFeed(items: (1...9).reversed().map { item($0) })
    }

    private func newest(_ numbers: [Int], walk: PageWalk? = nil, onlyOverGap: Bool = false) -> FetchedDocument {
        var contents = document(numbers.map { item($0) }, title: "show")
        contents.channel.nextPage = "https://feeds.example/show?page=2"
        var document = FetchedDocument(feed: feed, contents: contents, fetch: fetched(), walk: walk)
        document.walksOnlyOverGap = onlyOverGap
        return document
    }

    private func older(
        _ items: [Item], bound: Int? = nil, isLast: Bool = false, since: EpisodeID? = nil
    ) -> FetchedDocument {
        let page = OlderPage(
            place: 3, bound: bound.map { day0.adding(days: Int64($0)) }, isLast: isLast, since: since, isCatalogue: true
        )
        return FetchedDocument(
            feed: feed, contents: document(items, title: "Page 2"), fetch: fetched(), extent: .older(page))
    }

    private var walk: PageWalk {
        PageWalk(reason: .gap, time: day0, pending: PageWalk.Pending(url: "https://feeds.example/show?page=2"))
    }

    private func gone() throws -> [String] { try store.all(EpisodeFilter(isGone: true)).map(\.title) }

    private func known() throws -> PageWalk? { try store.refreshes.refreshTargets([feed]).first?.pageWalk }

    @Test func aWalkIsWrittenDownByTheCommitThatBringsTheNewestPage() throws {
        try expectEqual(store.refreshes.merge([newest([9, 8], walk: walk, onlyOverGap: true)])[0]?.walk, nil)
        try expectEqual(known(), nil)
        let begun = try store.refreshes.merge([newest([30, 29], walk: walk, onlyOverGap: true)])[0]?.walk
        expectEqual(begun?.since, EpisodeID(9))
        // What a killed process leaves.
        let left = try library.copyFiles().open()
        try expectEqual(left.refreshes.refreshTargets([feed]).first?.pageWalk, begun)
        try expectEqual(left.feeds.feed(feed).pageWalk, begun)
    }

    @Test func aWalkThatWasCutShortMakesTheFeedDueAtOnceUnlessTheFeedFails() throws {
        _ = try store.refreshes.merge([newest([9, 8], walk: walk)])
        try expectEqual(store.refreshes.dueFeeds(at: day0.adding(seconds: 1), isForced: false).map(\.id), [feed])
        try store.refreshes.recordFailure(
            feed, FetchRecord(time: day0, httpStatus: 503, error: "no", nextDue: day0.adding(seconds: 3600)))
        #expect(try store.refreshes.dueFeeds(at: day0.adding(seconds: 1), isForced: false).isEmpty)
    }

    @Test func aPageThatWaitsMakesTheFeedDue() throws {
        _ = try store.refreshes.merge([newest([9, 8], walk: walk)])
        var failed = try #require(try known())
        failed.pending?.failures = 1
        failed.pending?.error = "no"
        failed.pending?.due = day0.adding(seconds: 600)
        try store.refreshes.recordPageWalk(failed, of: feed)
        try expectEqual(store.feeds.feed(feed).health.nextDue, day0.adding(seconds: 600))
        try expectEqual(store.refreshes.dueFeeds(at: day0.adding(seconds: 601), isForced: false).map(\.id), [feed])
        failed.pending = nil
        failed.end = .last
        try store.refreshes.recordPageWalk(failed, of: feed)
        try expectEqual(known(), failed)
        try store.refreshes.recordPageWalk(failed, of: FeedID(99))
        try expectEqual(library.number("SELECT count(*) FROM page_walk"), 1)
    }

    @Test func theNewestPageSpeaksForItselfAndWhatIsNewer() throws {
        _ = try store.refreshes.merge([newest([8, 6])])
        try expectEqual(gone(), ["Episode 9", "Episode 7"])
        // Oldest first: what is newer may stand on the next page.
        let serial = try store.addFeed("serial", items: (1...5).map { item($0) })
        var contents = document([item(1), item(3)], title: "serial")
        contents.channel.nextPage = "https://feeds.example/serial?page=2"
        _ = try store.refreshes.merge(contents, into: serial, fetched())
        try expectEqual(store.all(EpisodeFilter(feed: serial, isGone: true)).map(\.title), ["Episode 2"])
    }

    @Test func anOlderPageSpeaksForWhatLiesBehindTheOneBefore() throws {
        _ = try store.refreshes.merge([older([item(6), item(4)], bound: 8)])
        try expectEqual(gone(), ["Episode 7", "Episode 5"])
        _ = try store.refreshes.merge([older([item(2)], bound: 4, isLast: true)])
        try expectEqual(gone(), ["Episode 7", "Episode 5", "Episode 3", "Episode 1"])
        try expectEqual(store.feeds.feed(feed).title, "show")
    }

    @Test func whatHasNoDateMayStandAnywhere() throws {
        let undated = try store.addFeed("undated", items: (1...3).map { item($0) { $0.published = nil } })
        var contents = document([item(9)], title: "undated")
        contents.channel.nextPage = "https://feeds.example/undated?page=2"
        _ = try store.refreshes.merge(contents, into: undated, fetched())
        #expect(try gone().isEmpty)
    }

    @Test func aPageReachesWhatWasKnownBeforeItsWalkAlone() throws {
        let begun = try store.refreshes.merge([newest([30, 29], walk: walk)])[0]?.walk
        let since = try #require(begun?.since)
        try expectEqual(store.refreshes.merge([older([item(29), item(28)], since: since)])[0]?.reachesKnown, false)
        try expectEqual(store.refreshes.merge([older([item(27), item(9)], since: since)])[0]?.reachesKnown, true)
    }

    @Test func undatedItemsKeepTheirOrderFromPageToPage() throws {
        let undated = try store.addFeed("undated", items: [])
        func items(_ numbers: [Int]) -> [Item] { numbers.map { item($0) { $0.published = nil } } }
        _ = try store.refreshes.merge(document(items([6, 5, 4]), title: "undated"), into: undated, fetched())
        let page = OlderPage(place: 3, bound: nil, isLast: true, since: nil, isCatalogue: true)
        _ = try store.refreshes.merge([
            FetchedDocument(
                feed: undated, contents: document(items([3, 2])), fetch: fetched(), extent: .older(page))
        ])
        try expectEqual(store.all(EpisodeFilter(feed: undated)).map(\.title), [6, 5, 4, 3, 2].map { "Episode \($0)" })
    }
}
