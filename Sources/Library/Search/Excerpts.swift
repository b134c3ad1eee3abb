internal import PodcastModel
internal import SQLite

/// A few words of a text around marked matches.
public struct Excerpt: Equatable, Sendable {
    /// One line in pieces: pieces at odd indexes are the matches.
    public var pieces: [String]
}

// The full-text indexes contain no texts, so FTS5 highlights matches in the page's texts, with a temporary index. The index has
// plain letters (`SpacedText`), and the texts are as they are; so that both have the same words, marks are parts of words.

extension EpisodeStore {
    /// Maximum characters of a text to search for an excerpt.
    private static let excerptSource = 16_000
    private static let excerptWords = 20

    /// Excerpts of the episodes that match in notes or transcript. Call within a transaction.
    func excerpts(of episodes: [EpisodeID], _ results: SearchResults) throws -> [EpisodeID: Excerpt] {
        if episodes.isEmpty { return [:] }
        let query = results.query
        try emptyExcerpts()
        let list = "[\(episodes.map(\.description).joinedText(","))]"
        try connection.run(
            """
            INSERT INTO excerpt_text(id, words)
            SELECT episode, separated(replace(replace(
              coalesce(substr(content, 1, \(literal: Self.excerptSource)), '') || char(10)
              || coalesce(substr(summary, 1, \(literal: Self.excerptSource)), ''), char(2), ''), char(3), ''))
            FROM episode_notes WHERE episode IN (SELECT value FROM json_each(\(list)))
            """)
        var found = try markedExcerpts(query)
        if results.spoken.isEmpty { return found }
        try emptyExcerpts()
        for id in episodes where results.spoken.contains(id.rawValue) {
            guard let passage = try passage(of: id, with: query) else { continue }
            try connection.run(
                "INSERT INTO excerpt_text(id, words) SELECT \(id), separated(words) FROM passage WHERE id = \(passage)")
        }
        found.merge(try markedExcerpts(query)) { _, spoken in spoken }
        return found
    }

    private func markedExcerpts(_ query: SearchQuery) throws -> [EpisodeID: Excerpt] {
        try indexExcerpts()
        let rows = try connection.rows(
            """
            SELECT rowid AS episode, snippet(excerpt, 0, char(2), char(3), '…', \(literal: Self.excerptWords)) AS marked
            FROM excerpt WHERE excerpt MATCH \(query.anyExpression)
            """)
        var excerpts: [EpisodeID: Excerpt] = [:]
        while let row = try rows.next() { excerpts[row["episode"]] = Excerpt(marked: row["marked"]) }
        return excerpts
    }

    /// A matching passage of an episode's transcript.
    private func passage(of id: EpisodeID, with query: SearchQuery) throws -> Int64? {
        try connection.value(
            """
            SELECT rowid FROM spoken_search WHERE spoken_search MATCH \(try expression(of: query, in: .spoken))
              AND rowid BETWEEN (SELECT min(id) FROM passage WHERE episode = \(id))
              AND (SELECT max(id) FROM passage WHERE episode = \(id))
            LIMIT 1
            """)
    }

    /// The lines with all words, highlighted, by index; if there are none, the lines with any word.
    func marked(_ lines: [String], _ query: SearchQuery) throws -> [Int: Excerpt] {
        try emptyExcerpts()
        for (place, line) in lines.enumerated() {
            try connection.run("INSERT INTO excerpt_text(id, words) VALUES (\(place), separated(\(line)))")
        }
        try indexExcerpts()
        var found: [Int: Excerpt] = [:]
        for expression in [query.expression, query.anyExpression] where found.isEmpty {
            let rows = try connection.rows(
                """
                SELECT rowid AS place, highlight(excerpt, 0, char(2), char(3)) AS marked FROM excerpt
                WHERE excerpt MATCH \(expression)
                """)
            while let row = try rows.next() { found[row["place"]] = Excerpt(marked: row["marked"]) }
        }
        return found
    }

    private func emptyExcerpts() throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS temp.excerpt_text(id INTEGER PRIMARY KEY, words TEXT NOT NULL);
            CREATE VIRTUAL TABLE IF NOT EXISTS temp.excerpt USING fts5(
              words, content = 'excerpt_text', content_rowid = 'id', columnsize = 0,
              tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn'");
            INSERT INTO excerpt(excerpt) VALUES ('delete-all');
            DELETE FROM excerpt_text;
            """)
    }

    private func indexExcerpts() throws {
        try connection.run("INSERT INTO excerpt(rowid, words) SELECT id, spaced(words) FROM excerpt_text")
    }
}

extension Excerpt {
    /// Parses a text with U+0002 and U+0003 around matches, and removes other control characters.
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
