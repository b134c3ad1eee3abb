import SQLite
import Testing
import TestSupport

struct SQLTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", busyTimeout: .zero, cacheKiB: 64)
        try connection.execute(
            "CREATE TABLE feed(id INTEGER PRIMARY KEY, title TEXT, paid INTEGER); INSERT INTO feed VALUES (1, 'News', 1), (2, NULL, 0)"
        )
    }

    @Test func valuesBecomeParametersAndNothingInThemIsSQL() throws {
        let (title, missing) = ("'); DROP TABLE feed; --", nil as Int?)
        let sql: SQL = "SELECT \(title), \(missing), \(true), \(Int64.min)"
        expectEqual(sql.text, "SELECT ?, ?, ?, ?")
        expectEqual(sql.values, [.text(title), .null, .integer(1), .integer(.min)])
        try expectEqual(connection.value(sql) as String?, title)
    }

    @Test func piecesKeepTheOrderOfTheirValues() throws {
        let isPaid: SQL = " AND paid = \(true)"
        let conditions: [SQL] = ["id > \(0)", "id < \(3)"]
        let sql: SQL = "SELECT id FROM \(raw: "feed") WHERE \(conditions.joined(" AND "))\(isPaid) LIMIT \(literal: 5)"
        expectEqual(sql.text, "SELECT id FROM feed WHERE id > ? AND id < ? AND paid = ? LIMIT 5")
        expectEqual(sql.values, [.integer(0), .integer(3), .integer(1)])
        expectEqual((sql + " OFFSET \(0)").text, sql.text + " OFFSET ?")
        try expectEqual(connection.column(sql) as [Int], [1])
    }

    @Test func theSameTextWithOtherValuesIsPreparedOnce() throws {
        func feed(_ id: Int, columns: String = "*") throws -> Statement {
            try connection.prepared("SELECT \(raw: columns) FROM feed WHERE id = \(id)")
        }
        let statement = try feed(1)
        #expect(try feed(2) === statement)
        #expect(try feed(1, columns: "id") !== statement)
        #expect(try feed(1, columns: "id") === feed(3, columns: "id"))
    }

    @Test func rowsAreReadByTheNamesOfTheirColumns() throws {
        let titles = try connection.all("SELECT title AS name, id FROM feed ORDER BY id") { row in
            (id: row["id"] as Int, title: row["name"] as String?, text: row["name"] as String)
        }
        expectEqual(titles.map(\.id), [1, 2])
        expectEqual(titles.map(\.title), ["News", nil])
        expectEqual(titles.map(\.text), ["News", ""])
    }

    @Test func rowsThatAreNotReadToTheirEndHoldNothing() throws {
        do {
            let rows = try connection.rows("SELECT id FROM feed")
            #expect(try rows.next() != nil)
        }
        try expectEqual(connection.first("SELECT id FROM feed ORDER BY id") { $0["id"] as Int }, 1)
        #expect(try connection.exists("SELECT 1 FROM feed WHERE id = \(2)"))
        // SQLite refuses this while a statement reads the table.
        try connection.execute("DROP TABLE feed")
    }
}
