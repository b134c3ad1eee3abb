internal import Glibc
internal import Library
internal import PodcastModel
internal import SQLite
internal import SystemCalls

/// A copy of a damaged library that SQLite can open again: with a new header and first page, and with the readable part
/// of the schema, each table at its old root page.
///
/// SQLite refuses a whole file for a damaged byte of its header, for a size that contradicts the header (a lost tail),
/// and for one unreadable schema entry. All of these are known to us or can be found in the file.
struct DamagedFile {
    /// In bytes; the same for every library.
    private static let pageBytes = 4_096
    /// Maximum schema entries to search for; ours has fewer than 300.
    private static let mostEntries: Int64 = 4_096
    /// Pages to search at once for lost schema entries.
    private static let pagesPerSearch = 200
    /// Of the schema's table.
    private static let columns = "type, name, tbl_name, rootpage, sql"

    /// A table's schema entry. Indexes and triggers are not needed to read a table.
    private struct Table {
        var name: String
        var root: Int64
        var sql: String
    }

    /// The damaged file; read only.
    let original: String
    let copy: String

    /// - Throws: `damaged` if the file has no readable tables, and errors of the disk.
    func prepare() throws {
        for suffix in ["", "-wal"] where FileAccess().isAllowed(original + suffix) {
            try Self.copyFile(original + suffix, to: copy + suffix)
        }
        // The WAL may have the only intact copy of a page. SQLite ignores an invalid WAL.
        _ = try? open().execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for suffix in ["-wal", "-shm"] { try StoredFile.remove(copy + suffix) }
        var tables = try readableSchema()
        // A page that is no longer in use may have an older entry.
        tables.merge(try scatteredSchema()) { readable, _ in readable }
        if tables.isEmpty { throw LibraryError.damaged("no tables found in the file") }
        try replaceFirstPage()
        try write(Array(tables.values))
    }

    /// A connection that tolerates a damaged schema and a wrong file size.
    func open() throws -> Connection {
        let connection = try Connection(path: copy, busyTimeout: .zero, cacheKiB: 8_192)
        // After an error SQLite continues with the part of the schema that it has read.
        for _ in 0..<2 where (try? connection.setSchemaEditable(true)) != nil { break }
        _ = try? connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        return connection
    }

    // MARK: The schema

    private func readableSchema() throws -> [String: Table] {
        guard let connection = try? open() else { return [:] }
        var tables: [String: Table] = [:]
        var row: Int64 = 1
        while row <= Self.mostEntries {
            do throws(SQLiteError) {
                let query = try connection.prepared(
                    "SELECT rowid, name, rootpage, sql FROM sqlite_schema WHERE rowid >= \(row) LIMIT 1")
                defer { query.reset() }
                guard try query.step() else { break }
                row = max(query.int64(0), row)
                if let table = Self.table(query, from: 1) { tables[table.name] = table }
            } catch {
                // This entry cannot be read; the next one may be readable.
            }
            row += 1
        }
        return tables
    }

    /// Entries on pages that are no longer reachable from the schema's root: each page with the text of a table
    /// definition is read as if it were a schema table.
    private func scatteredSchema() throws -> [String: Table] {
        var tables: [String: Table] = [:]
        var pages = try pagesWithTables()[...]
        while !pages.isEmpty {
            let some = pages.prefix(Self.pagesPerSearch)
            pages = pages.dropFirst(some.count)
            try replaceFirstPage()
            try write(some.map { Table(name: "page\($0)", root: $0, sql: "CREATE TABLE page\($0)(\(Self.columns))") })
            let connection = try open()
            for page in some {
                guard
                    let query = try? connection.statement(
                        "SELECT name, rootpage, sql FROM page\(page) WHERE type = 'table'")
                else { continue }
                defer { query.reset() }
                while (try? query.step()) == true {
                    if let table = Self.table(query, from: 0) { tables[table.name] = table }
                }
            }
        }
        return tables
    }

    private static func table(_ row: Statement, from column: Int32) -> Table? {
        let table = Table(name: row.text(column), root: row.int64(column + 1), sql: row.text(column + 2))
        return table.root > 1 && table.sql.hasPrefix("CREATE TABLE \(table.name)(") ? table : nil
    }

    /// Numbers of table leaf pages that contain the text of a table definition.
    private func pagesWithTables() throws -> [Int64] {
        let file = try FileDescriptor.openForReading(copy)
        let words = Array("CREATE TABLE ".utf8)
        var pages: [Int64] = []
        var number: Int64 = 0
        while true {
            let page = try file.read(upTo: Self.pageBytes)
            guard page.count == Self.pageBytes else { break }
            number += 1
            // 13 is a table leaf page: https://sqlite.org/fileformat.html, section 1.6.
            if number > 1 && page[0] == 13 && page.firstRange(of: words) != nil { pages.append(number) }
        }
        return pages
    }

    private func write(_ tables: [Table]) throws {
        let connection = try Connection(path: copy, busyTimeout: .zero, cacheKiB: 8_192)
        try connection.setSchemaEditable(true)
        try connection.beginImmediate()
        for table in tables {
            try connection.run(
                """
                INSERT INTO sqlite_schema VALUES ('table', \(table.name), \(table.name), \(table.root), \(table.sql))
                """)
        }
        try connection.commit()
    }

    // MARK: The file

    /// Writes a header and an empty schema (https://sqlite.org/fileformat.html, section 1.3) for the real page count.
    private func replaceFirstPage() throws {
        let file = try FileDescriptor.openPrivate(copy, O_RDWR)
        let count = max((Int(try FileStatus(of: file.raw).size) + Self.pageBytes - 1) / Self.pageBytes, 1)
        var page = [UInt8](repeating: 0, count: Self.pageBytes)
        page.replaceSubrange(0..<16, with: Array("SQLite format 3\u{0}".utf8))
        page[16] = 0x10
        page[18] = 1
        page[19] = 1
        page[21] = 64
        page[22] = 32
        page[23] = 32
        page[47] = 4
        page[59] = 1
        for (place, value) in [(24, 1), (28, count), (92, 1), (96, 3_040_000)] {
            for byte in 0..<4 { page[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * (3 - byte))) }
        }
        // An empty table leaf page whose content begins at the page's end.
        page[100] = 13
        page[105] = 0x10
        try StoredFile.write(file.raw, at: 0, page)
        try StoredFile.truncate(file.raw, to: Int64(count * Self.pageBytes))
    }

    private static func copyFile(_ from: String, to: String) throws {
        let source = try FileDescriptor.openForReading(from)
        let target = try FileDescriptor.openPrivate(to, O_WRONLY | O_TRUNC)
        while true {
            let bytes = try source.read(upTo: 1 << 20)
            if bytes.isEmpty { return }
            try FileDescriptor.write(target.raw, bytes)
        }
    }
}
