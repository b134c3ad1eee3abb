internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension LibraryStore {
    /// What asks a search that has found nothing yet to go on; no episode has that number.
    private static let goingOn = EpisodeKey(published: Timestamp(milliseconds: 0), id: EpisodeID(0))

    /// One page of a search.
    func searchPage(
        _ filter: EpisodeFilter, _ text: String, order: EpisodeOrder, at anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> EpisodePage {
        guard let query = SearchQuery(text) else { return EpisodePage(episodes: [], hasBefore: false, hasAfter: false) }
        let run = try run(of: filter, query, order, isNew: anchor == .first)
        return try read {
            let range: Range<Int>
            switch anchor {
            case .first:
                try look(run, toHave: limit + 1)
                range = 0..<min(limit, run.ids.count)
            case .last:
                while !run.isDone, run.ids.count < 10_000 { try look(run, toHave: 10_000) }
                range = max(0, run.ids.count - limit)..<run.ids.count
            case .after(let key):
                while key != Self.goingOn, !run.isDone, run.places[key.id.rawValue] == nil, run.ids.count < 10_000 {
                    try look(run, toHave: run.ids.count + Self.hitsPerRound)
                }
                let start = key == Self.goingOn ? 0 : run.places[key.id.rawValue].map { $0 + 1 } ?? run.ids.count
                try look(run, toHave: start + limit + 1)
                range = start..<min(start + limit, run.ids.count)
            case .before(let key):
                let end = run.places[key.id.rawValue] ?? 0
                range = max(0, end - limit)..<end
            }
            // What changed since it was found may not fit any more.
            var conditions = filter
            conditions.text = nil
            let episodes = try run.ids[range].compactMap { try rows.stored(EpisodeID($0)) }
                .filter { conditions.accepts($0) }
            return EpisodePage(
                episodes: episodes, hasBefore: range.lowerBound > 0,
                hasAfter: range.upperBound < run.ids.count || !run.isDone,
                resumption: episodes.isEmpty ? Self.resumption(of: run, range, at: anchor) : nil,
                excerpts: try excerpts(of: episodes.map(\.id), run))
        }
    }

    /// Where to go on from a page on which nothing is: what was found there may be gone, or looking took its time.
    private static func resumption(of run: SearchRun, _ range: Range<Int>, at anchor: PageAnchor) -> EpisodeKey? {
        if let last = range.last {
            return EpisodeKey(published: Timestamp(milliseconds: 0), id: EpisodeID(run.ids[last]))
        }
        switch anchor {
        case .first: return goingOn
        case .after(let key): return key
        case .last, .before: return nil
        }
    }

    /// How many episodes a search finds, as far as it went.
    func searchCount(_ filter: EpisodeFilter, _ text: String, upTo bound: Int) throws(LibraryError) -> RowCount {
        guard let query = SearchQuery(text) else { return .exactly(0) }
        // The rows are the same in each order; a page was asked for just before, as a rule.
        let version = try read { try dataVersion() }
        let known = [EpisodeOrder.bestFirst, .newestFirst, .oldestFirst].lazy.compactMap { [searches] in
            searches.run(filter, $0)
        }.first { $0.dataVersion == version }
        let run = if let known { known } else { try run(of: filter, query, .bestFirst, isNew: true) }
        return try read {
            if known == nil { try look(run, toHave: 1) }
            if run.ids.count > bound { return .atLeast(bound) }
            return run.isDone ? .exactly(run.ids.count) : .atLeast(run.ids.count)
        }
    }

    /// Those of the given episodes that fit a filter, in the order asked.
    func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID] {
        var conditions = filter
        conditions.text = nil
        var run: SearchRun?
        if let text = filter.text {
            guard let query = SearchQuery(text) else { return [] }
            try bringUpToDate(WordIndex.all)
            run = SearchRun(filter, query, order: .bestFirst, dataVersion: 0)
        }
        return try read {
            try ids.filter { id in
                guard let episode = try rows.stored(id), conditions.accepts(episode) else { return false }
                guard let run else { return true }
                return try hit(id.rawValue, episode.published.milliseconds, run) != nil
            }
        }
    }

    private func run(
        of filter: EpisodeFilter, _ query: SearchQuery, _ order: EpisodeOrder, isNew: Bool
    ) throws(LibraryError) -> SearchRun {
        if !isNew, let run = searches.run(filter, order) { return run }
        try bringUpToDate(WordIndex.all)
        let run = SearchRun(filter, query, order: order, dataVersion: try read { try dataVersion() })
        searches.keep(run)
        return run
    }
}
