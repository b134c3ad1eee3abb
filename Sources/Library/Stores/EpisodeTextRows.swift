public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore: EpisodeTextStore {
    /// What an episode's feed offers, and how fetching it went so far.
    public func textSources(of id: EpisodeID) throws(LibraryError) -> EpisodeTextSources {
        try read {
            _ = try visibleEpisode(id)
            let episode = try connection.statement(
                "SELECT e.chapters_url, f.language FROM episode e JOIN feed f ON f.id = e.feed WHERE e.id = ?")
            defer { episode.reset() }
            try episode.bind(1, id.rawValue)
            var sources = EpisodeTextSources()
            if try episode.step() {
                (sources.chaptersURL, sources.language) = (episode.optionalText(0), episode.optionalText(1))
            }
            let references = try connection.statement(
                "SELECT url, type, language, rel FROM transcript WHERE episode = ? ORDER BY place")
            defer { references.reset() }
            try references.bind(1, id.rawValue)
            while try references.step() {
                sources.transcripts.append(
                    TranscriptReference(
                        url: references.text(0), type: references.optionalText(1), language: references.optionalText(2),
                        rel: references.optionalText(3)))
            }
            let states = try connection.statement(
                """
                SELECT kind, url, tried, failures, etag, last_modified, language, error FROM text_state WHERE episode = ?
                """)
            defer { states.reset() }
            try states.bind(1, id.rawValue)
            while try states.step() {
                guard let kind = EpisodeTextKind(rawValue: states.int(0)) else { continue }
                sources.tries[kind] = TextFetch(
                    url: states.text(1), time: Timestamp(milliseconds: states.int64(2)), failures: states.int(3),
                    etag: states.optionalText(4), lastModified: states.optionalText(5),
                    language: states.optionalText(6),
                    error: states.optionalText(7))
            }
            return sources
        }
    }

    /// Stores chapters in place of those that were fetched before.
    public func storeChapters(
        _ chapters: [Chapter], of id: EpisodeID, _ fetch: TextFetch
    ) throws(LibraryError) {
        try write(.relaxed) {
            _ = try visibleEpisode(id)
            try run("DELETE FROM fetched_chapter WHERE episode = ?", id.rawValue)
            let insert = try connection.statement(
                """
                INSERT INTO fetched_chapter(episode, place, start, "end", title, link, image, listed)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                """)
            for (place, chapter) in chapters.enumerated() {
                try insert.bind(1, id.rawValue)
                try insert.bind(2, place)
                try insert.bind(3, chapter.start.milliseconds)
                try insert.bind(4, chapter.end?.milliseconds)
                try insert.bind(5, chapter.title)
                try insert.bind(6, chapter.link)
                try insert.bind(7, chapter.image)
                try insert.bind(8, chapter.isListed)
                try insert.run()
            }
            try record(.chapters, id, fetch)
        }
    }

    /// Stores a transcript in place of the one that was fetched before. An episode of many hours takes several commits;
    /// what was stored before goes with the first, and the try is recorded with the last.
    public func storeTranscript(_ cues: [Cue], of id: EpisodeID, _ fetch: TextFetch) throws(LibraryError) {
        try write(.relaxed) {
            _ = try visibleEpisode(id)
            try run("DELETE FROM passage WHERE episode = ?", id.rawValue)
            let insert = try connection.statement("INSERT INTO passage(episode, words, cues) VALUES (?, ?, ?)")
            for (place, passage) in PassageText.passages(cues).enumerated() {
                if place > 0, place.isMultiple(of: Self.rowsPerCommit) {
                    try commitAndContinue(.relaxed)
                    _ = try visibleEpisode(id)
                }
                try insert.bind(1, id.rawValue)
                try insert.bind(2, passage.words)
                try insert.bind(3, passage.cues)
                try insert.run()
            }
            try record(.transcript, id, fetch)
        }
    }

    /// Remembers a try that brought nothing new; what is stored stays.
    public func recordTextFetch(
        _ kind: EpisodeTextKind, of id: EpisodeID, _ fetch: TextFetch
    ) throws(LibraryError) {
        try write(.relaxed) {
            _ = try visibleEpisode(id)
            try record(kind, id, fetch)
        }
    }

    private func record(_ kind: EpisodeTextKind, _ id: EpisodeID, _ fetch: TextFetch) throws {
        let insert = try connection.statement(
            """
            INSERT OR REPLACE INTO text_state(episode, kind, url, tried, failures, etag, last_modified, language, error)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """)
        try insert.bind(1, id.rawValue)
        try insert.bind(2, kind.rawValue)
        try insert.bind(3, fetch.url)
        try insert.bind(4, fetch.time.milliseconds)
        try insert.bind(5, fetch.failures)
        try insert.bind(6, fetch.etag)
        try insert.bind(7, fetch.lastModified)
        try insert.bind(8, fetch.language)
        try insert.bind(9, fetch.error)
        try insert.run()
    }

    /// Text in one page of a transcript, about: a line on the wire holds 1 MiB.
    private static let transcriptPageBytes = 300_000

    /// A page of an episode's stored transcript, from a cue on; `limit` is 1 to 1000.
    public func transcript(
        of id: EpisodeID, from first: Int, limit: Int
    ) throws(LibraryError) -> TranscriptPage {
        try read {
            _ = try visibleEpisode(id)
            let limit = min(max(limit, 1), 1000)
            let query = try connection.statement("SELECT words, cues FROM passage WHERE episode = ? ORDER BY id")
            defer { query.reset() }
            try query.bind(1, id.rawValue)
            var page = TranscriptPage(cues: [], first: max(first, 0), hasAfter: false)
            var (place, bytes) = (0, 0)
            while try query.step() {
                for cue in PassageText(words: query.text(0), cues: query.text(1)).list {
                    if place >= page.first {
                        if page.cues.count == limit || bytes > Self.transcriptPageBytes {
                            page.hasAfter = true
                            return page
                        }
                        page.cues.append(cue)
                        bytes += cue.text.utf8.count
                    }
                    place += 1
                }
            }
            return page
        }
    }
}
