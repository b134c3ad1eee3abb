internal import LibraryModel
internal import PodcastModel
internal import SQLite

// The full-text indexes hold no texts, so that the texts of a page are indexed once more for a moment, in a table that only
// this connection has: then SQLite marks in them what it would have found, by the same rules.

extension LibraryStore {
    /// Characters of a text in which an excerpt is looked for.
    private static let excerptSource = 16_000
    /// Words of an excerpt.
    private static let excerptWords = 20

    /// The words around what was found, for episodes that have it in notes or transcript; not outside a transaction.
    func excerpts(of episodes: [EpisodeID], _ run: SearchRun) throws -> [EpisodeID: Excerpt] {
        if episodes.isEmpty { return [:] }
        let query = run.query
        try emptyExcerpts()
        let notes = try connection.statement(
            """
            INSERT INTO excerpt(rowid, words)
            SELECT episode, spaced(replace(replace(coalesce(substr(content, 1, \(Self.excerptSource)), '') || char(10)
              || coalesce(substr(summary, 1, \(Self.excerptSource)), ''), char(2), ''), char(3), ''))
            FROM episode_notes WHERE episode IN (SELECT value FROM json_each(?1))
            """)
        try notes.bind(1, "[\(episodes.map(\.description).joined(separator: ","))]")
        try notes.run()
        var found = try markedExcerpts(query)
        if run.spoken.isEmpty { return found }
        try emptyExcerpts()
        let passages = try connection.statement(
            "INSERT INTO excerpt(rowid, words) SELECT ?1, spaced(words) FROM passage WHERE id = ?2")
        for id in episodes where run.spoken.contains(id.rawValue) {
            guard let passage = try passage(of: id, with: query) else { continue }
            try passages.bind(1, id.rawValue)
            try passages.bind(2, passage)
            try passages.run()
        }
        found.merge(try markedExcerpts(query)) { _, spoken in spoken }
        return found
    }

    private func markedExcerpts(_ query: SearchQuery) throws -> [EpisodeID: Excerpt] {
        let select = try connection.statement(
            """
            SELECT rowid, snippet(excerpt, 0, char(2), char(3), '…', \(Self.excerptWords)) FROM excerpt
            WHERE excerpt MATCH ?
            """)
        defer { select.reset() }
        try select.bind(1, query.anyExpression)
        var excerpts: [EpisodeID: Excerpt] = [:]
        while try select.step() { excerpts[EpisodeID(select.int64(0))] = Excerpt(marked: select.text(1)) }
        return excerpts
    }

    /// A passage of an episode's transcript that has what is searched for.
    private func passage(of id: EpisodeID, with query: SearchQuery) throws -> Int64? {
        let statement = try connection.statement(
            """
            SELECT rowid FROM spoken_search WHERE spoken_search MATCH ?1 AND rowid BETWEEN
              (SELECT min(id) FROM passage WHERE episode = ?2) AND (SELECT max(id) FROM passage WHERE episode = ?2)
            LIMIT 1
            """)
        defer { statement.reset() }
        try statement.bind(1, try expression(of: query, in: .spoken))
        try statement.bind(2, id.rawValue)
        return try statement.step() ? statement.int64(0) : nil
    }

    /// Those of some lines that have all that is searched for, by their place, with it marked; if none has all, those that
    /// have some of it.
    func marked(_ lines: [String], _ query: SearchQuery) throws -> [Int: Excerpt] {
        try emptyExcerpts()
        let insert = try connection.statement("INSERT INTO excerpt(rowid, words) VALUES (?, ?)")
        for (place, line) in lines.enumerated() {
            try insert.bind(1, place)
            try insert.bind(2, SpacedText.spaced(line))
            try insert.run()
        }
        let select = try connection.statement(
            "SELECT rowid, highlight(excerpt, 0, char(2), char(3)) FROM excerpt WHERE excerpt MATCH ?")
        defer { select.reset() }
        var found: [Int: Excerpt] = [:]
        for expression in [query.expression, query.anyExpression] where found.isEmpty {
            select.reset()
            try select.bind(1, expression)
            while try select.step() { found[select.int(0)] = Excerpt(marked: select.text(1)) }
        }
        return found
    }

    private func emptyExcerpts() throws {
        try connection.execute(
            """
            CREATE VIRTUAL TABLE IF NOT EXISTS temp.excerpt USING fts5(
              words, columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');
            DELETE FROM excerpt;
            """)
    }
}

extension Excerpt {
    /// Reads a text in which U+0002 and U+0003 stand around what was found. Other control characters are none of the text's.
    fileprivate init(marked: String) {
        var pieces = [""]
        for scalar in marked.unicodeScalars.drop(while: { $0.properties.isWhitespace }) {
            switch scalar.value {
            case 2, 3: pieces.append("")
            case 0x0A where pieces[pieces.count - 1].last == " ": break
            case 0x0A: pieces[pieces.count - 1] += " "
            case _ where SafeText.isControl(scalar): break
            default: pieces[pieces.count - 1].unicodeScalars.append(scalar)
            }
        }
        if pieces[pieces.count - 1].last == " " { pieces[pieces.count - 1].removeLast() }
        self.init(pieces: pieces)
    }
}
