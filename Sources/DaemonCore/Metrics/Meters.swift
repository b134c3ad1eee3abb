internal import ControlLanguage
internal import ControlProtocol
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import Reporting
internal import SerialThreads

/// Counts the player's waits and logs its changes of state and its failures. From any thread.
struct PlayerMeter {
    private struct State {
        var rebuffers = RebufferLog()
        var last: PlayerState?
        var failure: MediaFailure?
    }

    let logger: Logger
    private let state = Locked(State())

    var rebuffers: RebufferLog { state.withLock { $0.rebuffers } }

    /// Reads a status after each change of the player.
    /// - Returns: the state if it differs from the last one.
    @discardableResult
    func note(_ status: PlayerStatus) -> PlayerState? {
        let (isNewState, isNewFailure) = state.withLock { state in
            state.rebuffers.note(status.state, status.cause, at: status.instant)
            defer {
                state.last = status.state
                state.failure = status.error
            }
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
        let feed = status.feed.map { LogSubject.feed($0.rawValue) }
        let episode = status.entry.map { LogSubject.episode($0.episode.rawValue) }
        logger.log(
            .warning, .playback, "\(status.title ?? "episode"): \(failure)", about: [feed, episode].compactMap(\.self))
    }
}

/// Counts how often and how long playback stopped to wait, by cause. A value without a clock.
struct RebufferLog {
    /// What playback waited for.
    enum Cause: String, CaseIterable {
        /// Bytes of the episode.
        case network
        case decoder, output

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

    struct Totals: Equatable {
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

/// Starts decoders through another starter, and counts and logs their restarts and failures.
struct MeteredDecoders: DecoderStarting {
    struct Counts {
        var starts = 0
        var restarts = 0
        /// Sessions that could not start or continue.
        var failures = 0
    }

    let base: any DecoderStarting
    let logger: Logger
    private let state = Locked(Counts())
    var counts: Counts { state.withLock { $0 } }

    func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession {
        state.withLock { $0.starts += 1 }
        do throws(MediaFailure) {
            return try base.start(source, at: time, generation: generation, parameters) { event in
                note(event)
                events(event)
            }
        } catch {
            failed(error)
            throw error
        }
    }

    private func note(_ event: DecoderEvent) {
        switch event {
        case .restarted(let reason):
            state.withLock { $0.restarts += 1 }
            logger.log(.warning, .decoder, "started again: \(reason)")
        case .failed(let failure): failed(failure)
        case .opened(let info):
            if let report = info.damageReport { logger.log(.warning, .decoder, report.message) }
        case .waitingForBytes, .decoding, .positioned, .reachedEnd: break
        }
    }

    private func failed(_ failure: MediaFailure) {
        state.withLock { $0.failures += 1 }
        logger.log(.warning, .decoder, failure.message)
    }
}

/// Sums up what podcast-refresh reports at the end of each run. From any thread.
struct RefreshTally {
    let logger: Logger
    private let state = Locked((runs: Int64(0), totals: ReportRefresh()))

    var runs: Int64 { state.withLock { $0.runs } }
    var totals: ReportRefresh { state.withLock { $0.totals } }

    /// Adds the counts of a run. They come from a client, so sums wrap around instead of trapping.
    func add(_ run: ReportRefresh) {
        state.withLock { state in
            state.runs &+= 1
            state.totals.changed &+= run.changed
            state.totals.unchanged &+= run.unchanged
            state.totals.failed &+= run.failed
            state.totals.newEpisodes &+= run.newEpisodes
        }
        logger.log(
            .info, .refresh,
            "\(run.changed &+ run.unchanged &+ run.failed) feeds: \(run.changed) changed, \(run.failed) failed, "
                + "\(run.newEpisodes) new episodes")
    }
}
