public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Summary, content and chapters as stored: chapters of the feed, else those that were fetched.
    public func notes(of id: EpisodeID) throws(LibraryError) -> EpisodeNotes {
        try read {
            _ = try visibleEpisode(id)
            var notes = EpisodeNotes()
            let texts = try connection.statement(
                "SELECT \(StoredNotes.columns) FROM episode_notes WHERE episode = ?")
            defer { texts.reset() }
            try texts.bind(1, id.rawValue)
            if try texts.step() {
                let stored = StoredNotes(texts, from: 0)
                (notes.summary, notes.content, notes.isRaw) = (stored.summary, stored.content, stored.isRaw)
            }
            notes.chapters = try chapters(of: id, in: "chapter")
            if notes.chapters.isEmpty { notes.chapters = try chapters(of: id, in: "fetched_chapter") }
            return notes
        }
    }

    private func chapters(of id: EpisodeID, in table: String) throws -> [Chapter] {
        let query = try connection.statement(
            "SELECT start, \"end\", title, link, image, listed FROM \(table) WHERE episode = ? ORDER BY place")
        defer { query.reset() }
        try query.bind(1, id.rawValue)
        var chapters: [Chapter] = []
        while try query.step() {
            chapters.append(
                Chapter(
                    start: MediaTime(milliseconds: query.int64(0)), end: query.optionalMediaTime(1),
                    title: query.optionalText(2), link: query.optionalText(3), image: query.optionalText(4),
                    isListed: query.bool(5)))
        }
        return chapters
    }

    /// Converts a few of the notes that an earlier version stored as publishers wrote them, in one commit.
    /// - Returns: whether there are more. Without a reader nothing happens.
    public func convertNotes() throws(LibraryError) -> Bool {
        guard let notesReader, try !read({ try rawNotes() }).isEmpty else { return false }
        return try write(.relaxed) {
            let start = clock()
            let update = try connection.statement(StoredNotes.updateSQL)
            for (episode, item) in try rawNotes() {
                try update.bind(1, episode)
                try StoredNotes(item, notesReader).bind(to: update)
                try update.run()
                if clock() &- start >= Self.commitInterval { break }
            }
            return true
        }
    }

    private func rawNotes() throws -> [(episode: Int64, item: Item)] {
        let query = try connection.statement(
            """
            SELECT episode, summary, content FROM episode_notes INDEXED BY episode_notes_raw WHERE is_raw = 1
            LIMIT \(Self.rowsPerCommit / 2)
            """)
        defer { query.reset() }
        var rows: [(episode: Int64, item: Item)] = []
        while try query.step() {
            var item = Item()
            (item.summary, item.content) = (query.optionalText(1), query.optionalText(2))
            rows.append((query.int64(0), item))
        }
        return rows
    }
}
