import Library
import LibraryModel
import PodcastModel
import SQLite
import Testing

struct UndoTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore
    private let ids: [EpisodeID]

    init() throws {
        library = try TemporaryLibrary()
        store = try library.open()
        _ = try store.addFeed(items: (1...5).map { item($0) })
        ids = try store.all(order: .oldestFirst).map(\.id)
    }

    /// The library as the next process finds it.
    private func reopened() throws -> LibraryStore { try library.open() }

    @Test func withoutAnActThereIsNothingToUndo() throws {
        #expect(try store.undoLast() == nil)
        try store.savePosition(MediaTime(seconds: 3), of: ids[0], at: day0, isDurable: true)
        try store.setStarred(true, [ids[0]])
        #expect(try store.undoLast() == nil)
    }

    @Test func aSeekGoesBackToWhereItLeftFrom() throws {
        try store.savePosition(MediaTime(seconds: 500), of: ids[0], at: day0, isDurable: true)
        try store.recordSeek(of: ids[0], from: MediaTime(seconds: 100), at: day0)
        let undone = try #require(try reopened().undoLast())
        #expect(undone.kind == .seek)
        #expect(undone.episodes.map(\.id) == [ids[0]])
        #expect(try store.episode(ids[0]).state.position == MediaTime(seconds: 100))
    }

    @Test func seeksThatFollowCloselyCountAsOneWhateverTheClockDoes() throws {
        let id = ids[0]
        try store.savePosition(MediaTime(seconds: 9), of: id, at: day0, isDurable: true)
        for second in 0..<5 {
            let position = MediaTime(seconds: 10 * Double(second + 1))
            try store.recordSeek(of: id, from: position, at: day0.adding(seconds: Int64(second)))
        }
        // Another one after a pause, and one after the clock went back by years.
        try store.recordSeek(of: id, from: MediaTime(seconds: 700), at: day0.adding(seconds: 60))
        try store.recordSeek(of: id, from: MediaTime(seconds: 800), at: day0.adding(days: -4000))
        var positions: [MediaTime] = []
        while try store.undoLast() != nil { positions.append(try store.episode(id).state.position) }
        #expect(positions == [800, 700, 10].map { MediaTime(seconds: $0) })
    }

    @Test func whatWasMarkedPlayedIsInProgressWhereItWas() throws {
        try store.savePosition(MediaTime(seconds: 61), of: ids[1], at: day0, isDurable: true)
        try store.setPlayed(true, [ids[0], ids[1]], at: day0)
        #expect(try store.count(EpisodeFilter(isPlayed: true), upTo: 9) == .exactly(2))
        let undone = try #require(try reopened().undoLast())
        #expect(undone.kind == .markedPlayed)
        #expect(undone.episodes.count == 2)
        let state = try store.episode(ids[1]).state
        #expect(state.isInProgress && state.position == MediaTime(seconds: 61))
        #expect(!(try store.episode(ids[0]).state.isPlayed))
        #expect(try store.count(EpisodeFilter(isPlayed: true), upTo: 9) == .exactly(0))
        #expect(try store.count(EpisodeFilter(isInProgress: true), upTo: 9) == .exactly(1))
    }

    @Test func whatWasMarkedUnplayedIsPlayedAgain() throws {
        try store.setPlayed(true, [ids[0]], at: day0)
        try store.setPlayed(false, [ids[0]], at: day0)
        #expect(try store.undoLast()?.kind == .markedUnplayed)
        #expect(try store.episode(ids[0]).state.isPlayed)
        #expect(try store.undoLast()?.kind == .markedPlayed)
        #expect(!(try store.episode(ids[0]).state.isPlayed))
    }

    @Test func whatWasAddedLeavesTheQueueAgain() throws {
        _ = try store.insertEntries([ids[0]], at: 0)
        _ = try store.insertEntries([ids[1], ids[2]], at: 0)
        let undone = try #require(try reopened().undoLast())
        #expect(undone.kind == .added)
        #expect(undone.episodes.map(\.id) == [ids[1], ids[2]])
        #expect(try store.queue().entries.map(\.episode) == [ids[0]])
        #expect(try store.undoLast()?.episodes.map(\.id) == [ids[0]])
        #expect(try store.queue() == StoredQueue())
        #expect(try store.undoLast() == nil)
    }

    @Test func whatWasAddedAndPlaysStays() throws {
        let entries = try store.insertEntries([ids[0], ids[1], ids[2]], at: 0)
        try store.setCurrentEntry(entries[1].id)
        try store.removeEntries([entries[2].id])
        #expect(try store.undoLast()?.kind == .removed)
        #expect(try store.undoLast()?.episodes.map(\.id) == [ids[0], ids[2]])
        #expect(try store.queue() == StoredQueue(entries: [entries[1]], current: entries[1].id))
    }

    @Test func anAdditionOfWhichNothingIsLeftIsPassedOver() throws {
        try store.setPlayed(true, [ids[4]], at: day0)
        let entry = try #require(try store.insertEntries([ids[0]], at: 0).first)
        try store.setCurrentEntry(entry.id)
        #expect(try store.undoLast()?.kind == .markedPlayed)
        #expect(try store.queue().entries == [entry])
    }

    @Test func aClearedQueueIsBackWithItsNumbersAndTheCurrentEntry() throws {
        let entries = try store.insertEntries(ids, at: 0)
        try store.setCurrentEntry(entries[2].id)
        try store.removeEntries(entries.map(\.id))
        #expect(try store.queue() == StoredQueue())
        let undone = try #require(try reopened().undoLast())
        #expect(undone.kind == .cleared)
        #expect(undone.episodes.count == 5)
        #expect(try store.queue() == StoredQueue(entries: entries, current: entries[2].id))
        #expect(try store.undoLast()?.kind == .added)
        #expect(try store.undoLast() == nil)
    }

    @Test func removedEntriesReturnAmongThoseThatCameSince() throws {
        let entries = try store.insertEntries(ids, at: 0)
        try store.removeEntries([entries[1].id, entries[3].id])
        let later = try store.insertEntries([ids[0]], at: 3)
        // What plays is not taken back.
        try store.setCurrentEntry(later[0].id)
        #expect(try store.undoLast()?.kind == .removed)
        #expect(try store.queue().entries.map(\.id) == entries.map(\.id) + later.map(\.id))
        // Their numbers are not given away either.
        let next = try store.insertEntries([ids[0]], at: 0)
        #expect(!(entries + later).map(\.id).contains(next[0].id))
    }

    @Test func aMoveAndAShuffleAreTakenBack() throws {
        let entries = try store.insertEntries(ids, at: 0)
        try store.moveEntry(entries[0].id, to: 3)
        try store.reorderEntries(try store.queue().entries.map(\.id).reversed())
        #expect(try store.undoLast()?.kind == .shuffled)
        #expect(try store.undoLast()?.kind == .moved)
        #expect(try store.queue().entries == entries)
    }

    @Test func anActOnAFeedThatWentIsPassedOver() throws {
        let other = try store.addFeed("other", items: [item(50), item(51)])
        let gone = try store.all(EpisodeFilter(feed: other)).map(\.id)
        let entries = try store.insertEntries(gone + [ids[0]], at: 0)
        try store.removeEntries(entries.map(\.id))
        try store.setPlayed(true, gone, at: day0)
        try store.removeFeed(other)
        let undone = try #require(try store.undoLast())
        #expect(undone.kind == .cleared)
        #expect(try store.queue().entries == [entries[2]])
    }

    @Test func manyActsAreForgottenFromTheOldestOn() throws {
        for number in 0..<60 { try store.setPlayed(number % 2 == 0, [ids[0]], at: day0) }
        #expect(try library.number("SELECT count(*) FROM undo_step") == 50)
        #expect(try library.number("SELECT count(*) FROM undo_episode") == 50)
        try library.connection().execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO history(time, event, episode, position) SELECT 0, 0, \(ids[1]), i FROM n
            """)
        try store.savePosition(MediaTime(seconds: 7), of: ids[1], at: day0, isDurable: true)
        #expect(try library.number("SELECT count(*) FROM history") == 1_000)
    }

    @Test func theHistoryTellsWhatWasHeardAndMarked() throws {
        try store.savePosition(MediaTime(seconds: 20), of: ids[0], at: day0, isDurable: false)
        try store.savePosition(MediaTime(seconds: 21), of: ids[0], at: day0, isDurable: true)
        try store.recordSeek(of: ids[0], from: MediaTime(seconds: 21), at: day0.adding(seconds: 1))
        try store.setPlayed(true, [ids[0]], at: day0.adding(seconds: 2))
        try store.setPlayed(false, [ids[1]], at: day0.adding(seconds: 3))
        let history = try store.history(limit: 10)
        #expect(history.map(\.event) == [.unplayed, .played, .left, .heard])
        #expect(history.map(\.title) == ["Episode 2", "Episode 1", "Episode 1", "Episode 1"])
        #expect(history[1].position == MediaTime(seconds: 21))
        #expect(try store.history(limit: 1) == [history[0]])
    }
}
