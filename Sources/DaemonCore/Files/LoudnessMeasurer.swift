internal import Library
internal import MediaPorts
internal import PodcastModel
internal import SerialThreads

/// Measures the loudness of whole files, one at a time, so that the first frame plays at the right loudness. Fetches nothing.
struct LoudnessMeasurer {
    private static let mostWaiting = 200
    /// Playback goes first.
    private static let delay = Duration.seconds(5)
    private static let limit = Duration.seconds(600)

    let probe: FileProbe
    let library: LibraryService
    let settings: SettingsService
    private let turns = Turns()
    private let waiting = Locked<Set<EpisodeID>>([])

    /// Measures those of some episodes whose loudness is needed, is not known and whose files are whole, soon. Any thread.
    func measure(_ episodes: [EpisodeID]) {
        let new = waiting.withLock { waiting in
            let new = episodes.filter { !waiting.contains($0) }.prefix(Self.mostWaiting - waiting.count)
            waiting.formUnion(new)
            return new
        }
        if new.isEmpty { return }
        probe.decisions.schedule(after: Self.delay) {
            probe.decisions.start { await turns.take { for episode in new { await measure(episode) } } }
        }
    }

    private func measure(_ id: EpisodeID) async {
        _ = waiting.withLock { $0.remove(id) }
        let all = SoundSettings(settings.current.settings)
        guard let url = try? await library.read({ try Self.unmeasuredFile(of: id, all, in: $0) }),
            let source = try? await probe.opener.open(url)
        else { return }
        defer { source.close() }
        let snapshot = source.snapshot
        guard let length = snapshot.length, length > 0, snapshot.end(ofAvailableFrom: 0) >= length else { return }
        guard let loudness = await loudness(of: source) else { return }
        try? await library.perform { try $0.episodes.setLoudness(loudness, of: id) }
    }

    /// The file of an episode whose loudness is needed and not known; nil for others, and if it cannot be played.
    /// - Parameter all: the settings for all feeds.
    private static func unmeasuredFile(
        of id: EpisodeID, _ all: SoundSettings, in store: LibraryStore
    ) throws -> String? {
        let episode = try store.episodes.episode(id)
        let feed = try store.feeds.sound(of: episode.feed)
        guard all.applied(to: feed.settings, isMusic: feed.isMusic).loudness != nil,
            try store.episodes.loudness(of: id) == nil, episode.unplayableFormat == nil
        else { return nil }
        return episode.enclosure.url
    }

    private func loudness(of source: any ByteSource) async -> Int? {
        var parameters = PlaybackParameters.neutral
        parameters.measuresLoudness = true
        return await probe.answer(from: source, parameters, within: Self.limit) { event, answer in
            switch event {
            case .opened(let info): if let loudness = info.loudness { answer.give(loudness) }
            case .failed, .reachedEnd, .restarted: answer.give(nil)
            case .waitingForBytes, .decoding, .positioned: break
            }
        }
    }
}
