public import PodcastModel
internal import Synchronization

/// Saves the position being heard, read at that moment, at an interval; on the thread that writes, so that no other wakes up.
public final class PositionRecorder: Sendable {
    private struct State {
        var sounding: SoundingEpisode?
        /// The episode of the last `follow`, kept while silent.
        var episode: EpisodeID?
        var interval = Duration.zero
        /// When to save next, by the timers' clock. Pauses do not change it, so that repeated pauses cannot delay it.
        var due = Instant(nanoseconds: 0)
        var timer: (any ScheduledTimer)?
        var isFailing = false
    }

    private let timers: any TimerClock
    private let save: @Sendable (MediaTime, EpisodeID) throws -> Void
    private let state = Mutex(State())

    /// Creates a recorder that records nothing until `follow`.
    /// - Parameters:
    ///   - timers: timers that fire on the thread that writes.
    ///   - save: writes a position; called on that thread.
    public init(timers: any TimerClock, save: @escaping @Sendable (MediaTime, EpisodeID) throws -> Void) {
        self.timers = timers
        self.save = save
    }

    /// Any thread.
    public func follow(_ sounding: SoundingEpisode?, every interval: Duration) {
        state.withLock { state in
            state.sounding = sounding
            state.interval = interval
            state.timer.take()?.cancel()
            guard let sounding else { return }
            if state.episode != sounding.episode {
                state.episode = sounding.episode
                state.isFailing = false
                state.due = timers.now + interval
            }
            arm(&state)
        }
    }

    /// Sets the timer, unless `follow` has done so.
    private func armAgain() {
        state.withLock { state in
            guard state.sounding != nil, state.timer == nil else { return }
            // If saving took longer than the interval, other jobs waited for it and now get the same time.
            if state.due <= timers.now { state.due = timers.now + state.interval }
            arm(&state)
        }
    }

    private func arm(_ state: inout State) {
        state.timer = timers.schedule(after: state.due - timers.now) { [weak self] in self?.record() }
    }

    private func record() {
        let sounding = state.withLock { state in
            // After a slow save, the intervals that it missed are skipped.
            state.due = max(state.due, timers.now) + state.interval
            state.timer = nil
            return state.sounding
        }
        defer { armAgain() }
        guard let sounding, let position = sounding.place()?.position else { return }
        var failure: (any Error)?
        do { try save(position, sounding.episode) } catch { failure = error }
        let isFailing = failure != nil
        let wasFailing = state.withLock { exchange(&$0.isFailing, with: isFailing) }
        if let failure, !wasFailing { sounding.recordFailed(failure) }
        if !isFailing, wasFailing { sounding.recordRecovered() }
    }
}
