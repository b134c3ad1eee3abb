internal import LibraryModel
internal import SQLite

/// A full-text index that lags behind its rows: where they are, how far it is, and how it is brought up to date.
struct WordIndex {
    /// The virtual table.
    let table: String
    /// What it indexes, by the columns' names.
    let columns: [String]
    /// Where rows stand: an expression for FROM with an `id` and the columns.
    let source: String
    /// What it still holds of rows that changed.
    let stale: String
    /// The column of `index_state` that says how far it is.
    let mark: String
    /// Rows that one commit takes in.
    let rowsPerCommit: Int

    static let titles = WordIndex(
        table: "title_search", columns: ["title"], source: "episode", stale: "title_stale", mark: "titled_through",
        rowsPerCommit: 1_000)
    static let notes = WordIndex(
        table: "search", columns: ["title", "summary", "content"],
        source: "(SELECT id, title, summary, content FROM episode LEFT JOIN episode_notes ON episode = id)",
        stale: "search_stale", mark: "searched_through", rowsPerCommit: LibraryStore.rowsPerCommit)
    static let spoken = WordIndex(
        table: "spoken_search", columns: ["words"], source: "passage", stale: "spoken_stale", mark: "spoken_through",
        rowsPerCommit: LibraryStore.rowsPerCommit)

    /// In the order in which they are brought up to date.
    static let all = [titles, notes, spoken]

    // The index writes a piece of its own at the end of each statement: one statement for all rows.

    private var names: String { columns.joined(separator: ", ") }
    private var spaced: String { columns.map { "spaced(\($0))" }.joined(separator: ", ") }

    /// Adds the rows after one up to another.
    func insertSQL(after first: Int64, through last: Int64) -> SQL {
        "INSERT INTO \(raw: table)(rowid, \(raw: names)) SELECT id, \(raw: spaced) FROM \(raw: source)"
            + " WHERE id > \(first) AND id <= \(last)"
    }
    /// Removes what it holds of changed rows up to one.
    func removeSQL(through last: Int64) -> SQL {
        "INSERT INTO \(raw: table)(\(raw: table), rowid, \(raw: names)) SELECT 'delete', id, \(raw: spaced)"
            + " FROM \(raw: stale) WHERE id <= \(last)"
    }
    /// Adds what changed rows up to one are now.
    func renewSQL(through last: Int64) -> SQL {
        "INSERT INTO \(raw: table)(rowid, \(raw: names)) SELECT id, \(raw: spaced) FROM \(raw: source) "
            + "WHERE id IN (SELECT id FROM \(raw: stale) WHERE id <= \(last))"
    }
    /// Fails when it is damaged.
    var checkSQL: String { "INSERT INTO \(table)(\(table)) VALUES ('integrity-check')" }
    /// Empties it, to be filled anew.
    var emptySQL: String {
        "INSERT INTO \(table)(\(table)) VALUES ('delete-all'); DELETE FROM \(stale); UPDATE index_state SET \(mark) = 0;"
    }
}

extension LibraryStore {
    /// How long a question waits for indexes that lag behind, in nanoseconds: an edit may wait behind it.
    static let indexPatience: UInt64 = 50_000_000

    /// Brings indexes up to date for a question, as far as that goes in a moment. A library that cannot be written now is
    /// searched as far as it is indexed.
    func bringUpToDate(_ indexes: [WordIndex]) throws(LibraryError) {
        let start = clock()
        do {
            for index in indexes {
                while clock() &- start < Self.indexPatience, try extend(index) {}
            }
        } catch .diskFull, .readOnly, .busy {
            return
        }
    }

    /// Takes a few rows into an index, in one commit.
    /// - Returns: whether there is more to do.
    func extend(_ index: WordIndex) throws(LibraryError) -> Bool {
        if try renewStale(index) { return true }
        return try Maintenance(library: self).index(
            mark: index.mark, of: index.source, rows: index.rowsPerCommit, index.insertSQL)
    }

    /// Takes the words of some rows that changed or went out of an index, and those in that are there now.
    private func renewStale(_ index: WordIndex) throws(LibraryError) -> Bool {
        guard try read({ try staleThrough(index) }) != nil else { return false }
        return try write(.relaxed) {
            guard let through = try staleThrough(index) else { return false }
            try connection.run(index.removeSQL(through: through))
            try connection.run(index.renewSQL(through: through))
            try connection.run("DELETE FROM \(raw: index.stale) WHERE id <= \(through)")
            return true
        }
    }

    private func staleThrough(_ index: WordIndex) throws -> Int64? {
        try connection.value(
            "SELECT max(id) FROM (SELECT id FROM \(raw: index.stale) ORDER BY id LIMIT \(index.rowsPerCommit / 2))")
    }
}
