@testable import Library
import PodcastModel
import TestSupport
import Testing

struct SingleFilesTests {
    private let store: LibraryStore
    private let url = "https://files.example/talk.mp3"

    init() throws { store = try TemporaryLibrary().open() }

    private func made() throws -> EpisodeID { try store.episodes.looseEpisode(url: url, title: nil, at: day0) }

    @Test func theirFeedIsThereWhileItHasEpisodesThatAreShown() throws {
        try expectEqual(store.feeds.singleFiles(), nil)
        let id = try made()
        try expectEqual(store.feeds.singleFiles(), nil)
        _ = try store.queue.insertEntries([id], at: 0)
        let feed = try #require(try store.feeds.singleFiles())
        #expect((feed.title, feed.url, feed.episodeCount) == ("Single files", "", 1))
        try expectEqual(store.feeds.feed(feed.id), feed)
        try expectEqual(store.feeds.resolveFeed("Single files"), feed)
        try expectEqual(store.feeds.resolveFeed(feed.id.label), feed)
        #expect(try store.feeds.feeds().isEmpty)
        try store.feeds.removeFeed(feed.id, at: day0)
        try expectEqual(store.feeds.singleFiles(), nil)
        #expect(throws: LibraryError.self) { try store.feeds.resolveFeed("Single files") }
    }

    @Test func noneOfThemIsNew() throws {
        let id = try made()
        _ = try store.queue.insertEntries([id], at: 0)
        try store.episodes.savePosition(MediaTime(seconds: 40), of: id, at: day0, isDurable: true)
        try expectEqual(store.feeds.singleFiles()?.newCount, 0)
        try #expect(!store.episodes.episode(id).state.isNew)
        #expect(try store.all(EpisodeFilter(EpisodeExpression(parsing: "is:new"), at: day0)).isEmpty)
    }

    @Test func theirFeedHasNoSettings() throws {
        _ = try store.queue.insertEntries([made()], at: 0)
        let feed = try #require(try store.feeds.singleFiles()).id
        #expect(try store.feeds.settings(of: feed).isEmpty)
        #expect(throws: LibraryError.self) { try store.feeds.setSetting("refresh", to: "off", of: feed) }
        #expect(throws: LibraryError.self) { try store.feeds.moveFeed(feed, to: "https://other.example/") }
    }

    @Test func aFileOfAnotherLengthStartsAtItsBeginning() throws {
        func handed(_ length: Int64) throws -> Episode {
            let id = try store.episodes.looseEpisode(
                url: "file:///a.mp3", title: nil, link: nil, length: length, at: day0)
            return try store.episodes.episode(id)
        }
        let id = try handed(1000).id
        try store.episodes.savePosition(MediaTime(seconds: 9), of: id, at: day0, isDurable: true)
        try expectEqual(handed(1000).state.position, MediaTime(seconds: 9))
        let other = try handed(2000)
        #expect((other.id, other.state.position, other.enclosure.length) == (id, .zero, 2000))
    }

    @Test func oneThatWasNeverHeardCanBeRemoved() throws {
        let id = try made()
        _ = try store.queue.insertEntries([id], at: 0)
        #expect(try store.episodes.removeUnheard(id))
        #expect(try store.queue.queue().entries.isEmpty)
        try expectEqual(store.feeds.singleFiles(), nil)
        #expect(try !store.episodes.removeUnheard(id))
    }

    @Test func oneThatTheUserHasUsedIsKept() throws {
        func isKept(_ use: (EpisodeID) throws -> Void) throws -> Bool {
            let id = try made()
            try use(id)
            return try !store.episodes.removeUnheard(id)
        }
        #expect(try isKept { try store.episodes.setStarred(true, [$0]) })
        try store.episodes.setStarred(false, [try made()])
        #expect(try isKept { try store.episodes.setNote("mine", of: $0) })
        try store.episodes.setNote(nil, of: try made())
        #expect(try isKept { try store.episodes.setPlayed(true, [$0], at: day0) })
        let (other, _) = (try store.addFeed(items: [item(1)]), ())
        let published = try #require(try store.all(EpisodeFilter(feed: other)).first).id
        #expect(try !store.episodes.removeUnheard(published))
    }
}
