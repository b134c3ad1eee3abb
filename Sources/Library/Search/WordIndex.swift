internal import PodcastModel
internal import SQLite

/// The full-text indexes, in the order of results and of updates.
///
/// The indexes are updated some time after their rows (`performMaintenance`), titles first.
public enum WordIndex: Int, CaseIterable {
    case titles, notes, spoken

    /// `source`, for FROM: the indexed rows with an `id` and the columns. `stale`: the table of former texts of changed rows
    /// that are still in the index. `mark`: the column of `index_state` with the last indexed row.
    private var parts: (table: String, columns: [String], source: String, stale: String, mark: String) {
        switch self {
        case .titles: ("title_search", ["title"], "episode", "title_stale", "titled_through")
        case .notes:
            (
                "search", ["title", "summary", "content"],
                "(SELECT id, title, summary, content FROM episode LEFT JOIN episode_notes ON episode = id)",
                "search_stale", "searched_through"
            )
        case .spoken: ("spoken_search", ["words"], "passage", "spoken_stale", "spoken_through")
        }
    }
    var table: String { parts.table }
    var source: String { parts.source }
    var stale: String { parts.stale }
    var mark: String { parts.mark }
    /// For FROM: the table, joined with what has the id of a row's episode; and that id.
    var hits: (source: String, episode: String) {
        self == .spoken
            ? ("\(table) CROSS JOIN passage p ON p.id = \(table).rowid", "p.episode") : (table, "\(table).rowid")
    }
    var rowsPerCommit: Int { self == .titles ? 1_000 : LibraryStore.rowsPerCommit }

    // FTS5 writes a segment at the end of each statement, so one statement indexes all rows of a commit.

    private var names: String { parts.columns.joinedText(", ") }
    private var spaced: String { parts.columns.map { "spaced(\($0))" }.joinedText(", ") }

    func insertSQL(after first: Int64, through last: Int64) -> SQL {
        "INSERT INTO \(raw: table)(rowid, \(raw: names)) SELECT id, \(raw: spaced) FROM \(raw: source)"
            + " WHERE id > \(first) AND id <= \(last)"
    }
    /// Removes the former texts of changed rows up to `last`.
    func removeSQL(through last: Int64) -> SQL {
        "INSERT INTO \(raw: table)(\(raw: table), rowid, \(raw: names)) SELECT 'delete', id, \(raw: spaced)"
            + " FROM \(raw: stale) WHERE id <= \(last)"
    }
    /// Indexes changed rows up to `last` again.
    func renewSQL(through last: Int64) -> SQL {
        "INSERT INTO \(raw: table)(rowid, \(raw: names)) SELECT id, \(raw: spaced) FROM \(raw: source) "
            + "WHERE id IN (SELECT id FROM \(raw: stale) WHERE id <= \(last))"
    }
    /// SQL that fails if the index is damaged.
    public var checkSQL: String { "INSERT INTO \(table)(\(table)) VALUES ('integrity-check')" }
    public var emptySQL: String {
        "INSERT INTO \(table)(\(table)) VALUES ('delete-all'); DELETE FROM \(stale); UPDATE index_state SET \(mark) = 0;"
    }
}

extension EpisodeStore {
    /// Maximum time that a search waits for index updates; edits may wait for the search.
    private static let updateTime = Duration.milliseconds(50)
    /// Maximum rows of notes or transcripts for which short prefixes, and any prefixes, are searched for.
    private static let rowsForShortPrefixes = 10_000
    private static let rowsForPrefixes = 100_000
    /// In larger indexes, a word with more rows than this is not treated as a prefix.
    private static let rowsOfCommonWord = 5_000

    /// FTS5 merges the rows of all words with a prefix before it returns the first row: 500 ms for a common prefix in
    /// the notes of a million episodes. The index of titles therefore has prefix indexes. For notes these would take
    /// two thirds more space and a third more time, so large indexes of notes and transcripts are searched for whole
    /// words.
    func expression(of query: SearchQuery, in index: WordIndex) throws -> String {
        guard let last = query.required.last, last.isPrefix else { return query.expression }
        let rows: Int = try connection.value("SELECT \(raw: index.mark) FROM index_state") ?? 0
        if rows <= Self.rowsForShortPrefixes { return query.expression }
        let hasPrefix = index == .titles || !query.hasShortPrefix && rows <= Self.rowsForPrefixes
        return try hasPrefix && !isCommon(last, in: index) ? query.expression : query.withWholeWords.expression
    }

    private func isCommon(_ term: SearchQuery.Term, in index: WordIndex) throws -> Bool {
        var word = term
        word.isPrefix = false
        return try connection.exists(
            """
            SELECT 1 FROM \(raw: index.table) WHERE \(raw: index.table) MATCH \(word.expression)
            LIMIT 1 OFFSET \(literal: Self.rowsOfCommonWord)
            """)
    }

    /// Updates indexes for `updateTime` at most. If the library is not writable, searches find indexed rows only.
    /// - Returns: true if the indexes are complete; otherwise a search may miss episodes.
    @discardableResult
    func update(_ indexes: [WordIndex]) throws(LibraryError) -> Bool {
        let end = library.clock.now + Self.updateTime
        do {
            for index in indexes {
                while try extend(index) { if library.clock.now >= end { return false } }
            }
            return true
        } catch .diskFull, .readOnly, .busy {
            return false
        }
    }

    /// Indexes a few rows in one commit, and returns true if there are more.
    func extend(_ index: WordIndex) throws(LibraryError) -> Bool {
        if try renewStale(index) { return true }
        return try library.index(
            mark: index.mark, of: index.source, rows: index.rowsPerCommit, index.insertSQL)
    }

    /// Updates the index for a few changed or deleted rows, and returns true if there were any.
    private func renewStale(_ index: WordIndex) throws(LibraryError) -> Bool {
        try library.write(ifAny: { try staleThrough(index) }, else: false) { through in
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
