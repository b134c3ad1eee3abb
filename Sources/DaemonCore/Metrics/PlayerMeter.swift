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

/// Counts how often and how long playback stopped to wait, by cause. A value without a clock.
struct RebufferLog: Sendable {
    /// What playback waited for.
    enum Cause: String, CaseIterable, Sendable {
        /// Bytes of the episode.
        case network
        case decoder
        case output
    }

    struct Totals: Equatable, Sendable {
        var count = 0
        var duration = Duration.zero
    }

    private var totals: [Cause: Totals] = [:]
    private var wait: (cause: Cause, since: Instant)?
    private var wasPlaying = false

    /// Reads the player's state. A wait after a seek does not count, because the user asked for it.
    mutating func note(_ state: PlayerState, _ cause: BufferingCause?, at now: Instant) {
        defer { wasPlaying = state == .playing }
        if let (cause, since) = wait {
            totals[cause, default: Totals()].duration += max(.zero, now - since)
            wait = nil
            guard state == .buffering else { return }
        } else {
            guard state == .buffering, wasPlaying else { return }
        }
        guard let cause = cause.flatMap(Cause.init) else { return }
        if wasPlaying { totals[cause, default: Totals()].count += 1 }
        wait = (cause, now)
    }

    /// The totals of a cause, including the current wait.
    func totals(of cause: Cause, at now: Instant) -> Totals {
        var totals = totals[cause] ?? Totals()
        if let wait, wait.cause == cause { totals.duration += max(.zero, now - wait.since) }
        return totals
    }
}

extension RebufferLog.Cause {
    /// Nil for a seek.
    init?(_ cause: BufferingCause) {
        switch cause {
        case .seeking: return nil
        case .connecting, .waitingForData, .reconnecting: self = .network
        case .decoding: self = .decoder
        case .sink: self = .output
        }
    }
}
