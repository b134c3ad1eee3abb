internal import Library
internal import Playback
internal import PodcastModel
internal import SerialThreads
internal import SystemCalls

/// Measures listening time and adds it to the library: once a minute during playback, and when the sound ends.
struct ListeningRecorder {
    /// Interval of writes; a crash loses at most this much.
    private static let interval = Duration.seconds(60)

    let library: LibraryService
    let clock: any MonotonicClock
    let now: @Sendable () -> Timestamp
    private let state = Locked<(meter: ListeningMeter, sounding: SoundingEpisode?)>((ListeningMeter(), nil))

    /// See `PlaybackStore.follow`. Any thread.
    func follow(_ sounding: SoundingEpisode?) {
        let now = clock.now
        let hasEnded = state.withLock { state in
            // Count up to the last known audible position.
            if let before = state.sounding { state.meter.hear(before, now: now) }
            state.meter.end()
            state.sounding = sounding
            if let sounding { state.meter.hear(sounding, now: now) }
            return sounding == nil && state.meter.heard > .zero
        }
        // The position is written first.
        guard hasEnded else { return }
        library.timers.schedule(after: .zero) { try? library.performHere { write($0) } }
    }

    /// Called when a position is saved. On the library's thread.
    func recordHere(_ episode: EpisodeID) {
        let now = clock.now
        let isDue = state.withLock { state in
            guard let sounding = state.sounding, sounding.episode == episode else { return false }
            // Write the time of the previous episode first.
            if let other = state.meter.episode, other != episode { return true }
            state.meter.hear(sounding, now: now)
            return state.meter.heard >= Self.interval
        }
        if isDue { try? library.performHere { write($0) } }
    }

    /// Stores the listening time until now.
    func flush() async {
        let now = clock.now
        state.withLock { state in
            if let sounding = state.sounding { state.meter.hear(sounding, now: now) }
        }
        try? await library.perform { write($0) }
    }

    /// Ignores write errors: statistics are not worth a message each minute.
    private func write(_ store: LibraryStore) {
        guard let measured = state.withLock({ $0.meter.take() }) else { return }
        let time = now()
        let day = CalendarDay(time, offset: LocalZone.offset(atSeconds: time.seconds))
        try? store.listening.add(measured.time, to: measured.episode, on: day)
    }
}

extension ListeningMeter {
    fileprivate mutating func hear(_ sounding: SoundingEpisode, now: Instant) {
        guard let place = sounding.place() else { return }
        hear(sounding.episode, at: place, sounding.parameters, now: now)
    }
}
