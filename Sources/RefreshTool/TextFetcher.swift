internal import CommandLineTool
internal import FeedDocuments
internal import FeedRefresh
internal import HTTP
internal import JSON
internal import Library
internal import LibraryModel
internal import PodcastModel

/// Fetches what an episode's feed names, and stores it.
struct TextFetcher {
    /// What became of one kind of document.
    struct Report {
        enum Outcome {
            case stored(Int), unchanged, notDue, none
            case failed(FetchWords)
        }

        /// A failure in words.
        struct FetchWords {
            let what: String
            let status: CommandLineTool.ExitStatus
        }

        let kind: EpisodeTextKind
        let outcome: Outcome

        var isStored: Bool { if case .stored = outcome { true } else { false } }
        var failure: FetchWords? { if case .failed(let words) = outcome { words } else { nil } }
        var name: String { kind == .chapters ? "chapters" : "transcript" }

        var words: String {
            switch outcome {
            case .stored(let count): "\(counted(count, kind == .chapters ? "chapter" : "cue"))"
            case .unchanged: "\(name) unchanged"
            case .notDue: "\(name) checked recently"
            case .none: "no \(name)"
            case .failed(let words): "\(name): \(words.what)"
            }
        }

        var json: JSONValue {
            switch outcome {
            case .stored(let count): ["outcome": "stored", "count": JSONValue(count)]
            case .unchanged: ["outcome": "unchanged"]
            case .notDue: ["outcome": "not-due"]
            case .none: ["outcome": "none"]
            case .failed(let words): ["outcome": "failed", "error": .string(words.what)]
            }
        }
    }

    let episode: EpisodeID
    let session: LibrarySession
    let transport: any FeedTransport
    /// How what the feed names is asked for.
    let access: HTTPAccess
    let clock: any RefreshClock
    let isForced: Bool
    let tick: () -> Void

    /// Transcripts that are tried for one episode.
    private static let mostTranscripts = 3

    func fetchAll(languages: [String]) throws(ToolFailure) -> [Report] {
        let sources = try session.perform { (store) throws(LibraryError) in try store.texts.textSources(of: episode) }
        let chapters = sources.chaptersURL.map { [TranscriptReference(url: $0)] } ?? []
        let wanted = languages + (sources.language.map { [$0] } ?? [])
        let transcripts = TranscriptChoice.ordered(sources.transcripts, languages: wanted)
        return [
            try fetch(.chapters, chapters, sources),
            try fetch(.transcript, Array(transcripts.prefix(Self.mostTranscripts)), sources),
        ]
    }

    /// Tries one address after another until one gives what is wanted.
    private func fetch(
        _ kind: EpisodeTextKind, _ references: [TranscriptReference], _ sources: EpisodeTextSources
    ) throws(ToolFailure) -> Report {
        guard let first = references.first else { return Report(kind: kind, outcome: .none) }
        guard isForced || sources.isDue(kind, at: clock.wallTime) else { return Report(kind: kind, outcome: .notDue) }
        let last = sources.tries[kind]
        var failure: Report.FetchWords?
        for reference in references {
            // Validators belong to the document that is stored.
            let known = last?.url == reference.url ? last : nil
            var request = FeedRequest(url: reference.url, etag: known?.etag, lastModified: known?.lastModified)
            request.access = access
            let limit = kind == .chapters ? ChapterDocument.documentBytes : TranscriptDocument.documentBytes
            var record = TextFetch(url: reference.url, time: clock.wallTime, language: reference.language)
            switch TextDownload(limit: limit).run(request, over: transport, tick: tick) {
            case .notModified:
                (record.etag, record.lastModified) = (known?.etag, known?.lastModified)
                try store(kind, record)
                return Report(kind: kind, outcome: .unchanged)
            case .failed(let words):
                failure = failure ?? Report.FetchWords(what: words.description, status: words.exitStatus)
            case .document(let document, let answer):
                (record.etag, record.lastModified) = (answer.etag, answer.lastModified)
                do {
                    return Report(kind: kind, outcome: .stored(try store(kind, document, reference, record)))
                } catch let error as ToolFailure {
                    throw error
                } catch {
                    failure = failure ?? Report.FetchWords(what: "\(error)", status: .badData)
                }
            }
        }
        let words = failure ?? Report.FetchWords(what: "no answer", status: .tryAgain)
        try store(
            kind,
            TextFetch(
                url: last?.url ?? first.url, time: clock.wallTime, failures: (last?.failures ?? 0) + 1,
                etag: last?.etag,
                lastModified: last?.lastModified, language: last?.language, error: words.what))
        return Report(kind: kind, outcome: .failed(words))
    }

    private func store(_ kind: EpisodeTextKind, _ record: TextFetch) throws(ToolFailure) {
        try session.perform { (store) throws(LibraryError) in try store.texts.recordTextFetch(kind, of: episode, record)
        }
    }

    /// Reads a document and stores what it says; how many chapters or cues that is.
    private func store(
        _ kind: EpisodeTextKind, _ document: WholeDocument, _ reference: TranscriptReference, _ record: TextFetch
    ) throws -> Int {
        switch kind {
        case .chapters:
            let chapters = try document.chapters().chapters
            try session.perform { (store) throws(LibraryError) in
                try store.texts.storeChapters(chapters, of: episode, record)
            }
            return chapters.count
        case .transcript:
            let type = document.contentType ?? reference.type
            let cues = try document.transcript(name: reference.url, announced: type).cues
            try session.perform { (store) throws(LibraryError) in
                try store.texts.storeTranscript(cues, of: episode, record)
            }
            return cues.count
        }
    }
}
