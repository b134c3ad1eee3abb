internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import LibraryModel
internal import Logins
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import Refreshing
internal import SharedQueue
internal import WireMapping

/// The player's view of the library.
struct LibraryPlaybackStore: PlaybackStore {
    private let library: LibraryService
    private let queue: QueueService
    private let keepsPlayed: @Sendable () -> Bool
    private let access: MediaAccess
    private let now: @Sendable () -> Timestamp
    private let texts: EpisodeTextService?
    private let changes: ChangeBoard
    private let recorder: PositionRecorder
    private let listening: ListeningRecorder

    /// - Parameters:
    ///   - library: where it is written.
    ///   - queue: which entries leave when they were heard to their end.
    ///   - keepsPlayed: the setting `queue.keep_played`.
    ///   - access: told whose episode is about to be fetched.
    ///   - now: the time of day.
    ///   - timers: say when to record, on the library's thread; nil takes its own.
    ///   - texts: fetches what is missing of an episode that is about to be played; nil fetches nothing.
    ///   - changes: told after a change that clients see.
    init(
        library: LibraryService, queue: QueueService, keepsPlayed: @escaping @Sendable () -> Bool = { false },
        access: MediaAccess, now: @escaping @Sendable () -> Timestamp,
        timers: (any TimerClock)? = nil, texts: EpisodeTextService? = nil, changes: ChangeBoard
    ) {
        self.library = library
        self.queue = queue
        self.keepsPlayed = keepsPlayed
        self.access = access
        self.now = now
        self.texts = texts
        self.changes = changes
        let listening = ListeningRecorder(library: library, clock: timers ?? library.timers, now: now)
        self.listening = listening
        recorder = PositionRecorder(timers: timers ?? library.timers) { position, episode in
            try library.performHere { try $0.episodes.savePosition(position, of: episode, at: now(), isDurable: false) }
            listening.recordHere(position, of: episode)
        }
    }

    func media(of episode: EpisodeID) async throws -> PlaybackMedia {
        texts?.prepare([episode])
        return try await library.read { [access] store in
            let found = try store.episodes.episode(episode)
            access.note(found, in: store.feeds)
            let sound = try PlayingSound.sound(of: found.feed, in: store)
            return PlaybackMedia(
                url: found.enclosure.url, title: found.title, feed: found.feed, feedTitle: found.feedTitle,
                resumePosition: found.resumePosition, duration: found.duration,
                isDurationMeasured: found.measuredDuration != nil,
                chapters: try store.episodes.notes(of: episode).chapters, volume: sound.volume, sound: sound.settings,
                isMusic: sound.isMusic)
        }
    }

    func savePosition(_ position: MediaTime, of episode: EpisodeID) async throws {
        let now = now()
        try await library.perform { try $0.episodes.savePosition(position, of: episode, at: now, isDurable: true) }
        changes.episodesChanged([episode])
    }

    /// Writes how long was heard until now.
    func flush() async { await listening.flush() }

    func follow(_ sounding: SoundingEpisode?, every interval: Duration) {
        listening.follow(sounding)
        recorder.follow(sounding, every: interval)
    }

    func finish(_ entry: QueueEntry, heard: MediaTime?) async throws {
        try await queue.finish(entry, heard: heard, keepsEntry: keepsPlayed(), at: now())
        changes.episodesChanged([entry.episode])
    }

    func discard(_ entry: QueueEntry) async throws {
        guard try await queue.discard(entry.episode) else { return }
        changes.changed(.feeds)
        changes.episodesChanged([entry.episode])
    }

    func setMeasuredDuration(_ duration: MediaTime, of episode: EpisodeID) async throws {
        try await library.perform { try $0.episodes.setMeasuredDuration(duration, of: episode) }
        changes.episodesChanged([episode])
    }
}
