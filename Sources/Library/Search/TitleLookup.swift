public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Episodes a part of a title is looked for in when it is not the beginning of words: the latest so many. About
    /// ten milliseconds.
    static let titleScanLimit: Int64 = 20_000

    /// Titles with the words of a name that are looked at, the latest so many: who names an episode by a word that more
    /// have gets to know that several fit.
    static let titleMatchLimit = 5_000

    /// The episode that `what` names: an id, an enclosure URL, or a part of the title; a whole title goes before a
    /// part, and the beginning of words before a part inside a word, which is looked for in the latest 20,000
    /// episodes only.
    public func resolveEpisode(_ what: String) throws(LibraryError) -> Episode {
        if what.contains("://") { try finishAddresses() }
        let exact = try read { () -> Episode? in
            if let number = Int64(what), let episode = try storedEpisode(EpisodeID(number)) { return episode }
            guard what.contains("://") else { return nil }
            let found = try episodes(url: what, limit: 6)
            if found.count > 1 { throw LibraryError.ambiguous(what, candidates: found.prefix(5).map(\.title)) }
            return found.first
        }
        if let exact { return exact }
        guard !what.isEmpty else { throw LibraryError.notFound(what) }
        try bringUpToDate([.titles])
        return try read {
            var matches = try titleMatchesByWords(what)
            if matches.isEmpty { matches = try titleMatchesByScan(what) }
            return try visibleEpisode(EpisodeID(try matches.only(for: what)))
        }
    }

    private func titleMatchesByWords(_ what: String) throws -> TitleMatches {
        // No character of a title is an operator.
        let plain = String(what.map { $0 == "-" || $0 == "\"" ? " " : $0 })
        guard let words = SearchQuery(plain) else { return TitleMatches() }
        let query = try connection.statement(
            """
            SELECT e.id, e.title, e.title = ?1 COLLATE NOCASE FROM (SELECT rowid FROM title_search
              WHERE title_search MATCH ?2 ORDER BY rowid DESC LIMIT \(Self.titleMatchLimit)) s
            CROSS JOIN episode e ON e.id = s.rowid\(EpisodeRow.visibility) WHERE e.title LIKE ?3 ESCAPE '\\'
            ORDER BY 3 DESC, e.published DESC LIMIT 6
            """)
        defer { query.reset() }
        try query.bind(1, what)
        try query.bind(2, try expression(of: words, in: .titles))
        try query.bind(3, likePattern(containing: what))
        return try TitleMatches(reading: query)
    }

    private func titleMatchesByScan(_ what: String) throws -> TitleMatches {
        let query = try connection.statement(
            """
            SELECT e.id, e.title, e.title = ?1 COLLATE NOCASE FROM episode e\(EpisodeRow.visibility) \
            WHERE e.id > (SELECT max(id) FROM episode) - ?2 AND e.title LIKE ?3 ESCAPE '\\' \
            ORDER BY 3 DESC, e.published DESC LIMIT 6
            """)
        defer { query.reset() }
        try query.bind(1, what)
        try query.bind(2, Self.titleScanLimit)
        try query.bind(3, likePattern(containing: what))
        return try TitleMatches(reading: query)
    }
}
