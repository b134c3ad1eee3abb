internal import Library
internal import PodcastModel
internal import SQLite
internal import SystemCalls

/// Makes a new library from every row of a damaged library that can still be read.
///
/// The new file replaces the old one in one step. After a failure no partial file remains.
struct LibrarySalvage {
    struct Outcome {
        /// Numbers of saved rows, in the order of `countedTables`.
        var saved: [Int]
        /// New path of the damaged file.
        var keptAside: String
    }

    let path: String

    /// Tables whose rows users would miss, with names for people.
    static let countedTables = [
        ("feed", "feeds"), ("episode", "episodes"), ("playback", "positions"), ("queue_entry", "queue entries"),
    ]

    static func summary(_ counts: [Int]) -> String {
        zip(counts, countedTables).map { "\($0) \($1.1)" }.joinedText(", ")
    }

    /// Replaces the file. Throws `damaged` if no rows can be read, and errors of the disk; then the file is unchanged.
    func run() throws -> Outcome {
        let partial = path + ".repaired.partial"
        let readable = path + ".readable.partial"
        func clean() {
            for file in [partial, readable] {
                for suffix in ["", "-wal", "-shm", "-journal", "-turn"] { try? StoredFile.remove(file + suffix) }
            }
        }
        clean()
        defer { clean() }
        let damaged = DamagedFile(original: path, copy: readable)
        try damaged.prepare()
        let saved: [Int]
        do {
            // A separate scope, because closing the last connection checkpoints the WAL into the file.
            _ = try LibraryStore(path: partial)
            let connection = try Connection(path: partial, busyTimeout: .zero, cacheKiB: 8_192)
            saved = try fill(connection, from: readable)
        }
        return Outcome(saved: saved, keptAside: try exchange(partial))
    }

    private func fill(_ connection: Connection, from readable: String) throws -> [Int] {
        try connection.setRunsTriggers(false)
        try connection.execute("PRAGMA foreign_keys=OFF")
        try connection.setSynchronous(.full)
        try connection.run("ATTACH \(readable) AS old")
        try connection.execute("DELETE FROM queue_state; DELETE FROM change_log")
        // Each range is a separate transaction, because after an unreadable page SQLite refuses the rest of one.
        var saved: [String: Int] = [:]
        for table in try tables(connection) { saved[table] = try SalvagedTable(table, connection)?.copy() ?? 0 }
        if saved.values.allSatisfy({ $0 == 0 }) { throw LibraryError.damaged("no rows can be read") }
        // The statements below must not refer to the old file.
        try connection.execute("DETACH old")
        try connection.beginImmediate()
        try OrphanedRows(connection: connection).remove()
        for rule in LibraryRule.all { try connection.execute(rule.repair) }
        try connection.execute(LibraryRule.searchRepair)
        try connection.commit()
        return Self.countedTables.map { saved[$0.0] ?? 0 }
    }

    /// Tables with original data, parents first; derived data is rebuilt.
    private func tables(_ connection: Connection) throws -> [String] {
        try connection.column(
            """
            SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE '%search%' AND name NOT LIKE '%stale'
              AND name NOT IN ('sqlite_sequence', 'feed_count', 'library_count', 'index_state', 'episode_address')
            ORDER BY rowid
            """)
    }

    private func exchange(_ partial: String) throws -> String {
        var aside = path + ".damaged"
        var number = 1
        while FileAccess().isAllowed(aside) {
            number += 1
            aside = "\(path).damaged-\(number)"
        }
        // The old WAL must not be applied to the new file.
        _ = try? Connection(path: path, busyTimeout: .zero, cacheKiB: 256).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try StoredFile.link(path, to: aside)
        do throws(SystemError) {
            if FileAccess().isAllowed(path + "-wal") { try StoredFile.rename(path + "-wal", to: aside + "-wal") }
            try StoredFile.remove(path + "-shm")
            try StoredFile.rename(partial, to: path, isDurable: true)
        } catch {
            // If the new file is in its place, and only its folder could not be synced, the old file stays where it is.
            if FileAccess().isAllowed(partial) {
                if FileAccess().isAllowed(aside + "-wal") { try? StoredFile.rename(aside + "-wal", to: path + "-wal") }
                try? StoredFile.remove(aside)
            }
            throw error
        }
        return aside
    }
}
