internal import Glibc
internal import LibraryModel
internal import SQLite

/// Makes a new library of every row of a damaged one that can still be read.
///
/// Rows are copied in ranges of their keys; a range that cannot be read is halved until what is lost is a page's rows.
/// The new file takes the old one's name in one step, so that there is a library at every instant.
struct LibrarySalvage {
    /// What became of it.
    struct Outcome {
        /// What was saved, for people.
        var summary: String
        /// Where the damaged file is now.
        var keptAside: String
    }

    let path: String
    /// The largest key that is looked for where the file does not tell.
    private static let largestKey: Int64 = 1 << 20

    /// Replaces the file.
    func run() throws -> Outcome {
        let partial = path + ".repaired.partial"
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(partial + suffix) }
        let summary: String
        do {
            // A scope of its own: closing the last connection takes the log into the file.
            _ = try LibraryStore(path: partial)
            let connection = try Connection(path: partial, busyTimeout: 0, cacheKiB: 8_192)
            summary = try fill(connection)
        }
        return Outcome(summary: summary, keptAside: try exchange(partial))
    }

    private func fill(_ connection: Connection) throws -> String {
        try connection.setRunsTriggers(false)
        try connection.execute("PRAGMA foreign_keys=OFF")
        try connection.setSynchronous(.full)
        let attach = try connection.statement("ATTACH ? AS old")
        try attach.bind(1, path)
        try attach.run()
        try connection.execute("DELETE FROM queue_state")
        // Each range is a transaction of its own: after a page that cannot be read SQLite refuses the rest of one.
        var saved: [String: Int] = [:]
        for table in try tables(connection) { saved[table] = try copy(table, connection) }
        // What follows would look into both files.
        try connection.execute("DETACH old")
        try connection.beginImmediate()
        try OrphanedRows(connection: connection).remove()
        for rule in LibraryRule.all { try connection.execute(rule.repair) }
        try connection.execute(LibraryRule.searchRepair)
        try connection.commit()
        return "\(saved["feed"] ?? 0) feeds, \(saved["episode"] ?? 0) episodes, \(saved["playback"] ?? 0) positions, "
            + "\(saved["queue_entry"] ?? 0) queue entries"
    }

    /// Tables with rows of their own, parents first; what is worked out of them is made anew.
    private func tables(_ connection: Connection) throws -> [String] {
        let query = try connection.statement(
            """
            SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE '%search%' AND name NOT LIKE '%stale'
              AND name NOT IN ('sqlite_sequence', 'feed_count', 'library_count', 'index_state', 'episode_address')
            ORDER BY rowid
            """)
        defer { query.reset() }
        var names: [String] = []
        while try query.step() { names.append(query.text(0)) }
        return names
    }

    private func copy(_ table: String, _ connection: Connection) throws -> Int {
        // A table that is not there, or whose description is lost, has nothing to copy.
        guard let columns = try? columns(of: table, connection), !columns.names.isEmpty else { return 0 }
        let list = columns.names.joined(separator: ", ")
        let insert = try connection.statement(
            """
            INSERT OR IGNORE INTO main.\(table)(\(list)) SELECT \(list) FROM old.\(table) NOT INDEXED
            WHERE \(columns.key) BETWEEN ?1 AND ?2
            """)
        var count = 0
        let largest = try? largestKey(of: table, columns.key, connection)
        var ranges: [ClosedRange<Int64>] = [1...(largest ?? Self.largestKey)]
        while let range = ranges.popLast() {
            if try isCopied(range, by: insert) {
                count += Int(connection.changedRows)
            } else if range.lowerBound < range.upperBound {
                let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
                ranges.append(middle + 1...range.upperBound)
                ranges.append(range.lowerBound...middle)
            }
        }
        return count
    }

    /// Copies the rows of a range, all or none.
    /// - Returns: false when one of them cannot be read.
    private func isCopied(_ range: ClosedRange<Int64>, by insert: Statement) throws -> Bool {
        do {
            try insert.bind(1, range.lowerBound)
            try insert.bind(2, range.upperBound)
            try insert.run()
            return true
        } catch SQLiteError.Code.corrupt {
            insert.reset()
            return false
        }
    }

    /// The columns that both files have, and the one whose numbers make the ranges.
    private func columns(of table: String, _ connection: Connection) throws -> (names: [String], key: String) {
        let query = try connection.statement(
            """
            SELECT n.name, n.pk, n.type FROM pragma_table_info(?1, 'main') n
            JOIN pragma_table_info(?1, 'old') o ON o.name = n.name ORDER BY n.cid
            """)
        defer { query.reset() }
        try query.bind(1, table)
        var (names, key): ([String], String?) = ([], nil)
        while try query.step() {
            names.append("\"\(query.text(0))\"")
            if query.text(2) == "INTEGER", key == nil || query.int(1) == 1 { key = names.last }
        }
        return (names, key ?? "rowid")
    }

    private func largestKey(of table: String, _ key: String, _ connection: Connection) throws -> Int64? {
        let query = try connection.statement("SELECT max(\(key)) FROM old.\(table) NOT INDEXED")
        defer { query.reset() }
        return try query.step() ? max(query.int64(0), 1) : nil
    }

    private func exchange(_ partial: String) throws -> String {
        var aside = path + ".damaged"
        var number = 1
        while access(aside, F_OK) == 0 {
            number += 1
            aside = "\(path).damaged-\(number)"
        }
        // The old log must not be taken into the new file.
        _ = try? Connection(path: path, busyTimeout: 0, cacheKiB: 256).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if rename(path + "-wal", aside + "-wal") != 0 && errno != ENOENT || link(path, aside) != 0 {
            throw LibraryError.storage("\(aside): \(String(cString: strerror(errno)))")
        }
        unlink(path + "-shm")
        try BackupFolder.put(partial, at: path)
        return aside
    }
}
