import EpisodeRules
@testable import Library
import PodcastModel
import Testing
import TestSupport

struct EmptyActTests {
    @Test func whatChangesNothingIsNotAnActAndLeavesWhatCanBeDoneAgain() throws {
        let (store, ids) = try storeWithThree()
        let feed = try store.episodes.episode(ids[0]).feed
        let entries = try store.queue.insertEntries([ids[0], ids[1]], at: 0)
        try store.episodes.setPlayed(true, [ids[0]], at: day0)
        try store.retention.setRetention(RetentionPolicy(parsing: "newest:5"), of: nil)
        try store.episodes.setStarred(true, [ids[1]])
        let expected = try store.history.undoableSteps().dropFirst().map(\.act)
        try expectEqual(store.history.undoLast()?.kind, .starred)
        try store.queue.moveEntry(entries[0].id, to: 0)
        try store.queue.moveEntry(entries[1].id, to: 9)
        try store.episodes.setPlayed(true, [ids[0]], at: day0.adding(days: 1))
        try store.episodes.setPlayed(false, [ids[2]], at: day0)
        try store.retention.setRetention(RetentionPolicy(parsing: "newest:5"), of: nil)
        try store.retention.setRetention(nil, of: feed)
        try store.feeds.renameFeed(feed, to: nil)
        try store.episodes.setNote(nil, of: ids[0])
        try expectEqual(store.history.undoableSteps().map(\.act), Array(expected))
        try expectEqual(store.history.redoLast()?.kind, .starred)
    }
}
