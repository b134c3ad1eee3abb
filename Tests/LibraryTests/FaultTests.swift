import Foundation
@testable import Library
import PodcastModel
import SQLite
import Testing
import TestSupport

struct FaultTests {
    private let library: TemporaryLibrary

    init() throws { library = try TemporaryLibrary() }

    @Test func aFullDiskLosesNothingAndIsOvercome() throws {
        let store = try library.open()
        let feed = try store.addFeed(items: [item(1)])
        let id = try store.all()[0].id
        let entries = try store.queue.insertEntries([id], at: 0)
        // The limit belongs to the connection, so no other may set it.
        let pages = try library.number("PRAGMA page_count")
        try store.connection.execute("PRAGMA max_page_count=\(pages)")
        let large = document(
            (1...600).map { number in item(number) { $0.content = String(repeating: "text ", count: 500) } },
            title: "show")
        #expect(throws: LibraryError.diskFull) { try store.refreshes.merge(large, into: feed, fetched()) }
        #expect(throws: LibraryError.diskFull) {
            try store.episodes.setNote(String(repeating: "n", count: 100_000), of: id)
        }
        try expectEqual(store.all().map(\.id), [id])
        try expectEqual(store.queue.queue().entries, entries)
        try store.episodes.savePosition(MediaTime(seconds: 3), of: id, at: day0, isDurable: true)

        try store.connection.execute("PRAGMA max_page_count=1000000")
        try expectEqual(store.refreshes.merge(large, into: feed, fetched()).added.count, 599)
        try expectEqual(store.all().count, 600)
        try expectEqual(library.number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1)
    }

    @Test func aSearchOnAFullDiskFindsWhatIsIndexed() throws {
        let store = try library.open()
        _ = try store.addFeed("a", items: [item(1)])
        while try store.performMaintenance() {}
        _ = try store.addFeed(
            "b",
            items: (2...200).map { number in
                item(number) { $0.content = String(repeating: "text\(number) ", count: 300) }
            })
        try store.connection.execute("PRAGMA max_page_count=\(try library.number("PRAGMA page_count"))")
        try expectEqual(store.all(EpisodeFilter(text: "episode")).count, 1)
        try store.connection.execute("PRAGMA max_page_count=1000000")
        try expectEqual(store.all(EpisodeFilter(text: "episode")).count, 200)
    }

    @Test func aFileThatIsNoDatabaseIsDamagedAndStays() throws {
        let bytes = Data(repeating: 0x41, count: 20_000)
        try bytes.write(to: URL(fileURLWithPath: library.path))
        let error = #expect(throws: LibraryError.self) { try library.open() }
        expectEqual(error, .damaged("file is not a database"))
        try expectEqual(Data(contentsOf: URL(fileURLWithPath: library.path)), bytes)
    }

    @Test func aDatabaseOfSomebodyElseIsRefused() throws {
        try library.connection().execute("CREATE TABLE bookmarks(url TEXT)")
        let error = #expect(throws: LibraryError.self) { try library.open() }
        expectEqual(error, .damaged("a database, but not a podcastd library"))
        try expectEqual(library.number("SELECT count(*) FROM sqlite_schema"), 1)
    }

    @Test func damagedPagesAreAnErrorAndNoCrash() throws {
        do {
            let store = try library.open()
            _ = try store.addFeed(
                items: (1...300).map { number in
                    item(number) { $0.content = String(repeating: "text ", count: 100) }
                })
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: library.path))
        let size = try file.seekToEnd()
        for page in stride(from: UInt64(4096 * 2), to: size, by: 4096) {
            try file.seek(toOffset: page)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        }
        try file.close()
        let error = #expect(throws: LibraryError.self) {
            let store = try library.open()
            _ = try store.all()
            _ = try store.feeds.feeds()
        }
        if case .damaged = error {} else { Issue.record("\(String(describing: error))") }
    }

    @Test func aMissingFolderIsToldWithItsPath() throws {
        let error = #expect(throws: LibraryError.self) { try LibraryStore(path: "/nonexistent/library.db") }
        if case .storage(let message) = error {
            expectContains(message, "unable to open")
        } else {
            Issue.record("\(String(describing: error))")
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func aFolderThatCannotBeWrittenIsReadOnly() throws {
        _ = try library.open().addFeed(items: [item(1)])
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: library.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: library.folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: library.folder.path) }
        #expect(throws: LibraryError.readOnly(library.path)) {
            try library.open().feeds.addFeed(url: "https://x.example", title: nil, at: day0)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func aFolderInWhichNoFileCanBeMadeIsReadOnly() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: library.folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: library.folder.path) }
        #expect(throws: LibraryError.readOnly(library.path)) { try library.open() }
    }

    @Test func aLibraryThatIsHeldTooLongIsBusy() throws {
        let store = try library.open(busyTimeout: .milliseconds(1))
        let other = try library.connection()
        try other.beginImmediate()
        #expect(throws: LibraryError.busy) { try store.feeds.addFeed(url: "https://x.example", title: nil, at: day0) }
        try expectEqual(store.feeds.feeds(), [], "reading goes on")
        other.rollback()
        _ = try store.feeds.addFeed(url: "https://x.example", title: nil, at: day0)
    }

    @Test func aSchemaThatChangesMeanwhileEndsTheWork() throws {
        let store = try library.open()
        let feed = try store.addFeed(items: [item(1)])
        try library.connection().execute("PRAGMA user_version=99")
        let newer = LibraryError.newerSchema(found: 99, known: LibraryStore.schemaVersion)
        #expect(throws: newer) { try store.feeds.feeds() }
        #expect(throws: newer) { try store.refreshes.merge(document([]), into: feed, fetched()) }
        #expect(throws: newer) { try store.queue.queue() }
    }

    @Test func aRoleIsHeldOnceAndToldByNumber() throws {
        var lock: LibraryLock? = try LibraryLock(.daemon, in: library.folder.path)
        #expect(throws: LibraryLockError.held(process: getpid())) {
            try LibraryLock(.daemon, in: library.folder.path)
        }
        _ = try LibraryLock(.refresher, in: library.folder.path)
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try LibraryLock(.daemon, in: library.folder.path)
    }

    @Test func lookingWhetherARoleIsHeldTakesItFromNobodyAndMakesNothing() throws {
        let folder = library.folder.path
        #expect(!LibraryLock.isHeld(.daemon, in: folder))
        #expect(!FileManager.default.fileExists(atPath: folder + "/library.lock"))
        let lock = try LibraryLock(.daemon, in: folder)
        #expect(LibraryLock.isHeld(.daemon, in: folder))
        #expect(!LibraryLock.isHeld(.refresher, in: folder))
        withExtendedLifetime(lock) {}
    }

    @Test func aLockFileOfADeadProcessLocksNothing() throws {
        let file = library.folder.appendingPathComponent("library.lock")
        try Data("999999\n and more than a number".utf8).write(to: file)
        let lock = try LibraryLock(.daemon, in: library.folder.path)
        try expectEqual(String(contentsOf: file, encoding: .utf8), "\(getpid())\n")
        withExtendedLifetime(lock) {}
    }

    @Test func refreshersShareTheirRoleAndClaimSingleFeeds() throws {
        let folder = library.folder.path
        let (first, second) = (
            try LibraryLock(.refresher, in: folder, isShared: true),
            try LibraryLock(.refresher, in: folder, isShared: true)
        )
        #expect(throws: LibraryLockError.self) { try LibraryLock(.refresher, in: folder) }
        let (one, other) = (try RefreshClaims(in: folder), try RefreshClaims(in: folder))
        #expect(one.claim(FeedID(1)) && one.claim(FeedID(1)))
        #expect(!other.claim(FeedID(1)) && other.claim(FeedID(2)))
        one.release(FeedID(1))
        #expect(other.claim(FeedID(1)))
        withExtendedLifetime((first, second)) {}
    }

    @Test func theLockSaysWhereItsDaemonListens() throws {
        let folder = library.folder.path
        expectEqual(LibraryLock.daemonSocket(in: folder), nil)
        var lock: LibraryLock? = try LibraryLock(.daemon, in: folder)
        expectEqual(LibraryLock.daemonSocket(in: folder), nil)
        lock?.record(socket: "/run/a b/control")
        expectEqual(LibraryLock.daemonSocket(in: folder), "/run/a b/control")
        withExtendedLifetime(lock) {}
        lock = nil
        expectEqual(LibraryLock.daemonSocket(in: folder), nil, "its daemon has ended")
    }

    @Test func anAttemptOfARunningProcessIsNotTakenForAnAbandonedOne() throws {
        let (one, other) = (try library.open(), try library.open())
        try #require(one.attempts).begin(DocumentAttempt(feed: FeedID(7)))
        expectEqual(other.attempts?.unfinished, nil)
        try #require(other.attempts).begin(DocumentAttempt(feed: FeedID(8)))
        other.attempts?.end()
        expectEqual(one.attempts?.unfinished, DocumentAttempt(feed: FeedID(7)))
    }

    @Test func aLockWithoutFolderIsUnavailable() throws {
        let error = #expect(throws: LibraryLockError.self) { try LibraryLock(.daemon, in: "/nonexistent") }
        expectEqual(error, .unavailable("/nonexistent/library.lock: No such file or directory"))
    }
}
