public import FeedFiles
internal import Library
public import LibraryUpkeep
public import Playback
public import PodcastModel

/// The player's view of the library.
public struct LibraryPlaybackStore: PlaybackStore {
    private let library: LibraryService
    private let queue: QueueService
    private let keepsPlayed: @Sendable () -> Bool
    private let access: MediaAccess
    private let now: @Sendable () -> Timestamp
    private let prepare: @Sendable (EpisodeID) -> Void
    private let endedEarly: @Sendable (Episode, _ announced: MediaTime, _ measured: MediaTime) -> Void
    private let episodeChanged: @Sendable (EpisodeID, EpisodeAspect) -> Void
    private let feedsChanged: @Sendable () -> Void
    private let recorder: PositionRecorder
    private let listening: ListeningRecorder

    /// - Parameters:
    ///   - access: records the owner of each media URL before the download.
    ///   - timers: timers on the library's thread; nil uses `library.timers`.
    ///   - prepare: called before an episode is played; must not block.
    ///   - endedEarly: called with an episode that ended much earlier than announced.
    ///   - episodeChanged: called after a change that clients see.
    ///   - feedsChanged: called after an episode was removed.
    public init(
        library: LibraryService, queue: QueueService, keepsPlayed: @escaping @Sendable () -> Bool = { false },
        access: MediaAccess, now: @escaping @Sendable () -> Timestamp,
        timers: (any TimerClock)? = nil, prepare: @escaping @Sendable (EpisodeID) -> Void = { _ in },
        endedEarly: @escaping @Sendable (Episode, _ announced: MediaTime, _ measured: MediaTime) -> Void = { _, _, _ in
        },
        episodeChanged: @escaping @Sendable (EpisodeID, EpisodeAspect) -> Void,
        feedsChanged: @escaping @Sendable () -> Void
    ) {
        self.library = library
        self.queue = queue
        self.keepsPlayed = keepsPlayed
        self.access = access
        self.now = now
        self.prepare = prepare
        self.endedEarly = endedEarly
        self.episodeChanged = episodeChanged
        self.feedsChanged = feedsChanged
        let listening = ListeningRecorder(library: library, clock: timers ?? library.timers, now: now)
        self.listening = listening
        recorder = PositionRecorder(timers: timers ?? library.timers) { position, episode in
            try library.performHere { try $0.episodes.savePosition(position, of: episode, at: now(), isDurable: false) }
            listening.recordHere(episode)
        }
    }

    public func media(of episode: EpisodeID) async throws -> PlaybackMedia {
        prepare(episode)
        return try await library.read { [access] store in
            let found = try store.episodes.episode(episode)
            access.note(found, in: store.feeds)
            let sound = try PlayingSound.sound(of: found.feed, in: store)
            var media = PlaybackMedia(
                url: found.enclosure.url, title: found.title, resumePosition: found.resumePosition)
            media.feed = found.feed
            media.feedTitle = found.feedTitle
            media.duration = found.duration
            media.isDurationMeasured = found.measuredDuration != nil
            media.chapters = try store.episodes.notes(of: episode).chapters
            media.volume = sound.volume
            media.sound = sound.settings
            media.isMusic = sound.isMusic
            media.skips = try store.bookmarks.skips(of: episode)
            media.loudness = try store.episodes.loudness(of: episode)
            media.isOfUnknownSize = found.duration == nil && found.enclosure.length == nil
            return media
        }
    }

    public func savePosition(_ position: MediaTime, of episode: EpisodeID, isHeard: Bool) async throws {
        let now = now()
        try await library.perform {
            try $0.episodes.savePosition(position, of: episode, at: now, isDurable: true, isHeard: isHeard)
        }
        episodeChanged(episode, .position)
    }

    /// Stores the listening time until now.
    public func flush() async { await listening.flush() }

    public func follow(_ sounding: SoundingEpisode?, every interval: Duration) {
        listening.follow(sounding)
        recorder.follow(sounding.flatMap { $0.keepsPosition ? $0 : nil }, every: interval)
    }

    public func finish(_ entry: QueueEntry, heard: MediaTime?) async throws {
        try await queue.finish(entry, heard: heard, keepsEntry: keepsPlayed(), at: now())
        episodeChanged(entry.episode, .mark)
        let episode = try await library.read { try $0.episodes.episode(entry.episode) }
        if let announced = episode.announcedDuration, let measured = episode.measuredDuration,
            measured.seconds < announced.seconds / 2
        {
            endedEarly(episode, announced, measured)
        }
    }

    public func discard(_ entry: QueueEntry, isWithdrawn: Bool) async throws {
        guard try await queue.discard(entry.episode) else {
            if isWithdrawn { try await queue.withdraw(entry.id) }
            return
        }
        feedsChanged()
        episodeChanged(entry.episode, .content)
    }

    public func forgetMeasurements(of episode: EpisodeID) async throws {
        try await library.perform { try $0.episodes.forgetMeasurements(of: episode) }
        episodeChanged(episode, .content)
    }

    public func setMeasuredDuration(_ duration: MediaTime, of episode: EpisodeID) async throws {
        try await library.perform { try $0.episodes.setMeasuredDuration(duration, of: episode) }
        episodeChanged(episode, .content)
    }
}
