internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import PodcastModel
internal import SerialThreads

/// Transcripts, and what is said in them.
struct TranscriptsHandler {
    let decisions: DecisionThread
    let library: LibraryService
    let texts: EpisodeTextService

    var answers: [AnsweredCommand] { decisions.answers(transcript, transcripts, findSpoken) }

    /// Failures that an answer names.
    private static let mostErrors = 100

    /// A page of a transcript. The first request fetches it.
    private func transcript(_ request: ShowTranscript) async throws -> TranscriptReply {
        let first = request.after.map { $0 + 1 } ?? 0
        let episode = try await library.read { try $0.episodes.resolveEpisode(request.episode) }
        let complaint = first == 0 ? try await texts.fetch(episode.id) : nil
        return try await library.read { store in
            let page = try store.texts.transcript(of: episode.id, from: first, limit: request.limit)
            let sources = try store.texts.textSources(of: episode.id)
            if page.cues.isEmpty, first == 0 { throw Self.missing(episode, sources, complaint) }
            let source = sources.tries[.transcript]
            return TranscriptReply {
                $0.episode = episode.id
                $0.title = episode.title
                $0.language = source?.language
                $0.url = source?.url
                $0.hasAfter = page.hasAfter
                $0.cues = page.cues.enumerated().map { CueReply($0.element, index: page.first + $0.offset) }
            }
        }
    }

    /// Fetches the transcripts of a feed, one after another.
    private func transcripts(_ request: FetchTranscripts) async throws -> FetchedTranscriptsReply {
        let feed = try await library.read { try $0.feeds.resolveFeed(request.feed) }
        var reply = FetchedTranscriptsReply(of: feed)
        var anchor = PageAnchor.first
        while true {
            let page = try await library.read { [anchor] in
                try $0.episodes.page(EpisodeFilter(feed: feed.id), order: .newestFirst, at: anchor, limit: 200)
            }
            for episode in page.episodes { try await fetch(episode, &reply) }
            guard page.hasAfter, let last = page.episodes.last else { return reply }
            anchor = .after(EpisodeKey(published: last.published, id: last.id))
        }
    }

    private func fetch(_ episode: Episode, _ reply: inout FetchedTranscriptsReply) async throws {
        let before = try await library.read { try $0.texts.textSources(of: episode.id) }
        guard !before.transcripts.isEmpty else {
            reply.missing += 1
            return
        }
        _ = try await texts.fetch(episode.id)
        let last = try await library.read { try $0.texts.textSources(of: episode.id) }.tries[.transcript]
        if let error = last?.error {
            let failure = FailureReply("\(episode.title): \(error)")
            if reply.errors.count < Self.mostErrors { reply.errors.append(failure) }
        } else if last == before.tries[.transcript] {
            reply.present += 1
        } else {
            reply.fetched += 1
        }
    }

    private static func missing(
        _ episode: Episode, _ sources: EpisodeTextSources, _ complaint: String?
    ) -> ControlError {
        if sources.transcripts.isEmpty {
            return ControlError(.notFound, "\(episode.title) has no transcript")
        }
        let words = sources.tries[.transcript]?.error ?? complaint ?? "is being fetched"
        return ControlError(.unavailable, "transcript of \(episode.title): \(words)", hint: "try again later")
    }

    private func findSpoken(_ request: FindSpoken) async throws -> SpokenListReply {
        let episode = try await library.read { store in
            try request.episode.map { try store.episodes.resolveEpisode($0).id }
        }
        let key = try request.after.map { (text) throws(ControlError) in try TranscriptKey(wireText: text) }
        if let episode { _ = try await texts.fetch(episode) }
        return try await library.read { store in
            let found = try store.episodes.transcriptMatches(
                request.text, in: episode, after: key, limit: request.limit + 1)
            return SpokenListReply(
                found.prefix(request.limit).map { SpokenReply($0) }, hasAfter: found.count > request.limit)
        }
    }

    /// Maximum number of matches in one episode that are considered.
    private static let mostPlaces = 1_000
    /// Milliseconds by which a seek may end before its target.
    private static let landing: Int64 = 500

    /// The time of the first match after a position, else of the first match.
    /// - Throws: `notFound` if there is none, or no transcript with times.
    func time(of text: String, in episode: EpisodeID, after position: MediaTime? = nil) async throws -> MediaTime {
        _ = try await texts.fetch(episode)
        let limit = position == nil ? 1 : Self.mostPlaces
        let places = try await library.read {
            try $0.episodes.transcriptMatches(text, in: episode, after: nil, limit: limit)
        }
        let times = places.compactMap(\.cue.start)
        let from = position.map { $0.milliseconds + Self.landing } ?? -1
        guard let time = times.first(where: { $0.milliseconds > from }) ?? times.first else {
            throw ControlError(
                .notFound, "no match for '\(text)' in the transcript of this episode",
                hint: "'podcastctl said TEXT' searches all transcripts")
        }
        return time
    }
}

extension SpokenReply {
    fileprivate init(_ place: TranscriptMatch) {
        self.init()
        episode = place.episode.id
        title = place.episode.title
        feedTitle = place.episode.feedTitle
        time = place.cue.start
        speaker = place.cue.speaker
        excerpt = place.excerpt.pieces
        before = place.before
        after = place.after
        key = place.key.wireText
    }
}
