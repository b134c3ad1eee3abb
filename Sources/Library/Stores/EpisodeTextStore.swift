public import PodcastModel
internal import SQLite

/// The URL of a cover.
public struct CoverSource: Equatable, Sendable {
    public var url: String
    public var feed: FeedID
}

/// A kind of document about an episode.
public enum EpisodeTextKind: Int, Sendable, CaseIterable {
    /// From podcast:chapters.
    case chapters
    /// From podcast:transcript.
    case transcript
}

/// Chapters and transcripts that an episode's feed offers, with the latest attempts to fetch them.
public struct EpisodeTextSources: Equatable, Sendable {
    public var chaptersURL: String?
    /// Transcripts in several formats and languages.
    public var transcripts: [TranscriptReference] = []
    public var language: String?
    public var tries: [EpisodeTextKind: TextFetch] = [:]

    /// True if a document should be fetched now: daily for corrections; after failures at intervals of up to a week.
    public func isDue(_ kind: EpisodeTextKind, at now: Timestamp) -> Bool {
        if kind == .chapters ? chaptersURL == nil : transcripts.isEmpty { return false }
        guard let last = tries[kind] else { return true }
        let minutes = last.failures == 0 ? 24 * 60 : min(15 << (2 * min(last.failures, 8) - 2), 7 * 24 * 60)
        // An attempt in the future means that the clock was set back since.
        return now.milliseconds - last.time.milliseconds >= Int64(minutes) * 60_000 || last.time > now
    }
}

/// One attempt to fetch a document about an episode.
public struct TextFetch: Equatable, Sendable {
    public var url: String
    var time: Timestamp
    /// Failures in a row, including this attempt.
    public var failures: Int
    /// Validators of the stored document, opaque.
    public var etag: String?
    public var lastModified: String?
    public var language: String?
    /// The failure, for people.
    public var error: String?

    public init(
        url: String, time: Timestamp, failures: Int = 0, etag: String? = nil, lastModified: String? = nil,
        language: String? = nil, error: String? = nil
    ) {
        self.url = url
        self.time = time
        self.failures = failures
        self.etag = etag
        self.lastModified = lastModified
        self.language = language
        self.error = error
    }
}

/// A page of a transcript.
public struct TranscriptPage: Equatable, Sendable {
    public var cues: [Cue]
    /// Index of the first cue, from 0.
    public var first: Int
    public var hasAfter: Bool
}

/// Chapters and transcripts of episodes, which are fetched on demand.
public struct EpisodeTextStore: LibraryPart {
    let library: LibraryStore

    public func textSources(of id: EpisodeID) throws(LibraryError) -> EpisodeTextSources {
        try read {
            _ = try library.episodes.episode(id)
            var sources = EpisodeTextSources()
            try connection.first(
                "SELECT e.chapters_url, f.language FROM episode e JOIN feed f ON f.id = e.feed WHERE e.id = \(id)"
            ) {
                sources.chaptersURL = $0["chapters_url"]
                sources.language = $0["language"]
            }
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

    /// An episode without a cover has its feed's.
    public func cover(of object: NamedCandidate.Object) throws(LibraryError) -> CoverSource? {
        try read {
            switch object {
            case .feed(let id):
                return try connection.first("SELECT image, id FROM feed WHERE id = \(id) AND image IS NOT NULL") {
                    CoverSource(url: $0["image"], feed: $0["id"])
                }
            case .episode(let id):
                _ = try library.episodes.episode(id)
                return try connection.first(
                    """
                    SELECT coalesce(e.image, f.image) AS cover, e.feed FROM episode e JOIN feed f ON f.id = e.feed
                    WHERE e.id = \(id) AND cover IS NOT NULL
                    """
                ) { CoverSource(url: $0["cover"], feed: $0["feed"]) }
            }
        }
    }

    public func storeChapters(_ chapters: [Chapter], of id: EpisodeID, _ fetch: TextFetch) throws(LibraryError) {
        try write(.relaxed) {
            _ = try library.episodes.episode(id)
            try run("DELETE FROM fetched_chapter WHERE episode = \(id)")
            for (place, chapter) in chapters.enumerated() {
                try run(DeclaredColumns(of: chapter, at: place, of: id).insertion(into: "fetched_chapter"))
            }
            try record(.chapters, id, fetch)
        }
    }

    /// Replaces the stored transcript. An episode of many hours takes several commits; the try is recorded with the last.
    public func storeTranscript(_ cues: [Cue], of id: EpisodeID, _ fetch: TextFetch) throws(LibraryError) {
        try write(.relaxed) {
            _ = try library.episodes.episode(id)
            try run("DELETE FROM passage WHERE episode = \(id)")
            for (place, passage) in PassageText.passages(cues).enumerated() {
                if place > 0, place.isMultiple(of: LibraryStore.rowsPerCommit) {
                    try library.commitAndContinue(.relaxed)
                    _ = try library.episodes.episode(id)
                }
                try run(
                    "INSERT INTO passage(episode, words, cues) VALUES (\(id), \(passage.words), \(passage.cues))")
            }
            try record(.transcript, id, fetch)
        }
    }

    /// Records an attempt without a new document; the stored document stays.
    public func recordTextFetch(_ kind: EpisodeTextKind, of id: EpisodeID, _ fetch: TextFetch) throws(LibraryError) {
        try write(.relaxed) {
            _ = try library.episodes.episode(id)
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

    /// Bytes of text in one page, roughly: a line on the wire holds 1 MiB.
    private static let transcriptPageBytes = 300_000

    /// A page of an episode's stored transcript that starts at cue `first`; `limit` is 1 to 1000.
    public func transcript(of id: EpisodeID, from first: Int, limit: Int) throws(LibraryError) -> TranscriptPage {
        try read {
            _ = try library.episodes.episode(id)
            let limit = min(max(limit, 1), 1000)
            var page = TranscriptPage(cues: [], first: max(first, 0), hasAfter: false)
            var place = 0
            var bytes = 0
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
