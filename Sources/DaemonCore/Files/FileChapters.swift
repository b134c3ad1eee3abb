internal import Library
internal import MediaPorts
internal import PodcastModel
internal import Reporting
internal import SerialThreads

/// Reads the chapters of files that do not play, by a decoder, from their first bytes. One file at a time.
struct FileChapters {
    private struct State {
        var known: [EpisodeID: [Chapter]] = [:]
        /// Episodes in `known`, the oldest first.
        var order: [EpisodeID] = []
    }

    let probe: FileProbe
    let library: LibraryService
    let access: MediaAccess
    let activities: ActivityBoard
    let changes: ChangeBoard
    private let turns = Turns()
    private let state = Locked(State())

    func known(of episode: EpisodeID) -> [Chapter]? { state.withLock { $0.known[episode] } }

    /// The chapters of an episode's file; none if it cannot be read within a time.
    func chapters(of episode: EpisodeID) async -> [Chapter] {
        await turns.take { if known(of: episode) == nil { await read(episode) } }
        return known(of: episode) ?? []
    }

    private func read(_ id: EpisodeID) async {
        let found = try? await library.episode(id, noting: access)
        guard let episode = found, episode.unplayableFormat == nil else { return }
        let activity = activities.begin(.loading, "Reading chapters", subject: episode.title)
        defer { activity.end() }
        guard let source = try? await probe.opener.open(episode.enclosure.url) else { return }
        defer { source.close() }
        guard let info = await probe.properties(of: source, isFetching: true) else { return }
        state.withLock { state in
            state.known[id] = info.chapters
            state.order.append(id)
            if state.order.count > 500 { state.known[state.order.removeFirst()] = nil }
        }
        if !info.chapters.isEmpty { changes.episodesChanged([id], .content) }
    }
}
