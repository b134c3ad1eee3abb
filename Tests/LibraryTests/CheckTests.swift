@testable import Library
@testable import DaemonCore
import Foundation
import PodcastModel
import Reporting
import SQLite
import TestSupport
import Testing

/// Damage of every kind that the check looks for, found and repaired.
@Suite(.ownThread) struct CheckTests {
    private func filled() throws -> TemporaryLibrary {
        let (library, store) = try openLibrary()
        _ = try store.addFeed(items: (1...300).map { number in item(number) { $0.content = "words of \(number)" } })
        let ids = try store.all(order: .oldestFirst).map(\.id)
        try store.episodes.savePosition(MediaTime(seconds: 20), of: ids[0], at: day0, isDurable: true)
        try store.episodes.setPlayed(true, [ids[1]], at: day0)
        try store.episodes.setStarred(true, [ids[2]])
        let entries = try store.queue.insertEntries(Array(ids[0..<4]), at: 0)
        try store.queue.setCurrentEntry(entries[1].id)
        while try store.performMaintenance() {}
        return library
    }

    private func check(_ library: TemporaryLibrary, isRepairing: Bool = false) throws -> [String: Finding] {
        let results = try LibraryChecker(path: library.path, isRepairing: isRepairing, now: day0).run()
        return Dictionary(results.map { ($0.check, $0) }) { first, _ in first }
    }

    @Test func aLibraryThatCannotBeWrittenIsCheckedAndStaysAsItIs() throws {
        let library = try filled()
        let files = try FileManager.default.contentsOfDirectory(atPath: library.folder.path)
        let results = try LibraryChecker(path: library.path, isRepairing: false, isReadOnly: true, now: day0).run()
        #expect(results.count > 5 && results.allSatisfy { $0.severity == .ok })
        expectEqual(results.last?.text, "not checked, because the library is read-only")
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: library.folder.path), files)
    }

    @Test func anEmptyFileIsNotALibrary() throws {
        let library = try TemporaryLibrary()
        try Data().write(to: URL(filePath: library.path))
        for isRepairing in [false, true] {
            let results = try check(library, isRepairing: isRepairing)
            expectEqual(results.mapValues(\.severity), ["structure": .problem])
            expectEqual(results["structure"]?.text, "the file is empty (0 bytes)")
        }
    }

    @Test func aSoundLibraryIsFineAndUntouched() throws {
        let library = try filled()
        let before = try Data(contentsOf: URL(filePath: library.path))
        let results = try LibraryChecker(path: library.path, isRepairing: true, now: day0).run()
        #expect(results.allSatisfy { $0.severity == .ok && $0.fix == nil })
        let names = [
            "structure", "references", "times", "queue", "changes", "sections", "marks", "visibility", "counters",
            "addresses",
            "search",
        ]
        expectEqual(results.map(\.check), names)
        expectEqual(BackupFolder(beside: library.path).all(), [])
        try expectEqual(Data(contentsOf: URL(filePath: library.path)), before)
    }

    @Test(arguments: [
        ("times", "UPDATE episode SET published = -9223372036854775808 WHERE id = 5"),
        ("times", "UPDATE episode SET duration = 9223372036854775807 WHERE id = 7"),
        ("times", "UPDATE playback SET last_played = 9223372036854775807, marked = -9223372036854775808"),
        ("times", "UPDATE history SET time = 253402300800000"),
        ("times", "UPDATE queue_entry SET place = 9223372036854775807 WHERE id = 4"),
        ("times", "INSERT INTO bookmark(episode, position, text, created) VALUES (1, 0, '', -62135596800001)"),
        ("queue", "UPDATE queue_entry SET place = 5"),
        ("queue", "DELETE FROM queue_state"), ("changes", "DELETE FROM change_log"),
        ("changes", "UPDATE change_log SET revision = 9223372036854775807"),
        ("changes", "UPDATE library_change SET revision = revision + 9000000000000000000"),
        ("changes", "UPDATE library_change SET time = -5"),
        ("sections", "UPDATE episode SET section = 0 WHERE section = 1"),
        ("marks", "UPDATE feed SET last_episode = 1"),
        ("visibility", "DROP TRIGGER visible_starred; UPDATE episode SET visibility = 2, starred = 1 WHERE id = 3"),
        ("visibility", "DELETE FROM retention_run"),
        ("counters", "UPDATE feed_count SET played = played + 3"),
        ("counters", "UPDATE library_count SET starred = 9"),
        ("counters", "DELETE FROM feed_count"),
        ("addresses", "DELETE FROM episode_address WHERE episode < 20"),
        ("addresses", "INSERT INTO episode_address(media_key, episode) VALUES (1, 999)"),
        ("references", "PRAGMA foreign_keys=OFF; INSERT INTO queue_entry(place, episode) VALUES (1, 99999)"),
        ("references", "PRAGMA foreign_keys=OFF; UPDATE queue_state SET current = 777"),
        ("search", "DELETE FROM search_data WHERE id > 10"),
    ])
    func derivedRowsThatAreWrongAreFoundAndMadeAnew(name: String, damage: String) throws {
        let library = try filled()
        do {
            // SQLite's defensive mode protects FTS5's own tables in our connections, so sqlite3(1) writes them.
            let connection = try library.connection()
            if damage.contains("search_data") {
                let process = Process()
                process.executableURL = URL(filePath: "/usr/bin/env")
                process.arguments = ["sqlite3", library.path, damage]
                do { try process.run() } catch { return }
                process.waitUntilExit()
                if process.terminationStatus != 0 { return }
            } else {
                try connection.execute(damage)
            }
        }
        let found = try #require(try check(library)[name])
        expectEqual(found.severity, .problem, "\(found)")
        expectEqual(found.fix?.contains("--repair"), true)
        let repaired = try check(library, isRepairing: true)
        expectEqual(repaired[name]?.severity, .repaired)
        #expect(repaired.values.allSatisfy { $0.severity != .problem })
        // What it was before is kept.
        expectEqual(BackupFolder(beside: library.path).all().count, 1)
        try expectEqual(library.findings(), [])
        let store = try library.open()
        try expectEqual(store.queue.queue().entries.count, 4)
        // Rows that were not touched may be hidden until the next refresh; they are found again then.
        try expectEqual(store.all(EpisodeFilter(text: "words")).count, name == "marks" ? 4 : 300)
    }

    @Test func aLibraryInUseIsLookedAtWhileSomebodyWrites() throws {
        let library = try filled()
        let checker = LibraryChecker(path: library.path, isRepairing: false, now: day0)
        let writer = try library.connection()
        try writer.beginImmediate()
        let results = try checker.runWhileInUse()
        #expect(results.allSatisfy { $0.severity == .ok } && results.contains { $0.check == "counters" })
        try writer.execute("UPDATE library_count SET new = new + 1")
        try writer.commit()
        try expectEqual(checker.runWhileInUse().filter { $0.severity == .problem }.map(\.check), ["counters"])
    }

    @Test(arguments: [true, false])
    func aBrokenIndexCostsNothing(isReadable: Bool) throws {
        let library = try filled()
        let page = try library.number("SELECT rootpage FROM sqlite_schema WHERE name = 'queue_episode'")
        if isReadable {
            // As if one write had never reached the disk: the index lacks an entry that the table has.
            let old = try contents(library, page: page)
            _ = try library.open().queue.insertEntries([EpisodeID(9)], at: 4)
            try overwrite(library, pages: [page], with: old)
        } else {
            try overwrite(library, pages: [page])
        }
        try expectEqual(check(library)["structure"]?.severity, .problem)
        try expectEqual(check(library, isRepairing: true)["structure"]?.severity, .repaired)
        try expectEqual(library.findings(), [])
        expectEqual(FileManager.default.fileExists(atPath: library.path + ".damaged"), !isReadable)
        let store = try library.open()
        try expectEqual(store.queue.queue().entries.count, isReadable ? 5 : 4)
        try expectEqual(store.all().count, 300)
        try expectEqual(store.episodes.episode(EpisodeID(1)).state.position, MediaTime(seconds: 20))
    }

    @Test func aBrokenTableCostsItsOwnPageAlone() throws {
        let library = try filled()
        let leaf = try leafPage(ofEpisode: 150, library)
        try overwrite(library, pages: [leaf])
        let result = try #require(try check(library, isRepairing: true)["structure"])
        expectEqual(result.severity, .repaired)
        expectEqual(result.fix?.contains(library.path + ".damaged"), true)
        #expect(FileManager.default.fileExists(atPath: library.path + ".damaged"))
        try expectEqual(library.findings(), [])
        let store = try library.open()
        let count = try store.all().count
        #expect(count > 200 && count < 300, "\(count)")
        try expectEqual(store.feeds.feeds().count, 1)
        try expectEqual(store.feeds.feeds()[0].episodeCount, count)
        // A second time the first one's remains are not overwritten.
        try overwrite(library, pages: [try leafPage(ofEpisode: 30, library)])
        _ = try check(library, isRepairing: true)
        #expect(FileManager.default.fileExists(atPath: library.path + ".damaged-2"))
    }

    @Test func aFileThatIsNoDatabaseIsDamagedAndTheNewestCopyNamed() throws {
        let library = try filled()
        let copy = try BackupFolder(beside: library.path).write(at: day0)
        try Data(repeating: 7, count: 9_000).write(to: URL(filePath: library.path))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: library.path + suffix) }
        let result = try #require(try check(library, isRepairing: true)["structure"])
        expectEqual(result.severity, .problem)
        expectEqual(result.fix?.contains(copy.path), true)
    }

    @Test func withoutAFileThereIsNothingToCheck() throws {
        let library = try TemporaryLibrary()
        #expect(throws: LibraryError.notFound("library \(library.path)")) { try check(library) }
        #expect(!FileManager.default.fileExists(atPath: library.path))
    }

    @Test func aNewerLibraryIsLeftAlone() throws {
        let library = try filled()
        try library.connection().execute("PRAGMA user_version=99")
        #expect(throws: LibraryError.newerSchema(found: 99, known: LibraryStore.schemaVersion)) {
            try check(library, isRepairing: true)
        }
    }

    // The tables of version 2 are there already.
    @Test(arguments: [-1, 1])
    func aVersionThatCannotBeIsReportedAsDamage(_ version: Int) throws {
        let library = try filled()
        try library.connection().execute("PRAGMA user_version=\(version)")
        let result = try #require(try check(library, isRepairing: true)["structure"])
        expectEqual(result.severity, .problem)
        #expect(result.fix != nil && !result.text.contains("CREATE") && !result.text.contains("ALTER"))
        #expect(throws: LibraryError.self) { try library.open() }
    }

    /// The page of an episode's row, found by what it says.
    private func leafPage(ofEpisode number: Int, _ library: TemporaryLibrary) throws -> Int {
        _ = try library.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let bytes = try Data(contentsOf: URL(filePath: library.path))
        let marker = Data("https://cdn.example/show/\(number).mp3".utf8)
        var start = bytes.startIndex
        while let found = bytes.range(of: marker, in: start..<bytes.endIndex) {
            let page = found.lowerBound / 4096
            // 13 begins a leaf of a table.
            if bytes[page * 4096] == 13 { return page + 1 }
            start = found.upperBound
        }
        throw CocoaError(.fileReadUnknown)
    }

    private func contents(_ library: TemporaryLibrary, page: Int) throws -> Data {
        _ = try library.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return try Data(contentsOf: URL(filePath: library.path)).dropFirst((page - 1) * 4096).prefix(4096)
    }

    private func overwrite(
        _ library: TemporaryLibrary, pages: [Int], with bytes: Data = Data(repeating: 0xA5, count: 4096)
    ) throws {
        _ = try library.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forUpdating: URL(filePath: library.path))
        for page in pages {
            try file.seek(toOffset: UInt64(page - 1) * 4096)
            try file.write(contentsOf: bytes)
        }
        try file.close()
    }
}
