public import PodcastModel
public import SerialThreads
internal import Synchronization

/// What fetching chapters and transcripts needs from the library. Every method waits for the library's thread.
public protocol EpisodeTextLibrary: Sendable {
    /// Whether the chapters or the transcript of an episode should be fetched now.
    func isTextDue(of episode: EpisodeID) async throws -> Bool
    func chapters(of episode: EpisodeID) async throws -> [Chapter]
    /// Indexes what was fetched.
    func maintain() async
}

/// Runs podcast-refresh for the texts of an episode.
public protocol EpisodeTextFetching: Sendable {
    /// Fetches what is due.
    /// - Returns: what failed, for people; nil if nothing did.
    func fetchTexts(of episode: EpisodeID) async throws -> String?
}

/// Fetches chapters and transcripts when they are needed: for what is queued, played, shown or requested.
///
/// podcast-refresh reads the documents and remembers failures, so a host without them is not asked every time. Its runs have
/// a separate thread: a refresh of all feeds does not delay them.
public final class EpisodeTextService: Sendable {
    /// Chapters that were fetched for an episode.
    public struct FetchedChapters: Sendable {
        public let episode: EpisodeID
        public let chapters: [Chapter]
    }

    /// Episodes of one edit of the queue that are fetched for; the others when they are played.
    private static let mostAtOnce = 20

    private let decisions: DecisionThread
    private let library: any EpisodeTextLibrary
    private let fetcher: any EpisodeTextFetching
    private let episodesChanged: @Sendable ([EpisodeID]) -> Void
    /// Emits chapters as soon as they are stored.
    public let chapters = Listener<FetchedChapters>()
    /// Episodes with a run, and the tasks that wait for it.
    private let running = Mutex<[EpisodeID: [CheckedContinuation<Void, Never>]]>([:])

    /// - Parameters:
    ///   - decisions: where tasks start.
    ///   - library: says what is due.
    ///   - fetcher: runs the program.
    ///   - episodesChanged: called with the episodes after changes that clients see.
    public init(
        decisions: DecisionThread, library: any EpisodeTextLibrary, fetcher: any EpisodeTextFetching,
        episodesChanged: @escaping @Sendable ([EpisodeID]) -> Void
    ) {
        self.decisions = decisions
        self.library = library
        self.fetcher = fetcher
        self.episodesChanged = episodesChanged
    }

    /// Fetches what is due of some episodes in the background.
    public func prepare(_ episodes: [EpisodeID]) {
        decisions.start { [self] in
            // Nothing waits for it; a later request reports the failure.
            for episode in episodes.prefix(Self.mostAtOnce) { _ = try? await fetch(episode) }
        }
    }

    /// Fetches what is due of an episode, or waits for the run that another request started.
    /// - Returns: what failed, for people; nil if nothing did or nothing was due.
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
        // The transcript is indexed at once, because a request for one is often followed by a search in it.
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
