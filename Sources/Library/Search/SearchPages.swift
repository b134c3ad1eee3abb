public import PodcastModel

extension EpisodeStore {
    /// Key to continue a search without results so far; no episode has this id.
    private static let beginning = EpisodeKey(published: Timestamp(milliseconds: 0), id: EpisodeID(0))

    /// Maximum hits, and CPU time, for which a count continues a search.
    private static let countedHits = 500
    private static let countingTime = Duration.milliseconds(4)

    func searchPage(
        _ filter: EpisodeFilter, _ text: String, order: EpisodeOrder, at anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> EpisodePage {
        guard let query = SearchQuery(text) else { return EpisodePage(episodes: [], hasBefore: false, hasAfter: false) }
        let results = try results(of: filter, query, order, isNew: anchor == .first)
        return try read {
            let range: Range<Int>
            switch anchor {
            case .first:
                try continueSearch(results, to: limit + 1)
                range = 0..<min(limit, results.ids.count)
            case .last:
                while !results.isComplete, results.ids.count < 10_000 { try continueSearch(results, to: 10_000) }
                range = max(0, results.ids.count - limit)..<results.ids.count
            case .after(let key):
                let id = key.id.rawValue
                while key != Self.beginning, !results.isComplete, results.places[id] == nil, results.ids.count < 10_000
                {
                    try continueSearch(results, to: results.ids.count + 500)
                }
                let start = key == Self.beginning ? 0 : results.places[id].map { $0 + 1 } ?? results.ids.count
                try continueSearch(results, to: start + limit + 1)
                range = start..<min(start + limit, results.ids.count)
            case .before(let key):
                let end = results.places[key.id.rawValue] ?? 0
                range = max(0, end - limit)..<end
            }
            // Episodes may have changed since they were found.
            var conditions = filter
            conditions.text = nil
            let episodes = try results.ids[range].compactMap { try stored(EpisodeID($0)) }
                .filter { conditions.accepts($0) }
            return EpisodePage(
                episodes: episodes, hasBefore: range.lowerBound > 0,
                hasAfter: range.upperBound < results.ids.count || !results.isComplete,
                resumption: episodes.isEmpty ? Self.resumption(of: results, range, at: anchor) : nil,
                excerpts: try excerpts(of: episodes.map(\.id), results))
        }
    }

    /// Where to continue after a page without episodes: found episodes may be gone, or the time was up.
    private static func resumption(
        of results: SearchResults, _ range: Range<Int>, at anchor: PageAnchor
    ) -> EpisodeKey? {
        if let last = range.last {
            return EpisodeKey(published: Timestamp(milliseconds: 0), id: EpisodeID(results.ids[last]))
        }
        switch anchor {
        case .first: return beginning
        case .after(let key): return key
        case .last, .before: return nil
        }
    }

    func searchCount(_ filter: EpisodeFilter, _ text: String, upTo bound: Int) throws(LibraryError) -> RowCount {
        guard let query = SearchQuery(text) else { return .exactly(0) }
        // The count is the same in each order, and usually a page was requested just before.
        let version = try read { try library.dataVersion() }
        let known = [EpisodeOrder.bestFirst, .newestFirst, .oldestFirst].lazy.compactMap { [library] in
            library.searches.results(filter, $0)
        }.first { $0.dataVersion == version }
        let results = if let known { known } else { try results(of: filter, query, .bestFirst, isNew: true) }
        return try read {
            try continueSearch(results, to: min(bound, Self.countedHits), within: Self.countingTime)
            if results.ids.count > bound { return .atLeast(bound) }
            return results.isComplete && results.coversAll ? .exactly(results.ids.count) : .atLeast(results.ids.count)
        }
    }

    /// The given episodes that match a filter, in the given order.
    public func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID] {
        let filter = try library.lookingUpTags(filter)
        var conditions = filter
        conditions.text = nil
        let query = filter.text.flatMap(SearchQuery.init)
        if filter.text != nil {
            if query == nil { return [] }
            try update(WordIndex.allCases)
        }
        return try read {
            var words: [WordIndex: String] = [:]
            if let query { for index in WordIndex.allCases { words[index] = try self.words(of: query, in: index) } }
            return try ids.filter { id in
                guard let episode = try stored(id), conditions.accepts(episode) else { return false }
                guard let query else { return true }
                if try isFound(id.rawValue, query, words) { return true }
                guard filter.searchesFeedTitles, let rest = query.remaining(besides: episode.feedTitle) else {
                    return false
                }
                return try isFound(id.rawValue, besidesFeedTitle: rest)
            }
        }
    }

    private func results(
        of filter: EpisodeFilter, _ query: SearchQuery, _ order: EpisodeOrder, isNew: Bool
    ) throws(LibraryError) -> SearchResults {
        if !isNew, let known = library.searches.results(filter, order) { return known }
        let isIndexed = try update(WordIndex.allCases)
        let (version, feeds) = try read { (try library.dataVersion(), try feedWords(filter, query)) }
        let results = SearchResults(
            filter, query, order: order, dataVersion: version, coversAll: isIndexed, feeds: feeds)
        library.searches.keep(results)
        return results
    }
}
