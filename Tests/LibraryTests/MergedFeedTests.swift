@testable import Library
import PodcastModel
import TestSupport
import Testing

struct MergedFeedTests {
    @Test func aFeedThatIsMergedGivesItsStateToTheOther() throws {
        let store = try TemporaryLibrary().open()
        let kept = try store.addFeed("new", items: [item(1), item(2)])
        let other = try store.addFeed("old", items: [item(1), item(2), item(3)])
        try store.imports.setTags(["News"], of: other)
        let (here, there) = (
            try store.all(EpisodeFilter(feed: kept), order: .oldestFirst).map(\.id),
            try store.all(EpisodeFilter(feed: other), order: .oldestFirst).map(\.id)
        )
        try store.episodes.savePosition(MediaTime(seconds: 12), of: there[0], at: day0, isDurable: true)
        try store.episodes.setStarred(true, [there[1], there[2]])
        try store.episodes.setNote("first", of: here[1])
        try store.episodes.setNote("second", of: there[1])
        let entries = try store.queue.insertEntries([here[0], there[1], there[2]], at: 0)
        let taken = try store.feeds.mergeFeed(other, into: kept, at: day0)
        expectEqual(taken, EpisodeImportCounts(found: 2, waiting: 1, positions: 1))
        #expect(try store.feeds.feeds().map(\.id) == [kept] && store.feeds.feed(kept).tags == ["News"])
        try expectEqual(store.feeds.feed(url: "https://feeds.example/old")?.id, kept)
        try expectEqual(store.episodes.episode(here[0]).state.position, MediaTime(seconds: 12))
        #expect(try store.episodes.episode(here[1]).state.isStarred)
        try expectEqual(store.episodes.episode(here[1]).state.note, "first\nsecond")
        try expectEqual(store.queue.queue().entries.map(\.episode), here)
        try expectEqual(store.queue.queue().entries.map(\.id), entries.prefix(2).map(\.id))
        // What the other alone had comes when the feed brings it.
        _ = try store.refreshes.merge(document([item(1), item(2), item(3)]), into: kept, fetched())
        try expectEqual(store.all(EpisodeFilter(isStarred: true)).map(\.title), ["Episode 3", "Episode 2"])
        try expectEqual(store.queue.queue().entries.count, 3)
    }

    @Test func settingsAndThePolicyThatTheKeptFeedDoesNotHaveAreTakenOver() throws {
        let store = try TemporaryLibrary().open()
        let kept = try store.addFeed("new", items: [item(1)])
        let other = try store.addFeed("old", items: [item(1)])
        try store.feeds.setSetting("speed", to: "1.2", of: kept)
        for (name, value) in [("speed", "1.5"), ("skip_start", "90")] {
            try store.feeds.setSetting(name, to: value, of: other)
        }
        try store.feeds.setSetting("title", to: "The old one", of: other)
        try store.retention.setRetention(RetentionPolicy(parsing: "newest:9"), of: other)
        _ = try store.feeds.mergeFeed(other, into: kept, at: day0)
        try expectEqual(store.feeds.settings(of: kept), ["speed": "1.2", "skip_start": "90"])
        try expectEqual(store.retention.retention().map(\.feed), [kept])
        _ = try store.history.undoLast()
        try expectEqual(store.feeds.settings(of: kept), ["speed": "1.2"])
        try expectEqual(store.retention.retention().map(\.feed), [other])
    }

    @Test func showsWithoutACommonEpisodeAreNotMerged() throws {
        let store = try TemporaryLibrary().open()
        let kept = try store.addFeed("one", items: [item(1)])
        let other = try store.addFeed("two", items: [item(2)])
        #expect(throws: LibraryError.refused("two (f2) and one (f1) have no episode in common")) {
            try store.feeds.mergeFeed(other, into: kept, at: day0)
        }
        #expect(throws: LibraryError.refused("both are feed \(kept)")) {
            try store.feeds.mergeFeed(kept, into: kept, at: day0)
        }
        let empty = try store.addFeed("three")
        let refusal = LibraryError.refused("three (f3) has no episodes that show it to be the same show")
        #expect(throws: refusal) { try store.feeds.mergeFeed(empty, into: kept, at: day0) }
        #expect(throws: refusal) { try store.feeds.mergeFeed(kept, into: empty, at: day0) }
        try expectEqual(store.feeds.feeds().count, 3)
    }
}
