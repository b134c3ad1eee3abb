internal import Library
internal import PodcastModel
internal import SerialThreads

/// Fetches chapters and transcripts on demand: for episodes that are queued, played, shown or requested.
/// podcast-refresh reads the documents and remembers failures, so that a host without them is not asked every time.
struct EpisodeTextService {
    /// Maximum episodes to fetch for after one edit of the queue; the texts of the others are fetched when they play.
    private static let mostAtOnce = 20

    let decisions: DecisionThread
    let library: any LibraryAccess
    let now: @Sendable () -> Timestamp
    /// Fetches due texts; returns the failure, for people, or nil on success.
    let run: @Sendable (EpisodeID) async throws -> String?
    let episodesChanged: @Sendable ([EpisodeID]) -> Void
    let chapters = Listener<(episode: EpisodeID, chapters: [Chapter])>()
    private let running = Locked<[EpisodeID: Task<String?, any Error>]>([:])

    /// Fetches due texts of some episodes in the background.
    func prepare(_ episodes: [EpisodeID]) {
        decisions.start {
            // Ignore failures, because no client waits: a later request reports them.
            for episode in episodes.prefix(Self.mostAtOnce) { _ = try? await fetch(episode) }
        }
    }

    /// Fetches the due texts of an episode, or waits for a run that another request started.
    /// - Returns: the failure, for people; nil if there was none or nothing was due.
    func fetch(_ episode: EpisodeID) async throws -> String? {
        let now = now()
        let isDue = try await library.read { store in
            let sources = try store.texts.textSources(of: episode)
            return EpisodeTextKind.allCases.contains { sources.isDue($0, at: now) }
        }
        let task = running.withLock { running in
            if isDue, running[episode] == nil {
                running[episode] = Task(executorPreference: decisions) { try await fetchDue(episode) }
            }
            return running[episode]
        }
        return try await task?.value
    }

    private func fetchDue(_ episode: EpisodeID) async throws -> String? {
        defer { running.withLock { $0[episode] = nil } }
        let complaint = try await run(episode)
        if let stored = try? await library.read({ try $0.episodes.notes(of: episode).chapters }) {
            chapters.emit((episode, stored))
        }
        episodesChanged([episode])
        // Index the transcript now, because a request for a transcript is often followed by a search in it.
        await library.maintain()
        return complaint
    }
}
