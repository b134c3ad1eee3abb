public import MediaPorts
public import PodcastModel
public import Reporting
public import SerialThreads
internal import Synchronization

/// Reads the chapters of files that were not played yet, by a decoder, from their first bytes. One file at a time.
public final class FileChapters: Sendable {
    private struct State {
        var known: [EpisodeID: [Chapter]] = [:]
        /// Episodes in `known`, the oldest first.
        var order: [EpisodeID] = []
        /// Hosts that did not answer since the last edit of the queue.
        var silent: Set<String> = []
        /// Ends when the file before has been read.
        var last: Task<Void, Never>?
    }

    /// Episodes whose chapters are kept.
    private static let mostKnown = 500
    /// Episodes of one edit of the queue.
    private static let mostAtOnce = 20

    private let episode: @Sendable (EpisodeID) async throws -> Episode
    private let opener: any MediaOpening
    private let probe: FileProbe
    private let activities: ActivityBoard
    private let decisions: DecisionThread
    private let isPlaying: @Sendable (EpisodeID) -> Bool
    private let episodesChanged: @Sendable ([EpisodeID]) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - episode: an episode whose file is about to be fetched.
    ///   - isPlaying: whether the player reads an episode's file anyway.
    public init(
        episode: @escaping @Sendable (EpisodeID) async throws -> Episode, opener: any MediaOpening,
        decoders: any DecoderStarting, activities: ActivityBoard, decisions: DecisionThread,
        isPlaying: @escaping @Sendable (EpisodeID) -> Bool, episodesChanged: @escaping @Sendable ([EpisodeID]) -> Void
    ) {
        self.episode = episode
        self.opener = opener
        probe = FileProbe(decoders: decoders, decisions: decisions)
        self.activities = activities
        self.decisions = decisions
        self.isPlaying = isPlaying
        self.episodesChanged = episodesChanged
    }

    /// The chapters of a file that was read before.
    public func known(of episode: EpisodeID) -> [Chapter]? { state.withLock { $0.known[episode] } }

    /// An episode that is to be played at once is read by the player.
    private static let delay = Duration.seconds(3)

    /// Reads the chapters of some episodes in the background, soon.
    public func prepare(_ episodes: [EpisodeID]) {
        let unknown = state.withLock { state in
            state.silent = []
            return episodes.filter { state.known[$0] == nil }
        }
        if unknown.isEmpty { return }
        decisions.schedule(after: Self.delay) { [weak self] in
            guard let self else { return }
            decisions.start { [self] in await readAhead(unknown) }
        }
    }

    func readAhead(_ episodes: [EpisodeID]) async {
        for episode in episodes.prefix(Self.mostAtOnce) where !isPlaying(episode) {
            _ = await chapters(of: episode, isAhead: true)
        }
    }

    /// The chapters of an episode's file; none if it cannot be read within a time.
    public func chapters(of episode: EpisodeID) async -> [Chapter] { await chapters(of: episode, isAhead: false) }

    private func chapters(of episode: EpisodeID, isAhead: Bool) async -> [Chapter] {
        let task = state.withLock { state in
            let before = state.last
            let task = Task(executorPreference: decisions) { [self] in
                await before?.value
                if known(of: episode) == nil { await read(episode, isAhead: isAhead) }
            }
            state.last = task
            return task
        }
        await task.value
        return known(of: episode) ?? []
    }

    /// - Parameter isAhead: whether no command waits for the chapters.
    private func read(_ id: EpisodeID, isAhead: Bool) async {
        guard let episode = try? await episode(id),
            UnplayableMedia.name(type: episode.enclosure.type, url: episode.enclosure.url) == nil
        else { return }
        let host = WebAddress.authority(of: episode.enclosure.url)
        // A host that hangs would be waited for once for each of its episodes.
        if isAhead, state.withLock({ $0.silent.contains(host) }) { return }
        let activity = activities.begin(.loading, "Reading chapters", subject: episode.title)
        defer { activity.end() }
        guard let source = try? await opener.open(episode.enclosure.url) else { return }
        defer { source.close() }
        guard let info = await probe.properties(of: source, isFetching: true) else {
            if source.snapshot.available.isEmpty { state.withLock { _ = $0.silent.insert(host) } }
            return
        }
        state.withLock { state in
            state.known[id] = info.chapters
            state.order.append(id)
            if state.order.count > Self.mostKnown { state.known[state.order.removeFirst()] = nil }
        }
        if !info.chapters.isEmpty { episodesChanged([id]) }
    }
}
