public import MediaPorts
public import PodcastModel
public import SerialThreads
internal import Synchronization

/// Measures the loudness of episodes whose files are whole on disk, one at a time, so that they play at the right loudness from
/// their first frame. Fetches nothing.
public final class LoudnessMeasurer: Sendable {
    private struct State {
        /// Ends when the file before has been measured.
        var last: Task<Void, Never>?
        var waiting: Set<EpisodeID> = []
    }

    /// Episodes that may wait.
    private static let mostWaiting = 200
    /// Playback goes first.
    private static let delay = Duration.seconds(5)
    private static let limit = Duration.seconds(600)

    private let unmeasured: @Sendable (EpisodeID) async throws -> String?
    private let keep: @Sendable (Int, EpisodeID) async throws -> Void
    private let opener: any MediaOpening
    private let probe: FileProbe
    private let decisions: DecisionThread
    private let state = Mutex(State())

    /// - Parameters:
    ///   - unmeasured: the file of an episode; nil if its loudness is known or not needed, or if it cannot be played.
    ///   - keep: stores a loudness in hundredths of LUFS.
    public init(
        unmeasured: @escaping @Sendable (EpisodeID) async throws -> String?,
        keep: @escaping @Sendable (Int, EpisodeID) async throws -> Void, opener: any MediaOpening,
        decoders: any DecoderStarting, decisions: DecisionThread
    ) {
        self.unmeasured = unmeasured
        self.keep = keep
        self.opener = opener
        probe = FileProbe(decoders: decoders, decisions: decisions)
        self.decisions = decisions
    }

    /// Measures those of some episodes whose loudness is needed, is not known and whose files are whole, soon. Any thread.
    public func measure(_ episodes: [EpisodeID]) {
        let new = state.withLock { state in
            let new = episodes.filter { !state.waiting.contains($0) }.prefix(Self.mostWaiting - state.waiting.count)
            state.waiting.formUnion(new)
            return new
        }
        if new.isEmpty { return }
        decisions.schedule(after: Self.delay) { [weak self] in
            guard let self else { return }
            state.withLock { state in
                let before = state.last
                state.last = Task(executorPreference: decisions) { [self] in
                    await before?.value
                    for episode in new { await measure(episode) }
                }
            }
        }
    }

    private func measure(_ id: EpisodeID) async {
        _ = state.withLock { $0.waiting.remove(id) }
        guard let url = try? await unmeasured(id), let source = try? await opener.open(url) else { return }
        defer { source.close() }
        let snapshot = source.snapshot
        guard let length = snapshot.length, length > 0, snapshot.end(ofAvailableFrom: 0) >= length else { return }
        guard let loudness = await loudness(of: source) else { return }
        try? await keep(loudness, id)
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
