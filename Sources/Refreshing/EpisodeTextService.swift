public import PodcastModel
public import SerialThreads
internal import Synchronization

/// The library functions for fetching chapters and transcripts. Every method waits for the library's thread.
public protocol EpisodeTextLibrary: Sendable {
    /// True if the chapters or the transcript of an episode should be fetched now.
    func isTextDue(of episode: EpisodeID) async throws -> Bool
    func chapters(of episode: EpisodeID) async throws -> [Chapter]
    /// Indexes new transcripts.
    func maintain() async
}

/// Runs podcast-refresh for the texts of an episode.
public protocol EpisodeTextFetching: Sendable {
    /// Fetches due texts. Returns the failure, for people; nil on success.
    func fetchTexts(of episode: EpisodeID) async throws -> String?
}

/// Fetches chapters and transcripts on demand: for episodes that are queued, played, shown or requested.
///
/// podcast-refresh reads the documents and remembers failures, so that a host without them is not asked every time.
/// Runs have a separate thread, so that a refresh of all feeds does not delay them.
public final class EpisodeTextService: Sendable {
    public struct FetchedChapters: Sendable {
        public let episode: EpisodeID
        public let chapters: [Chapter]
    }

    /// Maximum episodes to fetch for after one edit of the queue; the texts of the others are fetched when they play.
    private static let mostAtOnce = 20

    private let decisions: DecisionThread
    private let library: any EpisodeTextLibrary
    private let fetcher: any EpisodeTextFetching
    private let episodesChanged: @Sendable ([EpisodeID]) -> Void
    public let chapters = Listener<FetchedChapters>()
    /// Episodes with a run, and the tasks that wait for the run.
    private let running = Mutex<[EpisodeID: [CheckedContinuation<Void, Never>]]>([:])

    /// - Parameter episodesChanged: called with the episodes after changes that clients see.
    public init(
        decisions: DecisionThread, library: any EpisodeTextLibrary, fetcher: any EpisodeTextFetching,
        episodesChanged: @escaping @Sendable ([EpisodeID]) -> Void
    ) {
        self.decisions = decisions
        self.library = library
        self.fetcher = fetcher
        self.episodesChanged = episodesChanged
    }

    /// Fetches due texts of some episodes in the background.
    public func prepare(_ episodes: [EpisodeID]) {
        decisions.start { [self] in
            // Ignore failures, because no client waits: a later request reports them.
            for episode in episodes.prefix(Self.mostAtOnce) { _ = try? await fetch(episode) }
        }
    }

    /// Fetches the due texts of an episode, or waits for a run that another request started.
    /// - Returns: the failure, for people; nil if there was none or nothing was due.
    public func fetch(_ episode: EpisodeID) async throws -> String? {
        let isDue = try await library.isTextDue(of: episode)
        let isFirst = running.withLock { running in
            if running[episode] != nil { return false }
            if isDue { running[episode] = [] }
            return true
        }
        if !isFirst { await endOfRun(episode) }
        guard isDue, isFirst else { return nil }
        defer { running.withLock { $0.removeValue(forKey: episode) ?? [] }.forEach { $0.resume() } }
        let complaint = try await fetcher.fetchTexts(of: episode)
        if let stored = try? await library.chapters(of: episode) {
            chapters.emit(FetchedChapters(episode: episode, chapters: stored))
        }
        episodesChanged([episode])
        // Index the transcript now, because a request for a transcript is often followed by a search in it.
        await library.maintain()
        return complaint
    }

    private func endOfRun(_ episode: EpisodeID) async {
        await withCheckedContinuation { continuation in
            let isOver = running.withLock { running in
                if running[episode] == nil { return true }
                running[episode]?.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}

extension RefreshRunner: EpisodeTextFetching {
    public func fetchTexts(of episode: EpisodeID) async throws -> String? {
        let outcome = try await run(["texts"], on: [episode.description])
        return outcome.status == 0 ? nil : outcome.complaint
    }
}
