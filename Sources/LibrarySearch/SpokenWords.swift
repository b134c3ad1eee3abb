internal import LibraryDatabase
public import LibraryModel
public import PodcastModel
internal import SQLite

extension EpisodeFinder {
    /// Places in stored transcripts where all words are said within about a minute: in one episode, or in all, those stored
    /// last first. The places of an episode are in order of time.
    public func said(
        _ text: String, in episode: EpisodeID?, limit: Int
    ) throws(LibraryError) -> [SpokenPlace] {
        guard let query = SearchQuery(text) else { return [] }
        try update([.spoken])
        return try read {
            let limit = min(max(limit, 1), 1001)
            if let episode { _ = try database.visible(episode) }
            // One episode's passages are stored one after another.
            let range = episode.map { id -> SQL in
                """
                AND spoken_search.rowid BETWEEN (SELECT min(id) FROM passage WHERE episode = \(id))
                  AND (SELECT max(id) FROM passage WHERE episode = \(id))
                """
            }
            let passages: [(episode: Int64, cues: [Cue])] = try connection.all(
                """
                SELECT p.episode, p.words, p.cues FROM spoken_search CROSS JOIN passage p ON p.id = spoken_search.rowid
                JOIN episode e ON e.id = p.episode JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode
                WHERE spoken_search MATCH \(try expression(of: query, in: .spoken)) \(range ?? "")
                ORDER BY spoken_search.rowid \(raw: episode == nil ? "DESC" : "ASC") LIMIT \(limit)
                """
            ) { row in (row["episode"], PassageText(words: row["words"], cues: row["cues"]).list) }
            return try places(episode == nil ? Self.inTheirOrder(passages) : passages, query, limit: limit)
        }
    }

    /// Reverses the passages of each episode, without changing the order of the episodes.
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
            guard let episode = try database.stored(EpisodeID(id)) else { continue }
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
