internal import SQLite

/// Rows whose parent is missing, by the foreign keys that the schema declares.
struct OrphanedRows {
    let connection: Connection

    private struct Key: Hashable {
        let table: String
        let column: String
        let parent: String
        let setsNull: Bool
    }

    /// Removes the rows, or sets their foreign key to NULL where the schema declares that. Call within a transaction.
    func remove() throws {
        // A removed row may have been a parent itself.
        while true {
            let keys = try brokenKeys()
            if keys.isEmpty { return }
            for key in keys {
                let orphans = "\(key.column) NOT IN (SELECT id FROM \(key.parent))"
                try connection.execute(
                    key.setsNull
                        ? "UPDATE \(key.table) SET \(key.column) = NULL WHERE \(orphans)"
                        : "DELETE FROM \(key.table) WHERE \(orphans)")
            }
        }
    }

    private func brokenKeys() throws -> Set<Key> {
        let query = try connection.statement(
            """
            SELECT DISTINCT c."table", l."from", l."table", l.on_delete
            FROM pragma_foreign_key_check c JOIN pragma_foreign_key_list(c."table") l ON l.id = c.fkid
            """)
        defer { query.reset() }
        var keys: Set<Key> = []
        while try query.step() {
            keys.insert(
                Key(
                    table: query.text(0), column: query.text(1), parent: query.text(2),
                    setsNull: query.text(3) == "SET NULL"))
        }
        return keys
    }
}
