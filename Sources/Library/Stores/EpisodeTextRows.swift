internal import LibraryDatabase
internal import LibraryModel
internal import LibrarySearch
internal import PodcastModel
internal import SQLite

struct EpisodeTextRows: EpisodeTextStore, StoreRows {
    let library: LibraryStore

    func textSources(of id: EpisodeID) throws(LibraryError) -> EpisodeTextSources {
        try read {
            _ = try episodeRows.visible(id)
            var sources = EpisodeTextSources()
            try connection.first(
                "SELECT e.chapters_url, f.language FROM episode e JOIN feed f ON f.id = e.feed WHERE e.id = \(id)"
            ) { (sources.chaptersURL, sources.language) = ($0["chapters_url"], $0["language"]) }
            sources.transcripts = try connection.all(
                "SELECT * FROM transcript WHERE episode = \(id) ORDER BY place", TranscriptReference.init)
            let states = try connection.rows("SELECT * FROM text_state WHERE episode = \(id)")
            while let row = try states.next() {
                guard let kind: EpisodeTextKind = row["kind"] else { continue }
                sources.tries[kind] = TextFetch(
                    url: row["url"], time: row["tried"], failures: row["failures"], etag: row["etag"],
                    lastModified: row["last_modified"], language: row["language"], error: row["error"])
            }
            return sources
        }
    }

    func cover(of object: NamedCandidate.Object) throws(LibraryError) -> CoverSource? {
        try read {
            switch object {
            case .feed(let id):
                return try connection.first("SELECT image, id FROM feed WHERE id = \(id) AND image IS NOT NULL") {
                    CoverSource(url: $0["image"], feed: $0["id"])
                }
            case .episode(let id):
                _ = try episodeRows.visible(id)
                return try connection.first(
                    """
                    SELECT coalesce(e.image, f.image) AS cover, e.feed FROM episode e JOIN feed f ON f.id = e.feed
                    WHERE e.id = \(id) AND cover IS NOT NULL
                    """
                ) { CoverSource(url: $0["cover"], feed: $0["feed"]) }
            }
        }
    }

    func storeChapters(
        _ chapters: [Chapter], of id: EpisodeID, _ fetch: TextFetch
    ) throws(LibraryError) {
        try write(.relaxed) {
            _ = try episodeRows.visible(id)
            try run("DELETE FROM fetched_chapter WHERE episode = \(id)")
            for (place, chapter) in chapters.enumerated() {
                try run(DeclaredColumns(of: chapter, at: place, of: id).insertion(into: "fetched_chapter"))
            }
            try record(.chapters, id, fetch)
        }
    }

    /// Stores a transcript in place of the one that was fetched before. An episode of many hours takes several commits;
    /// what was stored before goes with the first, and the try is recorded with the last.
    func storeTranscript(_ cues: [Cue], of id: EpisodeID, _ fetch: TextFetch) throws(LibraryError) {
        try write(.relaxed) {
            _ = try episodeRows.visible(id)
            try run("DELETE FROM passage WHERE episode = \(id)")
            for (place, passage) in PassageText.passages(cues).enumerated() {
                if place > 0, place.isMultiple(of: LibraryDatabase.rowsPerCommit) {
                    try library.commitAndContinue(.relaxed)
                    _ = try episodeRows.visible(id)
                }
                try run(
                    "INSERT INTO passage(episode, words, cues) VALUES (\(id), \(passage.words), \(passage.cues))")
            }
            try record(.transcript, id, fetch)
        }
    }

    func recordTextFetch(
        _ kind: EpisodeTextKind, of id: EpisodeID, _ fetch: TextFetch
    ) throws(LibraryError) {
        try write(.relaxed) {
            _ = try episodeRows.visible(id)
            try record(kind, id, fetch)
        }
    }

    private func record(_ kind: EpisodeTextKind, _ id: EpisodeID, _ fetch: TextFetch) throws {
        try run(
            """
            INSERT OR REPLACE INTO text_state(episode, kind, url, tried, failures, etag, last_modified, language, error)
            VALUES (\(id), \(kind), \(fetch.url), \(fetch.time), \(fetch.failures), \(fetch.etag),
              \(fetch.lastModified), \(fetch.language), \(fetch.error))
            """)
    }

    func said(
        _ text: String, in episode: EpisodeID?, after key: SpokenKey?, limit: Int
    ) throws(LibraryError) -> [SpokenPlace] { try library.finder.said(text, in: episode, after: key, limit: limit) }

    /// Bytes of text in one page of a transcript, roughly: a line on the wire holds 1 MiB.
    private static let transcriptPageBytes = 300_000

    func transcript(
        of id: EpisodeID, from first: Int, limit: Int
    ) throws(LibraryError) -> TranscriptPage {
        try read {
            _ = try episodeRows.visible(id)
            let limit = min(max(limit, 1), 1000)
            var page = TranscriptPage(cues: [], first: max(first, 0), hasAfter: false)
            var (place, bytes) = (0, 0)
            let passages = try connection.rows("SELECT words, cues FROM passage WHERE episode = \(id) ORDER BY id")
            while let row = try passages.next() {
                for cue in PassageText(words: row["words"], cues: row["cues"]).list {
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
