public import PodcastModel
internal import SQLite

/// Reads what names may mean; `TitleResolver` decides.
public struct NameStore: LibraryPart {
    let library: LibraryStore

    /// Number of newest episodes that are searched for a part of a word of a title: about ten milliseconds.
    private static let titleScanLimit: Int64 = 20_000
    /// Number of newest titles with the words that are compared with the text.
    private static let titleMatchLimit = 5_000
    /// More entries than a queue has.
    private static let largestIndex = 100_000_000

    /// All objects that a name means; of a range of ids the existing ones. Playlists and filters are not supported.
    /// - Parameters:
    ///   - word: the name as typed, for messages.
    ///   - isExact: true to throw `LibraryError.inexact` if only part of a title matches.
    public func resolve(
        _ name: Name, word: String, _ kind: NamedKind, isExact: Bool
    ) throws(LibraryError) -> [NamedCandidate.Object] {
        let found: [NamedCandidate.Object]
        switch name {
        case .episodes(let range):
            if kind == .feed { throw .otherKind(word, needed: kind) }
            found = try read { try episodes(range) }
        case .feeds(let range):
            if kind == .episode { throw .otherKind(word, needed: kind) }
            found = try read { try feeds(range) }
        case .entries(let range):
            if kind == .feed { throw .otherKind(word, needed: kind) }
            found = try read { try queued(range) }
            if found.isEmpty { throw .notFound(word, of: .entry) }
        case .current: return [try read { try current(kind) }]
        case .url(let url): found = try addressed(by: url, kind)
        case .text(let text): return [try titled(text, kind, isExact: isExact)]
        case .playlist, .filter: throw .otherKind(word, needed: kind)
        case .reversedRange: throw .reversedRange(word)
        }
        if found.isEmpty { throw .notFound(word, of: kind) }
        return found
    }

    // MARK: ids

    private func episodes(_ range: ClosedRange<EpisodeID>) throws -> [NamedCandidate.Object] {
        let ids: [EpisodeID] = try connection.column(
            """
            SELECT e.id FROM episode e\(raw: EpisodeRow.visibility)
            WHERE e.id BETWEEN \(range.lowerBound) AND \(range.upperBound) ORDER BY e.id
            """)
        return ids.map { .episode($0) }
    }

    /// A range of several means subscriptions only: the feed of single files cannot be brought back.
    private func feeds(_ range: ClosedRange<FeedID>) throws -> [NamedCandidate.Object] {
        let isOne = range.lowerBound == range.upperBound
        let ids: [FeedID] = try connection.column(
            """
            SELECT id FROM feed f WHERE \(raw: isOne ? Self.isNamed : Self.isSubscribed)
              AND id BETWEEN \(range.lowerBound) AND \(range.upperBound)
            ORDER BY id
            """)
        return ids.map { .feed($0) }
    }

    private func queued(_ range: ClosedRange<Int>) throws -> [NamedCandidate.Object] {
        let first = range.lowerBound
        let last = min(range.upperBound, Self.largestIndex)
        guard first >= 1, first <= last else { return [] }
        let ids: [EpisodeID] = try connection.column(
            "SELECT episode FROM queue_entry WHERE list IS NULL ORDER BY place, id LIMIT \(last - first + 1) OFFSET \(first - 1)"
        )
        return ids.map { .episode($0) }
    }

    /// The current episode, or its feed where one is named.
    private func current(_ kind: NamedKind) throws -> NamedCandidate.Object {
        let id: EpisodeID? = try connection.value(
            "SELECT episode FROM queue_entry WHERE id = (SELECT current FROM queue_state)")
        guard let id else { throw LibraryError.refused("no episode is playing, so 'current' names none") }
        return kind == .feed ? .feed(try library.episodes.episode(id).feed) : .episode(id)
    }

    // MARK: URLs

    private func addressed(by url: String, _ kind: NamedKind) throws(LibraryError) -> [NamedCandidate.Object] {
        if kind != .episode, let feed = try read({ try library.feeds.id(url: url) }) { return [.feed(feed)] }
        if kind == .feed { return [] }
        try maintenance.finishAddresses()
        let found = try read { try library.episodes.stored(url: url, limit: TitleResolver.maximumShown) }
        if found.count > 1 {
            throw .ambiguous(url, of: .episode, candidates: found.map { NamedCandidate($0) })
        }
        return found.map { .episode($0.id) }
    }

    // MARK: titles

    private func titled(
        _ text: String, _ kind: NamedKind, isExact: Bool
    ) throws(LibraryError) -> NamedCandidate.Object {
        if kind != .feed, !text.isEmpty { try library.episodes.update([.titles]) }
        let candidates = try read {
            var candidates = kind == .episode ? [] : try feedTitles()
            if kind != .feed {
                let titles = try episodeTitles(withWordsOf: text)
                candidates += titles.isEmpty ? try episodeTitles(containing: text) : titles
            }
            return candidates
        }
        switch TitleResolver(text).resolve(candidates) {
        case .none:
            let found = kind == .feed ? [] : try read { try episodes(ofShowsIn: text) }
            guard let first = found.first else { throw .notFound(text, of: kind) }
            if found.count > 1 { throw .ambiguous(text, of: .episode, candidates: found) }
            if isExact { throw .inexact(text, first) }
            return first.object
        case .several(let several):
            let kinds = Set(several.map { $0.isFeed ? NamedKind.feed : .episode })
            throw .ambiguous(text, of: kinds.count == 1 ? kinds.first! : kind, candidates: several)
        case .one(let candidate, let isWhole):
            if isExact, !isWhole { throw .inexact(text, candidate) }
            return candidate.object
        }
    }

    /// Completions of a text: feeds by title, then the newest episodes; in both first the titles that begin with the
    /// text, then titles with its words. Folded like in `TitleResolver`; an empty text matches all titles.
    public func beginning(with text: String, _ kind: NamedKind, limit: Int) throws(LibraryError) -> [NamedCandidate] {
        if kind != .feed, !text.isEmpty { try library.episodes.update([.titles]) }
        let completer = TitleResolver(text)
        return try read {
            let feeds =
                kind == .episode ? [] : completer.completions(among: try feedTitles().sorted { $0.title < $1.title })
            if kind == .feed || feeds.count >= limit { return Array(feeds.prefix(limit)) }
            let titles =
                text.isEmpty
                ? try episodes(from: "episode e\(raw: EpisodeRow.visibility) ORDER BY e.id DESC LIMIT \(limit)")
                : try episodeTitles(withWordsOf: text)
            return Array((feeds + completer.completions(among: titles)).prefix(limit))
        }
    }

    /// Subscriptions, and the feed of single files while it has some.
    private static let isSubscribed = "f.kind = \(FeedKind.subscribed.rawValue)"
    private static let isNamed =
        "(\(isSubscribed) OR f.kind = \(FeedKind.loose.rawValue) AND \(FeedStore.hasEpisodes))"

    /// Feeds of the same title have their marks after the title.
    private func feedTitles() throws -> [NamedCandidate] {
        let marks = try library.feeds.marks()
        return try connection.all("SELECT id, title FROM feed f WHERE \(raw: Self.isNamed)") { row in
            let (id, title): (FeedID, String) = (row["id"], row["title"])
            return NamedCandidate(.feed(id), title: marks[id].map { "\(title) (\($0))" } ?? title)
        }
    }

    /// Episodes whose titles have all words; the last one may be the beginning of a word.
    private func episodeTitles(withWordsOf text: String) throws -> [NamedCandidate] {
        let words = FoldedText.words(FoldedText.folded(text))
        guard let expression = SearchQuery(words.joined(separator: " "))?.expression else { return [] }
        return try episodes(
            from: """
                (SELECT rowid FROM title_search WHERE title_search MATCH \(expression)
                  ORDER BY rowid DESC LIMIT \(literal: Self.titleMatchLimit)) s
                CROSS JOIN episode e ON e.id = s.rowid\(raw: EpisodeRow.visibility)
                """)
    }

    /// Episodes whose shows have some of the words in their titles, and that have all others in their own; the latest ones.
    private func episodes(ofShowsIn text: String) throws -> [NamedCandidate] {
        let words = FoldedText.words(FoldedText.folded(text))
        var found: [NamedCandidate] = []
        for show in try feedTitles() {
            let ofShow = FoldedText.titleWords(FoldedText.folded(show.title))
            let others = words.filter { !ofShow.contains($0) }
            guard case .feed(let id) = show.object, others.count < words.count,
                let expression = SearchQuery(others.joined(separator: " "))?.expression
            else { continue }
            found += try episodes(
                from: """
                    title_search CROSS JOIN episode e ON e.id = title_search.rowid\(raw: EpisodeRow.visibility)
                    WHERE title_search MATCH \(expression) AND e.feed = \(id)
                    ORDER BY e.published DESC LIMIT \(Int64(TitleResolver.maximumShown))
                    """)
        }
        return Array(found.prefix(TitleResolver.maximumShown))
    }

    /// The latest episodes whose titles contain the text, also inside a word.
    private func episodeTitles(containing text: String) throws -> [NamedCandidate] {
        if text.isEmpty { return [] }
        return try episodes(
            from: """
                episode e\(raw: EpisodeRow.visibility) WHERE e.id > (SELECT max(id) FROM episode) - \(Self.titleScanLimit)
                  AND title_has(e.title, \(FoldedText.letters(text)))
                """)
    }

    /// - Parameter source: episodes `e` of feeds `f`.
    private func episodes(from source: SQL) throws -> [NamedCandidate] {
        try connection.all("SELECT e.id, e.title, e.published, f.title AS feed_title FROM \(source)") { row in
            NamedCandidate(
                .episode(row["id"]), title: row["title"], feedTitle: row["feed_title"],
                published: row["published"] as Timestamp)
        }
    }

    /// The words of a list, joined to one word if together they are the exact title of a feed or an episode.
    /// - Throws: errors of reading the library; a title without match is not an error.
    public func joiningTitle(_ words: [String], _ kind: NamedKind) throws(LibraryError) -> [String] {
        guard let title = Name.joinedTitle(words) else { return words }
        do throws(LibraryError) {
            _ = try resolve(.text(title), word: title, kind, isExact: true)
            return [title]
        } catch {
            switch error {
            case .ambiguous(_, _, let candidates):
                // Several objects have exactly this title: the user must choose.
                let folded = FoldedText.folded(title)
                return candidates.allSatisfy { FoldedText.folded($0.title) == folded } ? [title] : words
            case .notFound, .inexact: return words
            case _: throw error
            }
        }
    }
}
