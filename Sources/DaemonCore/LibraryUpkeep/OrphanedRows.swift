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
        Set(
            try connection.all(
                """
                SELECT c."table" AS child, l."from" AS key, l."table" AS parent, l.on_delete = 'SET NULL' AS sets_null
                FROM pragma_foreign_key_check c JOIN pragma_foreign_key_list(c."table") l ON l.id = c.fkid
                """
            ) { Key(table: $0["child"], column: $0["key"], parent: $0["parent"], setsNull: $0["sets_null"]) })
    }
}
