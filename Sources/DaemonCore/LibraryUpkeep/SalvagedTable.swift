internal import PodcastModel
internal import SQLite

/// Copies the readable rows of one table from the damaged file, attached as `old`, to the new file.
///
/// Rows are copied in ranges of keys. An unreadable range is shortened, down to one row; if not even the next key can
/// be found, because its page is lost, the first key after that page is searched for.
struct SalvagedTable {
    /// Rows to copy at once, as long as they can be read.
    private static let batch: Int64 = 512
    /// Keys that are tried one by one after a lost page; more rows than a page has. Further steps grow.
    private static let nearKeys: Int64 = 4_096
    /// Larger than all our keys; a search ends there.
    private static let largestKey: Int64 = 1 << 48

    private let connection: Connection
    /// For FROM: the table in the damaged file.
    private let source: String
    /// The integer column for the ranges; nil if there is none.
    private let key: String?
    private let copySQL: String

    /// Nil if the old file has no such table, or its definition is lost.
    init?(_ table: String, _ connection: Connection) throws {
        guard let columns = try? Self.columns(of: table, connection), !columns.names.isEmpty else { return nil }
        self.connection = connection
        let list = columns.names.joinedText(", ")
        source = "old.\(table) NOT INDEXED"
        key = columns.key
        copySQL = "INSERT OR IGNORE INTO main.\(table)(\(list)) SELECT \(list) FROM \(source)"
    }

    /// Copies the readable rows. Returns the number of rows.
    func copy() throws -> Int {
        guard key != nil else { return try copyBeginning() }
        var count = 0
        var next = Int64(1)
        var size = Self.batch
        while next <= Self.largestKey {
            switch try lastKey(from: next, rows: size) {
            case .found(let last):
                if let copied = try run(next, last) {
                    count += copied
                    next = last + 1
                    size = min(size * 2, Self.batch)
                } else if size > 1 {
                    size = 1
                } else {
                    next = last + 1
                }
            case .unreadable where size > 1: size = 1
            case .unreadable:
                guard let readable = try readableKey(after: next) else { return count }
                next = readable
            case .end: return count
            }
        }
        return count
    }

    private enum Search {
        case found(Int64)
        case end, unreadable
    }

    /// The last key of `rows` rows from `first` on. A damaged row may have any key, and if rows are not in key order, SQLite
    /// returns smaller keys than requested. Such rows count as unreadable, so that each search starts after the previous one.
    private func lastKey(from first: Int64, rows: Int64) throws -> Search {
        guard let key else { return .end }
        do throws(SQLiteError) {
            let query = try connection.prepared(
                """
                SELECT max(k) FROM (SELECT \(raw: key) AS k FROM \(raw: source) WHERE \(raw: key) >= \(first)
                  ORDER BY \(raw: key) LIMIT \(rows))
                """)
            defer { query.reset() }
            guard try query.step(), let last = query.optionalInt64(0) else { return .end }
            return last < first || last > Self.largestKey ? .unreadable : .found(last)
        } catch {
            try Self.requireDamage(error)
            return .unreadable
        }
    }

    /// The first key after an unreadable key from which rows can be read again; nil if there is none.
    private func readableKey(after key: Int64) throws -> Int64? {
        var unreadable = key
        var step = Int64(1)
        while unreadable + step <= Self.largestKey {
            if case .unreadable = try lastKey(from: unreadable + step, rows: 1) {
                unreadable += step
                if unreadable - key >= Self.nearKeys { step *= 2 }
                continue
            }
            // Find the first readable key by bisection.
            var low = unreadable
            var high = unreadable + step
            while high - low > 1 {
                let middle = low + (high - low) / 2
                if case .unreadable = try lastKey(from: middle, rows: 1) { low = middle } else { high = middle }
            }
            return high
        }
        return nil
    }

    /// Copies the rows before the first unreadable row of a table without an integer key.
    private func copyBeginning() throws -> Int {
        var size: Int64 = 1 << 20
        while size > 0 {
            if let copied = try run(size, nil) { return copied }
            size /= 2
        }
        return 0
    }

    /// - Returns: the number of copied rows; nil if one of them cannot be read.
    private func run(_ first: Int64, _ second: Int64?) throws -> Int? {
        do throws(SQLiteError) {
            if let key, let second {
                try connection.run("\(raw: copySQL) WHERE \(raw: key) BETWEEN \(first) AND \(second)")
            } else {
                try connection.run("\(raw: copySQL) LIMIT \(first)")
            }
            return Int(connection.changedRows)
        } catch {
            try Self.requireDamage(error)
            return nil
        }
    }

    /// Damage appears as an invalid page or as refused values. Rethrows errors of the new file and of the disk.
    private static func requireDamage(_ error: SQLiteError) throws {
        let damage: [SQLiteError.Code] = [.corrupt, .notADatabase, .constraint, .tooBig, .noMemory, .error]
        if !damage.contains(error.code) { throw error }
    }

    /// The columns that both files have, and the column for the ranges: the first column of the primary key, or the row
    /// id; nil if the rows are ordered by something else.
    private static func columns(of table: String, _ connection: Connection) throws -> (names: [String], key: String?) {
        let rows = try connection.rows(
            """
            SELECT n.name, n.pk, n.type,
              (SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = \(table)) AS has_no_numbers
            FROM pragma_table_info(\(table), 'main') n JOIN pragma_table_info(\(table), 'old') o ON o.name = n.name
            ORDER BY n.cid
            """)
        var (names, key, hasRowNumbers): ([String], String?, Bool) = ([], nil, true)
        while let row = try rows.next() {
            names.append("\"\(row["name"] as String)\"")
            if (row["type"] as String) == "INTEGER" && (row["pk"] as Int) == 1 { key = names.last }
            hasRowNumbers = !row["has_no_numbers"]
        }
        return (names, key ?? (hasRowNumbers ? "rowid" : nil))
    }
}
