internal import Playback

/// How often and how long the sound stopped to wait, and for what. A value without a clock; times are monotonic
/// nanoseconds.
struct RebufferLog: Equatable {
    /// What there was to wait for.
    enum Cause: String, CaseIterable {
        /// Bytes of the episode.
        case network
        /// The decoder.
        case decoder
        /// The sound device.
        case output
    }

    /// What was counted.
    struct Totals: Equatable {
        /// How often.
        var count = 0
        /// How long in all.
        var nanoseconds: Int64 = 0
    }

    private var totals: [Cause: Totals] = [:]
    private var wait: (cause: Cause, since: Int64)?
    private var wasPlaying = false

    static func == (left: RebufferLog, right: RebufferLog) -> Bool {
        left.totals == right.totals && left.wait?.cause == right.wait?.cause && left.wait?.since == right.wait?.since
    }

    /// Takes in what the player does now. A wait after a seek was asked for and does not count.
    mutating func note(_ state: PlayerState.Kind, _ cause: BufferingCause?, at now: Int64) {
        defer { wasPlaying = state == .playing }
        if let (cause, since) = wait {
            totals[cause, default: Totals()].nanoseconds += max(0, now - since)
            wait = nil
            guard state == .buffering else { return }
        } else {
            guard state == .buffering, wasPlaying else { return }
        }
        guard let cause = cause.flatMap(Cause.init) else { return }
        if wasPlaying { totals[cause, default: Totals()].count += 1 }
        wait = (cause, now)
    }

    /// The totals of a cause, with the wait that goes on.
    func totals(of cause: Cause, at now: Int64) -> Totals {
        var totals = totals[cause] ?? Totals()
        if let wait, wait.cause == cause { totals.nanoseconds += max(0, now - wait.since) }
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
