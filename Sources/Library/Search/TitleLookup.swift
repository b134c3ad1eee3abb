internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension LibraryStore {
    /// How many of the latest episodes are searched for a part inside a word of a title; takes about ten milliseconds.
    static let titleScanLimit: Int64 = 20_000

    /// How many of the latest titles with the words are compared with the given part of a title.
    static let titleMatchLimit = 5_000

    /// The episode with an id, an enclosure URL or a part of a title. A whole title wins over a part, and the beginning of
    /// words over a part inside a word.
    func resolveEpisode(_ what: String) throws(LibraryError) -> Episode {
        if what.contains("://") { try Maintenance(library: self).finishAddresses() }
        let exact = try read { () -> Episode? in
            if let number = Int64(what), let episode = try rows.stored(EpisodeID(number)) { return episode }
            guard what.contains("://") else { return nil }
            let found = try rows.stored(url: what, limit: 6)
            if found.count > 1 {
                throw LibraryError.ambiguous(
                    what, of: .episode, candidates: found.prefix(5).map { "\($0.id) \($0.title)" })
            }
            return found.first
        }
        if let exact { return exact }
        guard !what.isEmpty else { throw LibraryError.notFound(what, of: .episode) }
        try update([.titles])
        return try read {
            var matches = try titleMatchesByWords(what)
            if matches.isEmpty { matches = try titleMatchesByScan(what) }
            return try rows.visible(EpisodeID(try matches.only(for: what, .episode)))
        }
    }

    private func titleMatchesByWords(_ what: String) throws -> TitleMatches {
        // No character of a title is an operator of the query.
        let plain = String(what.map { $0 == "-" || $0 == "\"" ? " " : $0 })
        guard let words = SearchQuery(plain) else { return TitleMatches() }
        return TitleMatches(
            try connection.all(
                """
                SELECT e.id, e.title, e.title = \(what) COLLATE NOCASE AS is_whole FROM (SELECT rowid FROM title_search
                  WHERE title_search MATCH \(try expression(of: words, in: .titles))
                  ORDER BY rowid DESC LIMIT \(literal: Self.titleMatchLimit)) s
                CROSS JOIN episode e ON e.id = s.rowid\(raw: EpisodeRow.visibility)
                WHERE e.title LIKE \(likePattern(containing: what)) ESCAPE '\\'
                ORDER BY 3 DESC, e.published DESC LIMIT 6
                """))
    }

    private func titleMatchesByScan(_ what: String) throws -> TitleMatches {
        TitleMatches(
            try connection.all(
                """
                SELECT e.id, e.title, e.title = \(what) COLLATE NOCASE AS is_whole
                FROM episode e\(raw: EpisodeRow.visibility)
                WHERE e.id > (SELECT max(id) FROM episode) - \(Self.titleScanLimit)
                  AND e.title LIKE \(likePattern(containing: what)) ESCAPE '\\'
                ORDER BY 3 DESC, e.published DESC LIMIT 6
                """))
    }
}
