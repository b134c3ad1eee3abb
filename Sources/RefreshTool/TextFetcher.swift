internal import CommandLineTool
internal import FeedDocuments
internal import HTTP
internal import JSON
internal import Library
internal import PodcastModel
internal import Reporting

/// Fetches and stores the documents that an episode's feed links to.
struct TextFetcher {
    struct Report {
        enum Outcome {
            case stored(Int), unchanged, notDue, none
            case failed(ToolFailure)
        }

        let kind: EpisodeTextKind
        let outcome: Outcome

        var isStored: Bool { if case .stored = outcome { true } else { false } }
        var failure: ToolFailure? { if case .failed(let failure) = outcome { failure } else { nil } }
        var name: String { kind == .chapters ? "chapters" : "transcript" }

        var description: String {
            switch outcome {
            case .stored(let count): "\(counted(count, kind == .chapters ? "chapter" : "cue"))"
            case .unchanged: "\(name) unchanged"
            case .notDue: "\(name) checked recently"
            case .none: "no \(name)"
            case .failed(let failure): "\(name): \(failure.message)"
            }
        }

        var json: JSONValue {
            switch outcome {
            case .stored(let count): ["outcome": "stored", "count": JSONValue(count)]
            case .unchanged: ["outcome": "unchanged"]
            case .notDue: ["outcome": "not-due"]
            case .none: ["outcome": "none"]
            case .failed(let failure): ["outcome": "failed", "error": .string(failure.message)]
            }
        }
    }

    let episode: EpisodeID
    let session: LibrarySession
    let transport: any FeedTransport
    let access: HTTPAccess
    let clock: any RefreshClock
    let isForced: Bool
    let tick: () -> Void

    /// Maximum number of transcripts that are tried for one episode.
    private static let mostTranscripts = 3

    func fetchAll(languages: [String]) throws(ToolFailure) -> [Report] {
        let sources = try session.result(of: session.store.texts.textSources(of: episode))
        let chapters = sources.chaptersURL.map { [TranscriptReference(url: $0)] } ?? []
        let wanted = languages + (sources.language.map { [$0] } ?? [])
        let transcripts = TranscriptChoice.ordered(sources.transcripts, languages: wanted)
        return [
            try fetch(.chapters, chapters, sources),
            try fetch(.transcript, Array(transcripts.prefix(Self.mostTranscripts)), sources),
        ]
    }

    /// Tries one URL after another until one has a valid document.
    private func fetch(
        _ kind: EpisodeTextKind, _ references: [TranscriptReference], _ sources: EpisodeTextSources
    ) throws(ToolFailure) -> Report {
        guard let first = references.first else { return Report(kind: kind, outcome: .none) }
        guard isForced || sources.isDue(kind, at: clock.wallTime) else { return Report(kind: kind, outcome: .notDue) }
        let last = sources.tries[kind]
        var failure: ToolFailure?
        for reference in references {
            // Validators belong to the document that is stored.
            let known = last?.url == reference.url ? last : nil
            var request = FeedRequest(url: reference.url, etag: known?.etag, lastModified: known?.lastModified)
            request.access = access
            let limit = kind == .chapters ? ChapterDocument.documentBytes : TranscriptDocument.documentBytes
            var record = TextFetch(url: reference.url, time: clock.wallTime, language: reference.language)
            do {
                guard let fetched = try WholeDocument.fetch(request, limit: limit, over: transport, tick: tick) else {
                    record.etag = known?.etag
                    record.lastModified = known?.lastModified
                    try session.result(of: session.store.texts.recordTextFetch(kind, of: episode, record))
                    return Report(kind: kind, outcome: .unchanged)
                }
                record.etag = fetched.answer.etag
                record.lastModified = fetched.answer.lastModified
                var document = fetched.document
                document.contentType = document.contentType ?? reference.type
                return Report(kind: kind, outcome: .stored(try store(kind, document, record)))
            } catch let error as FetchFailure {
                failure = failure ?? ToolFailure(error.exitStatus, error.description)
            } catch let error as DocumentError {
                failure = failure ?? ToolFailure(.badData, error.description)
            } catch let error as ToolFailure {
                throw error
            } catch {
                throw ToolFailure(.software, "\(error)")
            }
        }
        let cause = failure ?? ToolFailure(.tryAgain, "no answer")
        let record = TextFetch(
            url: last?.url ?? first.url, time: clock.wallTime, failures: (last?.failures ?? 0) + 1, etag: last?.etag,
            lastModified: last?.lastModified, language: last?.language, error: cause.message)
        try session.result(of: session.store.texts.recordTextFetch(kind, of: episode, record))
        return Report(kind: kind, outcome: .failed(cause))
    }

    /// Parses a document and stores its content. Returns the number of chapters or cues.
    private func store(_ kind: EpisodeTextKind, _ document: WholeDocument, _ record: TextFetch) throws -> Int {
        switch kind {
        case .chapters:
            let chapters = try document.chapters().chapters
            try session.result(of: session.store.texts.storeChapters(chapters, of: episode, record))
            return chapters.count
        case .transcript:
            let cues = try document.transcript(name: record.url).cues
            try session.result(of: session.store.texts.storeTranscript(cues, of: episode, record))
            return cues.count
        }
    }
}

extension CommandRun {
    /// `podcast-refresh texts EPISODE…`: chapters and transcripts that the feed links to.
    func fetchTexts() throws(ToolFailure) -> ExitStatus {
        let session = try openLibrary(mayCreate: false)
        let episodes = try session.perform { store in
            try arguments.texts(RefreshDeclaration.episodes).map { try store.episodes.resolveEpisode($0) }
        }
        let progress = try progress()
        let transport = try makeTransport()
        var status = ExitStatus.success
        var rows: [JSONValue] = []
        for episode in episodes {
            let activity = board.begin(.loading, "Loading chapters and transcript", subject: episode.title)
            defer { activity.end() }
            let fetcher = TextFetcher(
                episode: episode.id, session: session, transport: transport,
                access: session.access(toURLsOf: episode.feed), clock: clock, isForced: isForced, tick: progress.tick)
            let reports = try fetcher.fetchAll(languages: languages)
            if reports.contains(where: \.isStored) { progress.add(.changed(episode.feed, changed: [episode.id])) }
            rows.append(.object([.init("id", episode.id.rawValue)] + reports.map { .init($0.name, $0.json) }))
            if let failure = reports.lazy.compactMap(\.failure).first {
                tell("\(episode.title): \(failure.message)")
                status = failure.status
            }
            if !isJSON, !isQuiet {
                try print(["\(episode.title): \(reports.map(\.description).joinedText(", "))"])
            }
        }
        progress.finish()
        if isJSON { output.line(JSONValue(members: ["episodes": rows]).text) }
        return status
    }

    /// The user's languages: locale(7).
    private var languages: [String] {
        let named = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment.variable).first
        return named.map { ["C", "POSIX"].contains($0.prefix { $0 != "." }) ? [] : [$0] } ?? []
    }
}
