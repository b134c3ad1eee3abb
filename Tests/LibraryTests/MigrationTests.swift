import Foundation
import Library
import LibraryDatabase
import LibraryModel
@testable import LibrarySchema
import LibrarySearch
import PodcastModel
import SQLite
import Testing
import TestSupport

struct MigrationTests {
    /// A library as an earlier version left it: `Fixtures/library-vN.sql`, a dump with the same content in each.
    private func library(ofVersion version: Int) throws -> TemporaryLibrary {
        let library = try TemporaryLibrary()
        let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/library-v\(version).sql")
        let connection = try library.connection()
        try connection.execute("PRAGMA foreign_keys=OFF; PRAGMA journal_mode=WAL")
        try connection.execute(String(contentsOf: fixture, encoding: .utf8))
        return library
    }

    private func schema(_ library: TemporaryLibrary) throws -> [String] {
        let query = try library.connection().statement(
            "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1")
        var lines: [String] = []
        while try query.step() { lines.append(query.text(0)) }
        return lines
    }

    @Test func stepsAreNumberedWithoutGaps() {
        expectEqual(Migration.all.map(\.version), Array(1...LibraryStore.schemaVersion))
    }

    @Test(arguments: 1...LibraryStore.schemaVersion)
    func everyEarlierVersionBecomesThePresentOne(version: Int) throws {
        let library = try library(ofVersion: version)
        let fresh = try TemporaryLibrary()
        _ = try fresh.open()
        let store = try library.open()
        try expectEqual(schema(library), schema(fresh))
        try expectEqual(library.number("PRAGMA user_version"), LibraryStore.schemaVersion)

        try expectEqual(store.feeds.feeds().map(\.title), ["An old show"])
        let episodes = try store.all(order: .oldestFirst)
        try #require(episodes.map(\.title) == ["First", "Second", "Third"])
        #expect(episodes[0].state.isPlayed)
        expectEqual(episodes[1].state.position, MediaTime(milliseconds: 61_500))
        expectEqual(episodes[1].state.note, "remember")
        #expect(episodes[2].state.isStarred)
        try expectEqual(store.queue.queue().entries.map(\.episode), [episodes[2].id, episodes[1].id])
        try expectEqual(store.queue.queue().current, store.queue.queue().entries[1].id)
        try expectEqual(store.all(EpisodeFilter(text: "second words")).map(\.id), [episodes[1].id])
        try expectEqual(store.episodes.resolveEpisode(episodes[0].enclosure.url).id, episodes[0].id)
        try expectEqual(store.episodes.count(EpisodeFilter(isPlayed: true), upTo: 9), .exactly(1))
        try expectEqual(library.number("SELECT count(*) FROM pragma_foreign_key_check"), 0)
    }

    @Test(arguments: 1..<LibraryStore.schemaVersion)
    func aBackupIsWrittenBeforeAStep(version: Int) throws {
        let library = try library(ofVersion: version)
        _ = try library.open()
        let backup = try Connection(path: library.path + ".v\(version).backup", busyTimeout: .zero, cacheKiB: 64)
        let query = try backup.statement("SELECT (SELECT user_version FROM pragma_user_version), count(*) FROM episode")
        #expect(try query.step())
        #expect((query.int(0), query.int(1)) == (version, 3))
        #expect(!FileManager.default.fileExists(atPath: library.path + ".v\(version).backup.partial"))
    }

    @Test(arguments: [true, false])
    func anEpisodeOfEarlierVersionsThatWasOnlyTouchedIsNewAgain(isSubscribed: Bool) throws {
        let library = try library(ofVersion: 20)
        try library.connection().execute("UPDATE playback SET position = 1000 WHERE episode = 2")
        if !isSubscribed {
            try library.connection().execute(
                """
                INSERT INTO removed_feed(feed, time, url, last_episode)
                SELECT id, \(day0.milliseconds), url, last_episode FROM feed;
                UPDATE feed SET kind = 2, url = NULL, last_episode = 0;
                """)
        }
        let store = try library.open()
        try expectEqual(library.findings(), [])
        if !isSubscribed { _ = try store.feeds.addFeed(url: "https://feeds.example/old", title: nil, at: day0) }
        try expectEqual(store.all(EpisodeFilter(isInProgress: true)), [])
        let second = try store.all(order: .oldestFirst)[1]
        #expect(second.state.position == MediaTime(seconds: 1) && !second.state.isPlayed)
        try expectEqual(library.findings(), [])
    }

    @Test func aStepThatFailsLeavesTheLibraryAsItWas() throws {
        let library = try library(ofVersion: LibraryStore.schemaVersion)
        let before = try schema(library)
        let broken = Migration(
            version: LibraryStore.schemaVersion + 1,
            script: "CREATE TABLE half_done(a); INSERT INTO nowhere VALUES (1)")
        #expect(throws: LibraryError.self) {
            try LibraryDatabase(
                path: library.path, busyTimeout: .zero, cacheKiB: 1_024, checkpointPages: 1_000,
                clock: ClosureClock { start }, migrations: Migration.all + [broken],
                addFunctions: EpisodeFinder.addFunctions)
        }
        try expectEqual(schema(library), before)
        try expectEqual(library.open().all().count, 3)
    }

    @Test func aNewerLibraryIsRefusedAndUntouched() throws {
        let library = try TemporaryLibrary()
        do {
            let connection = try library.connection()
            try connection.execute(
                "PRAGMA journal_mode=WAL; CREATE TABLE future(a); PRAGMA user_version=\(LibraryStore.schemaVersion + 5)"
            )
        }
        // A log that is not taken in yet, as a killed daemon of the newer version leaves it.
        let found = try TemporaryLibrary()
        do {
            let connection = try library.connection()
            try connection.execute("INSERT INTO future VALUES (1)")
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: library.path + suffix, toPath: found.path + suffix)
            }
        }
        let file = URL(fileURLWithPath: found.path)
        let log = URL(fileURLWithPath: found.path + "-wal")
        let before = (try Data(contentsOf: file), try Data(contentsOf: log))
        #expect(before.1.count > 0)
        #expect(
            throws: LibraryError.newerSchema(found: LibraryStore.schemaVersion + 5, known: LibraryStore.schemaVersion)
        ) { try found.open() }
        try expectEqual(Data(contentsOf: file), before.0)
        try expectEqual(Data(contentsOf: log), before.1)
    }

    @Test func twoProcessesMayOpenAnOldLibraryAtOnce() throws {
        let library = try library(ofVersion: 1)
        let first = try library.open()
        let second = try library.open()
        try expectEqual(first.all(), second.all())
    }
}
