@testable import Library
import PodcastModel
import SQLite
import TestSupport
import Testing

struct UndoTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore
    private let ids: [EpisodeID]

    init() throws {
        (library, store) = try openLibrary()
        _ = try store.addFeed(items: (1...5).map { item($0) })
        ids = try store.all(order: .oldestFirst).map(\.id)
    }

    /// The library as the next process finds it.
    private func reopened() throws -> LibraryStore { try library.open() }

    @Test(arguments: [MediaTime(seconds: 99), nil])
    func anEpisodeHeardToItsEndComesBackWithItsEntryAndPosition(heard: MediaTime?) throws {
        try store.episodes.savePosition(MediaTime(seconds: 61), of: ids[1], at: day0, isDurable: true)
        let entries = try store.queue.insertEntries([ids[0], ids[1], ids[2]], at: 0)
        try store.queue.setCurrentEntry(entries[1].id)
        try store.queue.finishEntry(entries[1], heard: heard, keepsEntry: false, at: day0)
        try expectEqual(store.queue.queue(), StoredQueue(entries: [entries[0], entries[2]]))
        #expect(try store.episodes.episode(ids[1]).state.isPlayed)
        let undone = try #require(try reopened().history.undoLast())
        #expect(undone.kind == .markedPlayed && undone.episodes.map(\.id) == [ids[1]])
        try expectEqual(store.queue.queue(), StoredQueue(entries: entries, current: entries[1].id))
        let state = try store.episodes.episode(ids[1]).state
        #expect(!state.isPlayed && state.position == heard ?? MediaTime(seconds: 61))
    }

    /// Undoes the last act of a kind.
    private func undo(_ kind: Act) throws {
        let step = try #require(try store.history.steps(.undo, at: day0).first { $0.act == kind })
        _ = try store.history.turnLast(.undo, step: step.id, at: day0)
    }

    @Test func entriesThatComeBackStandBeforeThoseThatWereAddedSince() throws {
        let gone = try store.queue.insertEntries([ids[0], ids[1]], at: 0)
        try store.queue.removeEntries(gone.map(\.id))
        let added = try store.queue.insertEntries([ids[2], ids[3]], at: 0)
        try undo(.removed)
        try expectEqual(store.queue.queue().entries, gone + added)
        try expectEqual(library.findings(), [])
    }

    @Test func anEntryWhosePlaceAnotherOneHasByNowGetsItsOwn() throws {
        let entries = try store.queue.insertEntries([ids[0], ids[1]], at: 0)
        try store.queue.moveEntries([entries[0].id], to: 1)
        try store.queue.removeEntries([entries[0].id])
        try store.queue.moveEntries([entries[1].id], to: 1)
        let added = try store.queue.insertEntries([ids[2]], at: 1)
        try undo(.removed)
        try expectEqual(Set(store.queue.queue().entries.map(\.id)), Set((entries + added).map(\.id)))
        try expectEqual(library.findings(), [])
        _ = try store.history.redoLast()
        try expectEqual(store.queue.queue().entries, [entries[1], added[0]])
    }

    @Test func aFinishedEntryThatIsInTheQueueAgainStaysThereWhenItsEndIsUndone() throws {
        let entries = try store.queue.insertEntries([ids[0], ids[1]], at: 0)
        try store.queue.finishEntry(entries[0], heard: nil, keepsEntry: false, at: day0)
        try store.queue.restoreEntry(entries[0], at: 0)
        try expectEqual(store.history.undoLast()?.kind, .markedPlayed)
        try expectEqual(store.queue.queue().entries, entries)
    }

    @Test(.timeLimit(.minutes(1)), arguments: [[0x84, 2, 1, 0], [], [1, 2, 3]] as [[UInt8]])
    func anActWithADamagedRecordIsRefusedAndOthersAreUndone(damaged: [UInt8]) throws {
        try store.episodes.setStarred(true, [ids[0]])
        try store.episodes.setNote("remember", of: ids[1])
        try store.episodes.setStarred(true, [ids[2]])
        try library.connection().run(
            "UPDATE undo_change SET changes = \(damaged) WHERE step = (SELECT max(id) FROM undo_step)")
        let refused = try #require(try store.history.undoLast())
        #expect(refused.kind == .starred && refused.obstacle == "its record in the library is damaged")
        #expect(try store.episodes.episode(ids[2]).state.isStarred)
        try expectEqual(store.history.undoLast()?.kind, .noted)
        try expectEqual(store.history.undoLast()?.kind, .starred)
        #expect(try !store.episodes.episode(ids[0]).state.isStarred)
    }

    @Test func whatRedoWouldDoAgainIsListedInItsOrder() throws {
        try store.episodes.setStarred(true, [ids[0]])
        try store.episodes.setNote("remember", of: ids[1])
        #expect(try store.history.steps(.redo, at: day0).isEmpty)
        _ = try store.history.undoLast()
        _ = try store.history.undoLast()
        let listed = try store.history.steps(.redo, at: day0)
        #expect(listed.map(\.act) == [.starred, .noted] && listed.map(\.count) == [1, 1])
        expectEqual(listed.map(\.title), ["Episode 1", "Episode 2"])
        #expect(try store.history.steps(.undo, at: day0).isEmpty)
    }

    @Test func theHistoryTellsWhatWasHeardFromWhatWasMarked() throws {
        let entries = try store.queue.insertEntries([ids[0]], at: 0)
        try store.queue.finishEntry(entries[0], heard: nil, keepsEntry: false, at: day0)
        try store.episodes.setPlayed(true, [ids[1]], at: day0.adding(days: 1))
        try store.episodes.setPlayed(false, [ids[1]], at: day0.adding(days: 2))
        try expectEqual(store.history.history(limit: 9).map(\.event), [.unplayed, .marked, .played])
    }

    @Test func theHistoryCanBeOfOneFeedAndFromATimeOn() throws {
        let other = try store.addFeed("other", items: [item(9) { $0.enclosures[0].url = "https://cdn.example/o.mp3" }])
        let its = try store.all(EpisodeFilter(feed: other)).map(\.id)
        for (number, id) in [ids[0], its[0], ids[1]].enumerated() {
            try store.episodes.setPlayed(true, [id], at: day0.adding(days: Int64(number)))
        }
        try expectEqual(store.history.history(of: other, limit: 9).map(\.episode), its)
        try expectEqual(store.history.history(since: day0.adding(days: 1), limit: 9).map(\.episode), [ids[1], its[0]])
        try expectEqual(store.history.history(of: other, since: day0.adding(days: 2), limit: 9).map(\.episode), [])
    }

    @Test func aFileThatAMarkReleasesIsNotDeletedAtOnceTheSecondTimeEither() throws {
        try store.setDownloaded([ids[0]])
        try store.forgetSteps()
        try store.episodes.setPlayed(true, [ids[0]], at: day0)
        try expectEqual(store.history.undoLast()?.requested, [ids[0]])
        #expect(try store.downloadCame(for: ids[0]))
        try expectEqual(store.history.redoLast()?.dropped, [])
        #expect(
            try store.downloads.downloadedEpisodes().isEmpty && store.downloads.requestedDownloads(limit: 9).isEmpty)
    }

    @Test func aDraggedSliderCountsAsOneSeekWhateverTheClockDoes() throws {
        let id = ids[0]
        try store.episodes.savePosition(MediaTime(seconds: 9), of: id, at: day0, isDurable: true)
        for number in 0..<5 {
            let position = MediaTime(seconds: 10 * Double(number + 1))
            let time = Timestamp(milliseconds: day0.milliseconds + 100 * Int64(number))
            try store.history.recordSeek(of: id, from: position, at: time)
        }
        // Another one a second later, and one after the clock went back by years.
        try store.history.recordSeek(of: id, from: MediaTime(seconds: 700), at: day0.adding(seconds: 1))
        try store.history.recordSeek(of: id, from: MediaTime(seconds: 800), at: day0.adding(days: -4000))
        var positions: [MediaTime] = []
        while try store.history.undoLast() != nil { positions.append(try store.episodes.episode(id).state.position) }
        expectEqual(positions, [800, 700, 10].map { MediaTime(seconds: $0) })
    }

    @Test func starsAndNotesAreAsBefore() throws {
        try store.episodes.setStarred(true, [ids[0]])
        try store.episodes.setStarred(true, [ids[0], ids[1]])
        try store.episodes.setNote("remember", of: ids[2])
        try store.episodes.setNote("forget", of: ids[2])
        try store.episodes.setStarred(false, [ids[0]])
        let again = try reopened()
        try expectEqual(again.history.undoableSteps().map(\.act), [.unstarred, .noted, .noted, .starred, .starred])
        func undo() throws -> [EpisodeID]? { try again.history.undoLast()?.episodes.map(\.id) }
        func stars() throws -> [Bool] { try ids.prefix(2).map { try again.episodes.episode($0).state.isStarred } }
        #expect(try undo() == [ids[0]] && stars() == [true, true])
        #expect(try undo() == [ids[2]] && again.episodes.episode(ids[2]).state.note == "remember")
        #expect(try undo() == [ids[2]] && again.episodes.episode(ids[2]).state.note == nil)
        #expect(try undo() == [ids[1]] && stars() == [true, false])
        #expect(try undo() == [ids[0]] && stars() == [false, false])
        #expect(try undo() == nil && again.history.undoableSteps().isEmpty)
    }

    @Test func whatCannotBeUndoneIsToldOnceAndTouchesNothing() throws {
        try store.episodes.setStarred(true, [ids[0]])
        try store.write(.synced) {
            try store.history.insertFinalAct(.set, title: "password of A show", "logins are not kept")
        }
        try expectEqual(store.history.undoableSteps().map(\.act), [.set, .starred])
        let told = UndoneStep(kind: .set, title: "password of A show", obstacle: "logins are not kept")
        try expectEqual(store.history.undoLast(), told)
        #expect(try store.episodes.episode(ids[0]).state.isStarred)
        try expectEqual(store.history.undoLast()?.kind, .starred)
    }

    @Test func theStepsAreListedWithTheirFirstTitleInTheOrderOfUndo() throws {
        try store.episodes.setPlayed(true, Array(ids.prefix(2)), at: day0)
        try store.history.recordSeek(of: ids[2], from: MediaTime(seconds: 5), at: day0)
        let steps = try store.history.undoableSteps()
        try #require(steps.map(\.act) == [.seek, .markedPlayed] && steps.map(\.count) == [1, 2])
        expectEqual(steps[1].title, (try store.episodes.episode(ids[0]).title))
    }

    @Test func whatTheUserDidIsUndoneBeforeTheEndOfAnotherEpisodeThatCameAfterIt() throws {
        let entries = try store.queue.insertEntries([ids[0], ids[1]], at: 0)
        try store.episodes.setPlayed(true, [ids[4]], at: day0)
        try store.queue.finishEntry(entries[0], heard: nil, keepsEntry: false, at: day0)
        try expectEqual(store.history.undoableSteps().map(\.title), ["Episode 5", "Episode 1", "Episode 1"])
        try expectEqual(store.history.undoLast()?.episodes.map(\.id), [ids[4]])
        try expectEqual(store.history.undoLast()?.episodes.map(\.id), [ids[0]])
        // What was long ago comes after it.
        try store.episodes.setPlayed(true, [ids[4]], at: day0.adding(days: -1))
        try store.queue.finishEntry(entries[0], heard: nil, keepsEntry: false, at: day0)
        try expectEqual(store.history.undoLast()?.episodes.map(\.id), [ids[0]])
    }

    @Test func theEndThatASeekCausedIsUndoneBeforeEarlierActs() throws {
        let entries = try store.queue.insertEntries([ids[0]], at: 0)
        try store.episodes.setPlayed(true, [ids[4]], at: day0)
        try store.queue.finishEntry(entries[0], heard: MediaTime(seconds: 60), keepsEntry: false, at: day0)
        try expectEqual(store.history.undoLast()?.episodes.map(\.id), [ids[0]])
    }

    @Test func anActIsUndoneByItsIdAlsoAfterOthers() throws {
        try store.episodes.setStarred(true, [ids[0]])
        let act = try #require(store.history.undoableSteps().first)
        try store.episodes.setStarred(true, [ids[1]])
        try expectEqual(store.history.turnLast(.undo, step: act.id, at: day0)?.episodes.map(\.id), [ids[0]])
        #expect(try !store.episodes.episode(ids[0]).state.isStarred && store.episodes.episode(ids[1]).state.isStarred)
        try expectEqual(store.history.turnLast(.undo, step: act.id, at: day0), nil, "it is undone already")
    }

    @Test func undoingCountsEntriesOfTheQueueNotEpisodes() throws {
        _ = try store.queue.insertEntries([ids[0], ids[1], ids[0]], at: 0)
        try store.queue.removeEntries(store.queue.queue().entries.map(\.id))
        let undone = try #require(try store.history.undoLast())
        #expect(undone.entries == 3 && undone.episodes.count == 2)
    }

    @Test func undoingSaysWhatBecameOfAPlaylist() throws {
        func save(_ filter: String) throws {
            _ = try store.playlists.savePlaylist(
                Playlist(name: "keep", filter: EpisodeExpression(parsing: filter), order: .newestFirst))
        }
        try save("is:starred")
        try save("is:played")
        try expectEqual(store.history.undoLast()?.outcome, .changed)
        try expectEqual(store.history.undoLast()?.outcome, .removed)
        try save("is:starred")
        try store.playlists.removePlaylist(named: "keep")
        try expectEqual(store.history.undoLast()?.outcome, .restored)
    }

    @Test func aSeekThatIsDoneAgainCountsByTheDurationThatIsKnownByThen() throws {
        try store.episodes.savePosition(MediaTime(seconds: 20), of: ids[0], at: day0, isDurable: true)
        try store.history.recordSeek(of: ids[0], from: MediaTime(seconds: 1), at: day0)
        try expectEqual(store.episodes.count(EpisodeFilter(isInProgress: true), upTo: 9), .exactly(1))
        _ = try store.history.undoLast()
        try expectEqual(store.episodes.count(EpisodeFilter(isInProgress: true), upTo: 9), .exactly(0))
        try store.episodes.setMeasuredDuration(MediaTime(seconds: 7_200), of: ids[0])
        _ = try store.history.redoLast()
        try expectEqual(store.episodes.episode(ids[0]).state.position, MediaTime(seconds: 20))
        try expectEqual(store.episodes.count(EpisodeFilter(isInProgress: true), upTo: 9), .exactly(0))
        try expectEqual(library.findings(), [])
    }

    @Test func whatWasAddedAndPlaysStays() throws {
        let entries = try store.queue.insertEntries([ids[0], ids[1], ids[2]], at: 0)
        try store.queue.setCurrentEntry(entries[1].id)
        try store.queue.removeEntries([entries[2].id])
        try expectEqual(store.history.undoLast()?.kind, .removed)
        try expectEqual(store.history.undoLast()?.episodes.map(\.id), [ids[0], ids[2]])
        try expectEqual(store.queue.queue(), StoredQueue(entries: [entries[1]], current: entries[1].id))
    }

    @Test func anAdditionThatPlaysIsNamedAndTheNextUndoTakesTheActBefore() throws {
        try store.episodes.setPlayed(true, [ids[4]], at: day0)
        let entry = try #require(try store.queue.insertEntries([ids[0]], at: 0).first)
        try store.queue.setCurrentEntry(entry.id)
        let named = try #require(try store.history.undoLast())
        expectEqual(named.kind, .added)
        expectEqual(named.obstacle?.contains("it is the current entry"), true)
        try expectEqual(store.history.undoLast()?.kind, .markedPlayed)
        try expectEqual(store.queue.queue().entries, [entry])
    }

    @Test func removedEntriesReturnAmongThoseThatCameSince() throws {
        let entries = try store.queue.insertEntries(ids, at: 0)
        try store.queue.removeEntries([entries[1].id, entries[3].id])
        let later = try store.queue.insertEntries([ids[0]], at: 3)
        // The addition of an entry that plays is not undone.
        try store.queue.setCurrentEntry(later[0].id)
        #expect(try store.history.undoLast()?.obstacle != nil)
        try expectEqual(store.history.undoLast()?.kind, .removed)
        try expectEqual(store.queue.queue().entries.map(\.id), entries.map(\.id) + later.map(\.id))
        // The ids of these entries are not used again.
        let next = try store.queue.insertEntries([ids[0]], at: 0)
        #expect(!(entries + later).map(\.id).contains(next[0].id))
    }

    @Test func anActOnAFeedThatWentIsReported() throws {
        let other = try store.addFeed("other", items: [item(50), item(51)])
        let gone = try store.all(EpisodeFilter(feed: other)).map(\.id)
        let entries = try store.queue.insertEntries(gone + [ids[0]], at: 0)
        try store.queue.removeEntries(entries.map(\.id))
        try store.episodes.setPlayed(true, gone, at: day0)
        try FeedStore(library: store).discard(other)
        #expect(try store.history.undoLast()?.obstacle != nil)
        try expectEqual(store.history.undoLast()?.kind, .removed)
        try expectEqual(store.queue.queue().entries, [entries[2]])
    }

    @Test func manyActsAreForgottenFromTheOldestOn() throws {
        for number in 0..<60 { try store.episodes.setPlayed(number % 2 == 0, [ids[0]], at: day0) }
        try expectEqual(library.number("SELECT count(*) FROM undo_step"), 50)
        try expectEqual(library.number("SELECT count(*) FROM undo_episode"), 50)
        try library.connection().execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101000)
            INSERT INTO history(time, event, episode, position) SELECT 0, 0, \(ids[1]), i FROM n
            """)
        try store.episodes.savePosition(MediaTime(seconds: 7), of: ids[1], at: day0, isDurable: true)
        try expectEqual(library.number("SELECT count(*) FROM history"), 100_000)
    }

    @Test func theHistoryTellsWhatWasHeardAndMarked() throws {
        try store.episodes.savePosition(MediaTime(seconds: 20), of: ids[0], at: day0, isDurable: false)
        try store.episodes.savePosition(MediaTime(seconds: 21), of: ids[0], at: day0, isDurable: true)
        try store.history.recordSeek(of: ids[0], from: MediaTime(seconds: 21), at: day0.adding(seconds: 1))
        try store.episodes.setPlayed(true, [ids[0]], at: day0.adding(seconds: 2))
        try store.episodes.setPlayed(false, [ids[1]], at: day0.adding(seconds: 3))
        let history = try store.history.history(limit: 10)
        try #require(history.map(\.event) == [.unplayed, .marked, .left, .heard])
        try #require(history.map(\.title) == ["Episode 2", "Episode 1", "Episode 1", "Episode 1"])
        expectEqual(history[1].position, MediaTime(seconds: 21))
        try expectEqual(store.history.history(limit: 1), [history[0]])
    }
}
