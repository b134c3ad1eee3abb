internal import Playback
internal import PodcastModel
internal import Synchronization

/// Records how far an episode is heard, second by second, on the thread that writes: nobody else wakes for it.
///
/// What is heard is read at the moment of writing, so a record is never older than its commit takes.
final class PositionRecorder: Sendable {
    private struct State {
        var sounding: SoundingEpisode?
        /// The one followed last, also after it fell silent.
        var episode: EpisodeID?
        var interval: Double = 0
        /// When the next record is due, by the timers' clock; kept over a silence, so that no row of them puts it off.
        var due: Int64 = 0
        var timer: (any PlaybackTimer)?
        /// Whether the last record failed.
        var isFailing = false
    }

    private let timers: any PlaybackClock
    private let save: @Sendable (MediaTime, EpisodeID) throws -> Void
    private let state = Mutex(State())

    /// A recorder that follows nothing yet.
    ///
    /// - Parameters:
    ///   - timers: call on the thread that writes.
    ///   - save: writes a position; called there.
    init(timers: any PlaybackClock, save: @escaping @Sendable (MediaTime, EpisodeID) throws -> Void) {
        self.timers = timers
        self.save = save
    }

    /// See `PlaybackStore.follow`. Any thread.
    func follow(_ sounding: SoundingEpisode?, every interval: Double) {
        state.withLock { state in
            state.sounding = sounding
            state.interval = interval
            state.timer?.cancel()
            state.timer = nil
            guard let sounding else { return }
            if state.episode != sounding.episode {
                state.episode = sounding.episode
                state.isFailing = false
                state.due = timers.now + Int64(interval * 1e9)
            }
            arm(&state)
        }
    }

    /// Sets the timer, unless `follow` did so meanwhile.
    private func armAgain() {
        state.withLock { state in
            guard state.sounding != nil, state.timer == nil else { return }
            // Where writing took longer than the interval others had to wait for it: they get as long.
            if state.due <= timers.now { state.due = timers.now + Int64(state.interval * 1e9) }
            arm(&state)
        }
    }

    private func arm(_ state: inout State) {
        state.timer = timers.schedule(after: Double(state.due - timers.now) / 1e9) { [weak self] in self?.record() }
    }

    private func record() {
        let sounding = state.withLock { state -> SoundingEpisode? in
            guard let sounding = state.sounding else { return nil }
            // A disk that was slow gets the newest position, not those that it missed.
            state.due = max(state.due, timers.now) + Int64(state.interval * 1e9)
            state.timer = nil
            return sounding
        }
        defer { armAgain() }
        guard let sounding, let position = sounding.position() else { return }
        let failure = Result { try save(position, sounding.episode) }.failure
        let isNew = state.withLock { state in
            defer { state.isFailing = failure != nil }
            return !state.isFailing
        }
        if let failure, isNew { sounding.recordFailed(failure) }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
