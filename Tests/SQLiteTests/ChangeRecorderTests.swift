import SQLite
import Testing
import TestSupport

struct ChangeRecorderTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", busyTimeout: .zero, cacheKiB: 64)
        try connection.execute(
            """
            CREATE TABLE feed(id INTEGER PRIMARY KEY, title TEXT, paid INTEGER);
            CREATE TABLE tag(feed INTEGER REFERENCES feed ON DELETE CASCADE, tag TEXT, PRIMARY KEY (feed, tag)) WITHOUT ROWID;
            CREATE TABLE other(id INTEGER PRIMARY KEY);
            INSERT INTO feed VALUES (1, 'News', 1), (2, NULL, 0);
            INSERT INTO tag VALUES (1, 'a');
            """)
    }

    private func changes(_ script: String) throws -> [ChangedRow] {
        let recorder = try ChangeRecorder(connection, tables: ["tag", "feed"])
        try connection.execute(script)
        return try Changeset(bytes: recorder.changes().bytes).rows()
    }

    @Test func changesOfTheNamedTablesAreRecordedInTheirOrder() throws {
        let rows = try changes(
            "UPDATE feed SET title = 'Old' WHERE id = 1; INSERT INTO other VALUES (1); INSERT INTO tag VALUES (2, 'b')")
        try #require(rows.map(\.table) == ["tag", "feed"])
        #expect(rows[0].kind == .inserted && rows[0].after == [.integer(2), .text("b")] && rows[0].keys == [0, 1])
        expectEqual(rows[1].kind, .updated)
        #expect(rows[1].before == [.integer(1), .text("News"), nil] && rows[1].after == [nil, .text("Old"), nil])
    }

    @Test func whatForeignKeysDeleteIsRecordedToo() throws {
        let rows = try changes("DELETE FROM feed WHERE id = 1")
        try #require(rows.map(\.kind) == [.deleted, .deleted])
        expectEqual(rows[1].before, [.integer(1), .text("News"), .integer(1)])
    }

    @Test func rowsThatAreAsBeforeAreNoChange() throws {
        #expect(try changes("UPDATE feed SET paid = 0; UPDATE feed SET paid = id = 1").isEmpty)
        #expect(try changes("BEGIN; DELETE FROM tag; ROLLBACK").isEmpty)
    }

    @Test func anInverseTakesAChangeBackAndItsOwnInverseIsTheChange() throws {
        let rows = try changes(
            "UPDATE feed SET title = 'Old' WHERE id = 1; DELETE FROM tag; INSERT INTO feed VALUES (3, 'x', 0)")
        for row in rows { expectEqual(row.inverse.inverse, row) }
        let update = try #require(rows.first { $0.kind == .updated }?.inverse)
        #expect(update.before == [.integer(1), .text("Old"), nil] && update.after == [nil, .text("News"), nil])
    }

    @Test func bytesThatAreNoRecordOfChangesAreRefused() {
        #expect(throws: SQLiteError.self) { try Changeset(bytes: [1, 2, 3, 4]).rows() }
    }
}
