internal import LibraryModel
internal import SQLite

/// Copies the rows of one table that can be read from the damaged file, attached as `old`, into the new one.
///
/// Rows go by ranges of their keys. Where a range cannot be read it is made shorter, down to one row; where not even the
/// next key can be found, because its page is lost, the first key after that page is searched for.
struct SalvagedTable {
    /// Rows that are copied at once, as long as they can be read.
    private static let batch: Int64 = 512
    /// Keys that are tried one by one after a lost page; more rows than a page has. From there on steps grow.
    private static let nearKeys: Int64 = 4_096
    /// No key of ours is larger; a search ends there.
    private static let largestKey: Int64 = 1 << 48

    private let findKey: Statement?
    /// Copies the rows between two keys; those before a number of rows where there is no key.
    private let insert: Statement
    private let connection: Connection

    /// Nil when the old file has no such table, or its description is lost.
    init?(_ table: String, _ connection: Connection) throws {
        guard let columns = try? Self.columns(of: table, connection), !columns.names.isEmpty else { return nil }
        self.connection = connection
        let list = columns.names.joined(separator: ", ")
        let copy = "INSERT OR IGNORE INTO main.\(table)(\(list)) SELECT \(list) FROM old.\(table) NOT INDEXED"
        let key = columns.key
        findKey = try key.map {
            try connection.statement(
                "SELECT max(k) FROM (SELECT \($0) AS k FROM old.\(table) NOT INDEXED WHERE \($0) >= ?1 ORDER BY \($0) LIMIT ?2)"
            )
        }
        insert = try connection.statement(copy + (key.map { " WHERE \($0) BETWEEN ?1 AND ?2" } ?? " LIMIT ?1"))
    }

    /// Copies what can be read.
    /// - Returns: how many rows.
    func copy() throws -> Int {
        guard findKey != nil else { return try copyBeginning() }
        var (count, next, size) = (0, Int64(1), Self.batch)
        while next <= Self.largestKey {
            switch try lastKey(from: next, rows: size) {
            case .found(let last):
                if let copied = try run(next, last) {
                    count += copied
                    (next, size) = (last + 1, min(size * 2, Self.batch))
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
        case end
        case unreadable
    }

    /// The key of the last of some rows from a key on. A damaged row may have any key, and where rows are not in the order of
    /// their keys SQLite finds smaller ones than it was asked for. Such rows count as unreadable, so that each search starts
    /// after the one before.
    private func lastKey(from key: Int64, rows: Int64) throws -> Search {
        guard let findKey else { return .end }
        defer { findKey.reset() }
        do throws(SQLiteError) {
            try findKey.bind(1, key)
            try findKey.bind(2, rows)
            guard try findKey.step(), let last = findKey.optionalInt64(0) else { return .end }
            return last < key || last > Self.largestKey ? .unreadable : .found(last)
        } catch {
            try Self.requireDamage(error)
            return .unreadable
        }
    }

    /// The first key after one that cannot be read from which rows can be read again; nil when there is none.
    private func readableKey(after key: Int64) throws -> Int64? {
        var (unreadable, step) = (key, Int64(1))
        while unreadable + step <= Self.largestKey {
            if case .unreadable = try lastKey(from: unreadable + step, rows: 1) {
                unreadable += step
                if unreadable - key >= Self.nearKeys { step *= 2 }
                continue
            }
            // Between the two is the border.
            var (low, high) = (unreadable, unreadable + step)
            while high - low > 1 {
                let middle = low + (high - low) / 2
                if case .unreadable = try lastKey(from: middle, rows: 1) { low = middle } else { high = middle }
            }
            return high
        }
        return nil
    }

    /// Copies the rows before the first that cannot be read, of a table without a number to look for.
    private func copyBeginning() throws -> Int {
        var size: Int64 = 1 << 20
        while size > 0 {
            if let copied = try run(size, nil) { return copied }
            size /= 2
        }
        return 0
    }

    /// - Returns: the rows that were copied; nil when one of them cannot be read.
    private func run(_ first: Int64, _ second: Int64?) throws -> Int? {
        do throws(SQLiteError) {
            try insert.bind(1, first)
            if let second { try insert.bind(2, second) }
            try insert.run()
            return Int(connection.changedRows)
        } catch {
            insert.reset()
            try Self.requireDamage(error)
            return nil
        }
    }

    /// Damage shows as a page that makes no sense, or as values that no table of ours takes. Faults of the new file and of
    /// the disk are something else.
    private static func requireDamage(_ error: SQLiteError) throws {
        let damage: [SQLiteError.Code] = [.corrupt, .notADatabase, .constraint, .tooBig, .noMemory, .error]
        if !damage.contains(error.code) { throw error }
    }

    /// The columns that both files have, and the one whose numbers make the ranges: the first of the primary key, or the
    /// row number; nil when the rows are ordered by something else.
    private static func columns(
        of table: String, _ connection: Connection
    ) throws -> (names: [String], key: String?) {
        let query = try connection.statement(
            """
            SELECT n.name, n.pk, n.type, (SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1)
            FROM pragma_table_info(?1, 'main') n JOIN pragma_table_info(?1, 'old') o ON o.name = n.name ORDER BY n.cid
            """)
        defer { query.reset() }
        try query.bind(1, table)
        var (names, key, hasRowNumbers): ([String], String?, Bool) = ([], nil, true)
        while try query.step() {
            names.append("\"\(query.text(0))\"")
            if query.text(2) == "INTEGER" && query.int(1) == 1 { key = names.last }
            hasRowNumbers = query.int(3) == 0
        }
        return (names, key ?? (hasRowNumbers ? "rowid" : nil))
    }
}
