internal import LibraryModel
internal import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Where something is said, in stored transcripts: of one episode from its beginning on, or of all, the latest stored
    /// first and each from its beginning on. All words must be said within about a minute.
    func said(
        _ text: String, in episode: EpisodeID?, limit: Int
    ) throws(LibraryError) -> [SpokenPlace] {
        guard let query = SearchQuery(text) else { return [] }
        try bringUpToDate([.spoken])
        return try read {
            let limit = min(max(limit, 1), 1000)
            if let episode { _ = try rows.visible(episode) }
            // One episode's passages are stored one after another.
            let range =
                "AND spoken_search.rowid BETWEEN (SELECT min(id) FROM passage WHERE episode = :episode) "
                + "AND (SELECT max(id) FROM passage WHERE episode = :episode)"
            let statement = try connection.statement(
                """
                SELECT p.episode, p.words, p.cues FROM spoken_search CROSS JOIN passage p ON p.id = spoken_search.rowid
                JOIN episode e ON e.id = p.episode JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode
                WHERE spoken_search MATCH :words \(episode == nil ? "" : range)
                ORDER BY spoken_search.rowid \(episode == nil ? "DESC" : "ASC") LIMIT :limit
                """)
            defer { statement.reset() }
            try statement.bind(":words", try expression(of: query, in: .spoken))
            if let episode { try statement.bind(":episode", episode.rawValue) }
            try statement.bind(":limit", Int64(limit))
            var passages: [(episode: Int64, cues: [Cue])] = []
            while try statement.step() {
                passages.append(
                    (statement.int64(0), PassageText(words: statement.text(1), cues: statement.text(2)).list))
            }
            return try places(episode == nil ? Self.inTheirOrder(passages) : passages, query, limit: limit)
        }
    }

    /// The passages of each episode turned round, the episodes in the order in which they came.
    private static func inTheirOrder(
        _ passages: [(episode: Int64, cues: [Cue])]
    ) -> [(episode: Int64, cues: [Cue])] {
        var order: [Int64] = []
        var groups: [Int64: [(episode: Int64, cues: [Cue])]] = [:]
        for passage in passages {
            if groups[passage.episode] == nil { order.append(passage.episode) }
            groups[passage.episode, default: []].append(passage)
        }
        return order.flatMap { (groups[$0] ?? []).reversed() }
    }

    private func places(
        _ passages: [(episode: Int64, cues: [Cue])], _ query: SearchQuery, limit: Int
    ) throws -> [SpokenPlace] {
        var places: [SpokenPlace] = []
        for (id, cues) in passages {
            guard let episode = try rows.stored(EpisodeID(id)) else { continue }
            for (place, excerpt) in try marked(cues.map(\.text), query).sorted(by: { $0.key < $1.key }) {
                if places.count == limit { return places }
                places.append(
                    SpokenPlace(
                        episode: episode, cue: cues[place], excerpt: excerpt,
                        before: place > 0 ? cues[place - 1].text : nil,
                        after: place + 1 < cues.count ? cues[place + 1].text : nil))
            }
        }
        return places
    }
}
