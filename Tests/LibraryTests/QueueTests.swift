@testable import Library
import PodcastModel
import Testing
import TestSupport

struct QueueTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore
    private let episodes: [EpisodeID]

    init() throws {
        (library, store) = try openLibrary()
        _ = try store.addFeed(items: (1...5).map { item($0) })
        episodes = try store.all(order: .oldestFirst).map(\.id)
    }

    @Test func entriesStandWhereTheyWereInserted() throws {
        let first = try store.queue.insertEntries([episodes[0], episodes[1]], at: 0)
        let middle = try store.queue.insertEntries([episodes[2], episodes[0]], at: 1)
        let last = try store.queue.insertEntries([episodes[4]], at: 99)
        let front = try store.queue.insertEntries([episodes[3]], at: -1)
        try expectEqual(store.queue.queue().entries, front + [first[0]] + middle + [first[1]] + last)
    }

    @Test func anEpisodeMayBeQueuedTwiceWithTwoNumbers() throws {
        let entries = try store.queue.insertEntries([episodes[0], episodes[0]], at: 0)
        #expect(entries[0].id != entries[1].id)
        try store.queue.removeEntries([entries[0].id])
        try expectEqual(store.queue.queue().entries, [entries[1]])
    }

    @Test func numbersAreNeverUsedAgain() throws {
        let entries = try store.queue.insertEntries([episodes[0], episodes[1]], at: 0)
        try store.queue.removeEntries(entries.map(\.id))
        let next = try store.queue.insertEntries([episodes[0]], at: 0)
        #expect(next[0].id > entries[1].id)
    }

    @Test func manyInsertionsAtOnePlaceKeepTheirOrder() throws {
        var expected: [QueueEntry] = try store.queue.insertEntries([episodes[0], episodes[1]], at: 0)
        for round in 0..<60 {
            expected.insert(contentsOf: try store.queue.insertEntries([episodes[round % 5]], at: 1), at: 1)
        }
        try expectEqual(store.queue.queue().entries, expected)
    }

    @Test func randomMovesLeaveTheOrderOfAnArray() throws {
        var expected = try store.queue.insertEntries((0..<20).map { episodes[$0 % 5] }, at: 0)
        var random = SeededNumbers(state: 7)
        for _ in 0..<200 {
            let (from, to) = (Int.random(in: 0..<20, using: &random), Int.random(in: 0..<20, using: &random))
            let entry = expected.remove(at: from)
            expected.insert(entry, at: to)
            try store.queue.moveEntries([entry.id], to: to)
        }
        try expectEqual(store.queue.queue().entries, expected)
    }

    @Test func reorderingMustNameEachEntryOnce() throws {
        let entries = try store.queue.insertEntries([episodes[0], episodes[1], episodes[2]], at: 0)
        let ids = entries.map(\.id)
        try store.queue.reorderEntries([ids[2], ids[0], ids[1]])
        try expectEqual(store.queue.queue().entries.map(\.id), [ids[2], ids[0], ids[1]])
        for wrong in [[ids[0], ids[1]], [ids[0], ids[1], ids[1]], [ids[0], ids[1], EntryID(99)]] {
            #expect(throws: LibraryError.self) { try store.queue.reorderEntries(wrong) }
        }
        try expectEqual(store.queue.queue().entries.map(\.id), [ids[2], ids[0], ids[1]])
    }

    @Test func theCurrentEntryIsRememberedUntilItGoes() throws {
        let entries = try store.queue.insertEntries([episodes[0], episodes[1]], at: 0)
        try store.queue.setCurrentEntry(entries[1].id)
        try expectEqual(library.open().queue.queue().current, entries[1].id)
        try store.queue.removeEntries([entries[1].id, EntryID(99)])
        try expectEqual(store.queue.queue(), StoredQueue(entries: [entries[0]], current: nil))
        #expect(throws: LibraryError.notFound("queue entry 99")) { try store.queue.setCurrentEntry(EntryID(99)) }
    }

    @Test func anUnknownEpisodeQueuesNothing() throws {
        #expect(throws: LibraryError.notFound("episode e99")) {
            try store.queue.insertEntries([episodes[0], EpisodeID(99)], at: 0)
        }
        try expectEqual(store.queue.queue(), StoredQueue())
    }

    @Test func theTimeLeftIsThatOfTheEntriesAfterTheCurrentOne() throws {
        let entries = try store.queue.insertEntries([episodes[0], episodes[1], episodes[2]], at: 0)
        for episode in [episodes[1], episodes[2]] {
            try store.episodes.setMeasuredDuration(MediaTime(seconds: 600), of: episode)
        }
        try store.episodes.savePosition(
            MediaTime(seconds: 100), of: episodes[1], at: Timestamp(seconds: 1), isDurable: true)
        let left = try store.queue.timeLeft(after: entries[0].id)
        #expect(left.count == 1 && left[0].time == MediaTime(seconds: 1100) && left[0].areDurationsKnown)
        try expectEqual(store.queue.timeLeft(after: entries[2].id).count, 0)
        try expectEqual(store.queue.timeLeft(after: nil).map(\.time), [MediaTime(seconds: 2900)])
        // A mark leaves no position; a played episode with a position is heard again.
        try store.episodes.setPlayed(true, [episodes[1]], at: Timestamp(seconds: 2))
        try expectEqual(store.queue.timeLeft(after: entries[0].id).map(\.time), [MediaTime(seconds: 1200)])
        try store.episodes.savePosition(
            MediaTime(seconds: 200), of: episodes[1], at: Timestamp(seconds: 3), isDurable: true)
        try expectEqual(store.queue.timeLeft(after: entries[0].id).map(\.time), [MediaTime(seconds: 1000)])
    }
}
