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
}
