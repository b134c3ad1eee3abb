internal import Library
internal import LibraryModel
internal import MediaPorts
internal import Playback
internal import PodcastModel

/// The player's view of the library.
struct LibraryPlaybackStore: PlaybackStore {
    private let library: LibraryService
    private let access: MediaAccess
    private let now: @Sendable () -> Timestamp
    private let loading: @Sendable (EpisodeID) -> Void
    private let changed: @Sendable (EpisodeID) -> Void
    private let recorder: PositionRecorder

    /// - Parameters:
    ///   - library: where it is written.
    ///   - access: told whose episode is about to be fetched.
    ///   - now: the time of day.
    ///   - timers: say when to record, on the library's thread; nil takes its own.
    ///   - loading: told that an episode is about to be played.
    ///   - changed: told after a change that other clients see.
    init(
        library: LibraryService, access: MediaAccess, now: @escaping @Sendable () -> Timestamp,
        timers: (any PlaybackClock)? = nil, loading: @escaping @Sendable (EpisodeID) -> Void = { _ in },
        changed: @escaping @Sendable (EpisodeID) -> Void
    ) {
        self.library = library
        self.access = access
        self.now = now
        self.loading = loading
        self.changed = changed
        recorder = PositionRecorder(timers: timers ?? library.timers) { position, episode in
            try library.performHere { try $0.savePosition(position, of: episode, at: now(), isDurable: false) }
        }
    }

    func media(of episode: EpisodeID) async throws -> PlaybackMedia {
        loading(episode)
        return try await library.perform { [access] store in
            let found = try store.episode(episode)
            access.note(found.enclosure.url, of: found.feed, in: store)
            return PlaybackMedia(
                url: found.enclosure.url, title: found.title, feed: found.feed, feedTitle: found.feedTitle,
                resumePosition: found.state.isPlayed ? .zero : found.state.position, duration: found.duration,
                isDurationMeasured: found.measuredDuration != nil,
                chapters: try store.notes(of: episode).chapters)
        }
    }

    func savePosition(_ position: MediaTime, of episode: EpisodeID) async throws {
        let now = now()
        try await library.perform { try $0.savePosition(position, of: episode, at: now, isDurable: true) }
        changed(episode)
    }

    func follow(_ sounding: SoundingEpisode?, every interval: Double) {
        recorder.follow(sounding, every: interval)
    }

    func markPlayed(_ episode: EpisodeID) async throws {
        let now = now()
        try await library.perform { try $0.setPlayed(true, [episode], at: now) }
        changed(episode)
    }

    func setMeasuredDuration(_ duration: MediaTime, of episode: EpisodeID) async throws {
        try await library.perform { try $0.setMeasuredDuration(duration, of: episode) }
        changed(episode)
    }
}
