public import PodcastModel
internal import SQLite

/// The key of a cue among all stored transcripts.
public struct TranscriptKey: Equatable, Sendable {
    public var episode: EpisodeID
    public var passage: Int64
    /// Index of the cue in the passage, from 0.
    public var cue: Int

    public init(episode: EpisodeID, passage: Int64, cue: Int) {
        self.episode = episode
        self.passage = passage
        self.cue = cue
    }
}

/// A match in a transcript.
public struct TranscriptMatch: Equatable, Sendable {
    public var key: TranscriptKey
    public var episode: Episode
    public var cue: Cue
    /// The cue's text with marked matches.
    public var excerpt: Excerpt
    public var before: String?
    public var after: String?
}

extension EpisodeStore {
    /// Places in stored transcripts where all words are said within about a minute: in one episode, or in all, newest
    /// transcript first. The places of an episode are ordered by time.
    /// - Parameter key: the last match of the previous page; nil for the first page.
    public func transcriptMatches(
        _ text: String, in episode: EpisodeID?, after key: TranscriptKey?, limit: Int
    ) throws(LibraryError) -> [TranscriptMatch] {
        guard let query = SearchQuery(text) else { return [] }
        try update([.spoken])
        return try read {
            if let episode { _ = try self.episode(episode) }
            var page = MatchPage(query: query, limit: min(max(limit, 1), 1001))
            if let started = episode ?? key?.episode { try fill(&page, of: started, after: key) }
            if episode == nil { try fill(&page, after: key) }
            return page.places
        }
    }

    private struct MatchPage {
        let query: SearchQuery
        let limit: Int
        var places: [TranscriptMatch] = []
        var isFull: Bool { places.count >= limit }
    }

    /// Adds the places of all episodes after the key's episode.
    private func fill(_ page: inout MatchPage, after key: TranscriptKey?) throws {
        let newest = try key.map { try lastPassage(of: $0.episode) ?? $0.passage } ?? .max
        let matches = try connection.rows(
            """
            SELECT p.id, p.episode FROM spoken_search CROSS JOIN passage p ON p.id = spoken_search.rowid
            JOIN episode e ON e.id = p.episode JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode
            WHERE spoken_search MATCH \(try expression(of: page.query, in: .spoken))
              AND spoken_search.rowid < \(newest) ORDER BY spoken_search.rowid DESC
            """)
        var seen: Set<EpisodeID> = []
        while !page.isFull, let row = try matches.next() {
            let episode: EpisodeID = row["episode"]
            guard episode != key?.episode, seen.insert(episode).inserted else { continue }
            // Passages that were stored at the same time as another episode's may be on both sides of it.
            if try lastPassage(of: episode) ?? 0 > newest { continue }
            try fill(&page, of: episode, after: nil)
        }
    }

    private func lastPassage(of episode: EpisodeID) throws -> Int64? {
        try connection.value("SELECT max(id) FROM passage WHERE episode = \(episode)")
    }

    /// Adds the places of an episode, after the key if the key is in this episode.
    private func fill(_ page: inout MatchPage, of id: EpisodeID, after key: TranscriptKey?) throws {
        let key = key?.episode == id ? key : nil
        guard let episode = try stored(id) else { return }
        let passages: [(id: Int64, cues: [Cue])] = try connection.all(
            """
            SELECT p.id, p.words, p.cues FROM spoken_search CROSS JOIN passage p ON p.id = spoken_search.rowid
            JOIN episode e ON e.id = p.episode JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode
            WHERE spoken_search MATCH \(try expression(of: page.query, in: .spoken)) AND p.episode = \(id)
              AND spoken_search.rowid BETWEEN
                max(\(key?.passage ?? 0), (SELECT min(id) FROM passage WHERE episode = \(id)))
                AND (SELECT max(id) FROM passage WHERE episode = \(id))
            ORDER BY spoken_search.rowid LIMIT \(page.limit + 1)
            """
        ) { row in (row["id"], PassageText(words: row["words"], cues: row["cues"]).list) }
        for (passage, cues) in passages {
            for (place, excerpt) in try marked(cues.map(\.text), page.query).sorted(by: { $0.key < $1.key }) {
                if let key, passage == key.passage, place <= key.cue { continue }
                if page.isFull { return }
                page.places.append(
                    TranscriptMatch(
                        key: TranscriptKey(episode: id, passage: passage, cue: place), episode: episode,
                        cue: cues[place],
                        excerpt: excerpt, before: place > 0 ? cues[place - 1].text : nil,
                        after: place + 1 < cues.count ? cues[place + 1].text : nil))
            }
        }
    }
}
