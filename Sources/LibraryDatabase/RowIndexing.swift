public import LibraryModel
public import SQLite

extension LibraryDatabase {
    /// Adds the next rows after a mark to an index, in one commit.
    /// - Parameters:
    ///   - mark: the column of `index_state` with the last indexed row.
    ///   - source: the rows, for FROM.
    ///   - insertion: adds the rows after `after` up to `through`.
    /// - Returns: true if there are more rows.
    public func index(
        mark: String, of source: String, rows: Int, _ insertion: (_ after: Int64, _ through: Int64) -> SQL
    ) throws(LibraryError) -> Bool {
        guard try read({ try nextRange(after: mark, of: source, rows: rows) }) != nil else { return false }
        return try write(.relaxed) {
            guard let range = try nextRange(after: mark, of: source, rows: rows) else { return false }
            try connection.run(insertion(range.after, range.through))
            try connection.run("UPDATE index_state SET \(raw: mark) = \(range.through)")
            return try nextRange(after: mark, of: source, rows: rows) != nil
        }
    }

    /// The next `rows` rows after a mark; nil if there are none.
    private func nextRange(
        after mark: String, of source: String, rows: Int
    ) throws -> (after: Int64, through: Int64)? {
        try connection.first(
            """
            SELECT \(raw: mark) AS start, (SELECT max(id) FROM
              (SELECT id FROM \(raw: source) WHERE id > \(raw: mark) ORDER BY id LIMIT \(rows))) AS "end"
            FROM index_state
            """
        ) { row in (row["end"] as Int64?).map { (row["start"], $0) } }.flatMap(\.self)
    }
}
