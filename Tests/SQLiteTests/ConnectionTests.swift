import Foundation
import SQLite
import Testing
import TestSupport

/// A file that goes with the test.
final class TemporaryDatabase {
    let folder: URL
    var path: String { folder.appendingPathComponent("test.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func open(busyTimeout: Duration = .milliseconds(0)) throws -> Connection {
        try Connection(path: path, busyTimeout: busyTimeout, cacheKiB: 256)
    }
}

/// The code of the error a body throws, nil when it throws none of SQLite's.
private func codeOfError(_ body: () throws -> Void) -> SQLiteError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? SQLiteError)?.code
    }
}

struct ConnectionTests {
    @Test func valuesComeBackAsTheyWereBound() throws {
        let connection = try Connection(path: ":memory:", busyTimeout: .zero, cacheKiB: 64)
        let statement = try connection.statement("SELECT ?1, ?2, ?3, ?4, ?5, ?6")
        try statement.bind(1, Int64.min)
        try statement.bind(2, "grüß 🎧")
        try statement.bind(3, "")
        try statement.bind(4, nil as String?)
        try statement.bind(5, true)
        try statement.bind(6, "a\0b")
        #expect(try statement.step())
        expectEqual(statement.int64(0), .min)
        expectEqual(statement.text(1), "grüß 🎧")
        expectEqual(statement.optionalText(2), "")
        expectEqual(statement.optionalText(3), nil)
        #expect(statement.isNull(3))
        #expect(statement.bool(4))
        expectEqual(statement.text(5), "a\0b")
        #expect(try !statement.step())
    }

    @Test func aSubstringOfAForeignStringIsBound() throws {
        let connection = try Connection(path: ":memory:", busyTimeout: .zero, cacheKiB: 64)
        let statement = try connection.statement("SELECT ?1")
        let foreign = NSString(string: "Überraschung") as String
        try statement.bind(1, String(foreign.dropFirst()))
        #expect(try statement.step())
        expectEqual(statement.text(0), "berraschung")
    }

    @Test func textThatIsNoUTF8IsRepaired() throws {
        let connection = try Connection(path: ":memory:", busyTimeout: .zero, cacheKiB: 64)
        let statement = try connection.statement("SELECT CAST(x'41FF42' AS TEXT)")
        #expect(try statement.step())
        expectEqual(statement.text(0), "A\u{FFFD}B")
    }

    @Test func aStatementIsPreparedOnce() throws {
        let connection = try Connection(path: ":memory:", busyTimeout: .zero, cacheKiB: 64)
        #expect(try connection.statement("SELECT 1") === connection.statement("SELECT 1"))
    }

    @Test func theCacheStaysBoundedAndStatementsInUseLiveOn() throws {
        let connection = try Connection(path: ":memory:", busyTimeout: .zero, cacheKiB: 64)
        let first = try connection.statement("SELECT 0")
        for number in 1...(2 * Connection.statementCacheLimit) { _ = try connection.statement("SELECT \(number)") }
        #expect(try first.step())
        #expect(try connection.statement("SELECT 0") !== first)
    }

    @Test func anErrorNamesCodeWordsAndStatement() throws {
        let connection = try Connection(path: ":memory:", busyTimeout: .zero, cacheKiB: 64)
        let error = #expect(throws: SQLiteError.self) { try connection.statement("SELECT a FROM nowhere") }
        expectEqual(error?.code, .error)
        expectEqual(error?.message, "no such table: nowhere")
        expectEqual(error?.statement, "SELECT a FROM nowhere")
    }

    @Test func codesAreCatchPatterns() throws {
        let connection = try Connection(path: ":memory:", busyTimeout: .zero, cacheKiB: 64)
        try connection.execute("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES (1)")
        do {
            try connection.execute("INSERT INTO t VALUES (1)")
            Issue.record("a second row was taken")
        } catch {
            #expect(SQLiteError.Code.constraint ~= error && !(SQLiteError.Code.full ~= error))
        }
    }

    @Test func aFullDatabaseSaysFullAndStaysWhole() throws {
        let database = try TemporaryDatabase()
        let connection = try database.open()
        try connection.execute("CREATE TABLE t(a); PRAGMA max_page_count=10")
        let insert = try connection.statement("INSERT INTO t VALUES (zeroblob(100000))")
        expectEqual(codeOfError { try insert.run() }, .full)
        try connection.execute("INSERT INTO t VALUES (1)")
    }

    @Test func aLockedDatabaseIsBusyAfterABoundedWait() throws {
        let database = try TemporaryDatabase()
        let (first, second) = (try database.open(), try database.open(busyTimeout: .milliseconds(20)))
        try first.execute("PRAGMA journal_mode=WAL; CREATE TABLE t(a)")
        try first.beginImmediate()
        expectEqual(codeOfError { try second.beginImmediate() }, .busy)
        first.rollback()
        try second.beginImmediate()
        try second.commit()
    }

    @Test func aTextFileIsNoDatabase() throws {
        let database = try TemporaryDatabase()
        try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: database.path))
        expectEqual(codeOfError { try database.open().execute("SELECT * FROM sqlite_schema") }, .notADatabase)
    }

    @Test func aMissingFolderCannotBeOpened() throws {
        let path = "/nonexistent/folder/test.db"
        expectEqual(codeOfError { _ = try Connection(path: path, busyTimeout: .zero, cacheKiB: 64) }, .cannotOpen)
    }

    @Test func theSchemaIsNotTrusted() throws {
        let connection = try Connection(path: ":memory:", busyTimeout: .zero, cacheKiB: 64)
        #expect(throws: SQLiteError.self) {
            try connection.execute("PRAGMA writable_schema=ON; DELETE FROM sqlite_schema")
        }
        let query = try connection.statement("PRAGMA trusted_schema")
        #expect(try query.step())
        expectEqual(query.int(0), 0)
    }

    @Test func aBackupHoldsWhatTheLogHolds() throws {
        let database = try TemporaryDatabase()
        let connection = try database.open()
        try connection.execute("PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES (42)")
        let copy = database.folder.appendingPathComponent("copy.db").path
        try connection.backup(to: copy)
        let other = try Connection(path: copy, busyTimeout: .zero, cacheKiB: 64)
        let query = try other.statement("SELECT a FROM t")
        #expect(try query.step())
        expectEqual(query.int(0), 42)
    }

    @Test func anAbortedTransactionLeavesNothing() throws {
        let connection = try Connection(path: ":memory:", busyTimeout: .zero, cacheKiB: 64)
        try connection.execute("CREATE TABLE t(a)")
        try connection.beginImmediate()
        try connection.execute("INSERT INTO t VALUES (1)")
        #expect(connection.isInTransaction)
        connection.rollback()
        #expect(!connection.isInTransaction)
        let query = try connection.statement("SELECT count(*) FROM t")
        #expect(try query.step())
        expectEqual(query.int(0), 0)
    }
}
