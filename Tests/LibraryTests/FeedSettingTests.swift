@testable import Library
import PodcastModel
import Testing
import TestSupport

@Suite struct FeedSettingTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    private func contents(title: String) -> FeedContents {
        var contents = FeedContents()
        contents.channel.title = title
        var item = Item()
        item.guid = "one"
        item.title = "One"
        item.enclosures = [Enclosure(url: "https://example.org/one.mp3")]
        contents.items = [item]
        return contents
    }

    private func record() -> FetchRecord {
        var record = FetchRecord(time: now, httpStatus: 200, nextDue: now)
        record.etag = "\"1\""
        return record
    }

    @Test func aMovedFeedKeepsItsEpisodesAndIsFetchedWholeFromItsNewAddress() throws {
        let folder = try TemporaryLibrary()
        let store = try LibraryStore(path: folder.path)
        let id = try store.feeds.addFeed(url: "https://old.example/feed", title: nil, at: now)
        let added = try store.refreshes.merge(contents(title: "Show"), into: id, record()).added
        try store.episodes.setStarred(true, added)
        try store.feeds.moveFeed(id, to: "https://new.example/feed")
        try expectEqual(store.feeds.feed(id).url, "https://new.example/feed")
        try expectEqual(store.feeds.feed(url: "https://old.example/feed")?.id, id)
        try expectEqual(store.refreshes.refreshTargets([id]).first?.etag, nil)
        try expectEqual(store.feeds.feed(id).health.nextDue, nil)
        try expectEqual(store.refreshes.dueFeeds(at: now, isForced: false).map(\.id), [id])
        #expect(try store.episodes.episode(added[0]).state.isStarred)
        let other = try store.feeds.addFeed(url: "https://other.example/feed", title: nil, at: now)
        #expect(throws: LibraryError.alreadySubscribed(other)) {
            try store.feeds.moveFeed(id, to: "https://other.example/feed")
        }
        // And back again.
        try store.feeds.moveFeed(id, to: "https://old.example/feed")
        try expectEqual(store.feeds.feed(id).url, "https://old.example/feed")
    }

    @Test func theListenersNameOfAFeedOutlastsRefreshesUntilItIsTakenBack() throws {
        let folder = try TemporaryLibrary()
        let store = try LibraryStore(path: folder.path)
        let id = try store.feeds.addFeed(url: "https://example.org/feed", title: nil, at: now)
        _ = try store.refreshes.merge(contents(title: "Show"), into: id, record())
        try store.feeds.setSetting("title", to: "Mine", of: id)
        try expectEqual(store.feeds.feed(id).title, "Mine")
        _ = try store.refreshes.merge(contents(title: "Show, renamed"), into: id, record())
        try expectEqual(store.feeds.feed(id).title, "Mine")
        try store.feeds.setSetting("title", to: nil, of: id)
        _ = try store.refreshes.merge(contents(title: "Show, renamed"), into: id, record())
        try expectEqual(store.feeds.feed(id).title, "Show, renamed")
    }
}
