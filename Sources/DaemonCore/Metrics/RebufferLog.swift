internal import Playback
internal import PodcastModel

/// Counts how often and how long playback stopped to wait, by cause. A value without a clock.
struct RebufferLog: Sendable {
    /// What playback waited for.
    enum Cause: String, CaseIterable, Sendable {
        /// Bytes of the episode.
        case network
        case decoder
        case output
    }

    /// The waits of one cause.
    struct Totals: Equatable, Sendable {
        var count = 0
        /// How long in total.
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
