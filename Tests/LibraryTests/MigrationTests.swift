import Foundation
@testable import Library
import PodcastModel
import SQLite
import TestSupport
import Testing

struct MigrationTests {
    private static let present = LibraryStore.schemaVersion

    private func open(_ library: TemporaryLibrary, nextStep script: String) throws -> LibraryStore {
        try LibraryStore(
            path: library.path, options: LibraryOptions(busyTimeout: .zero, cacheKiB: 1_024, checkpointPages: 1_000),
            clock: ClosureClock { start },
            migrations: Migration.all + [Migration(version: Self.present + 1, script: script)])
    }

    /// A library with three episodes, as a daemon of this version left it.
    private func library() throws -> TemporaryLibrary {
        let library = try TemporaryLibrary()
        _ = try library.open().addFeed(items: (1...3).map { item($0) })
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
        expectEqual(Migration.all.map(\.version), Array(1...Self.present))
    }

    @Test func aStepIsAppliedOnceAfterABackup() throws {
        let library = try library()
        let step = "ALTER TABLE episode ADD COLUMN mood TEXT; UPDATE episode SET mood = 'calm'"
        for _ in 1...2 { _ = try open(library, nextStep: step) }
        try expectEqual(library.number("SELECT count(*) FROM episode WHERE mood = 'calm'"), 3)
        try expectEqual(library.number("PRAGMA user_version"), Self.present + 1)
        let backup = try Connection(path: library.path + ".v\(Self.present).backup", busyTimeout: .zero, cacheKiB: 64)
        let query = try backup.statement("SELECT (SELECT user_version FROM pragma_user_version), count(*) FROM episode")
        #expect(try query.step())
        #expect((query.int(0), query.int(1)) == (Self.present, 3))
        #expect(!FileManager.default.fileExists(atPath: library.path + ".v\(Self.present).backup.partial"))
    }

    @Test func twoProcessesMayUpgradeALibraryAtOnce() throws {
        let library = try library()
        let opened = try (1...2).map { _ in try open(library, nextStep: "CREATE TABLE mood(a)") }
        expectEqual(opened.count, 2)
    }

    @Test func aStepThatFailsLeavesTheLibraryAsItWas() throws {
        let library = try library()
        let before = try schema(library)
        #expect(throws: LibraryError.self) {
            try open(library, nextStep: "CREATE TABLE half_done(a); INSERT INTO nowhere VALUES (1)")
        }
        try expectEqual(schema(library), before)
        try expectEqual(library.open().all().count, 3)
    }

    @Test func aNewerLibraryIsRefusedAndUntouched() throws {
        let library = try TemporaryLibrary()
        do {
            let connection = try library.connection()
            try connection.execute(
                "PRAGMA journal_mode=WAL; CREATE TABLE future(a); PRAGMA user_version=\(Self.present + 5)"
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
            throws: LibraryError.newerSchema(found: Self.present + 5, known: Self.present)
        ) { try found.open() }
        try expectEqual(Data(contentsOf: file), before.0)
        try expectEqual(Data(contentsOf: log), before.1)
    }
}

/// The migration from schema 4 to 5.
struct OrderedDatesTests {
    private let library: TemporaryLibrary
    private let feed: FeedID

    init() throws {
        library = try TemporaryLibrary()
        feed = try library.open().addFeed(items: (1...6).map { item($0) })
    }

    /// The library as version 4 left it, opened by this version.
    private func opened(after changes: String...) throws -> LibraryStore {
        try library.removeChangeLog()
        let newer = [
            "DROP INDEX playback_heard", "DROP INDEX episode_fresh", "ALTER TABLE episode DROP COLUMN fresh",
            "UPDATE fetch_state SET etag = 'a'",
        ]
        try library.connection().execute((newer + changes + ["PRAGMA user_version=4"]).joined(separator: ";"))
        return try library.open()
    }

    @Test func episodesOfOneDateGetAnOrderWithoutARefresh() throws {
        let date = day0.adding(days: 1)
        let store = try opened(
            after: "UPDATE episode SET published = \(date.milliseconds)",
            "UPDATE episode SET number = 7 - id WHERE id > 3")
        try expectEqual(store.all(order: .oldestFirst).map(\.id.rawValue), [3, 2, 1, 6, 5, 4])
        #expect(try store.all().allSatisfy { $0.published.seconds == date.seconds })
        #expect(try store.all(.new(of: feed)).count == 6)
    }

    @Test func undatedEpisodesKeepTheirOrderAndAreNewOnlyIfTheyCameLater() throws {
        let later = day0.adding(days: 9).milliseconds
        let store = try opened(
            after: "UPDATE episode SET dated = 0, published = \(day0.milliseconds) + 500 - id",
            "UPDATE episode SET published = \(later) - id, first_seen = \(later) WHERE id > 4")
        try expectEqual(store.all(order: .oldestFirst).map(\.id.rawValue), [4, 3, 2, 1, 6, 5])
        try expectEqual(store.all(.new(of: feed)).map(\.id.rawValue), [5, 6, 1])
    }

    @Test func theNextRefreshReadsTheDocumentAgain() throws {
        _ = try opened()
        try expectEqual(library.number("SELECT count(*) FROM fetch_state WHERE etag IS NOT NULL"), 0)
    }

    @Test func aDateOfTheFutureBecomesTheArrival() throws {
        let future = Timestamp(year: 2031, month: 1, day: 1).milliseconds
        let store = try opened(
            after: "UPDATE episode SET first_seen = \(day0.adding(days: 5).milliseconds) + 1",
            "UPDATE episode SET published = \(future) WHERE id = 1")
        try expectEqual(store.all(order: .oldestFirst).map(\.id.rawValue), [2, 3, 4, 5, 1, 6])
    }
}

/// The migration from schema 7 to 8.
struct ChangeLogMigrationTests {
    @Test func whatWasSetBeforeTheLogBeganIsInIt() throws {
        let (library, store) = try openLibrary()
        let feed = try store.addFeed(items: (1...3).map { item($0) })
        let ids = try store.all().map(\.id)
        try store.episodes.setStarred(true, [ids[0]])
        try store.episodes.setNote("a note", of: ids[1])
        _ = try store.queue.insertEntries([ids[2], ids[2], ids[0]], at: 0)
        try store.imports.setTags(["News"], of: feed)
        try store.episodes.setPlayed(true, [ids[1]], at: day0.adding(days: 1))
        let now = try store.changes.page(since: 0, limit: 99).changes.map(\.content)
        let queue = try store.queue.queue().entries
        try library.removeChangeLog()
        let upgraded = try library.open()
        let page = try upgraded.changes.page(since: 0, limit: 99)
        expectEqual(page.changes.count, now.count)
        for change in page.changes {
            switch change.subject.kind {
            case .subscription: #expect(change.time == day0)
            case .playback: #expect(change.time == day0.adding(days: 1))
            default: expectEqual(change.time.milliseconds, 0)
            }
        }
        try expectEqual(upgraded.queue.queue().entries, queue)
        try upgraded.episodes.setStarred(false, [ids[0]])
        let last = try upgraded.changes.page(since: page.revision, limit: 99).changes
        #expect(last.count == 1 && last[0].time.milliseconds > 0 && last[0].content.isRemoval)
    }
}

extension TemporaryLibrary {
    /// Leaves the library as version 7 had it.
    fileprivate func removeChangeLog() throws {
        let triggers: [String] = try connection().column(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'change_*'")
        let changes =
            triggers.map { "DROP TRIGGER \($0)" } + [
                "DROP TABLE library_change", "DROP TABLE change_log", "DROP TABLE change_reader",
                "DROP TRIGGER list_heard", "DROP INDEX queue_place", "ALTER TABLE queue_entry DROP COLUMN list",
                "CREATE INDEX queue_place ON queue_entry(place)", "ALTER TABLE imported_episode DROP COLUMN lists",
                "ALTER TABLE queue_entry DROP COLUMN copy",
                "DROP TABLE sync_account", "CREATE TABLE sync_account(name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
                "CREATE TABLE state_change(episode INTEGER PRIMARY KEY, revision INTEGER NOT NULL) STRICT",
                "INSERT INTO state_change SELECT episode, 1 FROM playback",
                "CREATE TABLE subscription_change(url TEXT, revision INTEGER) STRICT",
                "INSERT INTO subscription_change SELECT url, \(day0.seconds) FROM feed WHERE kind = 0",
                "CREATE TABLE undone_state(episode INTEGER, time INTEGER) STRICT",
                "CREATE TABLE last_act(time INTEGER NOT NULL) STRICT",
                "ALTER TABLE imported_episode ADD COLUMN revision INTEGER NOT NULL DEFAULT 0",
                "CREATE INDEX imported_revision ON imported_episode(revision)",
            ]
            + [
                "playback_added", "playback_changed", "playback_gone", "imported_insert", "imported_update",
                "subscription_added", "subscription_begun", "subscription_ended", "subscription_gone", "act_done",
            ].map { "CREATE TRIGGER \($0) AFTER INSERT ON last_act BEGIN DELETE FROM last_act; END" } + [
                "PRAGMA user_version=7"
            ]
        try connection().execute(changes.joined(separator: ";"))
    }
}
