@testable import Library
@testable import DaemonCore
import Foundation
import PodcastModel
import SQLite
import TestSupport
import Testing

struct BackupTests {
    @Test func aCopyIsTheLibraryAsItWasWhileOthersWrite() throws {
        let (library, store) = try openLibrary()
        _ = try store.addFeed(
            items: (1...400).map { number in item(number) { $0.content = String(repeating: "words ", count: 800) } })
        let id = try store.all()[0].id
        var shares: [Double] = []
        let backup = try BackupFolder(beside: library.path).write(at: day0) { share in
            shares.append(share)
            // An edit during the backup: neither waits, and the copy does not begin again.
            try? store.episodes.setStarred(shares.count % 2 == 1, [id])
        }
        #expect(shares.count > 1 && shares == shares.sorted() && shares.last == 1)
        #expect(backup.path.hasSuffix("backups/library-1-2026-01-01.db"))
        #expect(backup.bytes > 1_000_000)
        let copy = try TemporaryLibrary()
        try FileManager.default.copyItem(atPath: backup.path, toPath: copy.path)
        let found = try copy.open()
        try expectEqual(found.all().count, 400)
        #expect(!(try found.episodes.episode(id).state.isStarred))
        try expectEqual(copy.findings(), [])
    }

    @Test func theLastFiveAreKeptWhateverTheirDates() throws {
        let library = try TemporaryLibrary()
        _ = try library.open()
        let folder = BackupFolder(beside: library.path)
        let settings = URL(filePath: library.path).deletingLastPathComponent().appending(path: "settings")
        try Data("[playback]\nspeed = 1.5\n".utf8).write(to: settings)
        for number in 0..<7 { _ = try folder.write(at: day0.adding(days: number == 6 ? -9000 : Int64(number))) }
        expectEqual(
            folder.all().map { String($0.split(separator: "-")[$0.split(separator: "-").count - 4]) },
            ["3", "4", "5", "6", "7"])
        expectEqual(folder.all().last?.hasSuffix("library-7-2001-05-12.db"), true, "\(folder.all())")
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path).count, 10)
        let copy = String(try #require(folder.all().last).dropLast(2)) + "settings"
        try expectEqual(String(contentsOfFile: copy, encoding: .utf8), "[playback]\nspeed = 1.5\n")
    }

    @Test func aFolderThatCannotBeMadeIsToldAndLeavesNothing() throws {
        let library = try TemporaryLibrary()
        _ = try library.open()
        let folder = BackupFolder(beside: library.path)
        try Data().write(to: URL(filePath: folder.path))
        #expect(throws: LibraryError.self) { try folder.write(at: day0) }
        expectEqual(folder.all(), [])
    }
}
