@testable import Library
@testable import DaemonCore
import PodcastModel
import SQLite
import TestSupport
import Testing

@Suite struct QueueServiceTests {
    private let library: StoredLibrary
    private let queue: QueueService

    init() async throws {
        library = try StoredLibrary()
        queue = try await QueueService(from: library)
    }

    @Test func anEditIsStoredAndSurvivesLoadingAgain() async throws {
        let episodes = try await library.episodes(3)
        let entries = try await queue.add(episodes, at: nil)
        try await queue.move([entries[2].id], to: 1)
        try await queue.remove([entries[0].id])
        expectEqual(queue.snapshot.entries.map(\.episode), [episodes[2], episodes[1]])
        try await expectEqual(QueueService(from: library).snapshot.entries, queue.snapshot.entries)
    }

    @Test func anEntryIsNotMovedBeyondTheEnd() async throws {
        let entries = try await queue.add(try await library.episodes(3), at: nil)
        for index in [0, 4, 99] {
            await #expect(throws: MissingEntry.self) { try await queue.move([entries[0].id], to: index) }
        }
        expectEqual(queue.snapshot.entries, entries)
    }

    @Test func anUpdateTurnsACopyOfARevisionIntoTheQueue() async throws {
        let episodes = try await library.episodes(5)
        let first = try await queue.add(Array(episodes[..<4]), at: nil)
        let (copy, revision) = (queue.snapshot, queue.extent.revision)
        try await queue.move([first[3].id], to: 1)
        try await queue.remove([first[1].id])
        let added = try await queue.add([episodes[4]], at: 1)
        let update = queue.update(since: revision)
        #expect(update.extent.length == 4 && update.extent.revision == revision + 3)
        expectEqual(update.inserted, added)
        expectEqual(ViewDifference.apply(try #require(update.changes), to: copy.ids), queue.snapshot.ids)
    }

    @Test func aChangeOfTheCurrentEntryIsNoRevision() async throws {
        let entries = try await queue.add(try await library.episodes(2), at: nil)
        let revision = queue.extent.revision
        try await queue.setCurrentEntry(entries[1])
        #expect(queue.extent.index == 2 && queue.extent.revision == revision)
    }

    @Test func anEditThatCannotBeStoredIsNotVisible() async throws {
        let episodes = try await library.episodes(2)
        _ = try await queue.add(episodes, at: nil)
        struct Full: Error {}
        await library.fail(with: Full())
        await #expect(throws: Full.self) { try await queue.clear() }
        expectEqual(queue.extent.length, 2)
    }

    @Test func whileAnotherProcessHoldsTheLibraryTheCurrentEntryChangesAndIsStoredLater() async throws {
        let entries = try await queue.add(try await library.episodes(3), at: nil)
        try await library.hold()
        try await queue.setCurrentEntry(entries[1])
        try await queue.finish(entries[1], heard: nil, keepsEntry: false, at: Timestamp(seconds: 9))
        try await queue.setCurrentEntry(entries[2])
        #expect(queue.snapshot.ids == [entries[0].id, entries[2].id] && queue.extent.index == 2)
        await library.release()
        // The next edit writes what is missing first.
        try await queue.move([entries[2].id], to: 1)
        let stored = try await QueueService(from: library).snapshot
        #expect(stored.entries == [entries[2], entries[0]] && stored.current == entries[2].id)
    }

    @Test func whatPlaybackChangesDuringAnEditIsKept() async throws {
        let entries = try await queue.add(try await library.episodes(2), at: nil)
        let more = try await library.episodes(3)
        let (copy, revision) = (queue.snapshot, queue.extent.revision)
        async let adding = queue.add([more[2]], at: 1)
        async let current: Void = queue.setCurrentEntry(entries[1])
        async let finishing: Void = queue.finish(
            entries[0], heard: nil, keepsEntry: false, at: Timestamp(seconds: 9))
        let added = try await adding
        _ = try await (current, finishing)
        expectEqual(Set(queue.snapshot.ids), Set([added[0].id, entries[1].id]))
        expectEqual(queue.snapshot.current, entries[1].id)
        let update = queue.update(since: revision)
        expectEqual(ViewDifference.apply(try #require(update.changes), to: copy.ids), queue.snapshot.ids)
    }

    @Test func anEntryThatWasHeardIsThePreviousOneAndComesBack() async throws {
        let entries = try await queue.add(try await library.episodes(2), at: nil)
        try await queue.setCurrentEntry(entries[0])
        try await queue.finish(entries[0], heard: nil, keepsEntry: false, at: Timestamp(seconds: 9))
        try await expectEqual(queue.entry(before: entries[1].id), entries[0])
        try await expectEqual(QueueService(from: library).snapshot.entries, entries)
    }

    @Test func undoingRestoresTheQueue() async throws {
        let entries = try await queue.add(try await library.episodes(2), at: nil)
        try await queue.clear()
        try await expectEqual(queue.undo(.undo, at: Timestamp(seconds: 9), permits: { _ in })?.kind, .cleared)
        expectEqual(queue.snapshot.entries.map(\.episode), entries.map(\.episode))
    }

    @Test func aStepWithoutEffectIsReportedAndTheNextIsPermittedFirst() async throws {
        struct Refusal: Error {}
        let id = try await library.episodes(1)[0]
        let refused = try await library.perform { store in
            try store.episodes.setStarred(true, [id])
            try store.episodes.setNote("mine", of: id)
            // The last step no longer has an effect.
            try store.connection.run("DELETE FROM note WHERE episode = \(id)")
            return try store.history.steps(.undo, at: Timestamp(seconds: 9))[1].id
        }
        func undo() async throws -> UndoneStep? {
            try await queue.undo(.undo, at: Timestamp(seconds: 9)) { if $0.id == refused { throw Refusal() } }
        }
        try await #expect(undo()?.obstacle != nil)
        await #expect(throws: Refusal.self) { try await undo() }
        #expect(try await library.perform { try $0.episodes.episode(id).state.isStarred })
    }

    @Test func everyEditAndItsUndoKeepsWhatIsNextAfterTheCurrentEntryWasRemoved() async throws {
        let entries = try await queue.add(try await library.episodes(6), at: nil)
        try await queue.setCurrentEntry(entries[2])
        try await queue.remove([entries[2].id])
        let edits: [() async throws -> Void] = [
            { try await queue.move([entries[0].id], to: 4) },
            { try await queue.move([entries[0].id, entries[1].id], to: 3) },
            { try await queue.shuffle() },
            { try await queue.remove([entries[1].id, entries[3].id]) },
            { try await queue.clear() },
        ]
        for edit in edits {
            try await edit()
            while queue.snapshot.ids != [0, 1, 3, 4, 5].map({ entries[$0].id }) {
                try #require(try await queue.undo(.undo, at: Timestamp(seconds: 9), permits: { _ in }) != nil)
            }
            expectEqual(queue.currentEntry(), entries[3])
        }
    }
}
