@testable import Library
import PodcastModel
import SQLite
import Testing
import TestSupport

/// Undo of additions by URL, which make an episode.
struct AdditionUndoTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore
    private static let url = "https://files.example/talk.mp3"

    init() throws {
        (library, store) = try openLibrary()
    }

    private func add() throws -> EpisodeID {
        let id = try store.episodes.looseEpisode(url: Self.url, title: "Talk", at: day0)
        _ = try store.queue.insertEntries([id], at: 0)
        return id
    }

    @Test func anEpisodeThatWasHeardAgainSinceItsEndIsNeitherQueuedTwiceNorMoved() throws {
        let (store, ids) = try storeWithThree()
        let ended = try store.queue.insertEntries([ids[0]], at: 0)
        try store.queue.finishEntry(ended[0], heard: MediaTime(seconds: 39), keepsEntry: false, at: day0)
        let again = try store.queue.insertEntries([ids[0]], at: 0)
        let later = day0.adding(seconds: 9)
        try store.episodes.savePosition(MediaTime(seconds: 5), of: ids[0], at: later, isDurable: true)
        let step = try #require(try store.history.undoableSteps().first { $0.act == .markedPlayed })
        try expectEqual(store.history.turnLast(.undo, step: step.id, at: later)?.kind, .markedPlayed)
        try expectEqual(store.queue.queue().entries, again)
        let state = try store.episodes.episode(ids[0]).state
        #expect(state.position == MediaTime(seconds: 5) && !state.isPlayed)
    }

    @Test func theEpisodeComesWithItsEntryAndGoesAndReturnsWithIt() throws {
        let id = try add()
        try expectEqual(store.all().map(\.id), [id])
        try expectEqual(store.history.undoLast()?.kind, .added)
        #expect(try store.queue.queue().entries.isEmpty && store.all().isEmpty)
        try expectEqual(store.episodes.count(EpisodeFilter(), upTo: 9), .exactly(0))
        try expectEqual(store.history.redoLast()?.kind, .added)
        try expectEqual(store.queue.queue().entries.map(\.episode), [id])
        try expectEqual(store.all().map(\.id), [id])
    }

    struct Use: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let run: @Sendable (LibraryStore, EpisodeID) throws -> Void
    }

    static let uses: [Use] = [
        Use(testDescription: "played") {
            try $0.episodes.savePosition(MediaTime(seconds: 0), of: $1, at: day0, isDurable: true)
        },
        Use(testDescription: "starred") { try $0.episodes.setStarred(true, [$1]) },
        Use(testDescription: "noted") { try $0.episodes.setNote("remember", of: $1) },
        Use(testDescription: "download requested") { try $0.downloads.requestDownloads(of: [$1], at: day0) },
        Use(testDescription: "downloaded") { try $0.setDownloaded([$1]) },
        Use(testDescription: "queued again") { _ = try $0.queue.insertEntries([$1], at: 1) },
    ]

    @Test(arguments: uses)
    func anEpisodeThatWasUsedSinceStays(use: Use) throws {
        let id = try add()
        try use.run(store, id)
        // The use itself is not undone.
        let last = "SELECT max(id) FROM undo_step WHERE kind <> '\(Act.added.rawValue)'"
        try library.connection().execute("DELETE FROM undo_step WHERE id = (\(last))")
        if use.testDescription == "queued again" {
            try library.connection().execute("DELETE FROM undo_step WHERE id = (SELECT max(id) FROM undo_step)")
        }
        try expectEqual(store.history.undoLast()?.kind, .added)
        try expectEqual(store.all().map(\.id), [id])
    }

    @Test func anEpisodeThatAnEarlierActMadeStays() throws {
        let id = try add()
        try store.queue.removeEntries(try store.queue.queue().entries.map(\.id))
        _ = try add()
        try expectEqual(store.history.undoLast()?.kind, .added)
        try expectEqual(store.all().map(\.id), [id])
        try expectEqual(store.history.undoLast()?.kind, .removed)
        try expectEqual(store.queue.queue().entries.map(\.episode), [id])
        try expectEqual(store.history.undoLast()?.kind, .added)
        #expect(try store.all().isEmpty)
        for _ in 0..<3 { #expect(try store.history.redoLast() != nil) }
        try expectEqual(store.queue.queue().entries.map(\.episode), [id])
    }

    @Test func aDownloadByURLShowsTheEpisodeToo() throws {
        let id = try store.episodes.looseEpisode(url: Self.url, title: "Talk", at: day0)
        try store.downloads.requestDownloads(of: [id], at: day0)
        try expectEqual(store.all().map(\.id), [id])
        try expectEqual(store.history.undoLast()?.kind, .downloaded)
        #expect(try store.all().isEmpty)
    }

    @Test func addingItAgainShowsItAgain() throws {
        let id = try add()
        _ = try store.history.undoLast()
        try expectEqual(add(), id)
        try expectEqual(store.all().map(\.id), [id])
    }

    @Test func whatCannotComeBackIsDeletedInTheEnd() throws {
        let id = try add()
        _ = try store.history.undoLast()
        _ = try store.feeds.deleteRemoved(before: day0.adding(days: 1))
        try expectEqual(store.episodes.episodes([id]).count, 1)
        try store.forgetSteps()
        _ = try store.feeds.deleteRemoved(before: day0)
        try expectEqual(store.episodes.episodes([id]).count, 1)
        _ = try store.feeds.deleteRemoved(before: day0.adding(days: 1))
        #expect(try store.episodes.episodes([id]).isEmpty)
    }
}
