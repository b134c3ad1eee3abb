@testable import Library
@testable import DaemonCore
import Foundation
import PodcastModel
import Reporting
import SQLite
import TestSupport
import Testing

/// What `podcastd check --repair` makes of files with damage of every kind: what can be read survives, and nothing partial
/// stays.
struct SalvageTests {
    private static let episodes = 600

    /// A library whose tables have several pages each.
    private func filled() throws -> TemporaryLibrary {
        let (library, store) = try openLibrary()
        let items = (1...Self.episodes).map { number in
            item(number) { $0.content = String(repeating: "words of \(number) ", count: 20) }
        }
        _ = try store.addFeed(items: items)
        let ids = try store.all(order: .oldestFirst).map(\.id)
        try store.episodes.savePosition(MediaTime(seconds: 12), of: ids[0], at: day0, isDurable: true)
        try store.episodes.setStarred(true, [ids[2]])
        _ = try store.queue.insertEntries(Array(ids[0..<4]), at: 0)
        while try store.performMaintenance() {}
        try library.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return library
    }

    enum Damage: CustomStringConvertible {
        /// The file ends early, by this share in percent.
        case cut(percent: Int)
        /// The file ends within a page.
        case cutWithinPage
        /// Every n-th page after the schema's is zero.
        case zeroed(every: Int)
        /// One bit of the header of every n-th page is another.
        case flippedHeaders(every: Int)
        /// One bit in the middle of every n-th page is another.
        case flippedRows(every: Int)
        /// The first page, with the file's header and the schema's root, is lost.
        case lostFirstPage
        /// A byte of the file's header.
        case header(at: Int)
        /// The page of the schema that describes triggers and small tables, but not the feeds'.
        case lostSchemaPage
        /// The bound between the keys of each table's last two pages is larger than every key of the last page.
        case raisedBounds
        /// The first row of every n-th page of a table has the largest key that there can be.
        case largestKeys(every: Int)

        var description: String {
            switch self {
            case .cut(let percent): "cut by \(percent) %"
            case .cutWithinPage: "cut within a page"
            case .zeroed(let every): "every \(every)th page zeroed"
            case .flippedHeaders(let every): "a bit of every \(every)th page's header"
            case .flippedRows(let every): "a bit of every \(every)th page's rows"
            case .lostFirstPage: "lost first page"
            case .header(let place): "byte \(place) of the header"
            case .lostSchemaPage: "lost page of the schema"
            case .raisedBounds: "raised bounds between pages"
            case .largestKeys(let every): "the largest key in every \(every)th page"
            }
        }

        /// The least share of episodes that must survive, in percent.
        var leastEpisodes: Int {
            switch self {
            case .cut(let percent): 90 - 2 * percent
            case .cutWithinPage, .header, .lostFirstPage, .lostSchemaPage: 98
            case .zeroed(let every), .flippedHeaders(let every): 100 - 400 / every
            case .raisedBounds: 90
            case .flippedRows, .largestKeys: 60
            }
        }

        func apply(to bytes: inout Data, schemaPages: [Int]) {
            let page = 4_096
            func each(_ every: Int, _ body: (Int) -> Void) {
                for number in stride(from: every, to: bytes.count / page, by: every)
                where !schemaPages.contains(number + 1) { body(number * page) }
            }
            switch self {
            case .cut(let percent): bytes.removeLast(bytes.count / page * percent / 100 * page)
            case .cutWithinPage: bytes.removeLast(page + 1_234)
            case .zeroed(let every):
                each(every) { bytes.replaceSubrange($0..<$0 + page, with: Data(count: page)) }
            case .flippedHeaders(let every): each(every) { bytes[$0] ^= 0x40 }
            case .flippedRows(let every): each(every) { bytes[$0 + page / 2] ^= 0x10 }
            case .lostFirstPage: bytes.replaceSubrange(0..<page, with: Data(count: page))
            case .header(let place): bytes[place] ^= 0xFF
            case .lostSchemaPage:
                let spared = ["CREATE TABLE feed(", "CREATE TABLE episode("].map { Data($0.utf8) }
                let lost = schemaPages.dropFirst().last { number in
                    let start = (number - 1) * page
                    return spared.allSatisfy { bytes.range(of: $0, in: start..<start + page) == nil }
                }
                guard let lost else { return }
                bytes.replaceSubrange((lost - 1) * page..<lost * page, with: Data(count: page))
            case .raisedBounds:
                for start in stride(from: page, to: bytes.count, by: page) where bytes[start] == 5 {
                    let last = Self.cells(of: start, in: bytes).last
                    guard let last, bytes[last + 4] & 0x80 != 0 else { continue }
                    // After the number of a page comes a key; the largest of two bytes is 16,383.
                    bytes.replaceSubrange(last + 4..<last + 6, with: [0xFF, 0x7F])
                }
            case .largestKeys(let every):
                each(every) { start in
                    guard bytes[start] == 13, var place = Self.cells(of: start, in: bytes).first else { return }
                    // A row begins with its length, a number of several bytes; its key follows.
                    while bytes[place] & 0x80 != 0 { place += 1 }
                    bytes.replaceSubrange(place + 1..<place + 10, with: Data([0xBF] + Array(repeating: 0xFF, count: 8)))
                }
            }
        }

        /// Where the cells of a table's page begin, in the order of their keys (section 1.6 of SQLite's file format).
        private static func cells(of start: Int, in bytes: Data) -> [Int] {
            func number(at place: Int) -> Int { Int(bytes[place]) << 8 + Int(bytes[place + 1]) }
            let pointers = start + (bytes[start] == 5 ? 12 : 8)
            return (0..<number(at: start + 3)).map { start + number(at: pointers + 2 * $0) }
        }
    }

    /// Pages on which tables, indexes and triggers are described.
    private func schemaPages(_ bytes: Data) -> [Int] {
        [1]
            + (1..<bytes.count / 4_096).filter { number in
                let start = number * 4_096
                return bytes[start] == 13
                    && ["CREATE TABLE ", "CREATE TRIGGER ", "CREATE INDEX "].contains {
                        bytes.range(of: Data($0.utf8), in: start..<start + 4_096) != nil
                    }
            }.map { $0 + 1 }
    }

    @Test(arguments: [
        Damage.cut(percent: 2), .cut(percent: 10), .cutWithinPage, .zeroed(every: 40), .flippedHeaders(every: 40),
        .flippedRows(every: 10), .lostFirstPage, .header(at: 0), .header(at: 16), .header(at: 28), .header(at: 44),
        .lostSchemaPage, .raisedBounds, .largestKeys(every: 3),
    ])
    func whatCanBeReadSurvives(damage: Damage) throws {
        let library = try filled()
        var bytes = try Data(contentsOf: URL(filePath: library.path))
        damage.apply(to: &bytes, schemaPages: schemaPages(bytes))
        try bytes.write(to: URL(filePath: library.path))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: library.path + suffix) }

        let results = try LibraryChecker(path: library.path, isRepairing: true, now: day0).run()
        #expect(results.allSatisfy { $0.severity != .problem }, "\(results)")
        try expectEqual(library.findings(), [])
        let store = try library.open()
        let count = try store.all().count
        #expect(count * 100 >= Self.episodes * damage.leastEpisodes, "\(count) episodes, \(results[0])")
        try expectEqual(store.feeds.feeds().count, 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: library.folder.path)
        #expect(!names.contains { $0.contains("partial") }, "\(names)")
    }

    @Test func rowsThatAreLostAreNamedWithTheBackupThatHasThem() throws {
        let library = try filled()
        let backup = try BackupFolder(beside: library.path).write(at: day0).path
        var bytes = try Data(contentsOf: URL(filePath: library.path))
        bytes.removeLast(bytes.count / 3 / 4_096 * 4_096)
        try bytes.write(to: URL(filePath: library.path))
        let results = try LibraryChecker(path: library.path, isRepairing: true, now: day0).run()
        let loss = try #require(results.first { $0.check == "backups" })
        expectEqual(loss.severity, .problem)
        expectContains(loss.text, "\(backup) has 1 feeds, \(Self.episodes) episodes, 1 positions, 4 queue entries")
        expectContains(loss.fix ?? "", "copy it over \(library.path)")
    }

    @Test func aFileOfNothingButNoiseStaysAsItIsAndLeavesNothingPartial() throws {
        let library = try TemporaryLibrary()
        let noise = Data((0..<40_960).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
        try noise.write(to: URL(filePath: library.path))
        let results = try LibraryChecker(path: library.path, isRepairing: true, now: day0).run()
        expectEqual(results.map(\.severity), [.problem])
        try expectEqual(Data(contentsOf: URL(filePath: library.path)), noise)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: library.folder.path), ["library.db"])
    }
}
