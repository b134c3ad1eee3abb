internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import Reporting
internal import Synchronization

/// Counts the player's waits and logs its changes of state and its failures. From any thread.
final class PlayerMeter: Sendable {
    private struct State {
        var rebuffers = RebufferLog()
        var last: PlayerState?
        var failure: MediaFailure?
    }

    private let logger: Logger
    private let state = Mutex(State())

    init(logger: Logger) { self.logger = logger }

    /// The waits so far.
    var rebuffers: RebufferLog { state.withLock { $0.rebuffers } }

    /// Reads a status after each change of the player.
    /// - Returns: the state if it differs from the last one.
    @discardableResult
    func note(_ status: PlayerStatus) -> PlayerState? {
        let (isNewState, isNewFailure) = state.withLock { state in
            state.rebuffers.note(status.state, status.cause, at: status.instant)
            defer { (state.last, state.failure) = (status.state, status.error) }
            return (state.last != status.state, state.failure != status.error)
        }
        if isNewFailure, let failure = status.error { log(failure, status) }
        guard isNewState else { return nil }
        logger.log(
            .info, .playback,
            "\(status.state)" + (status.title.map { ": \($0)" } ?? "") + (status.reason.map { " (\($0))" } ?? ""))
        return status.state
    }

    private func log(_ failure: MediaFailure, _ status: PlayerStatus) {
        var subjects: [LogSubject] = []
        if let feed = status.feed { subjects.append(.feed(feed.rawValue)) }
        if let entry = status.entry { subjects.append(.episode(entry.episode.rawValue)) }
        logger.log(.warning, .playback, "\(status.title ?? "episode"): \(failure)", about: subjects)
    }
}
